/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Clocks and samples. Clocks tick at the whole multiples of their periods, 0 included: those of one period are one symbol, and of others it
 * is known which of them tick wherever some do. A sample that ticks takes its value before any guard is looked at, and holds it between its
 * ticks. */
#include "verify/paths_impl.h"

#define PRIME_LIMIT                                                                                          \
    1000000 /* factors of a period are tried up to this; what has only larger ones is taken as prime */

/* ---- periods ------------------------------------------------------------------------------------------------- */

/* A number, or what parameters with ranges make of it. */
static formula period_of(group_proof *proof, hbg_expr every) {
    exact_past none = {.before = false};
    exact_values nothing = {.of = NULL};
    exact_scope scope;
    hbg_verify_scope_init(&scope, proof, &nothing, &none, false);
    return hbg_verify_value_number(
        proof, hbg_verify_scope_evaluate(&scope, hbg_eqn_exact_expression(proof->eqn, every)));
}

/* The symbol of a clock with this period, which may exist already. */
static formula add_clock(group_proof *proof, hbg_expr every, const char *text) {
    formula period = period_of(proof, every);
    for (int32_t i = 0; i < proof->timing.clocks.count; i++)
        if (hbg_verify_formula_is_same(&proof->f, proof->timing.clocks.items[i].period, period))
            return proof->timing.clocks.items[i].ticks;
    exact_clock made = {period, hbg_verify_formula_truth(&proof->f, text), 0};
    HBG_PUSH(proof->arena, proof->timing.clocks, made);
    return made.ticks;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Periods as whole multiples of their largest common part; those that are not numbers stay 0. */
static void measure_clocks(group_proof *proof) {
    int64_t below = 1, common = 0, *up = HBG_NEW_ARRAY(proof->arena, int64_t, proof->timing.clocks.count + 1),
            *down = HBG_NEW_ARRAY(proof->arena, int64_t, proof->timing.clocks.count + 1);
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) {
        formula period = proof->timing.clocks.items[i].period;
        if (!hbg_verify_formula_is_number(&proof->f, period) ||
            !Z3_get_numeral_small(proof->f.z3, period, &up[i], &down[i]) || up[i] <= 0)
            up[i] = 0;
        else if (__builtin_mul_overflow(below, down[i] / common_divisor(below, down[i]), &below))
            return;
    }
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) {
        if (up[i] > 0 && __builtin_mul_overflow(up[i], below / down[i], &up[i])) return;
        common = common_divisor(up[i], common);
    }
    for (int32_t i = 0; i < proof->timing.clocks.count && common > 0; i++)
        proof->timing.clocks.items[i].times = up[i] / common;
}

/* Some other clock ticks whose period has the factor. */
static formula another_ticks(group_proof *proof, int32_t clock, int64_t factor) {
    formula any = proof->f.no;
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) {
        const exact_clock *other = &proof->timing.clocks.items[i];
        if (i != clock && other->times > 0 && other->times % factor == 0)
            any = hbg_verify_formula_or(&proof->f, any, other->ticks);
    }
    return any;
}

/* The largest power of its smallest prime that divides a number above 1. */
static int64_t first_power(int64_t number) {
    int64_t prime = 2, power;
    while (prime <= PRIME_LIMIT && prime * prime <= number && number % prime != 0) prime++;
    if (number % prime != 0 || prime * prime > number) return number;
    for (power = prime; number / power % prime == 0;) power *= prime;
    return power;
}

/* At an instant at which some clocks tick, another ticks with them if its period divides the smallest common
 * multiple of theirs: every power of a prime in it is in one of them. This is all that follows: at that
 * multiple no others tick. */
