# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep on the workers of a cluster is, byte for byte, that of one machine, also where a worker is killed in the middle; what cannot be made
raises here."""

import os
import signal
import threading
import time

import hbg
from distributed import Client, LocalCluster

SOURCE = os.environ["HBG_SOURCE_DIR"]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def kill_one(client):
    """Kills a worker as soon as all of them have work."""
    while not all(client.processing().values()):
        time.sleep(0.02)
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)


def main():
    model = hbg.load(os.path.join(SOURCE, "examples", "diode-inductor", "diode-inductor.hbg"))
    call = {"runs": 20000, "R1": "~normal(330 [Ohm], 10 [Ohm])"}
    model.sweep(file="whole.csv", **call)
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        seen = []
        table = model.sweep(client=client, file="plain.csv", shards=7, progress=lambda done, all: seen.append((done, all)), **call)
        assert read("plain.csv") == read("whole.csv") and len(table) == 20000
        assert seen == [(k, 7) for k in range(1, 8)]

        killer = threading.Thread(target=kill_one, args=(client,))
        killer.start()
        model.sweep(client=client, file="killed.csv", shards=60, **call)
        killer.join()
        assert read("killed.csv") == read("whole.csv")

        for wrong, words in (({"R1": "~normal(330 [V], 1)"}, "V"), ({"missing": 3}, "missing")):
            try:
                model.sweep(client=client, runs=4, **wrong)
            except hbg.Error as error:
                assert words in str(error), error
            else:
                raise AssertionError(f"{wrong} was accepted")


if __name__ == "__main__":
    main()
