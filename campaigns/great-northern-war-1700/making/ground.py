"""What the hexes and hexsides are made of: water, woods, hills, marsh."""

import csv
import json
import math

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon, shape
from shapely.ops import transform

from hexgrid import HERE, name


def table(file):
    with open(HERE / file, encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    for row in rows:
        if None in row or None in row.values():
            raise SystemExit(f"{file}: a line has too few or too many cells: {row}")
    return rows


def points(text):
    """ "59.3 18.1; 60 19" as pairs of latitude and longitude."""
    return [tuple(float(number) for number in point.split()) for point in text.split(";") if point.strip()]


class Cover:
    """The sheet of woods and hills: a letter a quarter degree, row 0 at 67.25 to 67.5 north, column 0 at 6.5 to 6.75 east."""

    def __init__(self):
        self.lines = (HERE / "cover.txt").read_text(encoding="utf-8").splitlines()

    def letter(self, lat, lon):
        row, column = int((67.5 - lat) / 0.25), int((lon - 6.5) / 0.25)
        if 0 <= row < len(self.lines) and 0 <= column < len(self.lines[row]):
            return self.lines[row][column]
        return " "


class Ground:
    def __init__(self, grid):
        self.grid = grid
        self.land = self._layer("land.geojson")
        self.lakes = self._layer("lakes.geojson")
        marshes = [Polygon([grid.km(*p) for p in points(row["outline"])]).buffer(0) for row in table("marshes.csv")]
        self.marsh = shapely.union_all(marshes)
        edge = [(float(row["lat"]), float(row["lon"])) for row in table("theatre.csv")]
        self.theatre = transform(grid._project, Polygon([(lon, lat) for lat, lon in edge]).segmentize(0.5))
        for layer in (self.land, self.lakes, self.marsh, self.theatre):
            shapely.prepare(layer)
        self.cover = Cover()
        self.barriers = [
            (row["name"], row["kind"], LineString([grid.km(*p) for p in points(row["line"])]))
            for row in table("barriers.csv")
        ]

    def _layer(self, file):
        features = json.loads((HERE / "layers" / file).read_text(encoding="utf-8"))["features"]
        return shapely.union_all([transform(self.grid._project, shape(f["geometry"])).buffer(0) for f in features])

    def shares(self, cell):
        """Dry land and lake, as parts of a hex."""
        x, y = self.grid.centre(cell)
        half = self.grid.across / 2
        step = np.linspace(-1, 1, 25)
        xs, ys = (part.ravel() for part in np.meshgrid(x + step * half, y + step * self.grid.radius))
        inside = shapely.contains_xy(Polygon(self.grid.corners(cell)), xs, ys)
        xs, ys = xs[inside], ys[inside]
        land, lake = shapely.contains_xy(self.land, xs, ys), shapely.contains_xy(self.lakes, xs, ys)
        return float((land & ~lake).mean()), float((land & lake).mean())

    def in_theatre(self, cell):
        return bool(shapely.contains_xy(self.theatre, *self.grid.centre(cell)))

    def side(self, a, b):
        """Terrain and barrier of the side between two land hexes."""
        settings, grid = self.grid.settings, self.grid
        k = grid.neighbours(a).index(b)
        (x0, y0), (x1, y1) = grid.corner(a, k), grid.corner(a, k + 1)
        way = LineString([grid.centre(a), grid.centre(b)])
        for _, kind, line in self.barriers:
            if way.intersects(line):
                return "clear", "strait" if kind == "strait" else "impassable"
        along = np.linspace(0.02, 0.98, 25)
        xs, ys = x0 + (x1 - x0) * along, y0 + (y1 - y0) * along
        dry = shapely.contains_xy(self.land, xs, ys) & ~shapely.contains_xy(self.lakes, xs, ys)
        if 1 - dry.mean() > settings["water_side"]:
            lake = shapely.contains_xy(self.lakes, xs, ys).mean()
            return "clear", "impassable" if lake > 0.5 * (1 - dry.mean()) else "strait"
        (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
        samples = [
            (x0 + (x1 - x0) * t + (bx - ax) * u, y0 + (y1 - y0) * t + (by - ay) * u)
            for t in np.linspace(0.1, 0.9, 7)
            for u in np.linspace(-0.28, 0.28, 5)
        ]
        letters = [self.cover.letter(*grid.latlon(*p)) for p in samples]
        letters = [letter for letter in letters if letter != " "] or ["."]
        xs, ys = np.array([p[0] for p in samples]), np.array([p[1] for p in samples])
        if letters.count("M") / len(letters) >= settings["hill_share"]:
            return "mountain", ""
        if shapely.contains_xy(self.marsh, xs, ys).mean() >= settings["marsh_share"]:
            return "marsh", ""
        if (letters.count("f") + letters.count("M")) / len(letters) >= settings["wood_share"]:
            return "forest", ""
        return "clear", ""


def direction(grid, home, cell):
    """The point of the compass at which a cell lies from a place, in words."""
    x, y = grid.centre(cell)
    hx, hy = home
    words = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
    return words[round(math.degrees(math.atan2(x - hx, y - hy)) / 45) % 8]


__all__ = ["Ground", "direction", "name", "points", "table"]