static void tie_clocks(group_proof *proof) {
    formulas *f = &proof->f;
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) {
        int64_t rest = proof->timing.clocks.items[i].times;
        if (rest == 0) continue;
        formula others = another_ticks(proof, i, 1);
        while (rest > 1) {
            int64_t power = first_power(rest);
            others = hbg_verify_formula_and(f, others, another_ticks(proof, i, power));
            rest /= power;
        }
        if (others != f->no)
            HBG_PUSH(f->arena, f->axioms.all,
                     hbg_verify_formula_or(f, hbg_verify_formula_not(f, others),
                                           proof->timing.clocks.items[i].ticks));
    }
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

static bool is_own(group_proof *proof, hbg_exact_term term) {
    return hbg_eqn_exact_belongs(proof->eqn, proof->number, term);
}

/* Notes the samples that a term reads, the samples that these read, and the arguments of pre(…). */
static void find_samples(group_proof *proof, hbg_exact_term root) {
    HBG_VEC(hbg_exact_term) stack = {0};
    hbg_pair_map seen;
    hbg_base_pair_map_init(&seen, proof->arena);
    if (root != HBG_NONE) HBG_PUSH(proof->arena, stack, root);
    while (stack.count > 0) {
        hbg_exact_term term = stack.items[--stack.count];
        if (hbg_base_pair_map_find(&seen, term, 0) >= 0) continue;
        hbg_base_pair_map_add(&seen, term, 0, 0);
        hbg_exact_node node = hbg_eqn_exact_node(proof->eqn, term);
        const hbg_exact_term arguments[] = {node.a, node.b, node.c};
        for (int i = 0; i < node.arity; i++) HBG_PUSH(proof->arena, stack, arguments[i]);
        if (node.op != HBG_EXACT_VARIABLE) continue;
        hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, node.a);
        if (of.role == HBG_EXACT_PRE) {
            hbg_exact_term argument = hbg_eqn_exact_pre(proof->eqn, of.index);
            HBG_PUSH(proof->arena, stack, argument);
            if (is_own(proof, argument)) HBG_PUSH(proof->arena, proof->asked, argument);
        }
        if (of.role != HBG_EXACT_HELD || proof->timing.samples[of.index].ticks) continue;
        const hbg_signal *signal = &proof->model->signals.items[of.index];
        exact_sample *sample = &proof->timing.samples[of.index];
        hbg_buffer text;
        hbg_base_buffer_init(&text, proof->arena);
        hbg_model_path(proof->model, (hbg_object){HBG_OBJECT_SIGNAL, of.index}, &text);
        hbg_base_buffer_text(&text, " is taken");
        sample->ticks = add_clock(proof, signal->every, text.data);
        sample->term = hbg_eqn_exact_expression(proof->eqn, signal->value);
        sample->is_noisy = signal->noise_variance != HBG_NONE;
        sample->is_loose = !is_own(proof, sample->term);
        HBG_PUSH(proof->arena, stack, sample->term);
    }
}

static void find_in_laws(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < model->elements.count; i++) {
        const hbg_element *of = &model->elements.items[i];
        for (int32_t k = 0; k < of->value_count; k++)
            find_samples(proof,
                         hbg_eqn_exact_expression(proof->eqn, model->entries.items[of->first_value + k]));
        for (int32_t k = 0; k < of->law_count; k++)
            find_samples(
                proof, hbg_eqn_exact_expression(proof->eqn, model->bindings.items[of->first_law + k].value));
    }
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_STATE)
            find_samples(proof, hbg_eqn_exact_expression(proof->eqn, model->signals.items[i].value));
}

static void find_in_guards(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        const hbg_automaton *of = &model->automata.items[proof->of.automata[i]];
        for (int32_t k = 0; k < of->state_count; k++) {
            const hbg_automaton_state *state = &model->states.items[of->first_state + k];
            for (int32_t m = 0; m < state->transition_count; m++)
                find_samples(proof, hbg_eqn_exact_guard(proof->eqn, state->first_transition + m).condition);
        }
    }
    for (int32_t i = 0; i < proof->of.in_count; i++)
        find_samples(proof, hbg_eqn_exact_in(proof->eqn, proof->of.ins[i]).term);
}

