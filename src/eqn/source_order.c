/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The order of automata in the source: if moving together comes back to a state, the first enabled one in
 * this order moves (semantics, section 6). Declarations of a component count at the place where the component
 * is instantiated. */
#include "eqn/eqn_impl.h"

/* The number of components around an automaton, plus itself. */
static int32_t depth_of(const hbg_model *model, int32_t automaton) {
    int32_t depth = 1;
    for (int32_t scope = model->automata.items[automaton].id.scope; scope != 0;
         scope = model->scopes.items[scope].id.scope)
        depth++;
    return depth;
}

/* The start of its declaration, or of that of the component around it on this level; 0: the outermost. */
static uint32_t start_on(const hbg_model *model, int32_t automaton, int32_t level) {
    const hbg_identity *id = &model->automata.items[automaton].id;
    for (int32_t up = depth_of(model, automaton) - 1; up > level; up--)
        id = &model->scopes.items[id->scope].id;
    return id->span.start;
}

int hbg_eqn_source_order(const hbg_model *model, int32_t a, int32_t b) {
    int32_t depth_a = depth_of(model, a), depth_b = depth_of(model, b);
    for (int32_t level = 0; level < depth_a && level < depth_b; level++) {
        uint32_t start_a = start_on(model, a, level), start_b = start_on(model, b, level);
        if (start_a != start_b) return start_a < start_b ? -1 : 1;
    }
    return (a > b) - (a < b);
}
