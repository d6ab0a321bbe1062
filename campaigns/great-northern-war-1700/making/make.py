#!/usr/bin/env python3
"""Makes the map files of this campaign (../hexes.csv and its neighbours) from the layers and the hand tables beside it.

    pip install -r requirements.txt
    python3 make.py            writes the files into the folder above
    python3 make.py --out DIR --across 90   another scale, elsewhere

README.md says what each table is. Everything that a person may want to change is in a table; a re-run keeps it.
"""

import argparse
import csv
import math
import re
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

from courses import Rivers, road
from ground import Ground, direction, points, table
from hexgrid import HERE, Grid, name

SEATS = {
    "SWE": "sweden",
    "HOL": "sweden",
    "RUS": "russia",
    "DON": "russia",
    "SAX": "saxony_poland",
    "POL": "saxony_poland",
    "LIT": "saxony_poland",
    "CUR": "saxony_poland",
    "DEN": "denmark_norway",
    "PRU": "prussia",
    "AUS": "austria",
    "OTT": "turkey",
    "CRI": "turkey",
    "MOL": "turkey",
    "WAL": "turkey",
    "HET": "ukraine",
    "ZAP": "ukraine",
    "HAM": "",
    "LUB": "",
    "MEC": "",
    "HAN": "",
}
VASSALS = {"HOL", "DON", "CUR", "CRI", "MOL", "WAL"}
LETTERS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "ß": "ss", "ł": "l", "ı": "i", "đ": "d"}


def slug(text):
    text = "".join(LETTERS.get(letter, letter) for letter in text.lower())
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", text).strip("_")


def trunks_first(rivers):
    """A river after the one that it flows into."""
    ids, laid, waiting = {row["id"] for row in rivers}, [], list(rivers)
    while waiting:
        done = {row["id"] for row in laid}
        row = next(row for row in waiting if row["to"] not in ids - done)
        waiting.remove(row)
        laid.append(row)
    return laid


