/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An independent judge of assignments: it sees bonds and causal strokes, knows the rules of junctions and
 * elements (001, Table 1 and Figs 1 and 2; semantics, section 3), and nothing of places, links or how an
 * assignment is found. */
#ifndef HBG_TESTS_CAUSAL_JUDGE_IMPL_H
#define HBG_TESTS_CAUSAL_JUDGE_IMPL_H

#include "causal/causal.h"

typedef struct {
    const hbg_model *model;
    const bool *on;       /* by element: for junctions */
    const int *stroke;    /* by bond: 0 effort arrives at `from`, 1 at `to` */
    const bool *repeated; /* by bond: said to repeat a zero */
    const bool *floating; /* by element: said to float */
    bool integral;        /* derivative causality is against the rules */

    int derivative;     /* storages not in integral causality */
    int undetermined;   /* junctions that are on, do not float and have no determining bond */
    int overdetermined; /* junctions that are on and have more than one */
    int broken;         /* everything else against the rules */
} judge;

static inline bool judge_is_junction(const judge *j, int32_t element) {
    hbg_element_kind kind = j->model->elements.items[element].kind;
    return kind == HBG_KIND_ZERO || kind == HBG_KIND_ONE;
}

static inline bool judge_is_off(const judge *j, int32_t element) {
    return judge_is_junction(j, element) && !j->on[element];
}

/* At an end of a bond; a bond from an element to itself has two. */
static inline bool judge_arrives(const judge *j, int32_t bond, int end) {
    return j->stroke[bond] == end;
}

static inline int32_t judge_element_at(const judge *j, int32_t bond, int end) {
    const hbg_bond *b = &j->model->bonds.items[bond];
    return end ? b->to.element : b->from.element;
}

/* Follows a bond from one of its ends through transformers and gyrators. Gives the last bond and its far end,
 * and whether effort and flow have changed places an odd number of times. */
static inline void judge_follow(const judge *j, int32_t *bond, int *end, bool *odd) {
    const hbg_model *model = j->model;
    *odd = false;
    *end = 1 - *end;
    for (;;) {
        int32_t element = judge_element_at(j, *bond, *end);
        hbg_element_kind kind = model->elements.items[element].kind;
        if (kind != HBG_KIND_TF && kind != HBG_KIND_GY) return;
        if (kind == HBG_KIND_GY) *odd = !*odd;
        const int32_t *bonds = model->incidence + model->incidence_start[element];
        *bond = bonds[0] == *bond ? bonds[1] : bonds[0];
        *end = judge_element_at(j, *bond, 0) == element ? 1 : 0;
    }
}

/* An off junction sets effort on its bonds (0/E, 1/E) or flow (0/F, 1/F). */
static inline bool judge_sets_effort(const judge *j, int32_t element) {
    const hbg_element *junction = &j->model->elements.items[element];
    return (junction->kind == HBG_KIND_ZERO) != junction->dual_off;
}

/* One end of a bond at an off junction. Only if an off junction at the far end of the chain sets the same
 * quantity may the stroke be wrong here: it cannot be right at both. */
static inline void judge_off_end(judge *j, int32_t bond, int end, int32_t element) {
    if (judge_arrives(j, bond, end) != judge_sets_effort(j, element)) return;
    bool odd;
    judge_follow(j, &bond, &end, &odd);
    int32_t far = judge_element_at(j, bond, end);
    bool same = judge_is_off(j, far) && (judge_sets_effort(j, far) != odd) == judge_sets_effort(j, element);
    if (!same) j->broken++;
}

static inline void judge_junction(judge *j, int32_t element) {
    const hbg_model *model = j->model;
    bool zero = model->elements.items[element].kind == HBG_KIND_ZERO;
    int determining = 0;
    for (int32_t bond = 0; bond < model->bonds.count; bond++)
        for (int end = 0; end < 2; end++) {
            if (judge_element_at(j, bond, end) != element) continue;
            if (!j->on[element])
                judge_off_end(j, bond, end, element);
            else if (!j->repeated || !j->repeated[bond])
                determining += judge_arrives(j, bond, end) == zero;
        }
    if (!j->on[element]) return;
    bool floating = j->floating && j->floating[element];
    j->undetermined += determining == 0 && !floating;
    j->overdetermined += determining > 1;
    j->broken += floating && determining > 0;
}

