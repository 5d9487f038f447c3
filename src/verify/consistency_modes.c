/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything in a discrete state, after the jump into it, as formulas over energies and inputs: the sorted
 * equations one after the other. Linear loops are eliminated, so that the prover gets plain formulas; other
 * loops stay as they are, with unknowns that fulfil them. */
#include "verify/loop_impl.h"

/* Values of a state and what they were computed from. */
typedef struct {
    formula *x; /* by state of the group */
    bool sided, before, first_pass;
    exact_values *values;
} kept_entry;

/* Many ways go through one state with one distribution of energy. */
struct kept_values {
    HBG_VEC(kept_entry) all;
};

/* ---- states ------------------------------------------------------------------------------------------------ */

/* A hash of the states of the automata of the group, by which they are found; collisions are rare. */
static int64_t mix_states(const group_proof *proof, const int32_t *states) {
    uint64_t mixed = 0;
    for (int32_t i = 0; i < proof->of.automaton_count; i++)
        mixed = (mixed + (uint64_t)states[proof->of.automata[i]] + 1) * 0x9e3779b97f4a7c15u;
    return (int64_t)(mixed >> 2);
}

const exact_state *hbg_verify_group_state(group_proof *proof, const int32_t *states) {
    size_t size = (size_t)proof->model->automata.count * sizeof *states;
    int64_t mixed = mix_states(proof, states);
    int32_t high = (int32_t)(mixed >> 31), low = (int32_t)(mixed & INT32_MAX);
    int32_t first = hbg_base_pair_map_find(&proof->state_of, high, low);
    for (int32_t i = first < 0 ? proof->states.count : first; i < proof->states.count; i++)
        if (memcmp(proof->states.items[i]->states, states, size) == 0) return proof->states.items[i];
    exact_state *made = HBG_NEW(proof->arena, exact_state);
    made->states = HBG_NEW_ARRAY(proof->arena, int32_t, proof->model->automata.count + 1);
    memcpy(made->states, states, size);
    made->mode = hbg_eqn_exact_jump(proof->eqn, proof->arena, proof->number, states, proof->asked.items,
                                    proof->asked.count);
    hbg_base_pair_map_init(&made->place, proof->arena);
    for (int32_t i = 0; i < made->mode.count; i++)
        hbg_base_pair_map_add(&made->place, made->mode.equations[i].variable, 0, i);
    made->limit = hbg_verify_group_limit(proof, made);
    if (proof->forgets) made->kept = HBG_NEW(proof->arena, struct kept_values);
    if (made->mode.refused && !proof->doubts.impossible) proof->doubts.impossible = made->mode.refused;
    if (first < 0) hbg_base_pair_map_add(&proof->state_of, high, low, proof->states.count);
    HBG_PUSH(proof->arena, proof->states, made);
    return made;
}

const exact_value *hbg_verify_values_find(const exact_values *values, int32_t variable) {
    int32_t place = hbg_base_pair_map_find(&values->of->place, variable, 0);
    return place < 0 || !values->values[place].fin ? NULL : &values->values[place];
}

/* ---- what is known ----------------------------------------------------------------------------------------- */

static exact_value number(formula fin) {
    return (exact_value){.fin = fin};
}

static const char *signal_text(group_proof *proof, int32_t signal, const char *what) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    hbg_model_path(proof->model, (hbg_object){HBG_OBJECT_SIGNAL, signal}, &text);
    hbg_base_buffer_text(&text, what);
    return text.data;
}

/* Input or held value, now or before the instant. */
static exact_value outside(group_proof *proof, exact_value *of, int32_t signal, const char *what) {
    if (of[signal].fin) return of[signal];
    const char *text = signal_text(proof, signal, what);
    bool truth = proof->model->signals.items[signal].type != HBG_TYPE_REAL;
    formula symbol =
        truth ? hbg_verify_formula_truth(&proof->f, text) : hbg_verify_formula_real(&proof->f, text);
    of[signal] = (exact_value){.fin = symbol, .is_truth = truth};
    return of[signal];
}

exact_value hbg_verify_group_outside(group_proof *proof, bool held, bool before, int32_t signal) {
    exact_value *of = held ? proof->signals.held[before] : proof->signals.input[before];
    return outside(proof, of, signal, before ? " before" : "");
}