class Maker:
    def __init__(self, grid):
        self.grid, self.ground = grid, Ground(grid)
        self.faults = []
        self.closed = set()
        self.kinds, self.share, self.city_at, self.cities, self.places = {}, {}, {}, {}, []

    def fault(self, text):
        self.faults.append(text)

    # -- hexes ------------------------------------------------------------------------------------------------------

    def lay_ground(self):
        for cell in self.grid.cells():
            land, lake = self.ground.shares(cell)
            self.share[cell] = land
            theatre = self.ground.in_theatre(cell)
            if land >= self.grid.settings["land_share"]:
                kind = "land" if theatre else "off"
            elif lake > 0.45:
                kind = "lake" if theatre else "off"
            else:
                kind = "sea"
            self.kinds[cell] = kind
        self.force(table("hexes.csv"))

    def force(self, rows):
        for row in rows:
            cell = self.grid.at(float(row["lat"]), float(row["lon"]))
            self.kinds[cell] = row["kind"]
            if row["kind"] != "land":
                self.closed.add(cell)

    def seat_cities(self):
        """One city a hex: the great ones first; a small one that finds its hex taken is a place in it."""
        moved = {row["place"]: row for row in table("seated.csv")}
        rows = sorted(table("gazetteer.csv"), key=lambda r: (r["name"] not in moved, int(r["tier"]), -int(r["value"])))
        for row in rows:
            here = moved.get(row["name"], row)
            lat, lon = float(here["lat"]), float(here["lon"])
            home = self.grid.at(lat, lon)
            if home not in self.kinds or not self.ground.in_theatre(home):
                self.places.append((row, home))
                continue
            free = home not in self.cities and self.kinds[home] != "lake" and home not in self.closed
            if row["tier"] == "3" or (row["tier"] == "2" and not free and row["name"] not in moved):
                self.places.append((row, home))
                continue
            if not free:
                near = [
                    c
                    for c in self.grid.neighbours(home)
                    if c not in self.cities and self.share.get(c, 0) > 0.12 and self.ground.in_theatre(c)
                ]
                if not near:
                    self.fault(f"{row['name']} finds no hex")
                    continue
                home = min(near, key=lambda c: (round(self.grid.apart(c, lat, lon), 3), c))
                print(
                    f"  {row['name']} stands in {name(home)}, {self.grid.apart(home, lat, lon):.0f} km from its hex's middle"
                )
            self.cities[home] = row
            self.city_at[row["name"]] = home
            self.kinds[home] = "land"

    def drop_strays(self):
        """Land without a town that no other land touches is left to the sea; sea that no sea touches, to nobody."""
        for cell, kind in list(self.kinds.items()):
            beside = [self.kinds.get(other) for other in self.grid.neighbours(cell)]
            if kind == "land" and cell not in self.cities and "land" not in beside:
                self.kinds[cell] = "sea"
        sea = {cell for cell, kind in self.kinds.items() if kind == "sea"}
        shore = {c for c in sea if any(self.kinds.get(o) == "land" for o in self.grid.neighbours(c))}
        keep = set(shore)
        for _ in range(self.grid.settings["open_sea"]):
            keep |= {o for c in keep for o in self.grid.neighbours(c) if o in sea}
        for cell in sea - keep:
            self.kinds[cell] = "off"
        self.force([row for row in table("hexes.csv") if row["kind"] in ("off", "sea")])

    # -- provinces and names -------------------------------------------------------------------------------------------

    def settle_provinces(self):
        seeds = [(float(r["lat"]), float(r["lon"]), r["province"]) for r in table("gazetteer.csv")]
        seeds += [(float(r["lat"]), float(r["lon"]), r["province"]) for r in table("small_places.csv")]
        by_km = [(*self.grid.km(lat, lon), province) for lat, lon, province in seeds]
        forced = {self.grid.at(float(r["lat"]), float(r["lon"])): r["province"] for r in table("borders.csv")}
        inside = {}
        for lat, lon, province in seeds:
            inside.setdefault(self.grid.at(lat, lon), []).append(province)
        self.province = {}
        for cell, kind in self.kinds.items():
            if kind != "land":
                continue
            x, y = self.grid.centre(cell)
            near = min(by_km, key=lambda s: math.hypot(s[0] - x, s[1] - y))[2]
            own = inside.get(cell, [near])
            most = max(sorted(set(own)), key=lambda p: (own.count(p), p == near))
            self.province[cell] = forced.get(cell, self.cities[cell]["province"] if cell in self.cities else most)

    def name_hexes(self):
        self.hex_name, used = {}, set()
        villages = {}
        for row in table("small_places.csv"):
            cell = self.grid.at(float(row["lat"]), float(row["lon"]))
            if self.kinds.get(cell) == "land":
                villages.setdefault(cell, []).append(row)
            else:
                near = [c for c in self.grid.neighbours(cell) if self.kinds.get(c) == "land"]
                if near:
                    cell = min(near, key=lambda c: self.grid.apart(c, float(row["lat"]), float(row["lon"])))
                    villages.setdefault(cell, []).append(row)
        self.villages = villages
        seas = table("seas.csv")
        for cell, kind in sorted(self.kinds.items()):
            if kind == "land":
                self.hex_name[cell] = self.land_name(cell, used)
                used.add(self.hex_name[cell])
            elif kind in ("sea", "lake"):
                waters = [row for row in seas if row["name"].startswith("Lake") == (kind == "lake")]
                self.hex_name[cell] = min(
                    waters, key=lambda r: self.grid.apart(cell, float(r["lat"]), float(r["lon"]))
                )["name"]

    def land_name(self, cell, used):
        if cell in self.cities:
            return self.cities[cell]["name"]
        own = [row["name"] for row, home in self.places if home == cell] + [
            r["name"] for r in self.villages.get(cell, [])
        ]
        for candidate in own:
            if candidate not in used:
                return candidate
        towns = sorted(self.city_at.items(), key=lambda t: math.dist(self.grid.centre(cell), self.grid.centre(t[1])))
        for town, home in towns:
            candidate = f"the country {direction(self.grid, self.grid.centre(home), cell)} of {town}"
            if candidate not in used:
                return candidate
        raise AssertionError("there are more towns than hexes")

    # -- sides -----------------------------------------------------------------------------------------------------

    def lay_sides(self):
        self.sides = {}
        for cell, kind in sorted(self.kinds.items()):
            for other in self.grid.neighbours(cell):
                if cell < other and kind == "land" and self.kinds.get(other) == "land":
                    terrain, barrier = self.ground.side(cell, other)
                    self.sides[cell, other] = {"terrain": terrain, "river": "", "class": "", "barrier": barrier}

    def lay_rivers(self):
        self.rivers = Rivers(self.grid, self.kinds, self.sides, self.city_at)
        for row in trunks_first(table("rivers.csv")):
            chain, faults = self.rivers.lay(row)
            self.faults += faults
            for side in chain:
                self.sides[side].update(river=row["id"], **{"class": row["class"]})
                if self.sides[side]["barrier"] == "impassable":
                    self.sides[side]["barrier"] = ""

    def correct_sides(self):
        for row in table("sides.csv"):
            a = self.grid.at(*points(row["from"])[0])
            b = self.grid.at(*points(row["to"])[0])
            side = self.sides.get((min(a, b), max(a, b)))
            if side is None:
                self.fault(
                    f"sides.csv: {row['from']} and {row['to']} lie in {name(a)} and {name(b)}, which share no side"
                )
                continue
            for column in ("terrain", "barrier"):
                if row[column]:
                    side[column] = "" if row[column] == "open" else row[column]

    def lay_roads(self):
        self.roads = []
        for row in table("roads.csv"):
            towns = []
            for town in row["through"].split("|"):
                cell = self.city_at.get(town) or next((home for r, home in self.places if r["name"] == town), None)
                if cell is None:
                    self.fault(f"roads.csv: {town} is no place on the board")
                elif not towns or towns[-1] != cell:
                    towns.append(cell)
            way = road(self.grid, self.kinds, self.sides, self.city_at, towns) if len(towns) > 1 else None
            if way is None:
                self.fault(f"roads.csv: {row['name']} finds no way")
                continue
            # Where a road was cut, the woods are open: marsh and hills stay what they are.
            for a, b in pairwise(way):
                side = self.sides[min(a, b), max(a, b)]
                if side["terrain"] == "forest":
                    side["terrain"] = "clear"
            self.roads.append((row, way))

    # -- boxes -----------------------------------------------------------------------------------------------------

    def place_boxes(self):
        self.boxes, self.links = [], []
        board = {cell for cell, kind in self.kinds.items() if kind != "off"}
        for row in table("boxes.csv"):
            lat, lon = float(row["lat"]), float(row["lon"])
            near = sorted(self.grid.cells(), key=lambda c: (self.grid.apart(c, lat, lon), c))
            home = next(c for c in near if c not in board and not board & set(self.grid.neighbours(c)))
            board.add(home)
            self.boxes.append((row, home))
            self.city_at[row["city"]] = home
        for row, home in self.boxes:
            for link in row["links"].split(";"):
                self.links.append(self.link(home, link.strip()))

    def link(self, home, text):
        by = "land"
        if text.startswith("sea "):
            by, text = "sea", text[4:]
        if text.startswith("@"):
            lat, lon, *terrain = text[1:].split()
            kind = "sea" if by == "sea" else "land"
            cells = [c for c, k in self.kinds.items() if k == kind]
            end = min(cells, key=lambda c: self.grid.apart(c, float(lat), float(lon)))
            terrain = " ".join(terrain)
        else:
            town, _, terrain = text.rpartition(" ")
            end = self.city_at[town]
        return sorted([home, end]), by, terrain

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(self, folder, file, header, rows):
        with open(folder / file, "w", encoding="utf-8", newline="") as handle:
            out = csv.writer(handle, lineterminator="\n")
            out.writerow(header)
            out.writerows(rows)

    def port(self, cell, row):
        """A sea port opens on a sea hex or a strait, a river port lies on a named river; else it is none."""
        around = self.grid.neighbours(cell)
        sides = [self.sides.get((min(cell, o), max(cell, o))) for o in around]
        by_sea = any(self.kinds.get(o) == "sea" for o in around) or any(s and s["barrier"] == "strait" for s in sides)
        by_river = any(s and s["river"] for s in sides)
        if row["port"] == "sea" and by_sea:
            return "sea"
        if row["port"] == "sea":
            self.fault(f"{row['name']} is a sea port and lies in {name(cell)}, away from the sea")
        if row["port"] != "none" and by_river:
            return "river"
        if row["port"] == "river" and row["tier"] == "1":
            print(f"  {row['name']} is a river port and no named river comes by: no port")
        return "none"

    def finish(self, folder):
        provinces = {row["name"]: row for row in table("provinces.csv")}
        capitals = {row["capital"]: slug(row["name"]) for row in provinces.values()}
        aliases = {row["place"]: row["aliases"] for row in table("aliases.csv")}
        used = {self.province[c] for c in self.province} | {row["province"] for row, _ in self.boxes}
        hexes = []
        for cell, kind in sorted(self.kinds.items(), key=lambda item: (item[0][1], item[0][0])):
            if kind == "off":
                continue
            lat, lon = self.grid.latlon(*self.grid.centre(cell))
            province = self.province.get(cell, "")
            owner = SEATS[provinces[province]["owner"]] if province else ""
            hexes.append([name(cell), kind, owner, slug(province), self.hex_name[cell], f"{lat:.2f}", f"{lon:.2f}"])
        for row, cell in self.boxes:
            hexes.append(
                [name(cell), "box", SEATS[row["owner"]], slug(row["province"]), row["city"], row["lat"], row["lon"]]
            )
        self.write(folder, "hexes.csv", ["hex", "kind", "owner", "province", "name", "lat", "lon"], hexes)
        order = sorted(
            self.sides.items(), key=lambda item: (item[0][0][1], item[0][0][0], item[0][1][1], item[0][1][0])
        )
        sides = []
        for (a, b), s in order:
            first, second = sorted([name(a), name(b)])
            sides.append([first, second, s["terrain"], s["river"], s["class"], s["barrier"]])
        self.write(folder, "hexsides.csv", ["hex_a", "hex_b", "terrain", "river", "class", "barrier"], sides)
        cities = []
        everywhere = list(self.cities.items()) + [
            (cell, {**row, "name": row["city"], "tier": "1", "box": "yes"}) for row, cell in self.boxes
        ]
        for cell, row in sorted(
            everywhere,
            key=lambda item: (
                SEATS[item[1]["owner"]] == "",
                item[1]["owner"],
                item[1]["province"],
                -int(item[1]["value"]),
                item[1]["name"],
            ),
        ):
            port = row["port"] if row.get("box") else self.port(cell, row)
            factor = row["value"] if port == "sea" else ""
            seat = SEATS[row["owner"]]
            home = seat if int(row["value"]) > 0 and (row["cossacks"] or row["owner"] not in VASSALS) else ""
            cities.append(
                [
                    slug(row["name"]),
                    row["name"],
                    name(cell),
                    row["value"],
                    row["fort"],
                    port,
                    factor,
                    capitals.get(row["name"], ""),
                    home,
                    row["cossacks"],
                    aliases.get(row["name"], ""),
                ]
            )
        self.write(
            folder,
            "cities.csv",
            [
                "id",
                "name",
                "hex",
                "value",
                "fort",
                "port",
                "port_factor",
                "capital_of",
                "home_of",
                "cossack",
                "aliases",
            ],
            cities,
        )
        self.write(folder, "places.csv", ["name", "hex", "aliases"], self.place_rows(aliases))
        rows = []
        for province in provinces.values():
            if province["name"] not in used:
                self.fault(f"{province['name']} has no hex")
            owner = province["owner"]
            standing = "vassal" if owner in VASSALS else "home" if SEATS[owner] else "neutral"
            rows.append(
                [
                    slug(province["name"]),
                    province["name"],
                    SEATS[owner],
                    standing,
                    slug(province["capital"]),
                    province["income"],
                    province["manpower"],
                    province["source"],
                ]
            )
        self.write(
            folder,
            "provinces.csv",
            ["id", "name", "owner", "standing", "capital_city", "income", "manpower", "source"],
            rows,
        )
        known = {s["river"] for s in self.sides.values()}
        self.write(
            folder,
            "rivers.csv",
            ["id", "name", "aliases"],
            [[r["id"], r["name"], r["aliases"]] for r in table("rivers.csv") if r["id"] in known],
        )
        self.write(
            folder,
            "links.csv",
            ["hex_a", "hex_b", "by", "terrain"],
            [[*sorted([name(a), name(b)]), by, terrain] for (a, b), by, terrain in self.links],
        )
        self.write(
            folder,
            "roads.csv",
            ["id", "name", "hexes"],
            [[row["id"], row["name"], "|".join(name(c) for c in way)] for row, way in self.roads],
        )

    def place_rows(self, aliases):
        rows = []
        for row, cell in self.places:
            if self.kinds.get(cell) != "land":
                near = [c for c in self.grid.neighbours(cell) if self.kinds.get(c) == "land"]
                if not near:
                    box = next(
                        (
                            b
                            for r, b in self.boxes
                            if row["owner"] == r["owner"]
                            and self.grid.apart(b, float(row["lat"]), float(row["lon"])) < 400
                        ),
                        None,
                    )
                    if box is None:
                        print(f"  {row['name']} lies off the board")
                        continue
                    near = [box]
                cell = min(near, key=lambda c: self.grid.apart(c, float(row["lat"]), float(row["lon"])))
            rows.append([row["name"], name(cell), aliases.get(row["name"], "")])
        for cell, villages in sorted(self.villages.items()):
            rows += [[row["name"], name(cell), row["aliases"]] for row in villages]
        return rows


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=HERE.parent)
    options.add_argument("--across", type=float, help="kilometres across a hex, instead of grid.toml's")
    options = options.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    maker = Maker(Grid(options.across))
    for step in (
        "lay_ground",
        "seat_cities",
        "drop_strays",
        "settle_provinces",
        "name_hexes",
        "lay_sides",
        "correct_sides",
        "lay_rivers",
        "lay_roads",
        "place_boxes",
    ):
        print(step.replace("_", " "))
        getattr(maker, step)()
    maker.finish(options.out)
    kinds = list(maker.kinds.values())
    print(
        ", ".join(f"{kinds.count(k)} {k}" for k in ("land", "sea", "lake")),
        f"hexes; {len(maker.cities)} cities; {len(maker.sides)} sides",
    )
    for fault in maker.faults:
        print("FAULT", fault, file=sys.stderr)
    sys.exit(1 if maker.faults else 0)


if __name__ == "__main__":
    main()
