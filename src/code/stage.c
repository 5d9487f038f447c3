/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * From terms to register code. Every term of a stage is computed once, into a register of its own; a variable
 * is in the register of its term, so copies cost nothing. Terms of parameters alone go to the prologue, which
 * runs when a parameter changes; terms that do not depend on the unknowns of a loop are computed before
 * it. */
#include "code/code_impl.h"

/* ---- registers ---------------------------------------------------------------------------------------- */

static int32_t new_temp(hbg_code_stage *stage) {
    hbg_code *code = stage->code;
    if (stage->temps == stage->pool->count)
        HBG_PUSH(code->arena, *stage->pool, hbg_code_new_register(code, stage->side));
    return stage->pool->items[stage->temps++];
}

static void grow_map(hbg_arena *arena, int32_map *map, int32_t count) {
    while (map->count < count) HBG_PUSH(arena, *map, HBG_NONE);
}

/* ---- registers of terms ------------------------------------------------------------------------------- */

/* The mark of a parameter, or of its rate. */
static bool *param_done(const hbg_code *code, int32_t variable) {
    const hbg_eqn *eqn = code->eqn;
    int32_t param = variable % eqn->base_count - eqn->first[VARIABLE_PARAM];
    return &code->registers.param_done[param + (variable >= eqn->base_count ? eqn->model->params.count : 0)];
}

/* The register of a variable that is known or was computed; HBG_NONE if it is not there yet. */
static int32_t variable_register(hbg_code_stage *stage, int32_t variable) {
    hbg_code *code = stage->code;
    if (stage->var_register[variable] != HBG_NONE) return stage->var_register[variable];
    variable_kind kind = hbg_eqn_kind_of(code->eqn, variable);
    if (kind == VARIABLE_PARAM) return *param_done(code, variable) ? hbg_code_home(code, variable) : HBG_NONE;
    bool given = (kind > VARIABLE_PARAM && kind != VARIABLE_DER) || kind == VARIABLE_GIVEN ||
                 kind == VARIABLE_INPUT ||
                 kind == VARIABLE_SIGNAL; // a signal that is held; others have been computed
    return given ? hbg_code_home(code, variable) : HBG_NONE;
}

static int32_t term_register(hbg_code_stage *stage, hbg_term term) {
    hbg_code *code = stage->code;
    const term_node *node = &code->eqn->terms.nodes.items[term];
    if (node->op == HBG_OP_NUMBER) return hbg_code_number_register(code, SIDE_PARAM, node->a);
    if (node->op == TERM_VARIABLE) return variable_register(stage, node->a);
    const int32_map *map = node->level < LEVEL_RUN ? &code->registers.prologue : &stage->term_register;
    return term < map->count ? map->items[term] : HBG_NONE;
}

/* The register in which code of the stage reads a term that was computed. */
static int32_t operand_register(hbg_code_stage *stage, hbg_term term) {
    hbg_code *code = stage->code;
    term_node node = code->eqn->terms.nodes.items[term];
    if (node.op == HBG_OP_NUMBER) return hbg_code_number_register(code, stage->side, node.a);
    int32_t reg = term_register(stage, term);
    return node.level == LEVEL_RUN || stage->side == SIDE_PARAM ? reg
                                                                : hbg_code_copy_register(code, term, reg);
}

/* ---- code --------------------------------------------------------------------------------------------- */

/* Operators that change branch: their relation is located while time advances. */
bool hbg_code_has_branch(int op) {
    return op < HBG_OP_COUNT && hbg_rt_branch_of(op) != BRANCH_NONE;
}

/* The term that identifies a branch: an operator and its derivative are on one branch, so that a frozen field
 * has the Jacobian of its branch. abs, min and max are identified by the relations that their derivatives
 * read. */
static hbg_term branch_term(hbg_terms *terms, hbg_term term) {
    const term_node *node = &terms->nodes.items[term];
    switch (hbg_rt_branch_of(node->op)) {
    case BRANCH_LESSER: return hbg_term_make(terms, HBG_OP_LESS, node->a, node->b, HBG_NONE);
    case BRANCH_GREATER: return hbg_term_make(terms, HBG_OP_GREATER, node->a, node->b, HBG_NONE);
    case BRANCH_ABSOLUTE: {
        int32_t argument = node->a;
        return hbg_term_make(terms, HBG_OP_GREATER_EQUAL, argument, hbg_term_integer(terms, 0), HBG_NONE);
    }
    case BRANCH_TABLE: return hbg_term_make(terms, HBG_OP_TABLE, node->a, node->b, HBG_NONE);
    case BRANCH_NONE:
    case BRANCH_BELOW:
    case BRANCH_ABOVE:
    case BRANCH_SIGN:
    case BRANCH_FLOOR:
    case BRANCH_CEIL:
    case BRANCH_REMAINDER: return term;
    }
    return term;
}

