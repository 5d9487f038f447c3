# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""`pip install ./python`, with the setuptools that are there: no network is asked. The package calls libhbg.so, which `make install` puts in its
place; a wheel takes the one of the tree along."""

import re
import shutil
from pathlib import Path

from setuptools import setup

here = Path(__file__).resolve().parent
numbers = re.findall(r"#define HBG_VERSION_\w+\s+(\d+)", (here.parent / "include/hbg/version.h").read_text())
built = here.parent / "build" / "libhbg.so"
data = ["py.typed"]
if built.exists():
    shutil.copyfile(built, here / "hbg" / "libhbg.so")
    shutil.copytree(here.parent / "lib", here / "hbg" / "lib", dirs_exist_ok=True)
    data += ["libhbg.so", "lib/*.hbg"]

setup(name="hbg", version=".".join(numbers), description="Hybrid bond graphs from text", license="Apache-2.0",
      packages=["hbg"], package_data={"hbg": data}, python_requires=">=3.9", zip_safe=False)
