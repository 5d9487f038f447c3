# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""Results of runs: columns as arrays, events, energies."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import library
from .library import C
from .session import Session

KINDS = ("mythical", "pinnacle", "boundary", "continuous")
WORKS = ("supplied", "dissipated", "modulated")


@dataclass(frozen=True)
class Mode:
    """A mode gone through at an instant: its kind, and the state of every automaton."""

    kind: str
    states: Dict[str, str]
    lost: float


@dataclass(frozen=True)
class Event:
    """An instant at which something happened."""

    time: float
    planned: bool
    modes: List[Mode]
    inputs: List[str]
    lost: float
    verdict: Optional[str]
    words: str


@dataclass(frozen=True)
class Ledger:
    """The energy balance of a run, J."""

    stored_before: float
    stored_after: float
    supplied: float
    dissipated: float
    by_modulation: float
    by_parameters: float
    lost_in_jumps: float
    residual: float
    scale: float
    works: List[Tuple[str, str, float]]
    storages: List[Tuple[str, float, float]]


@functools.lru_cache(maxsize=None)
def arrays() -> Any:
    """numpy, or None: it is looked for once, since to look in vain costs more than a short run."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def text_of(data: Optional[bytes]) -> str:
    return data.decode(errors="replace") if data else ""


def automata_of(items: Any, count: int) -> List[Tuple[str, List[str]]]:
    return [(text_of(items[i].name), [text_of(items[i].states[k]) for k in range(items[i].state_count)])
            for i in range(count)]


def event_of(event: Any, automata: List[Tuple[str, List[str]]], inputs: List[str]) -> Event:
    modes = []
    for k in range(event.mode_count):
        mode = event.modes[k]
        states = {name: states[mode.states[i]] for i, (name, states) in enumerate(automata)}
        modes.append(Mode(KINDS[mode.kind], states, mode.lost))
    acted = [inputs[event.inputs[k]] for k in range(event.input_count)]
    verdict = text_of(event.verdict) or None
    return Event(event.time, event.planned, modes, acted, event.lost, verdict, text_of(event.words))


class Results:
    """What a run recorded. `results["v"]` is a column, an array of numpy where that is installed; names, units, events and the
    energy balance are attributes. Columns are the library's own memory and keep it alive."""

    def __init__(self, session: Session, pointer: Any):
        self._session = session
        self._pointer = pointer
        of = pointer.contents
        self.end: str = text_of(C.hbg_run_end_text(of.end))
        self.reason: str = text_of(of.reason)
        self.solver: str = text_of(of.solver)
        self.steps: int = of.steps
        self.rejected: int = of.rejected
        self.evaluations: int = of.evaluations
        self.names: List[str] = [text_of(of.columns[i].of.name) for i in range(of.column_count)]
        self.units: Dict[str, Optional[str]] = {}
        self._index: Dict[str, int] = {}
        for i, name in enumerate(self.names):
            unit = of.columns[i].of.unit
            self.units[name] = None if unit is None else text_of(unit)
            self._index.setdefault(name, i)
        self._events: Optional[List[Event]] = None

    def __del__(self) -> None:
        if self._session.pointer:
            C.hbg_results_free(self._session.pointer, self._pointer)

    def __len__(self) -> int:
        """Rows."""
        return self._pointer.contents.row_count

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def _look(self, name: str) -> None:
        if name not in self._index:
            raise KeyError(f"nothing is recorded as {name!r}; there are {', '.join(self.names)}")

    def __getitem__(self, name: str) -> Any:
        self._look(name)
        column = self._pointer.contents.columns[self._index[name]]
        rows = len(self)
        is_bool = column.of.is_bool
        if rows == 0:
            memory: Any = (ctypes.c_double * 0)()
        else:
            memory = ctypes.cast(column.values, ctypes.POINTER(ctypes.c_double * rows)).contents
        memory._results = self  # keeps the rows while the array is used
        numpy = arrays()
        if numpy is None:
            return memory
        values = numpy.frombuffer(memory, dtype=numpy.float64) if rows else numpy.empty(0)
        values.flags.writeable = False
        return values.astype(bool) if is_bool else values

    @property
    def time(self) -> Any:
        return self[self.names[0]]

    @property
    def finished(self) -> bool:
        return self.end == "finished"

    @property
    def events(self) -> List[Event]:
        if self._events is None:
            of = self._pointer.contents
            automata = automata_of(of.automata, of.automaton_count)
            inputs = [text_of(of.inputs[i].name) for i in range(of.input_count)]
            self._events = [event_of(of.events[i], automata, inputs) for i in range(of.event_count)]
        return self._events

    @property
    def ledger(self) -> Optional[Ledger]:
        pointer = self._pointer.contents.ledger
        if not pointer:
            return None
        of = pointer.contents
        works = [(text_of(of.works[i].element), WORKS[of.works[i].kind], of.works[i].work) for i in range(of.work_count)]
        storages = [(text_of(of.storages[i].element), of.storages[i].before, of.storages[i].after)
                    for i in range(of.storage_count)]
        sums = {name: float(getattr(of, name)) for name, _ in library.Ledger._fields_[4:]}
        return Ledger(works=works, storages=storages, **sums)

    def to_pandas(self) -> Any:
        """A frame with the rows by time; units are in its attrs."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in self.names[1:]},
                                 index=pandas.Index(self.time, name=self.names[0]))
        frame.attrs["units"] = dict(self.units)
        return frame

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws columns over time with matplotlib, one panel for each unit; all of them where none is named. Returns the axes."""
        chosen = list(names) or self.names[1:]
        for name in chosen:
            self._look(name)
        import matplotlib.pyplot as pyplot

        units = list(dict.fromkeys(self.units[name] for name in chosen))
        if axes is None:
            _, axes = pyplot.subplots(len(units), 1, sharex=True, squeeze=False, figsize=(8, 2 + 2 * len(units)))
            axes = axes[:, 0]
        for panel, unit in zip(axes, units):
            for name in chosen:
                if self.units[name] == unit:
                    panel.plot(self.time, self[name], label=name)
            panel.set_ylabel(unit or "")
            panel.grid(True, alpha=0.3)
            panel.legend(loc="best", fontsize="small")
        axes[-1].set_xlabel("time / s")
        return axes

    def __repr__(self) -> str:
        return f"<hbg.Results: {len(self)} rows of {', '.join(self.names)}; {self.end}>"
