# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""Compares jumps that an FMU shows with those in the log of events of `hbg run`.

jumps.py LOG ROWS BOUND: at each instant at which a mode became real the rows of model exchange have its areas, those of all its commits
together, and the states it led to, within a share of the largest; and the FMU shows no area that the log does not have.
What differs is printed, and the exit code is 1.
"""

import csv
import json
import sys

QUANTITIES = {"e": "effort_area", "f": "flow_area"}
ROUNDING = 1e-12


def wanted_instants(path):
    """Time, areas by bond and quantity, last states: of each instant with a commit that automata moved to."""
    instants = []
    with open(path, encoding="utf-8") as log:
        for line in log:
            event = json.loads(line)
            commits = [visit for visit in event["trace"] if visit["kind"] != "mythical"]
            areas, states = {}, {}
            for visit in commits:
                states.update({name: jump[1] for name, jump in visit["jump"].items()})
                for bond, parts in visit["impulses"].items():
                    for letter, area in parts.items():
                        key = bond, QUANTITIES[letter]
                        areas[key] = areas.get(key, 0) + area
            if any(visit["changed"] for visit in commits):  # energies made consistent at the start are no mode
                instants.append((event["t"], areas, states))
    return instants


def found_instants(path):
    """Rows in which more modes have become real than in the one before."""
    instants, modes = [], 0
    with open(path, encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            row = {name.strip("'"): float(value) for name, value in row.items()}
            if row["events.modes"] > modes:
                instants.append(row)
            modes = row["events.modes"]
    return instants


def column_of(names, bond, quantity):
    """An element in the log is its bond in the FMU; a bond with a name of its own does not tell which it is."""
    ends = [name for name in names if name.endswith(f".{quantity}")]
    exact = [name for name in ends if name == f"{bond}.{quantity}"]
    near = [name for name in ends if name.endswith(f">{bond}.{quantity}") or name.startswith(f"{bond}>")]
    return exact or near or [name for name in ends if ">" not in name]


def differences(wanted, found, bound):
    if len(wanted) != len(found):
        yield f"{len(found)} instants instead of {len(wanted)}"
        return
    largest = {}
    for _, areas, states in wanted:
        for (_, quantity), area in areas.items():
            largest[quantity] = max(largest.get(quantity, 0), abs(area))
        for name, value in states.items():
            largest[name] = max(largest.get(name, 0), abs(value))
    for (time, areas, states), row in zip(wanted, found):
        told = set()
        for (bond, quantity), area in areas.items():
            columns = column_of(row, bond, quantity)
            same = [name for name in columns if abs(row[name] - area) <= bound * largest[quantity] + ROUNDING]
            told.update(same)
            if not same:
                yield f"at {time} s {bond}.{quantity} is {[row[name] for name in columns]} instead of {area}"
        for name, value in states.items():
            if name in row and not abs(row[name] - value) <= bound * largest[name] + ROUNDING:
                yield f"at {time} s {name} is {row[name]} instead of {value}"
        for name, area in row.items():
            quantity = name.rpartition(".")[2]
            silent = quantity in QUANTITIES.values() and name not in told
            if silent and abs(area) > bound * largest.get(quantity, 0) + ROUNDING:
                yield f"at {time} s {name} is {area}, of which the log has nothing"


def main():
    found = list(differences(wanted_instants(sys.argv[1]), found_instants(sys.argv[2]), float(sys.argv[3])))
    print(*found[:10], sep="\n")
    sys.exit(1 if found else 0)


main()