/* An input whose default moves with time may be given a value or not; for others any value is considered. */
static exact_value is_given(group_proof *proof, int before, int32_t signal) {
    exact_value *of = proof->signals.given[before];
    if (of[signal].fin) return of[signal];
    double value;
    hbg_expr given = proof->model->signals.items[signal].value;
    bool fixed = given == HBG_NONE || hbg_model_constant(proof->model, given, &value) ||
                 proof->model->signals.items[signal].type != HBG_TYPE_REAL;
    formula symbol = fixed ? proof->f.yes
                           : hbg_verify_formula_truth(
                                 &proof->f, signal_text(proof, signal, before ? " was given" : " is given"));
    of[signal] = (exact_value){.fin = symbol, .is_truth = true};
    return of[signal];
}

static exact_value param_variable(exact_scope *scope, int32_t variable) {
    return hbg_verify_known_value(scope->proof, NULL, NULL, variable);
}

static exact_value param_value(group_proof *proof, int32_t param) {
    if (proof->params.value[param].fin &&
        hbg_verify_formulas_is_open(&proof->f, proof->params.level[param])) {
        proof->evaluation.touched |= proof->params.level[param].depth > 0;
        proof->evaluation.rests |= proof->params.level[param].depth > 0;
        return proof->params.value[param];
    }
    const hbg_param *of = &proof->model->params.items[param];
    if (proof->params.open[param]) {
        hbg_buffer text;
        hbg_base_buffer_init(&text, proof->arena);
        hbg_model_path(proof->model, (hbg_object){HBG_OBJECT_PARAM, param}, &text);
        proof->params.value[param] = number(hbg_verify_formula_real(&proof->f, text.data));
        proof->params.level[param] = (formula_level){0, 0};
    } else {
        bool touched = proof->evaluation.touched, collects = proof->evaluation.collects;
        proof->evaluation.touched = proof->evaluation.collects = false; // it holds for all readers
        exact_scope scope;
        hbg_verify_scope_init(&scope, proof, NULL, NULL, false);
        scope.variable = param_variable;
        proof->params.value[param] =
            hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_expression(proof->eqn, of->value));
        proof->params.level[param] =
            proof->evaluation.touched ? hbg_verify_formulas_level(&proof->f) : (formula_level){0, 0};
        proof->evaluation.touched |= touched;
        proof->evaluation.collects = collects;
    }
    return proof->params.value[param];
}

static exact_value drawn_variable(exact_scope *scope, int32_t variable) {
    return hbg_verify_known_value(scope->proof, scope->past, NULL, variable);
}

/* A parameter that is chosen anew, or follows from such ones: its value is that of the mode under
 * examination. */
static exact_value drawn_value(group_proof *proof, const exact_past *past, int32_t param) {
    proof->evaluation.sided = true;
    if (!proof->params.open[param]) {
        exact_scope scope;
        hbg_verify_scope_init(&scope, proof, NULL, past, false);
        scope.variable = drawn_variable;
        return hbg_verify_scope_evaluate(
            &scope, hbg_eqn_exact_expression(proof->eqn, proof->model->params.items[param].value));
    }
    if (past->drawn && past->drawn[param]) return number(past->drawn[param]);
    if (past->before && proof->params.before[param]) return number(proof->params.before[param]);
    return param_value(proof, param);
}

/* Events are true in the first pass of an instant only, and never before it. */
static exact_value input_value(group_proof *proof, const exact_past *past, int32_t signal) {
    bool event = proof->model->signals.items[signal].type == HBG_TYPE_EVENT;
    proof->evaluation.sided = true;
    if (event && (past->before || !past->first_pass))
        return (exact_value){.fin = proof->f.no, .is_truth = true};
    return hbg_verify_group_outside(proof, false, past->before, signal);
}

