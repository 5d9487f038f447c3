/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What links do to the variables they pass on, as numbers modulo a prime: transformers and gyrators scale
 * them. A modulus that is not a number is random, but the same for the same expression; sums, products and
 * quotients are computed from their parts. */
#include "causal/causal_impl.h"

enum { NESTED = 32 }; /* nested operators through which a modulus is followed */

static uint64_t drawn(hbg_arena *arena, const hbg_model *model, hbg_expr expr) {
    hbg_buffer text;
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    hbg_base_buffer_init(&text, arena);
    hbg_model_print_expr(model, expr, &text);
    for (size_t i = 0; i < text.size; i++) hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3u;
    return hbg_base_modular_draw(hash);
}

/* A ratio of 4/4 is one of 1. */
static uint64_t value_of(hbg_arena *arena, const hbg_model *model, hbg_expr expr, int depth) {
    const hbg_expr_node *node = &model->exprs.items[expr];
    uint64_t a, b;
    switch (depth > NESTED ? HBG_OP_COUNT : node->op) {
    case HBG_OP_NUMBER: return hbg_base_modular_decimal(model->literals.items[node->a].value);
    case HBG_OP_NEGATE: return hbg_base_modular_negate(value_of(arena, model, node->a, depth + 1));
    case HBG_OP_ADD:
    case HBG_OP_SUBTRACT:
    case HBG_OP_MULTIPLY:
    case HBG_OP_DIVIDE:
        a = value_of(arena, model, node->a, depth + 1);
        b = value_of(arena, model, node->b, depth + 1);
        if (node->op == HBG_OP_SUBTRACT) b = hbg_base_modular_negate(b);
        if (node->op == HBG_OP_DIVIDE) b = hbg_base_modular_invert(b);
        return node->op == HBG_OP_ADD || node->op == HBG_OP_SUBTRACT ? hbg_base_modular_add(a, b)
                                                                     : hbg_base_modular_multiply(a, b);
    default: return drawn(arena, model, expr);
    }
}

/* TF: e1 = n·e2, f2 = n·f1; GY: e1 = r·f2, e2 = r·f1. A flow has the opposite sign if the bond has the
 * opposite direction. */
static uint64_t pass(uint64_t modulus, const hbg_element *two_port, bool effort, bool to_first, bool usual) {
    bool gyrates = two_port->kind == HBG_KIND_GY; // `effort` is what comes out
    bool multiplies = gyrates ? effort : effort == to_first;
    uint64_t factor = multiplies ? modulus : hbg_base_modular_invert(modulus);
    return usual ? factor : hbg_base_modular_negate(factor);
}

/* Whether the bond points into port 1, or out of port 2. */
static bool is_usual(const hbg_model *model, int32_t bond, int32_t element, bool first) {
    return (model->bonds.items[bond].to.element == element) == first;
}

/* The factor of a chain between a variable that leaves one end and its value at the other. */
static uint64_t factor_of(const hbg_causal_structure *structure, const uint64_t *modulus, int32_t link,
                          int to, bool effort) {
    const hbg_causal_link *of = &structure->links[link];
    const hbg_model *model = structure->model;
    uint64_t factor = 1;
    for (int32_t i = of->bond_count - 1; i > 0; i--) { // backwards from the end where the variable is known
        int32_t at = of->first_bond + (to == 1 ? i : of->bond_count - 1 - i),
                before = to == 1 ? at - 1 : at + 1;
        int32_t bond = structure->chain[at] >> 2, other = structure->chain[before] >> 2;
        bool along = ((structure->chain[at] & 1) == 0) == (to == 1); // with the half arrow towards the end
        const hbg_bond *passed = &model->bonds.items[bond];
        int32_t element = along ? passed->from.element : passed->to.element;
        const hbg_element *two_port = &model->elements.items[element];
        bool to_first = model->incidence[model->incidence_start[element]] == bond;
        bool enters_as_effort = effort != (two_port->kind == HBG_KIND_GY);
        bool usual = (effort || is_usual(model, bond, element, to_first)) ==
                     (enters_as_effort || is_usual(model, other, element, !to_first));
        factor = hbg_base_modular_multiply(factor, pass(modulus[element], two_port, effort, to_first, usual));
        effort = enters_as_effort;
    }
    return factor;
}

void hbg_causal_find_transmission(hbg_arena *arena, hbg_causal_structure *structure) {
    const hbg_model *model = structure->model;
    uint64_t *modulus = HBG_NEW_ARRAY(arena, uint64_t, model->elements.count + 1);
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *of = &model->elements.items[i];
        if ((of->kind == HBG_KIND_TF || of->kind == HBG_KIND_GY) && of->value_count > 0)
            modulus[i] = value_of(arena, model, model->entries.items[of->first_value], 0);
    }
    structure->transmission = HBG_NEW_ARRAY(arena, uint64_t, 4 * (size_t)structure->link_count + 1);
    for (int32_t slot = 0; slot < 2 * structure->link_count; slot++)
        for (int flow = 0; flow < 2; flow++)
            structure->transmission[2 * slot + flow] =
                factor_of(structure, modulus, slot >> 1, slot & 1, flow == 0);
}