static bool has_samples(const hbg_model *model) {
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].every != HBG_NONE) return true;
    return false;
}

void hbg_verify_clocks_make(group_proof *proof) {
    const hbg_model *model = proof->model;
    for (int32_t i = 0; i < proof->of.automaton_count; i++) {
        int32_t automaton = proof->of.automata[i];
        hbg_expr every = model->automata.items[automaton].every;
        const char *text =
            hbg_base_arena_print(proof->arena, "%s ticks", proof->system->automata[automaton].name);
        if (every != HBG_NONE) proof->timing.tick[automaton] = add_clock(proof, every, text);
    }
    proof->timing.samples = HBG_NEW_ARRAY(proof->arena, exact_sample, model->signals.count + 1);
    if (has_samples(model)) {
        find_in_guards(proof);
        find_in_laws(proof);
    }
    measure_clocks(proof);
    tie_clocks(proof);
}

void hbg_verify_clocks_ask(group_proof *proof) {
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        if (proof->timing.samples[i].ticks && !proof->timing.samples[i].is_loose &&
            !proof->timing.samples[i].is_noisy)
            HBG_PUSH(proof->arena, proof->asked, proof->timing.samples[i].term);
}

/* ---- what is taken ------------------------------------------------------------------------------------------- */

typedef struct {
    exact_scope scope;   /* just before the tick, with inputs as they are now */
    exact_scope *before; /* and before the instant */
    const formula *x;    /* energies: where a run begins, those after the jump */
    bool missing;        /* something that is read is unknown here */
} taking;

static exact_value taken_variable(exact_scope *scope, int32_t variable) {
    taking *at = (taking *)scope; // the scope comes first in it
    group_proof *proof = scope->proof;
    hbg_exact_variable of = hbg_eqn_exact_variable(proof->eqn, variable);
    exact_value value = {.fin = proof->f.zero};
    if (of.view == HBG_EXACT_AREA) return value;
    if (of.role == HBG_EXACT_HELD) return hbg_verify_group_outside(proof, true, false, of.index);
    if (of.role == HBG_EXACT_STATE && of.view == HBG_EXACT_VALUE)
        return (exact_value){.fin = at->x[of.index]};
    const exact_value *found = NULL;
    exact_value known = {.fin = NULL};
    if (of.role == HBG_EXACT_PRE) { // the past value, not the one that laws use
        hbg_exact_term argument = hbg_eqn_exact_pre(proof->eqn, of.index);
        if (is_own(proof, argument)) known = hbg_verify_scope_evaluate(at->before, argument);
    } else if (of.role != HBG_EXACT_IN) {
        found = hbg_verify_values_find(scope->values, variable);
        if (!found && of.view == HBG_EXACT_VALUE)
            known = hbg_verify_known_value(proof, scope->past, scope->values->of, variable);
    }
    at->missing |= !found && !known.fin;
    if (found) known = *found;
    return known.fin ? (exact_value){.fin = known.fin, .is_truth = known.is_truth} : value;
}

static formula is_equal(group_proof *proof, exact_value a, exact_value b) {
    return a.is_truth ? hbg_verify_formula_equal(&proof->f, a.fin, hbg_verify_value_truth(proof, b))
                      : hbg_verify_formula_equal(&proof->f, a.fin, hbg_verify_value_number(proof, b));
}

/* Before the first tick elements get 0 from a sample: what depends on that is not followed where a run
 * begins. */
static formula taken_from(group_proof *proof, exact_value now, exact_value taken) {
    formula same = is_equal(proof, now, taken);
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        if (proof->signals.held[1][i].fin &&
            hbg_verify_formula_reads(&proof->f, taken.fin, &proof->signals.held[1][i].fin, 1))
            return hbg_verify_formula_or(&proof->f, same, proof->instant.starts);
    return same;
}

