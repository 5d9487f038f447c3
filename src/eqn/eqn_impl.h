/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declarations shared by the files of src/eqn. */
#ifndef HBG_EQN_IMPL_H
#define HBG_EQN_IMPL_H

#include "eqn/system.h"
#include "graph/graph.h"

/* variable.c */
void hbg_eqn_number_variables(hbg_eqn *eqn);
bool hbg_eqn_may_be_undefined(const hbg_eqn *eqn, int32_t element); /* its common variable, while it is off */
hbg_term hbg_eqn_var(hbg_eqn *eqn, variable_kind kind, int32_t index);
/* Effort or flow of an element's port, positive as the element counts it; common variable of a junction. */
hbg_term hbg_eqn_port(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable variable);
void hbg_eqn_variable_name(const hbg_eqn *eqn, int32_t variable, hbg_buffer *out);

/* translate.c */
void hbg_eqn_translate(hbg_eqn *eqn);
hbg_term hbg_eqn_energy(hbg_eqn *eqn, int32_t element); /* HBG_NONE where it has no formula */
hbg_term hbg_eqn_power(hbg_eqn *eqn, int32_t element, int32_t port);
hbg_term hbg_eqn_chain(hbg_eqn *eqn, hbg_term term, variable_layer layer);

/* law.c */
hbg_term hbg_eqn_value(hbg_eqn *eqn, int32_t element);
hbg_term hbg_eqn_source_value(const hbg_eqn *eqn, int32_t element);
equation hbg_eqn_resistor(hbg_eqn *eqn, int32_t element, int32_t port, hbg_variable asked);
hbg_term hbg_eqn_storage_law(hbg_eqn *eqn, int32_t element, int32_t port);
equation hbg_eqn_storage_output(hbg_eqn *eqn, int32_t element, int32_t port, bool all_integral);
equation hbg_eqn_storage_state(hbg_eqn *eqn, int32_t element, int32_t port);

/* start.c */
void hbg_eqn_declare_start(hbg_eqn *eqn, int32_t experiment);
equation hbg_eqn_start_equation(equations *all, int32_t state);

/* defined.c: the common variable of a junction that has none while it is off; whether a term has a value, as
 * a term; a term that is NaN where it has none, also as the guard of a state; the same for all laws */
hbg_term hbg_eqn_common(hbg_eqn *eqn, int32_t junction, hbg_variable asked, hbg_term on);
hbg_term hbg_eqn_has_value(hbg_eqn *eqn, hbg_term term);
hbg_term hbg_eqn_checked(hbg_eqn *eqn, hbg_term term);
hbg_term hbg_eqn_checked_in(hbg_eqn *eqn, hbg_term term, int32_t automaton, int32_t state);
void hbg_eqn_check_laws(hbg_eqn *eqn);

/* coefficient.c */
typedef struct {
    uint64_t value; /* modulo a prime; 0: the coefficient is 0 */
    hbg_term term;
} coefficient;
/* The value of a term modulo a prime, with random numbers in place of what it reads. */
uint64_t hbg_eqn_value_by_lot(const hbg_eqn *eqn, hbg_term term);
coefficient hbg_eqn_coefficient_of(hbg_eqn *eqn, hbg_term term);
coefficient hbg_eqn_coefficient_whole(hbg_eqn *eqn, int32_t value);
coefficient hbg_eqn_coefficient_add(hbg_eqn *eqn, coefficient a, coefficient b);
coefficient hbg_eqn_coefficient_multiply(hbg_eqn *eqn, coefficient a, coefficient b);
coefficient hbg_eqn_coefficient_solve(hbg_eqn *eqn, coefficient a, coefficient b); /* −a/b */

/* tie.c: finds dependent storages whose rates depend on themselves. */
void hbg_eqn_find_ties(equations *all);

/* limit.c: finds clusters of variables that can be in conflict or float; limit_equation.c: the value given by
 * the parasite of a place, and its unbounded part; what these may read in some mode */
