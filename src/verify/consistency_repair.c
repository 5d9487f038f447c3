/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Suggested repairs: a further condition on a transition of the cycle that keeps the search out of the
 * region, as 000 adds p < 0 and 004 the precondition on the forces. A candidate denies one of the
 * inequalities that describe the region, of the energies before the instant; it is reported only if the whole
 * proof of the group, run again with it, finds nothing wrong, and every guard that could fire still can. */
#include "verify/region_impl.h"

#define REPAIR_STATES 16   /* discrete states of a group for which repairs are sought */
#define REPAIR_EFFORT 6000 /* questions for one finding */

typedef struct {
    path_explorer *e;
    const path_finding *of;
    int32_t *const *states;
    int32_t count;
    bool one_side; /* what bounds a region on one side is denied alone, too: better than nothing */
    bool collides; /* the transition that is tried leads into a collision */
} repair;

static const hbg_repair nothing = {.automaton = HBG_NONE, .transition = HBG_NONE, .sought = true};

/* How many energies an inequality reads; 0 if it reads anything else that may change. */
static int32_t energies_in(group_proof *proof, formula literal) {
    formulas *f = &proof->f;
    int32_t count = 0;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        count += !hbg_verify_formula_is_number(f, proof->x[i]) &&
                 hbg_verify_formula_reads(f, literal, &proof->x[i], 1);
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        for (int k = 0; k < 4; k++) {
            exact_value *of = k & 1 ? proof->signals.held[k >> 1] : proof->signals.input[k >> 1];
            if (of[i].fin && hbg_verify_formula_reads(f, literal, &of[i].fin, 1)) return 0;
        }
    for (int32_t i = 0; i < proof->of.pre_count; i++)
        if (hbg_verify_formula_reads(f, literal, &proof->law_pre[proof->of.pres[i]], 1)) return 0;
    return count;
}

static path_explorer begin_again(const repair *r) {
    group_proof *proof = r->e->proof;
    path_explorer again = {.proof = proof, .commit_limit = r->e->commit_limit};
    again.entered = HBG_NEW_ARRAY(proof->arena, bool, proof->model->states.count + 1);
    again.fired = HBG_NEW_ARRAY(proof->arena, bool, proof->model->transitions.count + 1);
    return again;
}

/* Whether the transition is ever taken with the condition in force. */
static bool fires(const repair *r, int32_t transition) {
    path_explorer again = begin_again(r);
    for (int32_t i = 0; i < r->count && !again.fired[transition]; i++)
        hbg_verify_paths_explore(&again, r->states[i]);
    return again.fired[transition];
}

/* Whether the proof, with the condition in force, finds nothing wrong any more. */
static bool mends(const repair *r) {
    group_proof *proof = r->e->proof;
    path_explorer again = begin_again(r);
    for (int32_t i = 0; i < r->count; i++) {
        hbg_verify_paths_explore(&again, r->states[i]);
        if (again.open || proof->doubts.impossible || proof->doubts.riddle ||
            proof->doubts.undefined.count > 0)
            return false;
        for (int32_t k = 0; k < again.findings.count; k++) {
            const path_finding *found = &again.findings.items[k];
            if (hbg_verify_finding_is_wrong(found->kind)) return false;
        }
    }
    for (int32_t i = 0; i < proof->model->transitions.count; i++) // a guard that never fires repairs anything
        if (r->e->fired[i] && !again.fired[i]) return false;
    return true;
}

