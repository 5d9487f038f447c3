/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loops: variables that read one another. Tearing takes a few of them as unknowns, so that the others follow
 * in order. From the unknowns, the body computes their equations' values, and the exact Jacobian of the
 * difference. Implicit equations make their variable an unknown. */
#include <string.h>

#include "code/code_impl.h"

/* A loop under construction. */
typedef struct {
    hbg_arena *arena;
    int32_t count, entry_count;
    int32_t *variable, *reg, *residual; /* by unknown */
    hbg_rt_entry *entries;
    int32_t *start, *row, *entry_of; /* of a sparse loop: pattern by columns */
    int32_t body;
    bool linear, is_sparse, is_constant;
} plan;

typedef struct {
    hbg_code_stage *stage;
    equations *all;
    hbg_arena *arena;
    const int32_t *variables;
    int32_t count;
    int32_t *local;      /* by variable of all layers: 1 + its place here; shared, cleared at the end */
    gradient *gradients; /* by member: gradient of its equation, with members by number */
    bool *torn;
    int32_t *order; /* members that are not torn, in order of computation */
    int32_t order_count;
    int32_t *unknown; /* torn members */
    int32_t unknown_count;
    gradient *sensitivity; /* by member: derivative with respect to unknowns */
} tearing;

/* ---- the graph inside --------------------------------------------------------------------------------- */

/* Finds every member the equation reads, even if only a relation reads it and there is no derivative. */
static void find_reads(tearing *tear, const equation *of, gradient *own) {
    hbg_terms *terms = &tear->all->eqn->terms;
    gradient parts = {0};
    hbg_term_walk(terms, of->term);
    for (int32_t i = 0; i < terms->walk.count; i++) {
        const term_node *node = &terms->nodes.items[terms->walk.items[i]];
        int32_t member = node->op == TERM_VARIABLE ? tear->local[node->a] - 1 : HBG_NONE;
        if (member >= 0)
            HBG_PUSH(tear->arena, *own, (gradient_entry){.variable = member, .partial = HBG_NONE});
    }
    hbg_term_gradient(terms, tear->arena, of->term, &parts);
    for (int32_t k = 0; k < parts.count; k++)
        for (int32_t i = 0; i < own->count; i++)
            if (tear->local[parts.items[k].variable] - 1 == own->items[i].variable)
                own->items[i].partial = parts.items[k].partial;
}

static void find_gradients(tearing *tear) {
    for (int32_t i = 0; i < tear->count; i++) {
        const equation of = *hbg_eqn_equations_get(tear->all, tear->variables[i]);
        find_reads(tear, &of, &tear->gradients[i]);
        tear->torn[i] = of.kind == EQUATION_IMPLICIT;
    }
}

/* Arcs lead from a member to the members that read it. */
typedef struct {
    int32_t *start, *heads;
    int32_t *reads, *read_by; /* degrees in the remaining graph */
    bool *gone;
    int32_t *queue;
    int32_t queue_count;
} remaining;

static void take_away(const tearing *tear, remaining *left, int32_t member) {
    left->gone[member] = true;
    for (int32_t i = left->start[member]; i < left->start[member + 1]; i++)
        if (!left->gone[left->heads[i]] && --left->reads[left->heads[i]] == 0)
            left->queue[left->queue_count++] = left->heads[i];
    for (int32_t i = 0; i < tear->gradients[member].count; i++)
        left->read_by[tear->gradients[member].items[i].variable]--;
}

static void find_arcs(const tearing *tear, remaining *left) {
    left->start = HBG_NEW_ARRAY(tear->arena, int32_t, tear->count + 2);
    for (int32_t i = 0; i < tear->count; i++) {
        left->reads[i] = tear->torn[i] ? 0 : tear->gradients[i].count;
        for (int32_t k = 0; k < tear->gradients[i].count; k++)
            left->start[tear->gradients[i].items[k].variable + 2]++;
    }
    for (int32_t i = 0; i < tear->count; i++) left->start[i + 2] += left->start[i + 1];
    left->heads = HBG_NEW_ARRAY(tear->arena, int32_t, left->start[tear->count + 1] + 1);
    for (int32_t i = 0; i < tear->count; i++)
        for (int32_t k = 0; k < tear->gradients[i].count; k++)
            left->heads[left->start[tear->gradients[i].items[k].variable + 1]++] = i;
    for (int32_t i = 0; i < tear->count; i++) left->read_by[i] = left->start[i + 1] - left->start[i];
}

