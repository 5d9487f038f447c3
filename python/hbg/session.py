# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""A session of the C library with one model in it. Sessions share nothing, so each thread may have its own."""

from __future__ import annotations

import ctypes
import json
import operator
import os
from typing import Any, Dict, Iterable, List, Optional, Tuple

from .errors import Diagnostic, Error, ModelError, Note
from .library import C, LoadOptions, SessionOptions, Text, components

OK, BAD_MODEL = 0, -1


def encode(text: Optional[object]) -> Optional[bytes]:
    return None if text is None else os.fsencode(str(text))


def strings(items: Iterable[str]) -> Any:
    encoded = [encode(item) for item in items]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded)


def as_value(value: object) -> str:
    """A value as the language writes it: numbers exactly, booleans as words, anything else as it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):  # a number of numpy
        return as_value(value.item())
    return str(value)


def count_of(name: str, value: Any, most: int = 2**31 - 1) -> int:
    """A whole number that the library takes: ctypes would cut off what is too large."""
    number = operator.index(value)
    if not 0 <= number <= most:
        raise ValueError(f"{name} is a whole number from 0 to {most}, not {number}")
    return number


def seed_of(value: Any) -> int:
    return count_of("seed", value, 2**64 - 1)


class Session:
    """Reads a model and owns all that is made of it."""

    def __init__(self, source: Optional["Source"], options: Optional["Request"] = None):
        self.pointer = ctypes.c_void_p()
        self.model = ctypes.c_void_p()
        folders = list(source.include if source else ()) + [os.fsdecode(folder) for folder in components()]
        self._search = strings(folders)
        made = C.hbg_session_options_default()
        made.search = self._search
        made.search_count = len(folders)
        self._check_made(C.hbg_session_new(ctypes.byref(made), ctypes.byref(self.pointer)))
        try:
            if source:
                self._load(source, options or Request())
        except BaseException:
            self.close()
            raise

    @classmethod
    def bare(cls) -> "Session":
        """One without a model, for tables."""
        return cls(None)

    @staticmethod
    def _check_made(status: int) -> None:
        if status != OK:
            raise MemoryError(C.hbg_status_text(status).decode())

    def _load(self, source: "Source", request: "Request") -> None:
        options = request.options(source.name)
        if source.text is not None:
            data = source.text.encode()
            status = C.hbg_load_text(self.pointer, encode(source.path), data, len(data), ctypes.byref(options),
                                     ctypes.byref(self.model))
        else:
            load = C.hbg_load_image if str(source.path).endswith(".hbi") else C.hbg_load_file
            status = load(self.pointer, encode(source.path), ctypes.byref(options), ctypes.byref(self.model))
        self.check(status)

    def close(self) -> None:
        if self.pointer:
            C.hbg_session_free(self.pointer)
            self.pointer = ctypes.c_void_p()

    def __del__(self) -> None:
        self.close()

    # ---- answers ----------------------------------------------------------------------------------------

    def check(self, status: int) -> None:
        """Raises what the status means."""
        if status == OK:
            return
        if status == BAD_MODEL:
            raise ModelError(self.diagnostics_text(), self.diagnostics())
        reason = C.hbg_session_reason(self.pointer).decode(errors="replace")
        raise Error(reason or C.hbg_status_text(status).decode(), status)

    def take(self, text: Text) -> bytes:
        data = ctypes.string_at(text.data, text.size) if text.data else b""
        C.hbg_text_free(self.pointer, ctypes.byref(text))
        return data

    def ask(self, function: Any, *arguments: Any) -> bytes:
        """Calls a function whose last argument is the text it makes."""
        text = Text()
        status = function(self.pointer, self.model, *arguments, ctypes.byref(text))
        if status != OK:
            C.hbg_text_free(self.pointer, ctypes.byref(text))
            self.check(status)
        return self.take(text)

    def ask_json(self, function: Any, *arguments: Any) -> Any:
        return json.loads(self.ask(function, *arguments))

    def diagnostics_text(self) -> str:
        text = Text()
        if C.hbg_diagnostics_text(self.pointer, False, ctypes.byref(text)) != OK:
            return ""
        return self.take(text).decode(errors="replace")

    def diagnostics(self) -> List[Diagnostic]:
        text = Text()
        if C.hbg_diagnostics_json(self.pointer, ctypes.byref(text)) != OK:
            return []
        found = json.loads(self.take(text))["diagnostics"]
        return [
            Diagnostic(item["code"], item["severity"], item["message"], item.get("file"), item.get("line"),
                       item.get("column"), item.get("help"),
                       [Note(note["message"], note.get("file"), note.get("line"), note.get("column"))
                        for note in item.get("notes", [])]) for item in found
        ]


class Source:
    """Where a model comes from: a file, or a text and what it is called."""

    def __init__(self, path: object, text: Optional[str] = None, name: Optional[str] = None,
                 include: Iterable[object] = ()):
        self.path = str(path)
        self.text = text
        self.name = name
        self.include = [str(folder) for folder in include]


class Request:
    """What is asked for beside the text of a model: parameters, times, faults, what to record."""

    def __init__(self, parameters: Optional[Dict[str, object]] = None, stop: object = None, step: object = None, every: object = None,
                 record: object = None, faults: Iterable[str] = (), fault_table: object = None,
                 experiment: Optional[str] = None, sweeps: Iterable[str] = (), faults_apart: bool = False,
                 inputs: Optional[Dict[str, object]] = None):
        self.parameters = [f"{name}={as_value(value)}" for name, value in (parameters or {}).items()]
        self.times = [None if time is None else as_value(time) for time in (stop, step, every)]
        if record is not None and not isinstance(record, str):
            record = ", ".join(str(item) for item in record)  # type: ignore[attr-defined]
        self.record = record
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        self.fault_table = None if fault_table is None else str(fault_table)
        self.experiment = experiment
        self.sweeps = list(sweeps)
        self.faults_apart = faults_apart
        self.inputs = [f"{name}={as_value(value)}" for name, value in (inputs or {}).items()]

    def key(self) -> Tuple[Any, ...]:
        return (tuple(self.parameters), tuple(self.times), self.record, tuple(self.faults), self.fault_table,
                self.experiment, tuple(self.sweeps), self.faults_apart, tuple(self.inputs))

    def options(self, model: Optional[str]) -> LoadOptions:
        options = LoadOptions()
        self._kept = [strings(self.parameters), strings(self.faults), strings(self.sweeps), strings(self.inputs)]
        options.model = encode(model)
        options.parameters, options.parameter_count = self._kept[0], len(self.parameters)
        options.stop, options.step, options.every = (encode(time) for time in self.times)
        options.records = encode(self.record)
        options.inputs, options.input_count = self._kept[3], len(self.inputs)
        options.faults, options.fault_count = self._kept[1], len(self.faults)
        options.fault_table = encode(self.fault_table)
        options.experiment = encode(self.experiment)
        options.sweeps, options.sweep_count = self._kept[2], len(self.sweeps)
        options.faults_apart = self.faults_apart
        return options