exact_value hbg_verify_known_value(group_proof *proof, const exact_past *past, const exact_state *of,
                                   int32_t variable) {
    formulas *f = &proof->f;
    hbg_exact_variable at = hbg_eqn_exact_variable(proof->eqn, variable);
    if (at.view != HBG_EXACT_VALUE && at.role != HBG_EXACT_IN) return number(f->zero);
    switch (at.role) {
    case HBG_EXACT_PARAM:
        if (past && proof->params.drawn && proof->params.drawn[at.index])
            return drawn_value(proof, past, at.index);
        return param_value(proof, at.index);
    case HBG_EXACT_TIME:
        if (!proof->time) {
            proof->time = hbg_verify_formula_real(f, "time");
            HBG_PUSH(f->arena, f->axioms.all,
                     hbg_verify_formula_less_equal(f, f->zero, proof->time)); // runs begin at 0
        }
        return number(proof->time);
    case HBG_EXACT_LIVE:
        proof->evaluation.sided = true;
        return number(past->before ? f->zero : hbg_verify_formula_integer(f, 1));
    case HBG_EXACT_AUTOMATON: return number(hbg_verify_formula_integer(f, of->states[at.index]));
    case HBG_EXACT_ON: {
        bool on = hbg_causal_place_mode(proof->structure, at.index, of->states);
        return (exact_value){.fin = on ? f->yes : f->no, .is_truth = true};
    }
    case HBG_EXACT_INPUT: return input_value(proof, past, at.index);
    case HBG_EXACT_GIVEN: proof->evaluation.sided = true; return is_given(proof, past->before, at.index);
    case HBG_EXACT_HELD:
        proof->evaluation.sided = true;
        return hbg_verify_group_outside(proof, true, past->before || past->holds, at.index);
    case HBG_EXACT_OLD:
    case HBG_EXACT_STATE: return number(past->x[at.index]);
    case HBG_EXACT_PRE: return past->pre[at.index];
    case HBG_EXACT_IN: {
        exact_value in = past->in[at.index];
        if (at.view != HBG_EXACT_AREA) return (exact_value){.fin = in.fin, .is_truth = in.is_truth};
        return number(in.area ? in.area : f->zero);
    }
    case HBG_EXACT_BOUNCE:
        for (int32_t i = 0; i < proof->of.restitution_count; i++)
            if (proof->of.restitution[i] == at.index) return number(past->bounce[i]);
        return number(f->zero);
    case HBG_EXACT_UNDEFINED: return number(f->zero); // never read: a reader has no value
    default: return (exact_value){.fin = NULL};
    }
}

/* ---- equations --------------------------------------------------------------------------------------------- */

exact_value hbg_verify_plain_value(exact_scope *scope, int32_t variable) {
    group_proof *proof = scope->proof;
    int32_t place = hbg_base_pair_map_find(&scope->values->of->place, variable, 0);
    if (place < 0) return hbg_verify_known_value(proof, scope->past, scope->values->of, variable);
    int32_t unknown = place - scope->first_unknown;
    if (scope->unknowns && unknown >= 0 && unknown < scope->unknown_count)
        return number(scope->unknowns[unknown]);
    return scope->values->values[place];
}

static int make_degree(formulas *f, formula a, const formula *unknowns, int32_t count, hbg_pair_map *known);

/* A root or function of an unknown is a symbol that says nothing about it. */
static bool stands_for(formulas *f, formula a, const formula *unknowns, int32_t count) {
    for (int32_t i = 0; i < f->symbols.count; i++) {
        const exact_symbol *at = &f->symbols.items[i];
        if (at->symbol != a) continue;
        return (at->argument && hbg_verify_formula_reads(f, at->argument, unknowns, count)) ||
               (at->second && hbg_verify_formula_reads(f, at->second, unknowns, count));
    }
    return false;
}

int hbg_verify_loop_degree(formulas *f, formula a, const formula *unknowns, int32_t count,
                           hbg_pair_map *known) {
    for (int32_t i = 0; i < count; i++)
        if (a == unknowns[i]) return 1;
    if (Z3_get_ast_kind(f->z3, a) != Z3_APP_AST) return 0;
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(known, id, 0);
    if (found >= 0) return found;
    return hbg_base_pair_map_add(known, id, 0, make_degree(f, a, unknowns, count, known));
}