/* The member whose removal cuts most cycles, by the product of its degrees. */
static int32_t best_tear(const tearing *tear, const remaining *left) {
    int64_t most = -1;
    int32_t best = HBG_NONE;
    for (int32_t i = 0; i < tear->count; i++) {
        int64_t product = (int64_t)left->reads[i] * left->read_by[i];
        if (left->gone[i] || product <= most) continue;
        most = product;
        best = i;
    }
    return best;
}

static void drain(tearing *tear, remaining *left) {
    while (left->queue_count > 0) {
        int32_t member = left->queue[--left->queue_count];
        if (left->gone[member]) continue;
        tear->order[tear->order_count++] = member;
        take_away(tear, left, member);
    }
}

static void choose(tearing *tear) {
    remaining left = {0};
    left.reads = HBG_NEW_ARRAY(tear->arena, int32_t, tear->count + 1);
    left.read_by = HBG_NEW_ARRAY(tear->arena, int32_t, tear->count + 1);
    left.gone = HBG_NEW_ARRAY(tear->arena, bool, tear->count + 1);
    left.queue = HBG_NEW_ARRAY(tear->arena, int32_t, tear->count + 1);
    find_arcs(tear, &left);
    for (int32_t i = 0; i < tear->count; i++) {
        if (!tear->torn[i]) continue;
        tear->unknown[tear->unknown_count++] = i;
        take_away(tear, &left, i);
    }
    drain(tear, &left);
    while (tear->order_count + tear->unknown_count < tear->count) {
        int32_t member = best_tear(tear, &left);
        tear->torn[member] = true;
        tear->unknown[tear->unknown_count++] = member;
        take_away(tear, &left, member);
        drain(tear, &left);
    }
}

/* ---- derivatives with respect to the unknowns ---------------------------------------------------------- */

/* Computes Σ partial · sensitivity of the members read, into `row` (by unknown; HBG_NONE is 0). */
static void accumulate(tearing *tear, int32_t member, hbg_term *row) {
    hbg_terms *terms = &tear->all->eqn->terms;
    for (int32_t u = 0; u < tear->unknown_count; u++) row[u] = HBG_NONE;
    for (int32_t i = 0; i < tear->gradients[member].count; i++) {
        const gradient_entry *part = &tear->gradients[member].items[i];
        const gradient *through = &tear->sensitivity[part->variable];
        if (part->partial == HBG_NONE) continue;
        for (int32_t k = 0; k < through->count; k++) {
            int32_t u = through->items[k].variable;
            hbg_term share = hbg_term_multiply(terms, part->partial, through->items[k].partial);
            row[u] = row[u] == HBG_NONE ? share : hbg_term_add(terms, row[u], share);
        }
    }
}

static void find_sensitivities(tearing *tear, hbg_term *row) {
    hbg_term one = hbg_term_integer(&tear->all->eqn->terms, 1);
    for (int32_t u = 0; u < tear->unknown_count; u++)
        HBG_PUSH(tear->arena, tear->sensitivity[tear->unknown[u]],
                 (gradient_entry){.variable = u, .partial = one});
    for (int32_t i = 0; i < tear->order_count; i++) {
        accumulate(tear, tear->order[i], row);
        for (int32_t u = 0; u < tear->unknown_count; u++)
            if (row[u] != HBG_NONE && !hbg_term_is_zero(&tear->all->eqn->terms, row[u]))
                HBG_PUSH(tear->arena, tear->sensitivity[tear->order[i]],
                         (gradient_entry){.variable = u, .partial = row[u]});
    }
}

/* ---- code --------------------------------------------------------------------------------------------- */

/* The residual of an unknown, and its row of the Jacobian. */
static void add_row(tearing *tear, plan *made, int32_t u, hbg_term *row) {
    hbg_terms *terms = &tear->all->eqn->terms;
    int32_t member = tear->unknown[u], variable = tear->variables[member];
    const equation of = *hbg_eqn_equations_get(tear->all, variable);
    bool implicit = of.kind == EQUATION_IMPLICIT;
    hbg_term residual =
        implicit ? of.term : hbg_term_subtract(terms, hbg_term_variable(terms, variable), of.term);
    made->residual[u] = hbg_code_stage_term(tear->stage, residual);
    accumulate(tear, member, row);
    for (int32_t k = 0; k < tear->unknown_count; k++) {
        hbg_term entry = row[k] == HBG_NONE ? hbg_term_integer(terms, 0) : row[k];
        if (!implicit) entry = hbg_term_subtract(terms, hbg_term_integer(terms, k == u), entry);
        if (hbg_term_is_zero(terms, entry)) continue;
        int32_t reg = hbg_code_stage_term(tear->stage, entry);
        if (hbg_code_stage_in_loop(tear->stage, reg)) made->linear = false;
        made->entries[made->entry_count++] = (hbg_rt_entry){u, k, reg};
    }
}

