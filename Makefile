# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The door: every target is one script of tools/, CMake does the work underneath (CMakePresets.json has the build
# trees). The text behind ## is what `make help` shows.

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

.PHONY: build demo test soak bench lint docs studio install package size format clean help
.DEFAULT_GOAL := build

build: ## build hbg, optimised, as build/hbg (this is the default)
	@tools/build.sh

demo: ## install what is missing, build, and show hbg at work on an example
	@tools/demo.sh

test: ## install what is missing, build with sanitizers, and run every test
	@tools/test.sh

soak: ## the long tests: fuzzing (FUZZ_SECONDS=600 each), allocation sweep, valgrind, clang
	@tools/soak.sh

bench: ## measure, compare with peers, write docs/bench.md
	@tools/bench.sh

lint: ## clang-tidy, shellcheck, mypy, clang-format
	@tools/lint.sh

docs: ## check the documentation
	@tools/check_links.sh

studio: ## build, and open the studio on the examples
	@tools/studio.sh

install: ## install below PREFIX=/usr/local (DESTDIR= for packagers)
	@tools/install.sh

package: ## make a Debian package, build/hbg_VERSION_ARCHITECTURE.deb
	@tools/package.sh

size: ## print functions over 40 and files over 500 lines
	@tools/size.sh

format: ## bring every C file into the one look
	@tools/format.sh fix

clean: ## remove build/
	@rm -rf build

help: ## show this list
	@awk -F ': ## ' '/^[a-z]+: ## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
