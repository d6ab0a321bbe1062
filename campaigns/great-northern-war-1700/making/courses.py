"""Rivers and roads: the cheapest way along hexsides, or from hex to hex, that keeps to a course and passes by given towns."""

import heapq
import json
import math
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import LineString, shape
from shapely.ops import transform

from ground import points
from hexgrid import HERE


class Rivers:
    """Lays rivers on hexsides one after another; a side belongs to one river, and a river has neither gap nor fork."""

    def __init__(self, grid, kinds, sides, city_at):
        self.grid, self.kinds, self.city_at = grid, kinds, city_at
        features = json.loads((HERE / "layers" / "rivers.geojson").read_text(encoding="utf-8"))["features"]
        self.layer = {}
        for feature in features:
            line = transform(grid._project, shape(feature["geometry"]))
            self.layer.setdefault(feature["properties"]["name"], []).append(line)
        self.edges = {}
        for (cell, other), side in sides.items():
            if side["barrier"] != "strait":
                u, v = grid.ends(cell, other)
                self.edges.setdefault(u, []).append((v, (cell, other)))
                self.edges.setdefault(v, []).append((u, (cell, other)))
        self.taken, self.corners, self.course = {}, {}, {}

    def guide(self, row):
        lines = [line for what in filter(None, row["layer"].split("|")) for line in self.layer[what]]
        course = [self.grid.km(*p) for p in points(row["course"])]
        if len(course) > 1:
            lines.append(LineString(course))
        return shapely.union_all(lines)

    def cost(self, side, guide):
        (x0, y0), (x1, y1) = (self.grid.place(v) for v in self.grid.ends(*side))
        samples = shapely.points([(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (0.1, 0.3, 0.5, 0.7, 0.9)])
        away = float(np.mean(shapely.distance(samples, guide)))
        return self.grid.radius * (1 + (away / (0.3 * self.grid.across)) ** 2)

    def near(self, text):
        """Vertices near a point, with what it costs to begin or end there."""
        x, y = self.grid.km(*points(text)[0])
        reach = 1.05 * self.grid.across
        found = {}
        for vertex in self.edges:
            vx, vy = self.grid.place(vertex)
            apart = math.hypot(vx - x, vy - y)
            if apart < reach:
                found[vertex] = 3 * apart
        return found

    def mouth(self, row, guide):
        """Where a tributary ends: its course's last point, or what lies farthest from its source."""
        if row["course"]:
            return self.grid.km(*points(row["course"])[-1])
        source = self.grid.km(*points(row["from"])[0])
        return max((tuple(p) for p in shapely.get_coordinates(guide)), key=lambda p: math.dist(p, source))

    def bounds(self, text, row, guide):
        """Where a river may begin or end: at a point, where water touches, or on another river."""
        if text in self.course:
            mouth = self.mouth(row, guide)
            banks = {v for side in self.course[text] for v in self.grid.ends(*side)}
            return {v: 3 * math.dist(self.grid.place(v), mouth) for v in banks}
        word, _, rest = text.partition(" ")
        if word in ("sea", "lake"):
            near = self.near(rest)
            return {v: c for v, c in near.items() if any(self.kinds.get(cell) == word for cell in v)} or near
        return self.near(text)

    def lay(self, row):
        """The sides of a river from source to mouth, and what could not be met."""
        guide = self.guide(row)
        starts, ends = self.bounds(row["from"], row, guide), self.bounds(row["to"], row, guide)
        costs = {}

        def price(side, to):
            if side not in costs:
                costs[side] = self.cost(side, guide) * (1000 if side in self.taken else 1)
            foreign = self.corners.get(to, set()) - ({row["to"]} if to in ends else set())
            return costs[side] + (400 if foreign else 0)

        # A state is a directed side (vertex left, vertex reached); it remembers the state before.
        reached = {(None, v): (cost, None) for v, cost in starts.items()}
        faults = []
        for town in filter(None, row["past"].split("|")):
            sides = self.beside(town)
            if not sides:
                continue
            stage = self.spread(reached, price)
            passed = {state: found for state, found in stage.items() if state[0] and self.side_of(state) in sides}
            if not passed:
                faults.append(f"{row['name']} does not come to {town}")
                continue
            reached = passed
        stage = self.spread(reached, price)
        best = min(((found[0] + ends[s[1]], s) for s, found in stage.items() if s[1] in ends and s[0]), default=None)
        if best is None:
            return [], faults + [f"{row['name']} finds no way"]
        chain, state, found = [], best[1], stage[best[1]]
        while state[0] is not None:
            chain.append(self.side_of(state))
            state, found = found[1]
        chain.reverse()
        trimmed = self.trim(chain)
        for side in trimmed:
            if side in self.taken:
                faults.append(f"{row['name']} and {self.taken[side]} share a side")
            self.taken[side] = row["id"]
            for vertex in self.grid.ends(*side):
                self.corners.setdefault(vertex, set()).add(row["id"])
        self.course[row["id"]] = trimmed
        return trimmed, faults

    def beside(self, town):
        """The sides of a town's hex; of "Narva/Koporie" the one between the two, so that each has its own bank."""
        cells = [self.city_at.get(name) for name in town.split("/")]
        if None in cells:
            return set()
        sides = [{tuple(sorted((cell, other))) for other in self.grid.neighbours(cell)} for cell in cells]
        return set.intersection(*sides)

    def side_of(self, state):
        return next(side for to, side in self.edges[state[0]] if to == state[1])

    def trim(self, chain):
        """Without the loops that come of passing by a town and turning round it."""
        kept, seen = [], {}
        for side in chain:
            if side in seen:
                kept = kept[: seen[side]]
                seen = {s: i for i, s in enumerate(kept)}
            seen[side] = len(kept)
            kept.append(side)
        return kept

    def spread(self, reached, price):
        queue = [(cost, n, state, before) for n, (state, (cost, before)) in enumerate(reached.items())]
        heapq.heapify(queue)
        done, count = {}, len(queue)
        while queue:
            cost, _, state, before = heapq.heappop(queue)
            if state in done:
                continue
            done[state] = (cost, before)
            here = state[1]
            for to, side in self.edges.get(here, []):
                onward = (here, to)
                if to == state[0] or onward in done:
                    continue
                count += 1
                heapq.heappush(queue, (cost + price(side, to), count, onward, (state, done[state])))
        return done


def road(grid, kinds, sides, city_at, towns):
    """Hexes of a road through towns: open ground before woods, woods before marsh and hills, and bridges at cities."""
    weight = {"clear": 1.0, "forest": 1.35, "marsh": 2.2, "mountain": 2.6}
    bridges = set(city_at.values())
    way = []
    for start, goal in pairwise(towns):
        queue, done = [(0.0, start, None)], {}
        while queue:
            cost, cell, before = heapq.heappop(queue)
            if cell in done:
                continue
            done[cell] = before
            if cell == goal:
                break
            for other in grid.neighbours(cell):
                side = sides.get((min(cell, other), max(cell, other)))
                if side is None or side["barrier"] or other in done:
                    continue
                ford = 0.8 if side["river"] and cell not in bridges and other not in bridges else 0.0
                heapq.heappush(queue, (cost + weight[side["terrain"]] + ford, other, cell))
        if goal not in done:
            return None
        part, cell = [], goal
        while cell is not None:
            part.append(cell)
            cell = done[cell]
        way += part[::-1] if not way else part[::-1][1:]
    return way