/* ---- large loops -------------------------------------------------------------------------------------- */

/* From so many unknowns on, tearing makes dense matrices of sparse ones: then every member is an unknown. */
#define SPARSE_FROM 24
#define TEAR_UP_TO  400 /* members; for larger loops tearing does not pay */

static void take_all(tearing *tear) {
    tear->order_count = 0;
    tear->unknown_count = tear->count;
    for (int32_t i = 0; i < tear->count; i++) tear->unknown[i] = i;
}

static void add_sparse_entry(tearing *tear, plan *made, int32_t row, int32_t column, hbg_term entry) {
    if (hbg_term_is_zero(&tear->all->eqn->terms, entry)) return;
    int32_t reg = hbg_code_stage_term(tear->stage, entry);
    if (hbg_code_stage_in_loop(tear->stage, reg)) made->linear = false;
    if (tear->all->eqn->terms.nodes.items[entry].level == LEVEL_RUN) made->is_constant = false;
    made->entries[made->entry_count++] = (hbg_rt_entry){row, column, reg};
}

/* v − g(w): 1 on the diagonal, −∂g/∂w elsewhere; an implicit equation is its own residual. */
static void add_sparse_row(tearing *tear, plan *made, int32_t u) {
    hbg_terms *terms = &tear->all->eqn->terms;
    int32_t variable = tear->variables[u];
    const equation of = *hbg_eqn_equations_get(tear->all, variable);
    bool implicit = of.kind == EQUATION_IMPLICIT, diagonal = implicit;
    hbg_term one = hbg_term_integer(terms, 1);
    hbg_term residual =
        implicit ? of.term : hbg_term_subtract(terms, hbg_term_variable(terms, variable), of.term);
    made->residual[u] = hbg_code_stage_term(tear->stage, residual);
    for (int32_t i = 0; i < tear->gradients[u].count; i++) {
        const gradient_entry *part = &tear->gradients[u].items[i];
        if (part->partial == HBG_NONE) continue;
        hbg_term entry = implicit ? part->partial : hbg_term_negate(terms, part->partial);
        if (part->variable == u && !implicit) {
            entry = hbg_term_add(terms, one, entry);
            diagonal = true;
        }
        add_sparse_entry(tear, made, u, part->variable, entry);
    }
    if (!diagonal) add_sparse_entry(tear, made, u, u, one);
}

/* Makes a pattern by columns of the entries, which are in order of rows. */
static void make_pattern(hbg_code *code, plan *made) {
    made->start = HBG_NEW_ARRAY(made->arena, int32_t, made->count + 2);
    made->row = HBG_NEW_ARRAY(made->arena, int32_t, made->entry_count + 1);
    made->entry_of = HBG_NEW_ARRAY(made->arena, int32_t, made->entry_count + 1);
    for (int32_t i = 0; i < made->entry_count; i++) made->start[made->entries[i].column + 2]++;
    for (int32_t j = 0; j < made->count; j++) made->start[j + 2] += made->start[j + 1];
    for (int32_t i = 0; i < made->entry_count; i++) {
        int32_t place = made->start[made->entries[i].column + 1]++;
        made->row[place] = made->entries[i].row;
        made->entry_of[place] = i;
    }
    if (made->entry_count > code->image.code.mark.most_entries)
        code->image.code.mark.most_entries = made->entry_count;
}

static int32_t count_entries(const tearing *tear) {
    int32_t count = 0;
    for (int32_t i = 0; i < tear->count; i++) count += tear->gradients[i].count + 1;
    return count;
}

/* A loop is linear if its Jacobian does not depend on the unknowns and nothing in it switches. */
static bool switches(const instruction *code, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int op = code[i].op;
        bool smooth = op == HBG_OP_ADD || op == HBG_OP_SUBTRACT || op == HBG_OP_MULTIPLY ||
                      op == HBG_OP_DIVIDE || op == HBG_OP_NEGATE || op == HBG_OP_SELECT;
        if (!smooth) return true;
    }
    return false;
}

