#!/usr/bin/env python3
"""Fewest seasons that a foot army under a leader needs for the marches of history, on boards made by make.py.

    python3 make.py --out /tmp/km72 && python3 make.py --across 90 --out /tmp/km90
    python3 measure.py /tmp/km72 /tmp/km90

An army of foot moves one hex a season, two by a forced march; it stops behind woods, marsh and hills; an unbridged river asks for a
roll of its leader, as a forced march does; a river carries it ten hexes between places on the same river, without a stop. `umpire map
check` asks the same of the shipped board by the game's own rules; this is for choosing a scale before there is a board.
"""

import csv
import sys
from itertools import pairwise
from pathlib import Path

from hexgrid import HERE

RIVER_HEXES = 10


class Board:
    def __init__(self, folder):
        read = lambda file: list(csv.DictReader(open(Path(folder) / file, encoding="utf-8", newline="")))
        self.land = {r["hex"] for r in read("hexes.csv") if r["kind"] == "land"}
        self.city = {r["id"]: r["hex"] for r in read("cities.csv")}
        bridges = set(self.city.values())
        self.ways, self.on_river = {}, {}
        for side in read("hexsides.csv"):
            if side["barrier"]:
                continue
            a, b = side["hex_a"], side["hex_b"]
            ford = bool(side["class"]) and a not in bridges and b not in bridges
            for here, there in ((a, b), (b, a)):
                self.ways.setdefault(here, []).append((there, side["terrain"] != "clear", ford))
                if side["river"]:
                    self.on_river.setdefault(side["river"], set()).add(here)

    def season(self, start):
        """Hexes reached in one season, each with the fewest rolls that all have to succeed."""
        reached = {}

        def reach(hex_, rolls):
            reached[hex_] = min(rolls, reached.get(hex_, 99))

        for first, stops, ford in self.ways.get(start, []):
            reach(first, int(ford))
            if not stops:
                for second, _, ford2 in self.ways.get(first, []):
                    if second != start:
                        reach(second, 1 + ford + ford2)
        for hexes in self.on_river.values():
            if start not in hexes:
                continue
            ring, seen = {start}, {start}
            for _ in range(RIVER_HEXES):
                ring = {o for h in ring for o, *_ in self.ways.get(h, []) if o in hexes} - seen
                seen |= ring
                for h in ring:
                    reach(h, 0)
        return reached

    def march(self, start, goal):
        best, seasons = {start: 0}, 0
        while goal not in best and seasons < 40:
            seasons += 1
            onward = dict(best)
            for here, rolls in best.items():
                for there, more in self.season(here).items():
                    onward[there] = min(rolls + more, onward.get(there, 99))
            best = onward
        return (seasons, best[goal]) if goal in best else None


def main():
    for folder in sys.argv[1:]:
        board = Board(folder)
        print(f"{folder}: {len(board.land)} land hexes, {len(board.city)} cities")
        for row in csv.DictReader(open(HERE.parent / "marches.csv", encoding="utf-8", newline="")):
            stops, total, rolls = row["through"].split("|"), 0, 0
            for a, b in pairwise(stops):
                if a not in board.city or b not in board.city:
                    break
                found = board.march(board.city[a], board.city[b])
                total, rolls = (total + found[0], rolls + found[1]) if found else (99, 0)
            else:
                chance = ((int(row["rating"]) - 1) / 6) ** rolls
                late = "" if total <= int(row["seasons"]) else "   TOO SLOW"
                print(
                    f"  {row['name']:48} {total:2} of {row['seasons']} seasons, {rolls} rolls, {chance:4.0%} all well{late}"
                )
                continue
            print(f"  {row['name']:48} a town is not on this board")


if __name__ == "__main__":
    main()
