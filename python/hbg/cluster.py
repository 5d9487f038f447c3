# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""Sweeps on the workers of dask.distributed: each makes shards, and their tables become the one table that a single machine would have made."""

from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Any, Dict, List, Optional

from .errors import Error
from .library import C, Text
from .session import OK, Session, Source, encode, strings

SHARDS_A_THREAD = 4  # so that a slow shard does not hold the others up for long
RETRIES = 3


def _make_shard(source: Source, call: Dict[str, Any], shard: str) -> bytes:
    """Runs on a worker."""
    from .model import Model

    with tempfile.TemporaryDirectory(prefix="hbg-") as folder:
        path = os.path.join(folder, "shard.csv")
        Model(source, warns=False).make_table(path, call, shard=shard)
        with open(path, "rb") as file:
            return file.read()


def _merge(tables: List[str], path: str) -> None:
    session = Session.bare()
    end, text = ctypes.c_int(), Text()
    session.check(C.hbg_sweep_merge(session.pointer, strings(tables), len(tables), encode(path), ctypes.byref(end),
                                    ctypes.byref(text)))
    session.take(text)


def sweep(client: Any, source: Source, call: Dict[str, Any], path: str, shards: Optional[int], progress: Any) -> None:
    """Makes the table `path`. What a worker that was lost had begun is made by another; what cannot be made raises here what it raised there."""
    from distributed import as_completed

    count = shards or max(1, SHARDS_A_THREAD * sum(client.nthreads().values()))
    futures = {client.submit(_make_shard, source, call, f"{k}/{count}", pure=False, retries=RETRIES): k
               for k in range(1, count + 1)}
    try:
        with tempfile.TemporaryDirectory(prefix="hbg-") as folder:
            tables = []
            for future in as_completed(futures):
                name = os.path.join(folder, f"shard-{futures[future]}.csv")
                with open(name, "wb") as file:
                    file.write(future.result())
                future.release()  # the workers need not keep it
                tables.append(name)
                if progress and progress(len(tables), count) is False:
                    raise Error("interrupted; no table was made", OK)
            _merge(tables, path)
    finally:
        client.cancel(list(futures))