void hbg_eqn_find_limits(hbg_eqn *eqn);
/* Finds, by place, junctions of clusters that need gates: they are off the other way, or cut a source.
 * Returns false if there are none. */
bool hbg_eqn_find_gated(const hbg_eqn *eqn, bool *gated);
/* Finds, by place, the junctions that would switch by a select, but next to which something can be unbounded
 * or float; returns false if there are none. */
bool hbg_eqn_bar_selects(hbg_eqn *eqn, bool *barred);
/* Refuses a source whose value has no meaning in a conflict, with the reason. */
void hbg_eqn_refuse_source(equations *all, int32_t element, const char *why);
equation hbg_eqn_parasite(equations *all, int32_t place);
equation hbg_eqn_conflict(equations *all, int32_t place);
void hbg_eqn_limit_reads(equations *all, variable_kind kind, int32_t place, int32_map *reads);
/* The unknown of a cluster that an element, if it is a source, would give power to; HBG_NONE */
int32_t hbg_eqn_limit_source(const hbg_eqn *eqn, const limit_cluster *of, int32_t element);

/* limit_mark.c: the kind of a mode with a valid assignment, and the properties of its bonds */
hbg_eqn_mode_kind hbg_eqn_mark_limits(hbg_eqn *eqn, const bool *on, uint8_t *bonds);
/* Whether sources are in conflict in a local mode of a cluster, unless they agree by chance. */
bool hbg_eqn_is_contested(hbg_eqn *eqn, int32_t cluster, const limit_mode *mode);

/* guard.c */
void hbg_eqn_find_guards(hbg_eqn *eqn);
bool hbg_eqn_compares_numbers(const hbg_eqn *eqn, const term_node *node);
hbg_term hbg_eqn_jump_work(hbg_eqn *eqn, int32_t element);
/* For a source that pulses by itself, through a der(…) of a value given from outside: its own variable and
 * the other one; HBG_NONE if it does not. */
pulse_source hbg_eqn_pulse_source(hbg_eqn *eqn, int32_t element);

/* rate.c: the gradient of a term for its time derivative; the contribution of an entry that is not a
 * variable */
void hbg_eqn_gradient_in_time(hbg_eqn *eqn, hbg_arena *scratch, hbg_term term, gradient *result);
hbg_term hbg_eqn_rate_share(hbg_eqn *eqn, const gradient_entry *of);

hbg_term hbg_eqn_written_out(hbg_eqn *eqn, hbg_term term); /* guard.c: signals by their formulas */
void hbg_eqn_find_thresholds(hbg_eqn *eqn);                /* threshold.c */
void hbg_eqn_find_plans(hbg_eqn *eqn);                     /* likewise */
term_walk hbg_eqn_walk_of(hbg_eqn *eqn, hbg_term term);    /* guard.c: of a term that instants evaluate */
void hbg_eqn_order_ticks(hbg_eqn *eqn); /* tick_order.c: clocks that read each other tick in order */
void hbg_eqn_find_named(hbg_eqn *eqn);  /* named.c */
void hbg_eqn_describe(hbg_eqn *eqn, const hbg_eqn_options *options); /* describe.c */
bool hbg_eqn_dissipates(hbg_eqn *eqn,
                        int32_t element); /* a source that is part of a switch (dissipating.c) */

/* island_group.c */
void hbg_eqn_make_groups(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
void hbg_eqn_make_throws(hbg_eqn *eqn, const hbg_causal_assignment *assignment);
/* Why automata of an island belong together: the chain of variables from one to the other, in words. */
void hbg_eqn_explain_island(hbg_eqn *eqn, const hbg_causal_assignment *assignment, const island *of,
                            void (*tell)(void *context, int32_t from, int32_t to, const int32_t *variables,
                                         int32_t count),
                            void *context);

/* work.c: equations of a purpose, by variable of all layers; all are NONE */
equation *hbg_eqn_work_equations(hbg_eqn *eqn, purpose purpose);

#endif
