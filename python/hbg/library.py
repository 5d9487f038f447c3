# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""The C library, its structs and its functions, as include/hbg declares them. tests/python compares sizes and offsets."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64,
                    c_void_p)
from pathlib import Path
from typing import Iterator, List

from .errors import Error

HERE = Path(__file__).resolve().parent

PROGRESS = CFUNCTYPE(c_bool, c_void_p, c_double, c_double)
SWEEP_PROGRESS = CFUNCTYPE(c_bool, c_void_p, c_int64, c_int64)
VERIFY_PROGRESS = CFUNCTYPE(c_bool, c_void_p, c_int32, c_int32)


class Text(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class SessionOptions(Structure):
    _fields_ = [("memory_limit", c_size_t), ("fail_at", c_int64), ("search", POINTER(c_char_p)), ("search_count", c_int),
                ("warnings_are_errors", c_bool)]


class LoadOptions(Structure):
    _fields_ = [("model", c_char_p), ("parameters", POINTER(c_char_p)), ("parameter_count", c_int), ("records", c_char_p),
                ("stop", c_char_p), ("step", c_char_p), ("every", c_char_p), ("inputs", POINTER(c_char_p)),
                ("input_count", c_int), ("faults", POINTER(c_char_p)), ("fault_count", c_int), ("fault_table", c_char_p), ("experiment", c_char_p), ("sweeps", POINTER(c_char_p)),
                ("sweep_count", c_int), ("faults_apart", c_bool), ("one_experiment", c_bool)]


class Policy(Structure):
    _fields_ = [("rtol", c_double), ("atol", c_double), ("ledger", c_bool), ("strict", c_bool), ("zeno_rest", c_bool),
                ("slides", c_bool)]


class PlotLook(Structure):
    _fields_ = [(name, c_char_p) for name in ("window", "log", "strips", "over")]


class RunOptions(Structure):
    _fields_ = [("experiment", c_char_p), ("solver", c_char_p), ("policy", Policy), ("seed", c_uint64),
                ("every_element", c_bool), ("json", c_bool), ("files", POINTER(c_char_p)), ("file_count", c_int),
                ("plot", c_char_p), ("more_plots", POINTER(c_char_p)), ("more_plot_count", c_int), ("events", c_char_p),
                ("explain", c_int64), ("no_summary", c_bool), ("engine", c_int), ("cache", c_char_p),
                ("progress", PROGRESS), ("context", c_void_p), ("listener", c_void_p),
                ("choose", POINTER(c_char_p)), ("choose_count", c_int), ("look", PlotLook), ("units", c_bool)]


class SweepOptions(Structure):
    _fields_ = [("run", RunOptions), ("runs", c_int64), ("nominal", c_bool), ("threads", c_int), ("lanes", c_int), ("file", c_char_p),
                ("resume", c_bool), ("traces", c_char_p), ("trace_folder", c_char_p), ("plan", c_char_p), ("shard", c_char_p),
                ("look_only", c_bool), ("progress", SWEEP_PROGRESS), ("context", c_void_p)]


class CausalityOptions(Structure):
    _fields_ = [("mode", c_char_p), ("integral", c_bool), ("paths", c_bool)]


class CausalityAllOptions(Structure):
    _fields_ = [("integral", c_bool), ("json", c_bool)]


class VerifyOptions(Structure):
    _fields_ = [("json", c_bool), ("timeout_ms", c_int32), ("progress", VERIFY_PROGRESS), ("context", c_void_p)]


class DrawOptions(Structure):
    _fields_ = [("format", c_int), ("force", c_bool), ("values", c_bool), ("automata", c_bool), ("strokes", c_bool),
                ("mode", c_char_p), ("compare", c_char_p), ("depth", c_int32), ("focus", c_char_p), ("open", c_char_p),
                ("closed", c_char_p), ("bare", c_bool), ("earlier", c_char_p)]


class LinearizeOptions(Structure):
    _fields_ = [("experiment", c_char_p), ("mode", c_char_p), ("json", c_bool), ("steady", c_bool),
                ("progress", PROGRESS), ("context", c_void_p)]


class SteadyOptions(Structure):
    _fields_ = [("experiment", c_char_p), ("mode", c_char_p), ("json", c_bool)]


class ValueInfo(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("is_bool", c_bool)]


class AutomatonInfo(Structure):
    _fields_ = [("name", c_char_p), ("states", POINTER(c_char_p)), ("state_count", c_int32)]


class EventMode(Structure):
    _fields_ = [("kind", c_int), ("states", POINTER(c_int32)), ("lost", c_double)]


class Event(Structure):
    _fields_ = [("time", c_double), ("planned", c_bool), ("modes", POINTER(EventMode)), ("mode_count", c_int32),
                ("inputs", POINTER(c_int32)), ("input_count", c_int32), ("lost", c_double), ("verdict", c_char_p),
                ("words", c_char_p)]


class WorkLine(Structure):
    _fields_ = [("element", c_char_p), ("kind", c_int), ("work", c_double)]


class StorageLine(Structure):
    _fields_ = [("element", c_char_p), ("before", c_double), ("after", c_double)]


class Ledger(Structure):
    _fields_ = [("works", POINTER(WorkLine)), ("work_count", c_int32), ("storages", POINTER(StorageLine)),
                ("storage_count", c_int32)] + [(name, c_double) for name in (
                    "stored_before", "stored_after", "supplied", "dissipated", "by_modulation", "by_parameters",
                    "lost_in_jumps", "residual", "scale")]


class Column(Structure):
    _fields_ = [("of", ValueInfo), ("values", POINTER(c_double))]


class Results(Structure):
    _fields_ = [("end", c_int), ("reason", c_char_p), ("solver", c_char_p), ("steps", c_int64), ("rejected", c_int64),
                ("evaluations", c_int64), ("columns", POINTER(Column)), ("column_count", c_int32), ("row_count", c_int64),
                ("events", POINTER(Event)), ("event_count", c_int64), ("automata", POINTER(AutomatonInfo)),
                ("automaton_count", c_int32), ("inputs", POINTER(ValueInfo)), ("input_count", c_int32),
                ("ledger", POINTER(Ledger))]


EVENT_CALL = CFUNCTYPE(None, c_void_p, POINTER(Event))


class SimulationOptions(Structure):
    _fields_ = [("experiment", c_char_p), ("solver", c_char_p), ("policy", Policy), ("seed", c_uint64), ("stop", c_double),
                ("patience", c_double), ("event", EVENT_CALL), ("context", c_void_p)]


def _candidates() -> Iterator[str]:
    named = os.environ.get("HBG_LIBRARY")
    if named:
        yield named
        return
    yield str(HERE / "libhbg.so")
    yield str(HERE.parent.parent / "build" / "libhbg.so")  # in the tree
    found = ctypes.util.find_library("hbg")
    if found:
        yield found
    for folder in ("/usr/local/lib", "/usr/lib", "/usr/lib/x86_64-linux-gnu"):
        yield f"{folder}/libhbg.so"


def _open() -> ctypes.CDLL:
    tried: List[str] = []
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            tried.append(f"  {name}: {error}")
    raise Error("libhbg.so is not found: build hbg with `make`, install it with `make install`, or set HBG_LIBRARY.\n"
                "Tried:\n" + "\n".join(tried))


def _declare(library: ctypes.CDLL) -> None:
    pointer = c_void_p
    status = c_int
    text = POINTER(Text)
    functions = {
        "hbg_version": (c_char_p, []),
        "hbg_status_text": (c_char_p, [c_int]),
        "hbg_session_options_default": (SessionOptions, []),
        "hbg_session_new": (status, [POINTER(SessionOptions), POINTER(pointer)]),
        "hbg_session_free": (None, [pointer]),
        "hbg_session_disable_warning": (status, [pointer, c_char_p]),
        "hbg_session_reason": (c_char_p, [pointer]),
        "hbg_text_free": (None, [pointer, text]),
        "hbg_load_file": (status, [pointer, c_char_p, POINTER(LoadOptions), POINTER(pointer)]),
        "hbg_load_image": (status, [pointer, c_char_p, POINTER(LoadOptions), POINTER(pointer)]),
        "hbg_load_text": (status, [pointer, c_char_p, c_char_p, c_size_t, POINTER(LoadOptions), POINTER(pointer)]),
        "hbg_diagnostics_text": (status, [pointer, c_bool, text]),
        "hbg_diagnostics_json": (status, [pointer, text]),
        "hbg_warning_count": (c_int64, [pointer]),
        "hbg_model_title": (c_char_p, [pointer]),
        "hbg_list_json": (status, [pointer, pointer, text]),
        "hbg_causality_json": (status, [pointer, pointer, POINTER(CausalityOptions), POINTER(c_bool), text]),
        "hbg_causality_all": (status, [pointer, pointer, POINTER(CausalityAllOptions), POINTER(c_int), text]),
        "hbg_verify_model": (status, [pointer, pointer, POINTER(VerifyOptions), POINTER(c_int), text]),
        "hbg_answer_text": (c_char_p, [c_int]),
        "hbg_draw_options_default": (DrawOptions, []),
        "hbg_draw": (status, [pointer, pointer, POINTER(DrawOptions), text]),
        "hbg_run_options_default": (RunOptions, []),
        "hbg_run_results": (status, [pointer, pointer, POINTER(RunOptions), POINTER(POINTER(Results))]),
        "hbg_results_free": (None, [pointer, POINTER(Results)]),
        "hbg_run_end_text": (c_char_p, [c_int]),
        "hbg_sweep_options_default": (SweepOptions, []),
        "hbg_sweep": (status, [pointer, pointer, POINTER(SweepOptions), POINTER(c_int), text]),
        "hbg_sweep_merge": (status, [pointer, POINTER(c_char_p), c_int, c_char_p, POINTER(c_int), text]),
        "hbg_linearize": (status, [pointer, pointer, POINTER(LinearizeOptions), text]),
        "hbg_steady": (status, [pointer, pointer, POINTER(SteadyOptions), POINTER(c_bool), text]),
        "hbg_compile": (status, [pointer, pointer, POINTER(RunOptions), c_char_p]),
        "hbg_simulation_options_default": (SimulationOptions, []),
        "hbg_simulation_new": (status, [pointer, pointer, POINTER(SimulationOptions), POINTER(pointer)]),
        "hbg_simulation_free": (None, [pointer]),
        "hbg_simulation_names": (POINTER(ValueInfo), [pointer, c_int, POINTER(c_int32)]),
        "hbg_simulation_find": (c_int32, [pointer, c_int, c_char_p]),
        "hbg_simulation_automata": (POINTER(AutomatonInfo), [pointer, POINTER(c_int32)]),
        "hbg_simulation_set": (status, [pointer, c_int, c_int32, c_double]),
        "hbg_simulation_advance": (status, [pointer, c_double, POINTER(c_int)]),
        "hbg_simulation_time": (c_double, [pointer]),
        "hbg_simulation_read": (status, [pointer, c_int, POINTER(c_double)]),
        "hbg_simulation_save": (c_size_t, [pointer, pointer, c_size_t]),
        "hbg_simulation_restore": (status, [pointer, pointer, c_size_t]),
        "hbg_simulation_reset": (status, [pointer]),
        "hbg_simulation_stop": (None, [pointer]),
        "hbg_simulation_reason": (c_char_p, [pointer]),
    }
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments


C = _open()
_declare(C)


@functools.lru_cache(maxsize=None)
def _own_components() -> List[str]:
    for folder in (HERE / "lib", HERE.parent.parent / "lib", Path("/usr/local/share/hbg/lib"), Path("/usr/share/hbg/lib")):
        if (folder / "electrical.hbg").exists():
            return [str(folder)]
    return []


def components() -> List[bytes]:
    """Folders that imports are looked for in: those of HBG_PATH, then the library of components."""
    folders = [folder for folder in os.environ.get("HBG_PATH", "").split(":") if folder] + _own_components()
    return [os.fsencode(folder) for folder in folders]