static bool is_located(const hbg_code_stage *stage, int32_t reading, int32_t number) {
    const int32_map *always = &stage->code->located_in, *own = stage->located;
    if (number < always->count && always->items[number] & 1 << reading) return true;
    for (int32_t i = 0; own && i < own[reading].count; i++)
        if (own[reading].items[i] == number) return true;
    return false;
}

static void note_located(hbg_code_stage *stage, int32_t number) {
    hbg_code *code = stage->code;
    if (stage->located) {
        HBG_PUSH(stage->arena, stage->located[stage->reading], number);
        return;
    }
    while (code->located_in.count <= number) HBG_PUSH(code->arena, code->located_in, 0);
    code->located_in.items[number] |= 1 << stage->reading;
    HBG_PUSH(code->arena, code->located[stage->reading], number);
}

/* Whether code of this stage may use the number of a relation: where it runs, the branch is kept. Relations
 * located in other modes do not count, or results would depend on which modes have been compiled; nor do those
 * that only outputs or powers locate, since a run need not look at them. */
static bool may_use(hbg_code_stage *stage, int32_t number) {
    if (number == HBG_NONE || number < stage->code->image.code.located_params) return true;
    if (is_located(stage, READ_FIELD, number)) return true;
    if (stage->locate && !is_located(stage, stage->reading, number)) note_located(stage, number);
    return stage->locate;
}

/* A table whose argument is time itself, or HBG_NONE. */
static int32_t table_over_time(const hbg_eqn *eqn, hbg_term term) {
    const term_node *node = &eqn->terms.nodes.items[term];
    if (node->op != HBG_OP_TABLE) return HBG_NONE;
    const term_node *argument = &eqn->terms.nodes.items[node->a];
    bool time = argument->op == TERM_VARIABLE && argument->a == eqn->first[VARIABLE_TIME];
    return time ? node->b : HBG_NONE;
}

static void number_branch(hbg_code *code, hbg_term term, hbg_term branch) {
    hbg_eqn *eqn = code->eqn;
    if (code->image.pool.located.count >= code->image.code.located_limit) return;
    code->located_of_term.items[branch] = code->image.pool.located.count;
    bool slope = eqn->terms.nodes.items[term].op == TERM_SLOPE;
    hbg_term met = slope ? branch : term; // as met first
    HBG_POOL_ADD(code->arena, code->image.pool.located,
                 ((hbg_rt_located){.over_time = table_over_time(eqn, met), .term = met}));
}

/* The number of a located relation; HBG_NONE if it is not located. */
static int32_t located_number(hbg_code_stage *stage, hbg_term term) {
    hbg_code *code = stage->code;
    hbg_eqn *eqn = code->eqn;
    hbg_term branch = branch_term(&eqn->terms, term);
    if (!hbg_code_has_branch(eqn->terms.nodes.items[branch].op)) return HBG_NONE;
    grow_map(code->arena, &code->located_of_term, branch + 1);
    if (code->located_of_term.items[branch] == HBG_NONE && stage->locate) number_branch(code, term, branch);
    int32_t number = code->located_of_term.items[branch];
    return may_use(stage, number) ? number : HBG_NONE;
}

void hbg_code_stage_number_branch(hbg_code_stage *stage, hbg_term term) {
    hbg_code *code = stage->code;
    hbg_term branch = branch_term(&code->eqn->terms, term);
    grow_map(code->arena, &code->located_of_term, branch + 1);
    if (code->located_of_term.items[branch] == HBG_NONE) number_branch(code, term, branch);
}

/* The number of a relation in the prologue, where numbers are assigned before anything is compiled. */
static int32_t number_in_prologue(hbg_code *code, hbg_term term) {
    hbg_eqn *eqn = code->eqn;
    if (code->image.code.located_params == 0) return HBG_NONE;
    hbg_term branch = branch_term(&eqn->terms, term);
    bool known =
        hbg_code_has_branch(eqn->terms.nodes.items[branch].op) && branch < code->located_of_term.count;
    return known ? code->located_of_term.items[branch] : HBG_NONE;
}

static bool in_loop(const hbg_code_stage *stage, int32_t reg) {
    return reg != HBG_NONE && reg < stage->loop_registers.count &&
           stage->loop_registers.items[reg] == stage->loop;
}

