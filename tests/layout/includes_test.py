#!/usr/bin/env python3
"""Includes point down only: from storey to storey, from folder to folder within a storey, and never in a circle."""

import os
import re
import sys
import tempfile
import unittest

# From the bottom up. A folder may include those of the rows above its own, not its neighbours in the row.
STOREYS = [["policies"], ["modules"], ["platform"]]
FOLDERS = {
    "policies": [["algorithms"], ["."], ["backfilling"], ["slurm"],
                 ["rigid", "pooled", "slotted", "placement", "governors", "dispatching"]],
    "modules": [["kernel"], ["protocol"], ["network"], ["server", "source", "scheduler"], ["control", "front"]],
    "platform": [["toml", "random", "fmi"], ["tables", "log", "imported_fmu"], ["model"], ["metrics"],
                 ["scenario", "theory", "trace"], ["store", "import", "cautions"], ["inference"], ["simulation"],
                 ["cluster"], ["cluster_process"], ["exported_fmu"], ["experiment"], ["search", "calibration"],
                 ["forecast", "ranks", "report"], ["command_line"], ["python"], ["."]],
}
# What a folder does not include although it lies below: a report reads what a run has found and computes none of it.
NOT_INCLUDED = {("platform", "report"): ["theory", "simulation"]}
INCLUDE = re.compile(r'\s*#\s*include\s*["<](?:muster/)?([^">]+)[">]')
SYSTEMC = re.compile(r'#\s*include\s*<(systemc|tlm)')


def in_words(rows):
    return " < ".join(", ".join(row) for row in rows)