static void make_code(tearing *tear, plan *made) {
    hbg_code_stage *stage = tear->stage;
    hbg_code *code = stage->code;
    hbg_term *row = HBG_NEW_ARRAY(tear->arena, hbg_term, tear->unknown_count + 1);
    for (int32_t u = 0; u < tear->unknown_count; u++) {
        made->variable[u] = tear->variables[tear->unknown[u]];
        made->reg[u] = hbg_code_home(code, made->variable[u]);
        hbg_code_stage_mark_loop(stage, made->reg[u]);
        hbg_code_stage_set(stage, made->variable[u], made->reg[u]);
    }
    for (int32_t i = 0; i < tear->order_count; i++) {
        int32_t variable = tear->variables[tear->order[i]];
        hbg_code_stage_assign(stage, variable, hbg_eqn_equations_get(tear->all, variable)->term);
    }
    if (!made->is_sparse) find_sensitivities(tear, row);
    for (int32_t u = 0; u < tear->unknown_count; u++) {
        if (made->is_sparse)
            add_sparse_row(tear, made, u);
        else
            add_row(tear, made, u, row);
    }
    if (made->is_sparse) make_pattern(code, made);
    if (switches(stage->body.items, stage->body.count)) made->linear = false;
    made->body = hbg_code_add_program(code, stage->body.items, stage->body.count);
}

/* Adds the plan to the image; returns its number. */
static int32_t add_loop(hbg_code *code, const plan *made) {
    hbg_rt_pools *pool = &code->image.pool;
    int32_t *area = HBG_NEW_ARRAY(made->arena, int32_t, made->count + 1);
    for (int32_t u = 0; u < made->count; u++)
        area[u] = made->variable[u] / code->eqn->base_count == LAYER_AREA;
    hbg_rt_loop of = {
        .count = made->count,
        .reg = hbg_code_add_ints(code, made->reg, made->count),
        .residual = hbg_code_add_ints(code, made->residual, made->count),
        .name = hbg_code_add_ints(code, made->variable, made->count),
        .area = hbg_code_add_ints(code, area, made->count),
        .entries = {HBG_POOL_ROOM(code->arena, pool->entries, made->entry_count), made->entry_count},
        .start = HBG_NONE,
        .row = HBG_NONE,
        .entry_of = HBG_NONE,
        .body = made->body,
        .linear = made->linear,
        .sparse = made->is_sparse,
        .constant = made->is_constant};
    if (made->entry_count > 0)
        memcpy(HBG_RT_AT(pool->entries, of.entries.first), made->entries,
               (size_t)made->entry_count * sizeof *made->entries);
    if (made->is_sparse) {
        of.start = hbg_code_add_ints(code, made->start, made->count + 1);
        of.row = hbg_code_add_ints(code, made->row, made->entry_count);
        of.entry_of = hbg_code_add_ints(code, made->entry_of, made->entry_count);
    }
    HBG_POOL_ADD(code->arena, pool->loops, of);
    return HBG_POOL_LAST(pool->loops);
}

/* ---- loops that have a formula ------------------------------------------------------------------------ */

#define FORMULA_MEMBERS 12 /* larger loops are not checked for a formula */

static void tear_apart(tearing *tear) {
    hbg_arena *arena = tear->arena;
    int32_t count = tear->count;
    tear->local = tear->all->eqn->work.local;
    tear->gradients = HBG_NEW_ARRAY(arena, gradient, count);
    tear->sensitivity = HBG_NEW_ARRAY(arena, gradient, count);
    tear->torn = HBG_NEW_ARRAY(arena, bool, count);
    tear->order = HBG_NEW_ARRAY(arena, int32_t, count);
    tear->unknown = HBG_NEW_ARRAY(arena, int32_t, count);
    for (int32_t i = 0; i < count; i++) tear->local[tear->variables[i]] = i + 1;
    find_gradients(tear);
    if (count <= TEAR_UP_TO) choose(tear);
    for (int32_t i = 0; i < count; i++) tear->local[tear->variables[i]] = 0;
}