void hbg_verify_clocks_take(group_proof *proof, const exact_values *values, const exact_past *past,
                            exact_scope *before) {
    formulas *f = &proof->f;
    if (!has_samples(proof->model)) return;
    formula *x = HBG_NEW_ARRAY(proof->arena, formula, proof->system->state_count + 1);
    exact_past now = *past;
    now.before = false;
    now.holds = now.first_pass = true;
    hbg_verify_values_energies(proof, values, past, x);
    taking at = {.before = before, .x = x};
    hbg_verify_scope_init(&at.scope, proof, hbg_verify_group_values(proof, values->of, &now), &now, false);
    at.scope.variable = taken_variable;
    for (int32_t i = 0; i < proof->model->signals.count; i++) {
        exact_sample *sample = &proof->timing.samples[i];
        if (!sample->ticks || sample->is_loose) continue;
        exact_value held = hbg_verify_group_outside(proof, true, true, i),
                    own = hbg_verify_group_outside(proof, true, false, i);
        formula ticked = f->yes;
        at.missing = false;
        if (!sample->is_noisy)
            ticked = taken_from(proof, own,
                                hbg_verify_scope_evaluate_when(&at.scope, sample->term, sample->ticks));
        sample->is_loose = at.missing;
        if (at.missing) continue;
        hbg_verify_formulas_assert(
            f, hbg_verify_formula_or(f, hbg_verify_formula_not(f, sample->ticks), ticked));
        hbg_verify_formulas_assert(f, hbg_verify_formula_or(f, sample->ticks, is_equal(proof, own, held)));
    }
}

/* ---- what is not known --------------------------------------------------------------------------------------- */

static bool reads(group_proof *proof, formula condition, formula symbol) {
    return symbol && hbg_verify_formula_reads(&proof->f, condition, &symbol, 1);
}

/* A single sample may have any value, since its source may; for several together that is not certain. */
static bool is_read_with_others(group_proof *proof, formula condition, int32_t sample) {
    bool others = reads(proof, condition, proof->time);
    for (int32_t i = 0; i < proof->system->state_count && !others; i++)
        others =
            !hbg_verify_formula_is_number(&proof->f, proof->x[i]) && reads(proof, condition, proof->x[i]);
    for (int32_t i = 0; i < proof->model->signals.count && !others; i++)
        others = reads(proof, condition, proof->signals.input[0][i].fin) ||
                 (i != sample && reads(proof, condition, proof->signals.held[0][i].fin));
    return others;
}

const char *hbg_verify_clocks_doubt(group_proof *proof, formula condition) {
    int32_t clocks = 0, open = 0;
    for (int32_t i = 0; i < proof->model->signals.count; i++) {
        const exact_sample *sample = &proof->timing.samples[i];
        if (!sample->ticks || !sample->is_loose || !reads(proof, condition, proof->signals.held[0][i].fin) ||
            !is_read_with_others(proof, condition, i))
            continue;
        hbg_buffer text;
        hbg_base_buffer_init(&text, proof->arena);
        hbg_model_path(proof->model, (hbg_object){HBG_OBJECT_SIGNAL, i}, &text);
        return hbg_base_arena_print(proof->arena, "what the sample `%s` is taken from is not followed",
                                    text.data);
    }
    for (int32_t i = 0; i < proof->timing.clocks.count; i++) {
        if (!reads(proof, condition, proof->timing.clocks.items[i].ticks)) continue;
        clocks++;
        open += proof->timing.clocks.items[i].times == 0;
    }
    return clocks > 1 && open > 0 ? "which clocks tick together depends on their periods" : NULL;
}

formula hbg_verify_clocks_taken(group_proof *proof, formula condition) {
    formula all = proof->f.yes;
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        if (proof->timing.samples[i].ticks && reads(proof, condition, proof->signals.held[0][i].fin))
            all = hbg_verify_formula_and(&proof->f, all, proof->timing.samples[i].ticks);
    return all;
}
