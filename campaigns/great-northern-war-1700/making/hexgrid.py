"""Pointy-top hexes in odd-r offset (odd rows half a hex to the right) on a map projection, in kilometres."""

import math
import tomllib
from pathlib import Path

import pyproj

HERE = Path(__file__).parent
# Sides and corners count clockwise: side k runs from corner k to corner k + 1; corner 0 points north.
SIDES = ["NE", "E", "SE", "SW", "W", "NW"]


class Grid:
    def __init__(self, across=None, west=None, north=None):
        self.settings = tomllib.loads((HERE / "grid.toml").read_text(encoding="utf-8"))
        default = self.settings["across_km"]
        self.across = across or default
        self.west = self.settings["west_km"] if west is None else west
        self.north = self.settings["north_km"] if north is None else north
        self.columns = math.ceil(self.settings["columns"] * default / self.across)
        self.rows = math.ceil(self.settings["rows"] * default / self.across)
        self.radius = self.across / math.sqrt(3)
        self._project = pyproj.Proj(self.settings["projection"])

    def km(self, lat, lon):
        return self._project(lon, lat)

    def latlon(self, x, y):
        lon, lat = self._project(x, y, inverse=True)
        return lat, lon

    def centre(self, cell):
        column, row = cell
        x = self.west + self.across * (column + 0.5 * (row % 2) + 0.5)
        return x, self.north - self.radius * (1 + 1.5 * row)

    def corner(self, cell, k):
        x, y = self.centre(cell)
        angle = math.pi / 3 * k
        return x + self.radius * math.sin(angle), y + self.radius * math.cos(angle)

    def corners(self, cell):
        return [self.corner(cell, k) for k in range(6)]

    @staticmethod
    def neighbour(cell, side):
        column, row = cell
        shift = row % 2
        return [
            (column + shift, row - 1),
            (column + 1, row),
            (column + shift, row + 1),
            (column - 1 + shift, row + 1),
            (column - 1, row),
            (column - 1 + shift, row - 1),
        ][side]

    def neighbours(self, cell):
        return [self.neighbour(cell, side) for side in range(6)]

    def vertex(self, cell, k):
        """A corner by the three cells that meet there."""
        return tuple(sorted((cell, self.neighbour(cell, (k - 1) % 6), self.neighbour(cell, k % 6))))

    def ends(self, a, b):
        """The two vertices of the side between two cells."""
        k = self.neighbours(a).index(b)
        return self.vertex(a, k), self.vertex(a, (k + 1) % 6)

    def place(self, vertex):
        """Where a vertex lies: the middle of its three cells."""
        points = [self.centre(cell) for cell in vertex]
        return sum(p[0] for p in points) / 3, sum(p[1] for p in points) / 3

    def at(self, lat, lon):
        """The cell that holds a point."""
        x, y = self.km(lat, lon)
        row = round((self.north - y - self.radius) / (1.5 * self.radius))
        best = None
        for r in (row - 1, row, row + 1):
            column = round((x - self.west) / self.across - 0.5 - 0.5 * (r % 2))
            for c in (column - 1, column, column + 1):
                cx, cy = self.centre((c, r))
                key = ((cx - x) ** 2 + (cy - y) ** 2, (c, r))
                best = min(best, key) if best else key
        return best[1]

    def cells(self):
        return [(column, row) for row in range(self.rows) for column in range(self.columns)]

    def apart(self, cell, lat, lon):
        """Kilometres from a point to a cell's centre."""
        x, y = self.km(lat, lon)
        cx, cy = self.centre(cell)
        return math.hypot(cx - x, cy - y)


def name(cell):
    return f"{cell[0]:02d}{cell[1]:02d}"
