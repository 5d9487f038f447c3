# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as exceptions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional


@dataclass(frozen=True)
class Note:
    """A further place that belongs to a diagnostic."""

    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None


@dataclass(frozen=True)
class Diagnostic:
    """One error, warning or note about a model, with its place in the text."""

    code: str
    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    help: Optional[str] = None
    notes: List[Note] = field(default_factory=list)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file and self.line else ""
        return f"{place}{self.severity}[{self.code}]: {self.message}"


class ModelWarning(UserWarning):
    """What a model, or what it is given, is warned of; `diagnostic` has its place. Python's `warnings` decides what becomes of it."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(f"{diagnostic}; {diagnostic.help}" if diagnostic.help else str(diagnostic))
        self.diagnostic = diagnostic


class Error(Exception):
    """A call of the library failed. `status` is its number, 0 where the failure is not the library's."""

    def __init__(self, message: str, status: int = 0):
        super().__init__(message)
        self.status = status


class ModelError(Error):
    """The model is wrong; `diagnostics` say where and why, `text` shows them as the command does."""

    def __init__(self, text: str, diagnostics: List[Diagnostic], status: int = -1):
        super().__init__(text.strip() or "the model has errors", status)
        self.text = text
        self.diagnostics = diagnostics


class RunError(Error):
    """A run did not get to its end; `results` has what there is of it."""

    def __init__(self, message: str, results: object):
        super().__init__(message)
        self.results = results
