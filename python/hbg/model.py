# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""Models: read once, asked for as often as needed."""

from __future__ import annotations

import csv
import ctypes
import os
import re
import signal
import sys
import tempfile
import threading
import warnings
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

from .errors import Diagnostic, Error, ModelWarning, RunError
from .library import (C, CausalityAllOptions, CausalityOptions, LinearizeOptions, PROGRESS, Results as CResults,
                      SWEEP_PROGRESS, SteadyOptions, VERIFY_PROGRESS, VerifyOptions)
from .results import Results, arrays, text_of
from .session import Request, Session, Source, as_value, count_of, encode, seed_of
from .simulation import Simulation

ENGINES = {"auto": 0, "interpreter": 1, "native": 2}
SWEEP_ENGINES = {**ENGINES, "cuda": 3}
FORMATS = {"svg": 0, "png": 1, "dot": 2}
FINISHED, NOT_FINISHED, INTERRUPTED = range(3)


def _one_of(what: str, known: Dict[str, int], name: str) -> int:
    if name not in known:
        raise ValueError(f"no {what} is called {name!r} here; there are {', '.join(known)}")
    return known[name]


@dataclass(frozen=True)
class Proof:
    """What a proof says: "proved", "violated" or "not decided"; all of it, as the command prints it in JSON, is in `report`."""

    answer: str
    report: Dict[str, Any]

    def __bool__(self) -> bool:
        return self.answer == "proved"


@dataclass(frozen=True)
class Linear:
    """x' = A x + B u, y = C x + D u around a point. Iterates as A, B, C, D, as scipy.signal.StateSpace and control.ss take them."""

    A: Any
    B: Any
    C: Any
    D: Any
    states: List[str]
    inputs: List[str]
    outputs: List[str]
    eigenvalues: List[complex]
    report: Dict[str, Any]

    def __iter__(self) -> Any:
        return iter((self.A, self.B, self.C, self.D))


@dataclass(frozen=True)
class Steady:
    """A point where nothing moves."""

    states: Dict[str, float]
    outputs: Dict[str, float]
    report: Dict[str, Any]


def _matrix(rows: List[List[float]], columns: int) -> Any:
    numpy = arrays()
    if numpy is None:
        return rows
    return numpy.array(rows, dtype=float).reshape(len(rows), columns)


class _Interrupts:
    """Ctrl-C while the library computes. A signal is only noted, for an exception may not pass through the library; what is noted, and what a
    callback raises, ends the run and is raised when the library is done."""

    def __init__(self, function: Any = None):
        self._function = function
        self._signal: Optional[Tuple[Any, ...]] = None
        self._handler: Any = None
        self._raised: Optional[BaseException] = None

    def __enter__(self) -> "_Interrupts":
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler) and threading.current_thread() is threading.main_thread():
            self._handler = handler
            signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *arguments: Any) -> None:
        self._signal = arguments

    def goes_on(self, _context: Any, *arguments: Any) -> bool:
        """What the library calls."""
        try:
            if self._function and self._function(*arguments) is False:
                return False
        except BaseException as raised:
            self._raised = raised
        return self._signal is None and self._raised is None

    def __exit__(self, *_: Any) -> None:
        if self._handler:
            signal.signal(signal.SIGINT, self._handler)
        if self._signal and self._handler:
            try:
                self._handler(*self._signal)
            except BaseException as raised:
                raise raised from None  # not what the library said of it
        if self._raised:
            raise self._raised from None