void hbg_code_stage_mark_loop(hbg_code_stage *stage, int32_t reg) {
    grow_map(stage->own, &stage->loop_registers, reg + 1);
    stage->loop_registers.items[reg] = stage->loop;
}

bool hbg_code_stage_in_loop(const hbg_code_stage *stage, int32_t reg) {
    return stage->loop != HBG_NONE && in_loop(stage, reg);
}

/* ---- strength reduction ------------------------------------------------------------------------------- */

/* Replaces a variable that was computed in this stage by its term, and a finite part by its argument. */
static term_node seen_through(const hbg_code_stage *stage, hbg_term term) {
    const hbg_terms *terms = &stage->code->eqn->terms;
    const int32_map *made = &stage->var_term;
    for (;;) {
        term_node node = terms->nodes.items[term];
        bool computed = node.op == TERM_VARIABLE && node.a < made->count && made->items[node.a] != HBG_NONE;
        if (!computed && node.op != HBG_OP_FINITE) return node;
        term = computed ? made->items[node.a] : node.a;
    }
}

static bool is_parameter(const hbg_terms *terms, hbg_term term) {
    return terms->nodes.items[term].level < LEVEL_RUN;
}

static hbg_term inverse(hbg_terms *terms, hbg_term term) {
    return hbg_term_divide(terms, hbg_term_integer(terms, 1), term);
}

/* Replaces a division by a parameter in every step by a multiplication with its inverse, which changes when
 * the parameter does. A divisor that is a quotient is inverted, and its parameters move to the dividend: the
 * divisor is mostly computed last, and the less remains to be done with it, the sooner the quotient is
 * known. */
static term_node reduced_quotient(hbg_code_stage *stage, term_node node) {
    hbg_terms *terms = &stage->code->eqn->terms;
    for (int more = 4; more > 0 && !is_parameter(terms, node.b); more--) {
        term_node by = seen_through(stage, node.b);
        if (by.op == HBG_OP_NEGATE) {
            node.a = hbg_term_negate(terms, node.a);
            node.b = by.a;
        } else if (by.op == HBG_OP_DIVIDE) {
            node.a = hbg_term_multiply(terms, node.a, by.b);
            node.b = by.a;
        } else if (by.op == HBG_OP_MULTIPLY && (is_parameter(terms, by.a) || is_parameter(terms, by.b))) {
            hbg_term factor = is_parameter(terms, by.a) ? by.a : by.b;
            node.a = hbg_term_multiply(terms, node.a, inverse(terms, factor));
            node.b = factor == by.a ? by.b : by.a;
        } else {
            return node;
        }
    }
    if (!is_parameter(terms, node.b)) return node;
    node.op = HBG_OP_MULTIPLY;
    node.b = inverse(terms, node.b);
    return node;
}

/* c − (c − x) is x. */
static term_node reduced_difference(hbg_code_stage *stage, term_node node) {
    const hbg_terms *terms = &stage->code->eqn->terms;
    term_node by = seen_through(stage, node.b);
    if (by.op != HBG_OP_SUBTRACT || by.a != node.a || terms->nodes.items[node.a].op != HBG_OP_NUMBER)
        return node;
    node.op = HBG_OP_FINITE; // where its argument is
    node.a = by.b;
    node.b = HBG_NONE;
    return node;
}

/* Replaces small powers by products, and the power ½ by a root. */
static term_node reduced_power(hbg_terms *terms, term_node node) {
    const term_node *exponent = &terms->nodes.items[node.b];
    double value =
        exponent->op == HBG_OP_NUMBER ? hbg_base_decimal_to_double(terms->numbers.items[exponent->a]) : 0;
    if (value == 2) {
        node.op = HBG_OP_FINITE; // in the register of its argument: other squares of it share it
        node.a = hbg_term_multiply(terms, node.a, node.a);
        node.b = HBG_NONE;
    } else if (value == 3) {
        node.op = HBG_OP_MULTIPLY;
        node.b = node.a;
        node.a = hbg_term_multiply(terms, node.a, node.a);
    } else if (value == -1) {
        node.op = HBG_OP_DIVIDE;
        node.b = node.a;
        node.a = hbg_term_integer(terms, 1);
    } else if (value == 0.5) {
        node.op = HBG_OP_SQRT;
        node.b = HBG_NONE;
    }
    return node;
}

/* The term as it is computed. In loops as it was written: n·(1/n) need not be 1, and a singular loop would
 * not be singular any more. */