/* The formula of the single unknown, by an odd power; HBG_NONE if none is found. */
static hbg_term formula(const tearing *tear, double *exponent) {
    hbg_terms *terms = &tear->all->eqn->terms;
    if (tear->unknown_count != 1 || tear->count > FORMULA_MEMBERS) return HBG_NONE;
    int32_t variable = tear->variables[tear->unknown[0]];
    const equation of = *hbg_eqn_equations_get(tear->all, variable);
    hbg_term residual = of.term;
    if (of.kind != EQUATION_IMPLICIT)
        residual = hbg_term_subtract(terms, hbg_term_variable(terms, variable), residual);
    for (int32_t i = tear->order_count - 1; i >= 0; i--) {
        int32_t member = tear->variables[tear->order[i]];
        hbg_replacement by = {member, hbg_eqn_equations_get(tear->all, member)->term};
        residual = hbg_term_substitute(terms, tear->arena, residual, hbg_term_replace_one, &by);
    }
    return hbg_term_solve_power(terms, residual, variable, exponent);
}

/* The variable in this layer, from its formula in the layer of values. */
static hbg_term in_layer(equations *all, hbg_term value, int32_t layer) {
    switch (layer) {
    case LAYER_VALUE: return value;
    case LAYER_RATE2: return hbg_eqn_equations_layer(all, in_layer(all, value, LAYER_RATE), LAYER_RATE);
    case LAYER_RATE: return hbg_eqn_equations_layer(all, value, LAYER_RATE);
    default: return hbg_eqn_equations_layer(all, in_layer(all, value, layer - LAYER_TANGENT), LAYER_TANGENT);
    }
}

/* Rates and tangents are those of the formula of the values: their own loops would have no solution where the
 * slope of the law is 0 or infinite. Linear loops stay loops: they are solved exactly, and singular ones are
 * reported. */
static bool follow_formula(const tearing *tear) {
    int32_t base_count = tear->all->eqn->base_count, layer = tear->variables[0] / base_count;
    if (layer == LAYER_AREA || tear->unknown_count != 1 || tear->count > FORMULA_MEMBERS) return false;
    int32_t values[FORMULA_MEMBERS], shift = layer * base_count;
    for (int32_t i = 0; i < tear->count; i++) {
        if (tear->variables[i] / base_count != layer) return false;
        values[i] = tear->variables[i] % base_count;
    }
    tearing below = {.all = tear->all, .arena = tear->arena, .variables = values, .count = tear->count};
    double exponent = 1;
    tear_apart(&below);
    hbg_term solution = formula(&below, &exponent);
    if (solution == HBG_NONE || exponent == 1) return false;
    hbg_code_stage_assign(tear->stage, values[below.unknown[0]] + shift,
                          in_layer(tear->all, solution, layer));
    for (int32_t i = 0; i < below.order_count; i++) {
        int32_t variable = values[below.order[i]] + shift;
        hbg_code_stage_assign(tear->stage, variable, hbg_eqn_equations_get(tear->all, variable)->term);
    }
    return true;
}

void hbg_code_stage_loop(hbg_code_stage *stage, equations *all, const int32_t *variables, int32_t count) {
    hbg_code *code = stage->code;
    hbg_arena *arena = all->arena;
    tearing tear = {.stage = stage, .all = all, .arena = arena, .variables = variables, .count = count};
    tear_apart(&tear);
    if (follow_formula(&tear)) return;
    bool is_sparse = tear.unknown_count > SPARSE_FROM || count > TEAR_UP_TO;
    if (is_sparse) take_all(&tear);

    plan made = {.arena = arena,
                 .count = tear.unknown_count,
                 .linear = true,
                 .is_sparse = is_sparse,
                 .is_constant = is_sparse};
    made.variable = HBG_NEW_ARRAY(arena, int32_t, made.count);
    made.reg = HBG_NEW_ARRAY(arena, int32_t, made.count);
    made.residual = HBG_NEW_ARRAY(arena, int32_t, made.count);
    size_t entries = is_sparse ? (size_t)count_entries(&tear) : (size_t)made.count * (size_t)made.count;
    made.entries = HBG_NEW_ARRAY(arena, hbg_rt_entry, entries + 1);
    stage->loop = code->image.pool.loops.count;
    stage->body.count = 0;
    make_code(&tear, &made);
    stage->loop = HBG_NONE;
    if (made.count > code->image.code.mark.widest_loop) code->image.code.mark.widest_loop = made.count;
    instruction solve = {CODE_SOLVE, HBG_NONE, HBG_NONE, {add_loop(code, &made), HBG_NONE, HBG_NONE}};
    HBG_PUSH(stage->arena, stage->instructions, solve);
}