def _warn(diagnostic: Diagnostic) -> None:
    """At the line that called the module."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(ModelWarning(diagnostic), stacklevel=level)


def _sweep_of(name: str, value: object) -> str:
    """A parameter of a sweep as `hbg sweep -p` takes it."""
    if isinstance(value, str):
        return f"{name}{value}" if value.startswith("~") else f"{name}={value}"
    try:
        values = [as_value(item) for item in value]  # type: ignore[attr-defined]
    except TypeError:  # one number
        return f"{name}={as_value(value)}"
    if not values:
        raise ValueError(f"there are no values of {name}")
    return f"{name}=" + ",".join(values)


class Model:
    """A model of a file or a text. Parameters are given with each question: `m.run(R1="220 [Ohm]")`."""

    def __init__(self, source: Source, warns: bool = True):
        self._source = source
        self._sessions: Dict[Tuple[Any, ...], Session] = {}
        self._told: Optional[Set[Tuple[Any, ...]]] = set() if warns else None
        self._plain = self._session(Request())

    def _session(self, request: Request) -> Session:
        """The model as it is asked for; the last one is kept, for it is likely asked for again."""
        key = request.key()
        session = self._sessions.get(key)
        if session is None:
            session = Session(self._source, request)
            self._sessions = {key: session}
            self._tell(session)
        return session

    def _tell(self, session: Session) -> None:
        """Warns of what this model has not been warned of before, whatever the numbers: a loop over values is told once."""
        if self._told is None or C.hbg_warning_count(session.pointer) == 0:
            return
        for diagnostic in session.diagnostics():
            key = (diagnostic.file, diagnostic.line, re.sub(r"(?<![\w.])-?\d[\d.]*(e[-+]?\d+)?", "", diagnostic.message))
            if diagnostic.severity == "warning" and key not in self._told:
                self._told.add(key)
                _warn(diagnostic)

    @property
    def name(self) -> str:
        return text_of(C.hbg_model_title(self._plain.model))

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """Warnings and notes; errors are exceptions."""
        return self._plain.diagnostics()

    def list(self) -> Dict[str, Any]:
        """Elements, bonds, automata, parameters, signals and experiments."""
        return self._plain.ask_json(C.hbg_list_json)

    # ---- runs ---------------------------------------------------------------------------------------------

    def run(self, experiment: Optional[str] = None, *, stop: object = None, step: object = None, every: object = None,
            record: object = None, solver: Optional[str] = None, rtol: float = 0, atol: float = 0,
            faults: Iterable[str] = (), seed: int = 1, engine: str = "auto", ledger: bool = True, strict: bool = False,
            check: bool = True, progress: Any = None, inputs: Optional[Dict[str, object]] = None,
            choose: Iterable[str] = (), params: Optional[Dict[str, object]] = None, **parameters: object) -> Results:
        """Runs an experiment. Times and parameters are numbers, in SI units, or texts with a unit: stop="3 [s]", R1="220 [Ohm]".
        Parameters inside components are given in params={"lamp.R": 5}, inputs in inputs={"u": "5*sin(time)"}. A run that does not get to its end raises RunError, unless
        check=False. progress(t, stop) is called now and then; False ends the run. choose says what the model leaves open:
        ["contact=0.5,0.9", "least"]."""
        request = Request({**(params or {}), **parameters}, stop, step, every, record, faults, None, experiment, inputs=inputs)
        session = self._session(request)
        options = C.hbg_run_options_default()
        options.experiment, options.solver = encode(experiment), encode(solver)
        options.policy.rtol, options.policy.atol = rtol, atol
        options.policy.ledger, options.policy.strict = ledger, strict
        options.seed, options.engine = seed_of(seed), _one_of("engine", ENGINES, engine)
        choices = [encode(choice) for choice in ([choose] if isinstance(choose, str) else choose)]
        options.choose, options.choose_count = (ctypes.c_char_p * len(choices))(*choices), len(choices)
        pointer = ctypes.POINTER(CResults)()
        with _Interrupts(progress) as interrupts:
            options.progress = PROGRESS(interrupts.goes_on)
            status = C.hbg_run_results(session.pointer, session.model, ctypes.byref(options), ctypes.byref(pointer))
        session.check(status)
        results = Results(session, pointer)
        if check and pointer.contents.end == NOT_FINISHED:
            raise RunError(results.reason or "the run did not get to its end", results)
        return results

    def simulation(self, experiment: Optional[str] = None, *, solver: Optional[str] = None, stop: object = None, step: object = None,
                   record: object = None, rtol: float = 0, atol: float = 0, seed: int = 1,
                   params: Optional[Dict[str, object]] = None, **parameters: object) -> Simulation:
        """A run that is stepped from outside. step is that of a solver of a fixed step."""
        request = Request({**(params or {}), **parameters}, stop, step, record=record, experiment=experiment)
        return Simulation(self._session(request), experiment, solver, seed, rtol, atol)

    def sweep(self, experiment: Optional[str] = None, *, runs: int = 0, threads: int = 0, lanes: int = 0, faults: object = None,
              nominal: bool = False, plan: Optional[str] = None, stop: object = None, step: object = None, every: object = None,
              record: object = None, solver: Optional[str] = None, rtol: float = 0, atol: float = 0, ledger: bool = True,
              seed: int = 1, engine: str = "auto", file: object = None, resume: bool = False, traces: object = None,
              progress: Any = None, client: Any = None, shards: Optional[int] = None,
              params: Optional[Dict[str, object]] = None, **parameters: object) -> "Table":
        """Many runs: R1="1:10:1" or R1=[1, 2, 5], also an array, is a grid, R1="~normal(220, 5)" a distribution, `faults` a table of faults
        with a run for each, plan="sobol" runs for indices of Sobol. The table is the same for any number of threads, and on the workers of
        a `client` of dask.distributed, in so many shards. file keeps it, and traces="0,3" or "all" the rows of these runs beside it; what
        was interrupted goes on with resume=True."""
        if client is not None and (resume or traces is not None):
            raise ValueError("resume and traces are for a sweep on one machine: leave client out")
        if file is None and (resume or traces is not None):
            raise ValueError("resume and traces need the file of the table: file=\"table.csv\"")
        call = {"experiment": experiment, "runs": runs, "threads": threads or (1 if client else 0), "lanes": lanes, "faults": faults,
                "nominal": nominal, "plan": plan, "times": (stop, step, every), "record": record, "solver": solver, "rtol": rtol,
                "atol": atol, "ledger": ledger, "seed": seed, "engine": engine, "parameters": {**(params or {}), **parameters}}
        with tempfile.TemporaryDirectory(prefix="hbg-") as folder:
            path = str(file) if file is not None else os.path.join(folder, "table.csv")
            if client is not None:
                from . import cluster

                self.make_table(path, call, look_only=True)  # what cannot be is found here
                cluster.sweep(client, self._source, call, path, shards, progress)
            else:
                self.make_table(path, call, resume=resume, traces=traces, progress=progress)
            return Table.read(path)

    def make_table(self, path: str, call: Dict[str, Any], *, shard: Optional[str] = None, look_only: bool = False,
                   resume: bool = False, traces: object = None, progress: Any = None) -> None:
        """The table of a sweep, or of a shard of it, as a file; `call` is what sweep() makes of its arguments."""
        faults = call["faults"]
        stop, step, every = call["times"]
        request = Request(None, stop, step, every, call["record"], (), faults, call["experiment"],
                          [_sweep_of(name, value) for name, value in call["parameters"].items()], faults is not None)
        session = Session(self._source, request)
        self._tell(session)
        options = C.hbg_sweep_options_default()
        options.run.experiment, options.run.solver = encode(call["experiment"]), encode(call["solver"])
        options.run.policy.rtol, options.run.policy.atol = call["rtol"], call["atol"]
        options.run.policy.ledger, options.run.seed = call["ledger"], seed_of(call["seed"])
        options.run.engine = _one_of("engine", SWEEP_ENGINES, call["engine"])
        options.runs, options.nominal = count_of("runs", call["runs"], 2**63 - 1), call["nominal"]
        options.threads, options.lanes = count_of("threads", call["threads"]), count_of("lanes", call["lanes"])
        options.file, options.shard, options.plan = encode(path), encode(shard), encode(call["plan"])
        options.look_only, options.resume, options.traces = look_only, resume, encode(traces)
        end = ctypes.c_int()
        with _Interrupts(progress) as interrupts:
            options.progress = SWEEP_PROGRESS(interrupts.goes_on)
            session.ask(C.hbg_sweep, ctypes.byref(options), ctypes.byref(end))
        if end.value == INTERRUPTED:
            raise Error(f"interrupted; resume=True goes on with the rows in {path}.partial")

    # ---- questions ------------------------------------------------------------------------------------------

    def verify(self, timeout: float = 0, **parameters: object) -> Proof:
        """Whether the switching is consistent, for all energies; `timeout` in seconds for each group of automata."""
        session = self._session(Request(parameters))
        options = VerifyOptions(json=True, timeout_ms=int(timeout * 1000))
        answer = ctypes.c_int()
        with _Interrupts() as interrupts:
            options.progress = VERIFY_PROGRESS(interrupts.goes_on)
            report = session.ask_json(C.hbg_verify_model, ctypes.byref(options), ctypes.byref(answer))
        return Proof(text_of(C.hbg_answer_text(answer.value)), report)

    def causality(self, mode: Optional[str] = None, *, all_modes: bool = False, paths: bool = False,
                  **parameters: object) -> Dict[str, Any]:
        """Determining bonds, dependent storages, loops and conflicts of a mode, or a proof over all of them."""
        session = self._session(Request(parameters))
        if all_modes:
            everywhere, answer = CausalityAllOptions(json=True), ctypes.c_int()
            return session.ask_json(C.hbg_causality_all, ctypes.byref(everywhere), ctypes.byref(answer))
        options, valid = CausalityOptions(mode=encode(mode), paths=paths), ctypes.c_bool()
        return session.ask_json(C.hbg_causality_json, ctypes.byref(options), ctypes.byref(valid))

    def linearize(self, at: object = None, *, experiment: Optional[str] = None, mode: Optional[str] = None,
                  record: object = None, **parameters: object) -> Linear:
        """State space matrices at the time `at` of a run, at its beginning, or where nothing moves (`at="steady"`)."""
        steady = at == "steady"
        session = self._session(Request(parameters, stop=None if steady else at, record=record, experiment=experiment))
        options = LinearizeOptions(encode(experiment), encode(mode), True, steady)
        with _Interrupts() as interrupts:
            options.progress = PROGRESS(interrupts.goes_on)
            report = session.ask_json(C.hbg_linearize, ctypes.byref(options))
        states, inputs, outputs = ([item["name"] for item in report[key]] for key in ("states", "inputs", "outputs"))
        eigenvalues = [complex(item["real"], item["imaginary"]) for item in report["eigenvalues"]]
        return Linear(_matrix(report["A"], len(states)), _matrix(report["B"], len(inputs)),
                      _matrix(report["C"], len(states)), _matrix(report["D"], len(inputs)), states, inputs, outputs,
                      eigenvalues, report)

    def steady(self, *, experiment: Optional[str] = None, mode: Optional[str] = None, record: object = None,
               **parameters: object) -> Optional[Steady]:
        """A point where nothing moves; None where there is none."""
        session = self._session(Request(parameters, record=record, experiment=experiment))
        options, found = SteadyOptions(encode(experiment), encode(mode), True), ctypes.c_bool()
        report = session.ask_json(C.hbg_steady, ctypes.byref(options), ctypes.byref(found))
        if not found.value:
            return None
        states, outputs = ({item["name"]: item["value"] for item in report[key]} for key in ("states", "outputs"))
        return Steady(states, outputs, report)

    # ---- pictures and files -----------------------------------------------------------------------------------

    def draw(self, format: str = "svg", *, mode: Optional[str] = None, depth: Optional[int] = None,
             focus: Optional[str] = None) -> Any:
        """The bond graph: text of an SVG or of Graphviz, bytes of a PNG."""
        options = C.hbg_draw_options_default()
        options.format, options.mode, options.focus = _one_of("format", FORMATS, format), encode(mode), encode(focus)
        if depth is not None:
            options.depth = depth
        picture = self._plain.ask(C.hbg_draw, ctypes.byref(options))
        return picture if format == "png" else picture.decode()

    def _repr_svg_(self) -> str:
        return self.draw()

    def compile(self, path: object, experiment: Optional[str] = None) -> None:
        """Writes an image: a file that runs without the model."""
        options = C.hbg_run_options_default()
        options.experiment = encode(experiment)
        self._plain.check(C.hbg_compile(self._plain.pointer, self._plain.model, ctypes.byref(options), encode(path)))

    def __repr__(self) -> str:
        return f"<hbg.Model {self.name} of {self._source.path}>"


class Table:
    """The rows of a sweep: `table["v max"]` is a column, numbers where all of it are numbers; `v max [mV]` is found without its unit."""

    def __init__(self, columns: Dict[str, List[Any]]):
        self._columns = columns

    @classmethod
    def read(cls, path: object) -> "Table":
        with open(str(path), newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        head, body = rows[0], rows[1:]
        return cls({name: cls._numbers([row[i] for row in body]) for i, name in enumerate(head)})

    @staticmethod
    def _numbers(texts: List[str]) -> List[Any]:
        try:
            return [float(text) for text in texts]
        except ValueError:
            return texts

    @property
    def names(self) -> List[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> List[Any]:
        if name not in self._columns:
            said = [column for column in self._columns if column.endswith("]") and column.rsplit(" [", 1)[0] == name]
            if len(said) == 1:
                return self._columns[said[0]]
            raise KeyError(f"no column is called {name!r}; there are {', '.join(self._columns)}")
        return self._columns[name]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"<hbg.Table: {len(self)} runs of {', '.join(self._columns)}>"


def load(path: object, *, model: Optional[str] = None, include: Iterable[object] = ()) -> Model:
    """Reads a model, or an image (.hbi). What is wrong with it raises ModelError."""
    return Model(Source(path, None, model, include))


def loads(text: str, *, name: str = "text", model: Optional[str] = None, include: Iterable[object] = ()) -> Model:
    """The same of a text."""
    return Model(Source(name, text, model, include))


def version() -> str:
    return text_of(C.hbg_version())


__all__: Tuple[str, ...] = ("Linear", "Model", "Proof", "Steady", "Table", "load", "loads", "version")
