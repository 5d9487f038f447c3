/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What every fixture that reads texts has: memory that can be checked to be empty, and a front end of the language on it. */
#ifndef HBG_TESTS_LANG_FRONT_END_IMPL_H
#define HBG_TESTS_LANG_FRONT_END_IMPL_H

#include "lang/lang.h"

/* First in the struct of a fixture. */
#define FRONT_END                                                                                            \
    hbg_memory memory;                                                                                       \
    hbg_arena arena, scratch;                                                                                \
    hbg_names names;                                                                                         \
    hbg_sources sources;                                                                                     \
    hbg_diagnostics diagnostics;                                                                             \
    hbg_lang lang;

/* Opens that of a fixture which is all zero; units are NULL where they cannot be read. */
#define front_end_open(f)                                                                                    \
    do {                                                                                                     \
        hbg_base_arena_init(&(f)->arena, &(f)->memory);                                                      \
        hbg_base_arena_init(&(f)->scratch, &(f)->memory);                                                    \
        hbg_base_names_init(&(f)->names, &(f)->arena);                                                       \
        hbg_base_sources_init(&(f)->sources, &(f)->arena);                                                   \
        hbg_base_diagnostics_init(&(f)->diagnostics, &(f)->arena);                                           \
        (f)->lang = (hbg_lang){.arena = &(f)->arena,                                                         \
                               .scratch = &(f)->scratch,                                                     \
                               .names = &(f)->names,                                                         \
                               .sources = &(f)->sources,                                                     \
                               .diagnostics = &(f)->diagnostics,                                             \
                               .units = hbg_lang_units_new()};                                               \
    } while (0)

/* Closes it; what is left of the memory has to be 0. */
#define front_end_close(f)                                                                                   \
    (hbg_lang_units_free((f)->lang.units), hbg_base_arena_fini(&(f)->scratch),                               \
     hbg_base_arena_fini(&(f)->arena), (f)->memory.used)

#endif