/* Whether the transition is taken at an instant that begins, in these states, after time has advanced. */
static bool leaves_from(const repair *r, const int32_t *states, int32_t automaton, int32_t transition) {
    group_proof *proof = r->e->proof;
    formulas *f = &proof->f;
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    const hbg_automaton_state *state = &proof->model->states.items[of->first_state + states[automaton]];
    int32_t place = transition - state->first_transition;
    if (place < 0 || place >= state->transition_count) return false;
    path_search search = {.start = states};
    bool found = false;
    hbg_verify_formulas_push(f);
    if (hbg_verify_paths_open(proof, states, &search.past)) {
        hbg_verify_formulas_assert(f, proof->instant.flowed);
        hbg_verify_paths_ins(proof, states, &search.past, NULL);
        const exact_values *values =
            hbg_verify_group_values(proof, hbg_verify_group_state(proof, states), &search.past);
        exact_scope scope;
        formula *taken = HBG_NEW_ARRAY(proof->arena, formula, state->transition_count + 1);
        hbg_verify_scope_init(&scope, proof, values, &search.past, false);
        hbg_verify_paths_guards(proof, &scope, &search, automaton, states, taken);
        found = hbg_verify_formulas_check(f, taken[place]) == ANSWER_FOUND;
    }
    hbg_verify_formulas_pop(f);
    return found;
}

static bool leaves_somewhere(const repair *r, int32_t automaton, int32_t transition) {
    for (int32_t i = 0; i < r->count; i++)
        if (leaves_from(r, r->states[i], automaton, transition)) return true;
    return false;
}

/* And that with energies that the state is entered with. */
static bool leaves_entered(const repair *r, int32_t automaton, int32_t transition) {
    path_explorer again = begin_again(r);
    again.keeps_flows = true;
    for (int32_t i = 0; i < r->count; i++) hbg_verify_paths_explore(&again, r->states[i]);
    return hbg_verify_flows_leave(&again, r->states, r->count, automaton, transition);
}

static bool leaves(const repair *r, int32_t automaton, int32_t transition) {
    return leaves_somewhere(r, automaton, transition) && leaves_entered(r, automaton, transition);
}

/* A transition that ends a flow has to go on doing so, with the condition in force. */
static bool still_leaves(const repair *r, int32_t automaton, int32_t transition) {
    group_proof *proof = r->e->proof;
    formula extra = proof->extra.condition;
    int32_t guard = proof->extra.guard;
    if (leaves(r, automaton, transition)) return true;
    proof->extra.condition = NULL;
    proof->extra.guard = HBG_NONE;
    bool did = leaves(r, automaton, transition);
    proof->extra.condition = extra;
    proof->extra.guard = guard;
    return !did;
}

