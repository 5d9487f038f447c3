# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""interface.py RUNS again|anew: milliseconds of processor time of a run from Python, for interface_bench.c.

Of the thread that runs it alone: that of OpenBLAS, which numpy brings, waits busily for a while at first.
"""

import os
import sys
import time

SOURCE = os.environ["HBG_SOURCE_DIR"]
sys.path.insert(0, os.path.join(SOURCE, "python"))
import hbg  # noqa: E402

runs, anew = int(sys.argv[1]), sys.argv[2] == "anew"
model = hbg.load(os.path.join(SOURCE, "examples", "diode-inductor", "diode-inductor.hbg"))
assert len(model.run(R1=330)["i_coil"]) > 0  # what is loaded once
start = time.thread_time()
for i in range(runs):
    assert len(model.run(R1=300 + i if anew else 330)["i_coil"]) > 0
print(1e3 * (time.thread_time() - start) / runs)