def sources(root):
    """Files of all storeys, relative to the root."""
    for (storey,) in STOREYS:
        for folder, _, names in os.walk(os.path.join(root, storey)):
            for name in sorted(names):
                if name.endswith((".h", ".cpp", ".cpp.in")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def includes(root, file):
    """(line, included file) of those within the repository."""
    with open(os.path.join(root, file), encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            for path in (found[1], os.path.join(os.path.dirname(file), found[1])):
                if os.path.isfile(os.path.join(root, path)):
                    yield number, os.path.normpath(path)
                    break


def place(file):
    """Its storey, and its folder there."""
    storey, _, rest = file.partition("/")
    return storey, os.path.dirname(rest).partition("/")[0] or "."


def row_of(rows, name):
    return next((i for i, row in enumerate(rows) if name in row), None)


def objection(file, included):
    """The rule that an include breaks; None: none."""
    (storey, folder), (of_storey, of_folder) = place(file), place(included)
    if storey != of_storey:
        if row_of(STOREYS, of_storey) is None:
            return f"no storey is called {of_storey}"
        if row_of(STOREYS, of_storey) > row_of(STOREYS, storey):
            return f"{storey}/ includes {of_storey}/; expected {in_words(STOREYS)}"
        return None
    left_out = NOT_INCLUDED.get((storey, folder), [])
    if of_folder in left_out:
        return f"{storey}/{folder} includes {storey}/{of_folder}; expected none of {', '.join(left_out)}"
    rows = FOLDERS[storey]
    if folder != of_folder and not (row_of(rows, of_folder) is not None and row_of(rows, folder) is not None and
                                    row_of(rows, of_folder) < row_of(rows, folder)):
        return f"{storey}/{folder} includes {storey}/{of_folder}; expected in {storey}/: {in_words(rows)}"
    return None


def between_rooms(edges):
    """Includes from a folder within a folder to its neighbour there, as edges() has those of files."""
    rooms = {}
    for file, all_of_file in edges.items():
        room = os.path.dirname(file)
        for line, included in all_of_file:
            other = os.path.dirname(included)
            if room.count("/") == 2 and other != room and os.path.dirname(other) == os.path.dirname(room):
                rooms.setdefault(room, []).append((line, other))
    return rooms


def circles(edges):
    """Includes that lead back to a file, or folder, that is being included, as (file, line, circle)."""
    found, done, path = [], set(), []

    def visit(file):
        path.append(file)
        for line, included in edges.get(file, []):
            if included in path:
                found.append((file, line, path[path.index(included):] + [included]))
            elif included not in done:
                visit(included)
        path.pop()
        done.add(file)

    for file in edges:
        if file not in done:
            visit(file)
    return found


def with_systemc(root, folder):
    """Files of a folder from which includes lead to SystemC, each with the file that includes it."""
    def way(file, seen):
        with open(os.path.join(root, file), encoding="utf-8") as text:
            if SYSTEMC.search(text.read()):
                return file
        seen.add(file)
        return next(filter(None, (way(i, seen) for _, i in includes(root, file) if i not in seen)), None)

    ways = ((file, way(file, set())) for file in sources(root) if os.path.dirname(file) == folder)
    return [f"{file}: {end} includes SystemC" for file, end in ways if end]


def mistakes(root):
    edges = {file: list(includes(root, file)) for file in sources(root)}
    found = []
    for file, all_of_file in edges.items():
        storey, folder = place(file)
        if row_of(FOLDERS[storey], folder) is None:
            found.append(f"{file}:1: {storey}/{folder} has no place in the order of tests/layout/includes_test.py")
        for line, included in all_of_file:
            rule = objection(file, included)
            if rule:
                found.append(f"{file}:{line}: {rule}")
    for edges_between in (edges, between_rooms(edges)):
        found += [f"{where}:{line}: circular include: {' -> '.join(circle)}"
                  for where, line, circle in circles(edges_between)]
    return found


class Includes(unittest.TestCase):
    def of_tree(self, **files):
        """What is wrong with a tree of files, given by path (/ as __, .h left out) and included paths."""
        with tempfile.TemporaryDirectory() as root:
            for path, included in files.items():
                file = os.path.join(root, path.replace("__", "/") + ".h")
                os.makedirs(os.path.dirname(file), exist_ok=True)
                with open(file, "w", encoding="utf-8") as out:
                    out.writelines(f'#include "{i}"\n' for i in included)
            return mistakes(root)

    def test_of_this_repository_point_down_only(self):
        self.assertEqual(mistakes(sys.argv[1]), [])

    def test_of_this_repository_are_found_at_all(self):
        root = sys.argv[1]
        joined = {(place(f), place(i)) for f in sources(root) for _, i in includes(root, f)}
        self.assertIn((("platform", "simulation"), ("platform", "metrics")), joined)
        self.assertIn((("platform", "simulation"), ("modules", "scheduler")), joined)
        self.assertIn((("modules", "kernel"), ("policies", ".")), joined)
        self.assertIn((("policies", "rigid"), ("policies", ".")), joined)

    def test_of_metrics_lead_to_no_systemc(self):
        root = sys.argv[1]
        self.assertEqual(with_systemc(root, "platform/metrics"), [])
        self.assertNotEqual(with_systemc(root, "platform/simulation"), [])

    def test_of_the_protocol_checker_lead_to_its_own_package_only(self):
        root, folder = sys.argv[1], "modules/protocol/"
        package = ["payload_attributes", "protocol_checker", "protocol_rules", "release_watch"]
        files = {folder + name + ending for name in package for ending in (".h", ".cpp")}
        self.assertLess(files, set(sources(root)))
        self.assertEqual([(file, i) for file in sorted(files) for _, i in includes(root, file) if i not in files], [])

    def test_pointing_down_are_allowed(self):
        self.assertEqual(self.of_tree(platform__model__a=["platform/toml/b.h", "muster/policies/c.h"],
                                      platform__toml__b=["muster/policies/c.h"], policies__c=["systemc"]), [])

    def test_pointing_to_a_higher_storey_are_named(self):
        (found,) = self.of_tree(policies__c=["cstdint", "muster/modules/kernel/d.h"], modules__kernel__d=[])
        self.assertEqual(found, "policies/c.h:2: policies/ includes modules/; expected policies < modules < platform")

    def test_pointing_to_a_higher_folder_are_named(self):
        (found,) = self.of_tree(modules__kernel__d=["muster/modules/server/e.h"], modules__server__e=[])
        self.assertEqual(found, "modules/kernel/d.h:1: modules/kernel includes modules/server; expected in modules/: "
                                "kernel < protocol < network < server, source, scheduler < control, front")

    def test_pointing_to_a_neighbour_are_named(self):
        (found,) = self.of_tree(platform__trace__a=["platform/theory/b.h"], platform__theory__b=[])
        self.assertTrue(found.startswith("platform/trace/a.h:1: platform/trace includes platform/theory;"), found)

    def test_of_a_report_to_what_a_run_computes_are_named(self):
        (found,) = self.of_tree(platform__report__a=["platform/theory/b.h"], platform__theory__b=[])
        self.assertEqual(found, "platform/report/a.h:1: platform/report includes platform/theory; "
                                "expected none of theory, simulation")

    def test_in_a_circle_are_named(self):
        (found,) = self.of_tree(platform__toml__a=["platform/toml/b.h"], platform__toml__b=["a.h"])
        self.assertEqual(found, "platform/toml/b.h:1: circular include: "
                                "platform/toml/a.h -> platform/toml/b.h -> platform/toml/a.h")

    def test_between_rooms_of_a_folder_in_a_circle_are_named(self):
        (found,) = self.of_tree(modules__scheduler__ports__a=["muster/modules/scheduler/services/b.h"],
                                modules__scheduler__services__b=[],
                                modules__scheduler__services__c=["muster/modules/scheduler/ports/d.h"],
                                modules__scheduler__ports__d=[])
        self.assertEqual(found, "modules/scheduler/ports:1: circular include: modules/scheduler/services -> "
                                "modules/scheduler/ports -> modules/scheduler/services")

    def test_of_a_folder_without_a_place_are_named(self):
        (found,) = self.of_tree(platform__unheard_of__a=[])
        self.assertEqual(found, "platform/unheard_of/a.h:1: platform/unheard_of has no place in the order of "
                                "tests/layout/includes_test.py")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