/* Text with names as used inside a component, without its own prefix. */
static const char *own_names(hbg_arena *arena, const char *text, const char *prefix) {
    hbg_buffer out;
    size_t size = strlen(prefix);
    bool inside = false; // of a name
    hbg_base_buffer_init(&out, arena);
    while (*text) {
        if (!inside && size > 0 && strncmp(text, prefix, size) == 0) text += size;
        inside = *text == '_' || *text == '.' || *text == '[' || (*text >= '0' && *text <= '9') ||
                 (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
        hbg_base_buffer_char(&out, *text++);
    }
    return out.data;
}

/* "motor.d1." of "motor.d1.conduction"; "" in the model itself. */
static const char *prefix_of(group_proof *proof, int32_t automaton) {
    const char *name = proof->system->automata[automaton].name, *dot = strrchr(name, '.');
    return dot ? hbg_base_arena_copy(proof->arena, name, (size_t)(dot + 1 - name)) : "";
}

/* "pre(mass.p) <= 0", or "(pre(mass.p) <= -1 || pre(mass.p) >= 1)" */
static void put_condition(group_proof *proof, hbg_buffer *line) {
    formula second = proof->extra.parts[1];
    proof->words.as_pre = true;
    if (second) hbg_base_buffer_char(line, '(');
    hbg_verify_region_print_literal(proof, proof->extra.parts[0], line);
    if (second) hbg_base_buffer_text(line, " || ");
    if (second) hbg_verify_region_print_literal(proof, second, line);
    if (second) hbg_base_buffer_char(line, ')');
    proof->words.as_pre = false;
}

/* "!in(diode.conducting, j_d.f < hold)" */
static void put_in(group_proof *proof, int32_t automaton, int32_t transition, hbg_buffer *line) {
    const hbg_model *model = proof->model;
    const hbg_automaton *of = &model->automata.items[automaton];
    const hbg_transition *at = &model->transitions.items[transition];
    hbg_base_buffer_print(
        line, "!in(%s.%s, ", proof->system->automata[automaton].name,
        hbg_base_names_get(model->names, model->states.items[of->first_state + at->target].name));
    hbg_model_print_expr(model, model->transitions.items[proof->extra.guard].guard, line);
    hbg_base_buffer_char(line, ')');
}

/* The condition in force, in the names valid where the automaton is; nothing outside of its component can be
 * named there. */
static hbg_repair tell(group_proof *proof, int32_t automaton, int32_t transition) {
    hbg_repair made = {.automaton = automaton, .transition = transition, .sought = true};
    const char *prefix = prefix_of(proof, automaton);
    hbg_buffer text;
    hbg_base_buffer_init(&text, proof->arena);
    for (int32_t i = 0; i < proof->system->state_count && proof->extra.condition; i++)
        if (hbg_verify_formula_reads(&proof->f, proof->extra.condition, &proof->x[i], 1) &&
            strncmp(proof->system->states[i].name, prefix, strlen(prefix)) != 0)
            return made;
    if (proof->extra.guard != HBG_NONE)
        put_in(proof, automaton, transition, &text);
    else
        put_condition(proof, &text);
    made.condition = prefix[0] ? own_names(proof->arena, text.data, prefix) : text.data;
    return made;
}

static bool is_equation(formulas *f, formula literal) {
    return Z3_get_decl_kind(f->z3, Z3_get_app_decl(f->z3, Z3_to_app(f->z3, literal))) == Z3_OP_EQ;
}

/* Of two conditions of which one suffices, keeps the one that says something, where the guard excludes the
 * other anyway. */
static void leave_one(const repair *r, int32_t transition) {
    group_proof *proof = r->e->proof;
    for (int i = 0; i < 2; i++) {
        proof->extra.condition = proof->extra.parts[i];
        if (fires(r, transition)) continue;
        proof->extra.parts[0] = proof->extra.parts[1 - i];
        proof->extra.parts[1] = NULL;
        break;
    }
    proof->extra.condition = proof->extra.parts[0];
    if (proof->extra.parts[1])
        proof->extra.condition =
            hbg_verify_formula_or(&proof->f, proof->extra.condition, proof->extra.parts[1]);
}

/* Whether a junction that was off before bounces in the state of this step. */
static bool leads_into_collision(const repair *r, int32_t step) {
    const group_proof *proof = r->e->proof;
    for (int32_t i = 0; i < proof->of.restitution_count; i++) {
        int32_t junction = proof->of.restitution[i];
        if (hbg_verify_paths_is_on(proof, junction, r->of->steps[step].states) &&
            !hbg_verify_paths_is_on(proof, junction, r->of->steps[step - 1].states))
            return true;
    }
    return false;
}

/* Of a storage; integrators of signals come after these. */
static bool reads_storage(group_proof *proof, formula a) {
    int32_t integrators = 0;
    for (int32_t i = 0; i < proof->model->signals.count; i++)
        integrators += proof->model->signals.items[i].kind == HBG_SIGNAL_STATE;
    return hbg_verify_formula_reads(&proof->f, a, proof->x, proof->system->state_count - integrators);
}

static formula without_equality(formulas *f, formula a) {
    bool negated = hbg_verify_formula_kind(f, a) == Z3_OP_NOT;
    formula relation = negated ? hbg_verify_formula_argument(f, a, 0) : a;
    Z3_decl_kind kind = hbg_verify_formula_kind(f, relation);
    if (kind != Z3_OP_LE && kind != Z3_OP_LT && kind != Z3_OP_GE && kind != Z3_OP_GT) return a;
    bool rising = (kind == Z3_OP_LE || kind == Z3_OP_LT) != negated;
    return hbg_verify_formula_less(f, hbg_verify_formula_argument(f, relation, rising ? 0 : 1),
                                   hbg_verify_formula_argument(f, relation, rising ? 1 : 0));
}

/* That the inequality does not hold. The negation that leads into a collision must be strict: bodies that do
 * not approach do not collide. */
static formula denial(const repair *r, formula literal) {
    group_proof *proof = r->e->proof;
    formula denied = hbg_verify_formula_not(&proof->f, literal);
    return r->collides && reads_storage(proof, literal) ? without_equality(&proof->f, denied) : denied;
}

/* Denies an inequality, or that both hold. */
static hbg_repair try_literal(repair *r, int32_t automaton, int32_t transition, formula literal,
                              formula second) {
    group_proof *proof = r->e->proof;
    formulas *f = &proof->f;
    hbg_repair made = nothing;
    if (proof->model->transitions.items[transition].guard == HBG_NONE) return nothing;
    if (is_equation(f, literal) || (second && is_equation(f, second)))
        return nothing; // not meeting a number exactly repairs nothing in a run
    proof->extra.parts[0] = proof->extra.condition = denial(r, literal);
    proof->extra.parts[1] = second ? denial(r, second) : NULL;
    if (second)
        proof->extra.condition = hbg_verify_formula_or(f, proof->extra.condition, proof->extra.parts[1]);
    proof->extra.transition = transition;
    if (mends(r) && still_leaves(r, automaton, transition)) {
        if (second) leave_one(r, transition);
        made = tell(proof, automaton, transition);
    }
    proof->extra.condition = NULL;
    return made;
}

/* Both sides of a region first: what is outside of it on either side need not be given up. */
static hbg_repair try_sides(repair *r, int32_t automaton, int32_t transition, const region_cube *cube,
                            int32_t place) {
    group_proof *proof = r->e->proof;
    formulas *f = &proof->f;
    for (int32_t k = 0; k < place; k++) {
        bool same = energies_in(proof, cube->items[k]) == energies_in(proof, cube->items[place]);
        for (int32_t i = 0; i < proof->system->state_count; i++)
            same &= hbg_verify_formula_reads(f, cube->items[k], &proof->x[i], 1) ==
                    hbg_verify_formula_reads(f, cube->items[place], &proof->x[i], 1);
        if (!same) continue;
        hbg_repair made = try_literal(r, automaton, transition, cube->items[k], cube->items[place]);
        if (made.condition) return made;
    }
    return nothing;
}

/* Unless it would be left again where it leads to: 004's precondition. Guards that look at other states
 * themselves are left alone. */
static hbg_repair try_precondition(repair *r, int32_t step, int32_t i) {
    group_proof *proof = r->e->proof;
    hbg_repair made = nothing;
    int32_t enters = r->of->steps[step].taken[i], leaves = r->of->steps[step + 1].taken[i];
    if (enters == HBG_NONE || leaves == HBG_NONE || proof->of.in_count > 0) return nothing;
    const hbg_transition *first = &proof->model->transitions.items[enters];
    const hbg_transition *second = &proof->model->transitions.items[leaves];
    if (first->guard == HBG_NONE || second->guard == HBG_NONE || second->after != HBG_NONE) return nothing;
    proof->extra.guard = leaves;
    proof->extra.transition = enters;
    if (mends(r) && still_leaves(r, proof->of.automata[i], enters))
        made = tell(proof, proof->of.automata[i], enters);
    proof->extra.guard = HBG_NONE;
    return made;
}

static hbg_repair try_preconditions(repair *r) {
    for (int32_t step = r->of->back_to + 1; step + 1 < r->of->step_count; step++)
        for (int32_t i = 0; i < r->e->proof->of.automaton_count; i++) {
            hbg_repair made = try_precondition(r, step, i);
            if (made.condition) return made;
        }
    return nothing;
}

/* Prefers a transition that switches on. */
static bool switches_on(const group_proof *proof, int32_t automaton, int32_t transition) {
    const hbg_automaton *of = &proof->model->automata.items[automaton];
    return proof->model->states.items[of->first_state + proof->model->transitions.items[transition].target]
        .on;
}

/* One of two inequalities that bound the same quantity from both sides: denying it alone would give up one
 * side. */
static bool is_side(group_proof *proof, const region_cube *cube, int32_t place) {
    formulas *f = &proof->f;
    for (int32_t k = 0; k < cube->count; k++) {
        bool same = k != place;
        for (int32_t i = 0; i < proof->system->state_count && same; i++)
            same = hbg_verify_formula_reads(f, cube->items[k], &proof->x[i], 1) ==
                   hbg_verify_formula_reads(f, cube->items[place], &proof->x[i], 1);
        if (same && energies_in(proof, cube->items[k]) > 0) return true;
    }
    return false;
}

/* Transitions that switch on first, inequalities with few energies first, then in the order they are
 * taken. */
static hbg_repair try_all(repair *r, const region_cube *cube) {
    group_proof *proof = r->e->proof;
    int32_t limit = proof->f.account.questions + REPAIR_EFFORT;
    for (int rank = 0; rank < 4; rank++)
        for (int32_t step = r->of->back_to + 1; step < r->of->step_count; step++)
            for (int32_t i = 0; i < proof->of.automaton_count; i++) {
                int32_t transition = r->of->steps[step].taken[i];
                if (transition == HBG_NONE) continue;
                if (switches_on(proof, proof->of.automata[i], transition) != (rank < 2)) continue;
                r->collides = leads_into_collision(r, step);
                for (int32_t k = 0; k < cube->count; k++) {
                    if (energies_in(proof, cube->items[k]) != 1 + rank % 2 ||
                        proof->f.account.questions > limit)
                        continue;
                    int32_t automaton = proof->of.automata[i];
                    hbg_repair made = try_sides(r, automaton, transition, cube, k);
                    if (!made.condition && (r->one_side || !is_side(proof, cube, k)))
                        made = try_literal(r, automaton, transition, cube->items[k], NULL);
                    if (made.condition) return made;
                }
            }
    return nothing;
}

/* Keeps only inequalities that bound the region of the other finding as well. */
static void keep_common(path_explorer *e, const path_finding *other, region_cube *common) {
    formulas *f = &e->proof->f;
    const path_region *region = &other->regions.items[0];
    region_cube cube = {0}, kept = {0};
    if (other->kind != HBG_FINDING_CYCLE || other->after_commit) return;
    if (hbg_verify_formulas_check(f, hbg_verify_formula_and(f, region->known, region->condition)) !=
        ANSWER_FOUND)
        return;
    hbg_verify_region_cube(f, region->condition, &cube);
    hbg_verify_region_widen(f, region->known, region->condition, &cube);
    for (int32_t i = 0; i < common->count; i++)
        for (int32_t k = 0; k < cube.count; k++)
            if (cube.items[k] == common->items[i]) {
                HBG_PUSH(f->arena, kept, common->items[i]);
                break;
            }
    *common = kept;
}

hbg_repair hbg_verify_group_repair(path_explorer *e, const path_finding *of, int32_t *const *states,
                                   int32_t count) {
    group_proof *proof = e->proof;
    formulas *f = &proof->f;
    repair r = {.e = e, .of = of, .states = states, .count = count};
    if (of->kind != HBG_FINDING_CYCLE || count > REPAIR_STATES || e->open)
        return (hbg_repair){.automaton = HBG_NONE};
    const path_region *region = &of->regions.items[0];
    formula any = f->no;
    for (int32_t i = 0; i < of->regions.count; i++)
        any = hbg_verify_formula_or(f, any, of->regions.items[i].condition);
    if (hbg_verify_formulas_check(f, hbg_verify_formula_and(f, region->known, region->condition)) !=
        ANSWER_FOUND)
        return nothing;
    region_cube cube = {0};
    hbg_verify_region_cube(f, region->condition, &cube);
    hbg_verify_region_widen(f, region->known, any, &cube);
    // a bound that not all regions share would be too strict in some of them
    region_cube common = cube;
    for (int32_t i = 0; i < e->findings.count; i++) keep_common(e, &e->findings.items[i], &common);
    hbg_repair made = try_all(&r, &common);
    if (!made.condition) made = try_preconditions(&r);
    if (!made.condition) made = try_all(&r, &cube);
    r.one_side = true;
    return made.condition ? made : try_all(&r, &cube);
}
