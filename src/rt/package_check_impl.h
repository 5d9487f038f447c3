/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the checks of a package: numbers, ranges and lists that have to be within bounds. Each reports
 * what is wrong once, and returns whether everything has been right so far. */
#ifndef HBG_RT_PACKAGE_CHECK_IMPL_H
#define HBG_RT_PACKAGE_CHECK_IMPL_H

#include "rt/package_impl.h"

typedef struct {
    const hbg_rt_loaded *loaded;
    const hbg_rt_image *image;
    const hbg_rt_instants *instants;
    int32_t registers;
    bool fine;
} hbg_rt_checking;

/* package_check.c */
bool hbg_rt_check_refuse(hbg_rt_checking *c, const char *what, int32_t number);
bool hbg_rt_check_below(hbg_rt_checking *c, const char *what, int32_t number, int32_t count);
bool hbg_rt_check_below_or_none(hbg_rt_checking *c, const char *what, int32_t number, int32_t count);
bool hbg_rt_check_register(hbg_rt_checking *c, int32_t reg);
bool hbg_rt_check_register_or_none(hbg_rt_checking *c, int32_t reg);
bool hbg_rt_check_inside(hbg_rt_checking *c, const char *what, hbg_rt_range range, int32_t count);
/* A list among the ints of the pools, or of the instants, whose items are below a count. */
bool hbg_rt_check_list(hbg_rt_checking *c, const char *what, hbg_rt_range range, int32_t count, bool or_none);
bool hbg_rt_check_instant_list(hbg_rt_checking *c, const char *what, hbg_rt_range range, int32_t count);
bool hbg_rt_check_program_number(hbg_rt_checking *c, int32_t program);
bool hbg_rt_check_text(hbg_rt_checking *c, int32_t text);
void hbg_rt_check_mark(hbg_rt_checking *c, const hbg_rt_mark *mark);
int32_t hbg_rt_check_states_of(const hbg_rt_checking *c, int32_t automaton);
int hbg_rt_check_arity(int32_t op);
bool hbg_rt_check_computed(int32_t op);

/* package_check_code.c: programs, loops, tables, readouts; then modes and what they choose */
void hbg_rt_check_code(hbg_rt_checking *c);
void hbg_rt_check_modes(hbg_rt_checking *c);
/* package_check_instants.c: cells and the relations between them; automata with their guards; islands and
 * their values; what is set from outside */
void hbg_rt_check_values(hbg_rt_checking *c);
void hbg_rt_check_automata(hbg_rt_checking *c);
void hbg_rt_check_kept(hbg_rt_checking *c);
void hbg_rt_check_outside(hbg_rt_checking *c);

#endif
