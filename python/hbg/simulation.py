# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""Simulations that are stepped from outside: for controllers, and for programs that learn."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Optional

from .errors import Error
from .library import C, EVENT_CALL, SimulationOptions
from .results import Event, automata_of, event_of, text_of
from .session import OK, Session, encode, seed_of

STATES, RATES, OUTPUTS, POWERS, WORK, ENERGIES, MODES, INPUTS, PARAMETERS = range(9)
FINISHED, INTERRUPTED = 0, 2
PATIENCE = 0.1  # s that the library computes at most before Python may look at signals


class Simulation:
    """A run that goes on as far as it is told. `events` collects what happened since it was last emptied."""

    def __init__(self, session: Session, experiment: Optional[str] = None, solver: Optional[str] = None, seed: int = 1,
                 rtol: float = 0, atol: float = 0):
        self._session = session
        self._pointer = ctypes.c_void_p()
        self.events: List[Event] = []
        self._failure: Optional[BaseException] = None
        self._stopped = False
        options = C.hbg_simulation_options_default()
        options.experiment, options.solver = encode(experiment), encode(solver)
        options.seed, options.patience = seed_of(seed), PATIENCE
        options.policy.rtol, options.policy.atol = rtol, atol
        self._call = EVENT_CALL(self._told)
        options.event = self._call
        self._automata: List[Any] = []
        self._names: Dict[int, List[str]] = {}
        session.check(C.hbg_simulation_new(session.pointer, session.model, ctypes.byref(options),
                                           ctypes.byref(self._pointer)))
        count = ctypes.c_int32()
        self._automata = automata_of(C.hbg_simulation_automata(self._pointer, ctypes.byref(count)), count.value)

    def __del__(self) -> None:
        if self._pointer and self._session.pointer:
            C.hbg_simulation_free(self._pointer)

    def _told(self, _context: Any, event: Any) -> None:
        try:
            self.events.append(event_of(event.contents, self._automata, self.names(INPUTS)))
        except BaseException as failure:  # nothing may pass through the library
            self._failure = failure
            C.hbg_simulation_stop(self._pointer)

    def _check(self, status: int) -> None:
        if status == OK:
            return
        reason = text_of(C.hbg_simulation_reason(self._pointer))
        raise Error(reason or text_of(C.hbg_status_text(status)), status)

    def names(self, of: int) -> List[str]:
        if of not in self._names:
            count = ctypes.c_int32()
            items = C.hbg_simulation_names(self._pointer, of, ctypes.byref(count))
            self._names[of] = [text_of(items[i].name) for i in range(count.value)]
        return self._names[of]

    # ---- time ---------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Where it is, s."""
        return C.hbg_simulation_time(self._pointer)

    def advance(self, t: float) -> float:
        """Goes on to the time t, or to the stop of the experiment; returns where it is. What Ctrl-C ends goes on with the next call."""
        end = ctypes.c_int(INTERRUPTED)
        while end.value == INTERRUPTED and not self._failure and not self._stopped:
            self._check(C.hbg_simulation_advance(self._pointer, t, ctypes.byref(end)))
        self._stopped = False
        if self._failure:
            failure, self._failure = self._failure, None
            raise failure
        if end.value != FINISHED:
            raise Error(text_of(C.hbg_simulation_reason(self._pointer)) or text_of(C.hbg_run_end_text(end)))
        return self.time

    def step(self, dt: float) -> float:
        """Goes on by dt, s; returns the time."""
        return self.advance(self.time + dt)

    def reset(self) -> None:
        """Back to the beginning, with nothing set."""
        self.events.clear()
        self._check(C.hbg_simulation_reset(self._pointer))

    def stop(self) -> None:
        """From another thread: ends the advance that is under way."""
        self._stopped = True
        C.hbg_simulation_stop(self._pointer)

    # ---- values -------------------------------------------------------------------------------------------

    def set(self, name: str, value: float) -> None:
        """An input or a parameter has this value from now on, in SI units."""
        for of in (INPUTS, PARAMETERS):
            number = C.hbg_simulation_find(self._pointer, of, encode(name))
            if number >= 0:
                self._check(C.hbg_simulation_set(self._pointer, of, number, float(value)))
                return
        known = self.names(INPUTS) + self.names(PARAMETERS)
        raise KeyError(f"{name!r} is neither an input nor a parameter; there are {', '.join(known) or 'none'}")

    def _read(self, of: int) -> Dict[str, float]:
        names = self.names(of)
        values = (ctypes.c_double * (len(names) + 1))()
        self._check(C.hbg_simulation_read(self._pointer, of, values))
        return dict(zip(names, values))

    @property
    def outputs(self) -> Dict[str, float]:
        """What the experiment records, at the present time."""
        return self._read(OUTPUTS)

    @property
    def states(self) -> Dict[str, float]:
        return self._read(STATES)

    @property
    def energies(self) -> Dict[str, float]:
        return self._read(ENERGIES)

    @property
    def mode(self) -> Dict[str, str]:
        """The state of every automaton."""
        numbers = self._read(MODES)
        return {name: states[int(numbers[name])] for name, states in self._automata}

    def __getitem__(self, name: str) -> float:
        for of in (OUTPUTS, STATES):
            if name in self.names(of):
                return self._read(of)[name]
        raise KeyError(f"{name!r} is neither recorded nor a state; there are "
                       f"{', '.join(self.names(OUTPUTS) + self.names(STATES))}")

    # ---- saving -------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """All that changes, to go on from later."""
        size = C.hbg_simulation_save(self._pointer, None, 0)
        if size == 0:
            raise Error("the simulation cannot be saved: it has not begun, or slides along a surface")
        data = ctypes.create_string_buffer(size)
        C.hbg_simulation_save(self._pointer, data, size)
        return data.raw

    def restore(self, data: bytes) -> None:
        self._check(C.hbg_simulation_restore(self._pointer, data, len(data)))

    def __repr__(self) -> str:
        return f"<hbg.Simulation at {self.time} s>"