static term_node reduced(hbg_code_stage *stage, hbg_term term) {
    hbg_terms *terms = &stage->code->eqn->terms;
    term_node node = hbg_eqn_slackened(stage->code->eqn, term);
    if (node.level < LEVEL_RUN || stage->loop != HBG_NONE) return node;
    switch (node.op) {
    case HBG_OP_DIVIDE: return reduced_quotient(stage, node);
    case HBG_OP_SUBTRACT: return reduced_difference(stage, node);
    case HBG_OP_POWER_OF: return reduced_power(terms, node);
    default: return node;
    }
}

/* Makes the code of a term whose arguments have registers. */
static void generate(hbg_code_stage *stage, hbg_term term) {
    hbg_code *code = stage->code;
    term_node node = reduced(stage, term);
    instruction made = {node.op, HBG_NONE, HBG_NONE, {HBG_NONE, HBG_NONE, HBG_NONE}};
    bool inside = false;
    for (int i = 0; i < hbg_term_arity(&node); i++) {
        hbg_term part = hbg_term_argument(&node, i);
        made.argument[i] =
            node.level < LEVEL_RUN ? term_register(stage, part) : operand_register(stage, part);
        inside |= hbg_code_stage_in_loop(stage, made.argument[i]);
    }
    if (node.op == HBG_OP_TABLE || node.op == TERM_SLOPE) made.argument[1] = node.b;
    if (node.op == TERM_CHARGE) made.argument[1] = hbg_code_charge_law(code, node.b);
    if (node.level < LEVEL_RUN) {
        if (node.op == TERM_RATE) made.op = CODE_COPY;
        made.located = number_in_prologue(code, term);
        made.d = hbg_code_new_register(code, SIDE_PARAM);
        HBG_POOL_ADD(code->arena, code->image.pool.prologue, made);
        grow_map(code->arena, &code->registers.prologue, term + 1);
        code->registers.prologue.items[term] = made.d;
        return;
    }
    if (node.op == HBG_OP_FINITE) { // where its argument is
        grow_map(stage->own, &stage->term_register, term + 1);
        stage->term_register.items[term] = made.argument[0];
        HBG_PUSH(stage->arena, stage->set_terms, term);
        return;
    }
    made.located = stage->direct ? HBG_NONE : located_number(stage, term);
    made.d = new_temp(stage);
    grow_map(stage->own, &stage->term_register, term + 1);
    stage->term_register.items[term] = made.d;
    HBG_PUSH(stage->arena, stage->set_terms, term);
    if (inside) hbg_code_stage_mark_loop(stage, made.d);
    if (inside)
        HBG_PUSH(stage->arena, stage->body, made);
    else
        HBG_PUSH(stage->arena, stage->instructions, made);
}

/* Computes the default of a parameter with a formula before it is read, and its rate from that of the
 * formula. Returns whether it has been computed. */
static bool settle_param(hbg_code_stage *stage, int32_t variable) {
    hbg_code *code = stage->code;
    hbg_eqn *eqn = code->eqn;
    int32_t param = variable % eqn->base_count - eqn->first[VARIABLE_PARAM];
    hbg_term formula = eqn->expr_term[eqn->model->params.items[param].value];
    if (variable >= eqn->base_count) formula = hbg_eqn_rate_by_params(eqn, formula);
    int32_t from = term_register(stage, formula);
    if (from == HBG_NONE) {
        HBG_PUSH(stage->arena, stage->stack, formula);
        return false;
    }
    instruction set = {CODE_DEFAULT, HBG_NONE, hbg_code_home(code, variable), {from, HBG_NONE, param}};
    HBG_POOL_ADD(code->arena, code->image.pool.prologue, set);
    *param_done(code, variable) = true;
    return true;
}

int32_t hbg_code_stage_term(hbg_code_stage *stage, hbg_term root) {
    stage->stack.count = 0;
    HBG_PUSH(stage->arena, stage->stack, root);
    while (stage->stack.count > 0) {
        hbg_term term = stage->stack.items[stage->stack.count - 1];
        term_node node = reduced(stage, term);
        int waiting = 0;
        if (term_register(stage, term) != HBG_NONE) {
            stage->stack.count--;
            continue;
        }
        if (node.op == TERM_VARIABLE) { // only a parameter can be missing
            HBG_ASSERT(node.level == LEVEL_PARAM);
            settle_param(stage, node.a);
            continue;
        }
        for (int i = hbg_term_arity(&node) - 1; i >= 0; i--) {
            hbg_term part = hbg_term_argument(&node, i);
            if (term_register(stage, part) != HBG_NONE) continue;
            HBG_PUSH(stage->arena, stage->stack, part);
            waiting++;
        }
        if (waiting == 0) generate(stage, term);
    }
    return operand_register(stage, root);
}

/* ---- stages ------------------------------------------------------------------------------------------- */