/* A source whose own variable an off junction sets to zero is cut. */
static inline bool judge_is_cut(const judge *j, int32_t bond, int end, bool effort_source) {
    bool odd;
    judge_follow(j, &bond, &end, &odd);
    int32_t far = judge_element_at(j, bond, end);
    return judge_is_off(j, far) && (judge_sets_effort(j, far) != odd) == effort_source;
}

static inline void judge_one_port(judge *j, int32_t element) {
    const hbg_element *at = &j->model->elements.items[element];
    for (int32_t port = 0; port < at->ports; port++) {
        int32_t bond = j->model->incidence[j->model->incidence_start[element] + port];
        int end = judge_element_at(j, bond, 0) == element ? 0 : 1;
        bool arrives = judge_arrives(j, bond, end);
        switch (at->kind) {
        case HBG_KIND_C: j->derivative += arrives; break;
        case HBG_KIND_I: j->derivative += !arrives; break;
        case HBG_KIND_SE: j->broken += arrives && !judge_is_cut(j, bond, end, true); break;
        case HBG_KIND_SF: j->broken += !arrives && !judge_is_cut(j, bond, end, false); break;
        default: break;
        }
    }
}

static inline void judge_two_port(judge *j, int32_t element) {
    const int32_t *bonds = j->model->incidence + j->model->incidence_start[element];
    bool same = judge_arrives(j, bonds[0], judge_element_at(j, bonds[0], 0) == element ? 0 : 1) ==
                judge_arrives(j, bonds[1], judge_element_at(j, bonds[1], 0) == element ? 0 : 1);
    j->broken += same != (j->model->elements.items[element].kind == HBG_KIND_GY);
}

static inline void judge_all(judge *j) {
    j->derivative = j->undetermined = j->overdetermined = j->broken = 0;
    for (int32_t i = 0; i < j->model->elements.count; i++) {
        hbg_element_kind kind = j->model->elements.items[i].kind;
        if (judge_is_junction(j, i))
            judge_junction(j, i);
        else if (kind == HBG_KIND_TF || kind == HBG_KIND_GY)
            judge_two_port(j, i);
        else
            judge_one_port(j, i);
    }
    if (j->integral) j->broken += j->derivative;
}

/* Whether an assignment that calls its mode valid obeys the rules, and counts its derivative storages
 * right. */
static inline bool judge_accepts(hbg_arena *arena, const hbg_causal_structure *structure,
                                 const hbg_causal_assignment *assignment) {
    const hbg_model *model = structure->model;
    bool *on = HBG_NEW_ARRAY(arena, bool, model->elements.count + 1);
    bool *floating = HBG_NEW_ARRAY(arena, bool, model->elements.count + 1);
    bool *repeated = HBG_NEW_ARRAY(arena, bool, model->bonds.count + 1);
    int *stroke = HBG_NEW_ARRAY(arena, int, model->bonds.count + 1);
    for (int32_t place = 0; place < structure->place_count; place++) {
        on[structure->place_element[place]] = hbg_causal_is_on(assignment, place);
        floating[structure->place_element[place]] = hbg_causal_is_floating(assignment, place);
    }
    for (int32_t bond = 0; bond < model->bonds.count; bond++) {
        stroke[bond] = hbg_causal_stroke(assignment, bond);
        int32_t link = structure->bond_link[bond];
        repeated[bond] = link != HBG_NONE && hbg_causal_is_repeated(assignment, link);
    }
    judge j = {.model = model,
               .on = on,
               .stroke = stroke,
               .repeated = repeated,
               .floating = floating,
               .integral = structure->options.integral};
    judge_all(&j);
    int32_t counted = structure->options.integral ? 0 : j.derivative;
    return j.broken == 0 && j.undetermined == 0 && j.overdetermined == 0 &&
           hbg_causal_derivative_count(assignment) == counted;
}

#endif