static int make_degree(formulas *f, formula a, const formula *unknowns, int32_t count, hbg_pair_map *known) {
    Z3_app app = Z3_to_app(f->z3, a);
    unsigned arguments = Z3_get_app_num_args(f->z3, app);
    if (arguments == 0) return stands_for(f, a, unknowns, count) ? 2 : 0;
    Z3_decl_kind kind = Z3_get_decl_kind(f->z3, Z3_get_app_decl(f->z3, app));
    int most = 0, sum = 0;
    for (unsigned i = 0; i < arguments; i++) {
        int own = hbg_verify_loop_degree(f, Z3_get_app_arg(f->z3, app, i), unknowns, count, known);
        most = own > most ? own : most;
        sum += own;
        if (kind == Z3_OP_DIV && i == 1 && own > 0) return 2;
    }
    if (kind == Z3_OP_ADD || kind == Z3_OP_SUB || kind == Z3_OP_UMINUS || kind == Z3_OP_DIV) return most;
    if (kind == Z3_OP_MUL) return sum > 2 ? 2 : sum;
    return most > 0 ? 2 : 0;
}

/* Where the loop has no solution points are lost, and of several solutions each is considered: that gives
 * neither a proof nor a witness. */
static void note_riddle(group_proof *proof, formula unknown, int32_t variable) {
    formulas *f = &proof->f;
    hbg_buffer name;
    hbg_base_buffer_init(&name, proof->arena);
    hbg_eqn_exact_name(proof->eqn, variable, &name);
    if (!proof->doubts.riddle)
        proof->doubts.riddle = hbg_base_arena_print(
            proof->arena, "the nonlinear loop of `%s` may have no solution, or several", name.data);
    exact_symbol made = {.symbol = unknown, .op = HBG_OP_NUMBER, .text = name.data};
    HBG_PUSH(f->arena, f->symbols, made);
}

static bool solve_loop(group_proof *proof, exact_scope *scope, const hbg_exact_block *block,
                       exact_values *values) {
    formulas *f = &proof->f;
    const hbg_exact_equation *equations = values->of->mode.equations + block->first;
    exact_loop loop = {.proof = proof, .count = block->count};
    hbg_pair_map known;
    bool linear = true;
    hbg_base_pair_map_init(&known, proof->arena);
    loop.unknowns = HBG_NEW_ARRAY(proof->arena, formula, block->count + 1);
    loop.residuals = HBG_NEW_ARRAY(proof->arena, formula, block->count + 1);
    for (int32_t i = 0; i < block->count; i++)
        loop.unknowns[i] =
            hbg_verify_formula_real(f, hbg_base_arena_print(proof->arena, "unknown'%d", f->fresh++));
    exact_scope inside = *scope;
    hbg_base_pair_map_init(&inside.memo, proof->arena);
    inside.results.items = NULL;
    inside.results.count = inside.results.capacity = 0;
    inside.unknowns = loop.unknowns;
    inside.first_unknown = block->first;
    inside.unknown_count = block->count;
    for (int32_t i = 0; i < block->count; i++) {
        formula term = hbg_verify_value_number(proof, hbg_verify_scope_evaluate(&inside, equations[i].term));
        loop.residuals[i] =
            equations[i].implicit ? term : hbg_verify_formula_subtract(f, loop.unknowns[i], term);
        linear =
            linear && hbg_verify_loop_degree(f, loop.residuals[i], loop.unknowns, block->count, &known) < 2;
    }
    if (linear) return hbg_verify_loop_solve(&loop, values->values + block->first);
    bool unique = hbg_verify_loop_is_unique(&loop);
    for (int32_t i = 0; i < block->count; i++) {
        hbg_verify_formulas_assert(f, hbg_verify_formula_equal(f, loop.residuals[i], f->zero));
        values->values[block->first + i] = number(loop.unknowns[i]);
        if (!unique) note_riddle(proof, loop.unknowns[i], equations[i].variable);
    }
    hbg_verify_unknowns_note(&loop, values->of, equations, unique);
    return true;
}

