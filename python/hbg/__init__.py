# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""hbg: hybrid bond graphs from text, for Python.

    import hbg
    m = hbg.load("diode.hbg")
    r = m.run(stop="3 [ms]", R1="220 [Ohm]")
    r["i_coil"], r.time, r.units, r.events, r.ledger

docs/python.md has more."""

from .errors import Diagnostic, Error, ModelError, ModelWarning, Note, RunError
from .model import Linear, Model, Proof, Steady, Table, load, loads, version
from .results import Event, Ledger, Mode, Results
from .simulation import Simulation

__all__ = [
    "Diagnostic", "Error", "Event", "Ledger", "Linear", "Mode", "Model", "ModelError", "ModelWarning", "Note", "Proof", "Results",
    "RunError", "Simulation", "Steady", "Table", "load", "loads", "version"
]
__version__ = version()