/* Reuses the maps of a spare stage: they keep their greatest length, and are clear. */
hbg_code_stage *hbg_code_stage_new(hbg_arena *arena, hbg_code *code, int32_map *temps, bool locate) {
    hbg_eqn *eqn = code->eqn;
    stage_memory *work = &code->work;
    hbg_code_stage *stage;
    size_t count = (size_t)eqn->base_count * LAYER_COUNT;
    bool lasting = arena == code->arena;
    if (work->stages.count > 0 && !lasting) {
        stage = work->stages.items[--work->stages.count];
        *stage = (hbg_code_stage){.own = stage->own,
                                  .var_register = stage->var_register,
                                  .var_term = stage->var_term,
                                  .term_register = stage->term_register,
                                  .loop_registers = stage->loop_registers};
    } else {
        hbg_arena *own = lasting ? arena : &work->arena;
        stage = HBG_NEW(own, hbg_code_stage);
        stage->own = own;
        stage->var_register = HBG_NEW_ARRAY(own, int32_t, count);
        for (size_t i = 0; i < count; i++) stage->var_register[i] = HBG_NONE;
    }
    stage->code = code;
    stage->arena = arena;
    stage->pool = temps;
    stage->locate = locate;
    stage->loop = HBG_NONE;
    return stage;
}

void hbg_code_stage_end(hbg_code_stage *stage) {
    hbg_code_stage_rollback(stage, (stage_mark){0, 0, 0, false});
    HBG_PUSH(&stage->code->work.arena, stage->code->work.stages, stage);
}

void hbg_code_stage_set(hbg_code_stage *stage, int32_t variable, int32_t reg) {
    if (variable < stage->var_term.count) stage->var_term.items[variable] = HBG_NONE;
    stage->var_register[variable] = reg;
    HBG_PUSH(stage->arena, stage->set_variables, variable);
}

void hbg_code_stage_export(hbg_code_stage *stage, int32_t variable) {
    int32_t from = variable_register(stage, variable), home = hbg_code_home(stage->code, variable);
    HBG_ASSERT(from != HBG_NONE);
    if (from == home) return;
    instruction copy = {CODE_COPY, HBG_NONE, home, {from, HBG_NONE, HBG_NONE}};
    HBG_PUSH(stage->arena, stage->instructions, copy);
}

void hbg_code_stage_assign(hbg_code_stage *stage, int32_t variable, hbg_term term) {
    hbg_code_stage_set(stage, variable, hbg_code_stage_term(stage, term));
    if (stage->loop != HBG_NONE || stage->code->eqn->terms.nodes.items[term].level < LEVEL_RUN) return;
    grow_map(stage->own, &stage->var_term, variable + 1);
    stage->var_term.items[variable] = term;
}

stage_mark hbg_code_stage_mark(hbg_code_stage *stage) {
    stage->instructions.count = 0;
    return (stage_mark){stage->set_terms.count, stage->set_variables.count, stage->temps, stage->locate};
}

/* Forgets everything added since the mark, so that the next readout starts from the same state. */
void hbg_code_stage_rollback(hbg_code_stage *stage, stage_mark mark) {
    while (stage->set_terms.count > mark.terms)
        stage->term_register.items[stage->set_terms.items[--stage->set_terms.count]] = HBG_NONE;
    while (stage->set_variables.count > mark.variables) {
        int32_t variable = stage->set_variables.items[--stage->set_variables.count];
        stage->var_register[variable] = HBG_NONE;
        if (variable < stage->var_term.count) stage->var_term.items[variable] = HBG_NONE;
    }
    stage->temps = mark.temps;
    stage->locate = mark.locate;
}

int32_t hbg_code_stage_program(hbg_code_stage *stage) {
    return hbg_code_add_program(stage->code, stage->instructions.items, stage->instructions.count);
}

/* Makes the code for a component of sorted equations. */
void hbg_code_stage_component(hbg_code_stage *stage, equations *all, const sorted_equations *sorted,
                              int32_t number) {
    const sorted_block *block = &sorted->blocks[number];
    const int32_t *variables = sorted->variables + block->first;
    const equation *first = hbg_eqn_equations_get(all, variables[0]);
    if (block->is_loop)
        hbg_code_stage_loop(stage, all, variables, block->count);
    else if (first->kind == EQUATION_ASSIGN)
        hbg_code_stage_assign(stage, variables[0], first->term);
}

void hbg_code_stage_add(hbg_code_stage *stage, equations *all, const sorted_equations *sorted) {
    for (int32_t i = 0; i < sorted->block_count; i++) hbg_code_stage_component(stage, all, sorted, i);
}