/* The equations of a block, into the values. */
static void evaluate_block(group_proof *proof, exact_scope *scope, const hbg_exact_block *block,
                           exact_values *values) {
    const exact_past *past = scope->past;
    const hbg_exact_equation *equation = &values->of->mode.equations[block->first];
    exact_value *first = values->values + block->first;
    if (block->is_loop) {
        if (solve_loop(proof, scope, block, values)) return;
        if (!proof->doubts.impossible)
            proof->doubts.impossible = "a loop of equations that is singular in some mode";
        for (int32_t k = 0; k < block->count; k++) first[k] = number(proof->f.zero);
    } else if (equation->known) {
        exact_value known = hbg_verify_known_value(proof, past, values->of, equation->variable);
        hbg_exact_variable at = hbg_eqn_exact_variable(proof->eqn, equation->variable);
        if (at.role == HBG_EXACT_IN && past->in_defined[at.index])
            hbg_verify_group_require(proof, past->in_defined[at.index], "%s", past->in_undefined[at.index]);
        *first = known.fin ? known : number(proof->f.zero);
    } else {
        *first = hbg_verify_scope_evaluate(scope, equation->term);
    }
}

/* What a block needs in order to have values is kept with these: it matters where they are read. */
static void make_block(group_proof *proof, exact_scope *scope, const hbg_exact_block *block,
                       exact_values *values) {
    bool collects = proof->evaluation.collects;
    formula collected = proof->evaluation.collected;
    const char *text = proof->evaluation.collected_text;
    proof->evaluation.collects = true;
    proof->evaluation.collected = proof->f.yes;
    proof->evaluation.collected_text = NULL;
    evaluate_block(proof, scope, block, values);
    for (int32_t k = block->first; k < block->first + block->count; k++) {
        values->defined[k] = proof->evaluation.collected == proof->f.yes ? NULL : proof->evaluation.collected;
        values->undefined[k] = proof->evaluation.collected_text;
    }
    proof->evaluation.collects = collects;
    proof->evaluation.collected = collected;
    proof->evaluation.collected_text = text;
}

void hbg_verify_values_require(group_proof *proof, const exact_values *values, int32_t variable) {
    int32_t place = hbg_base_pair_map_find(&values->of->place, variable, 0);
    if (place >= 0 && values->defined[place])
        hbg_verify_group_require(proof, values->defined[place], "%s", values->undefined[place]);
}

void hbg_verify_past_take(exact_past *past, int32_t place, exact_scope *scope, int32_t variable) {
    exact_value value = scope->variable(scope, variable);
    int32_t equation = hbg_base_pair_map_find(&scope->values->of->place, variable, 0);
    past->left[place] = (exact_value){.fin = value.fin, .is_truth = value.is_truth};
    past->left_defined[place] = equation < 0 ? NULL : scope->values->defined[equation];
    past->left_undefined[place] = equation < 0 ? NULL : scope->values->undefined[equation];
}

/* By block, the blocks that its ordinary values depend on. */
static const bool *find_usual(group_proof *proof, const exact_state *of) {
    const hbg_exact_mode *mode = &of->mode;
    bool *needed = HBG_NEW_ARRAY(proof->arena, bool, mode->block_count + 1);
    bool *reads = HBG_NEW_ARRAY(proof->arena, bool, mode->count + 1); // by equation
    for (int32_t i = 0; i < mode->limit->asked_count; i++) {
        int32_t place = hbg_base_pair_map_find(&of->place, mode->limit->asked[i].of, 0);
        if (place >= 0 && mode->limit->asked[i].usual) reads[place] = true;
    }
    for (int32_t i = mode->block_count - 1; i >= 0; i--) { // readers come after what they read
        const hbg_exact_block *block = &mode->blocks[i];
        for (int32_t k = block->first; k < block->first + block->count; k++) needed[i] |= reads[k];
        for (int32_t k = block->first; k < block->first + block->count && needed[i]; k++) {
            if (mode->equations[k].known) continue;
            exact_terms below = hbg_verify_terms_below(proof, mode->equations[k].term);
            for (int32_t m = 0; m < below.count; m++) {
                hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, below.items[m]);
                int32_t place =
                    node.op == HBG_EXACT_VARIABLE ? hbg_base_pair_map_find(&of->place, node.a, 0) : -1;
                if (place >= 0) reads[place] = true;
            }
        }
    }
    return needed;
}

