/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which values the ratio of parasites decides: limit_shared.c needs it, limit_bases.c finds it, with the
 * forms of limit_forms.c. */
#ifndef HBG_EQN_LIMIT_IMPL_H
#define HBG_EQN_LIMIT_IMPL_H

#include "eqn/eqn_impl.h"

/* A straight line in variables of the value layer. */
typedef struct {
    int32_t variable;
    double factor;
} shared_part;

typedef struct {
    HBG_VEC(shared_part) parts;
    double constant;
} shared_line;

enum { LIMIT_AROUND = 60 }; /* elements around a cluster whose laws count, too */

/* A cluster in a local mode, with its laws as numbers (limit_forms.c). */
typedef struct {
    hbg_eqn *eqn;
    const limit_cluster *of;
    const limit_mode *mode;
    const bool *on;     /* by place */
    int32_map elements; /* elements whose laws count: those of the cluster, and the nearest around it */
    int32_map columns;  /* by variable of the value layer; HBG_NONE: not met yet */
    int32_t column_count;
    HBG_VEC(double *) laws;  /* rows that are solved for their pivot */
    HBG_VEC(int32_t) pivots; /* pivots of the laws */
    double *forms;           /* by place of the cluster: its parameter */
    int32_t width;           /* columns of a row; the last one is the constant */
    double *null_space;      /* by unknown of the cluster, by reversed place */
} shared_mode;
shared_mode *hbg_eqn_shared_mode(hbg_eqn *eqn, int32_t cluster, const limit_mode *mode, const bool *on);

/* Forms: a new one that is 0; reduced by the laws; its largest coefficient; added as a law, which makes it 0;
 * of a line, with its part in the null space by reversed place, or NULL; laws of passive elements with one
 * variable held. */
double *hbg_eqn_form_new(shared_mode *of);
void hbg_eqn_form_reduce(const shared_mode *of, double *form);
double hbg_eqn_form_size(const shared_mode *of, const double *form);
void hbg_eqn_form_law(shared_mode *of, double *form);
double *hbg_eqn_form_of(shared_mode *of, const shared_line *line, double *along);
void hbg_eqn_form_settle(shared_mode *of);

/* limit_bases.c */
typedef enum {
    SHARED_NOT,   /* the line has one value, whatever parasites are */
    SHARED_VALUE, /* its value depends on their ratio, its sign does not */
    SHARED_SIGN   /* its sign may depend on it, too */
} shared_answer;
shared_answer hbg_eqn_shared_line(shared_mode *of, const shared_line *line);
/* In a real mode no line is positive (with `turned`: negative), or a guard would be enabled. Consequences for
 * values on which parasites have no influence become laws. Returns false if the mode is never real. */
typedef struct {
    const shared_line *line;
    bool turned;
} shared_bound;
bool hbg_eqn_shared_bounds(shared_mode *of, const shared_bound *bounds, int32_t count);
/* Whether the line is a multiple of the open variable of a junction that only one automaton switches: of its
 * voltage while it is an open switch, of its current while it is a closed one. */
bool hbg_eqn_shared_is_own(shared_mode *of, const shared_line *line, int32_t automaton);

/* The value of a term with parameters as declared, and 0 for everything else; *constant: nothing else was
 * read. */
double hbg_eqn_constant(hbg_eqn *eqn, hbg_term term, bool *constant);

#endif