/* Terms that are not a linear function of a pulse have no value where it pulses. */
static void check_pulses(group_proof *proof, const exact_values *values) {
    const hbg_exact_mode *mode = &values->of->mode;
    for (int32_t i = 0; i < mode->check_count; i++) {
        const exact_value *area = hbg_verify_values_find(values, mode->checks[i].area);
        hbg_buffer text;
        if (!area) continue;
        hbg_base_buffer_init(&text, proof->arena);
        hbg_eqn_exact_print(proof->eqn, mode->checks[i].term, &text);
        hbg_verify_values_require(proof, values, mode->checks[i].area);
        hbg_verify_group_require(proof, hbg_verify_formula_equal(&proof->f, area->fin, proof->f.zero),
                                 "`%s` is no linear function of a pulse", text.data);
    }
}

/* Where a mode is shorted for all energies and inputs, guards read only unbounded parts of what physics
 * decides. */
static exact_values *make_values(group_proof *proof, const exact_state *of, const exact_past *past) {
    const hbg_exact_mode *mode = &of->mode;
    exact_values *values = HBG_NEW(proof->arena, exact_values);
    values->of = of;
    values->far = hbg_verify_group_far(proof, of, past);
    bool passed = proof->passes && values->far && values->far->shorted == proof->f.yes &&
                  values->far->agree == proof->f.no;
    const bool *usual = passed ? find_usual(proof, of) : NULL;
    values->values = HBG_NEW_ARRAY(proof->arena, exact_value, mode->count + 1);
    values->defined = HBG_NEW_ARRAY(proof->arena, formula, mode->count + 1);
    values->undefined = HBG_NEW_ARRAY(proof->arena, const char *, mode->count + 1);
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, values, past, false);
    scope.variable = hbg_verify_plain_value;
    for (int32_t i = 0; i < mode->block_count; i++)
        if (!usual || usual[i]) make_block(proof, &scope, &mode->blocks[i], values);
    if (!passed) check_pulses(proof, values);
    return values;
}

/* ---- values that are kept ---------------------------------------------------------------------------------- */

static bool is_from(const group_proof *proof, const formula *kept, const formula *x) {
    for (int32_t i = 0; i < proof->of.state_count; i++)
        if (kept[i] != x[proof->of.states[i]]) return false;
    return true;
}

static exact_values *find_kept(const group_proof *proof, const exact_state *of, const exact_past *past) {
    if (!of->kept || past->holds) return NULL;
    for (int32_t i = of->kept->all.count - 1; i >= 0; i--) {
        const kept_entry *at = &of->kept->all.items[i];
        bool side = !at->sided || (at->before == past->before && at->first_pass == past->first_pass);
        if (side && is_from(proof, at->x, past->x)) return at->values;
    }
    return NULL;
}

static void keep(group_proof *proof, const exact_state *of, const exact_past *past, exact_values *values) {
    if (!of->kept || past->holds) return;
    formula *x = HBG_NEW_ARRAY(proof->arena, formula, proof->of.state_count + 1);
    for (int32_t i = 0; i < proof->of.state_count; i++) x[i] = past->x[proof->of.states[i]];
    kept_entry made = {x, proof->evaluation.sided, past->before, past->first_pass, values};
    HBG_PUSH(proof->arena, of->kept->all, made);
    values->kept = true;
}

exact_values *hbg_verify_group_values(group_proof *proof, const exact_state *of, const exact_past *past) {
    if (!of->mode.valid) return NULL;
    exact_values *values = find_kept(proof, of, past);
    if (values) return values;
    bool rests = proof->evaluation.rests, sided = proof->evaluation.sided;
    int32_t asserted = proof->f.levels.asserted.count;
    proof->evaluation.rests = proof->evaluation.sided = false;
    values = make_values(proof, of, past);
    if (!proof->evaluation.rests && proof->f.levels.asserted.count == asserted) keep(proof, of, past, values);
    proof->evaluation.rests |= rests;
    proof->evaluation.sided |= sided;
    return values;
}

void hbg_verify_values_energies(group_proof *proof, const exact_values *values, const exact_past *past,
                                formula *x) {
    for (int32_t i = 0; i < proof->system->state_count; i++) x[i] = past->x[i];
    for (int32_t i = 0; i < proof->of.state_count; i++) {
        int32_t state = proof->of.states[i];
        const exact_value *found = hbg_verify_values_find(values, hbg_eqn_exact_state(proof->eqn, state));
        if (!found) continue;
        hbg_verify_values_require(proof, values, hbg_eqn_exact_state(proof->eqn, state));
        x[state] = found->fin;
    }
}
