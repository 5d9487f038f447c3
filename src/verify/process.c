/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration as a linear process of HyPA (003): a clause for each discrete state, an alternative for each way through an instant.
 * Ways that lead to the same energies in the same mode, wherever either is taken, are one alternative. */
#include "verify/process_impl.h"

#define CUBES   24 /* conjunctions of one condition that are reported */
#define THROUGH 4  /* ways of one alternative that are reported */

/* ---- conditions ------------------------------------------------------------------------------------------------- */

static formula conjunction(process_map *map, bool flows, const path_way *way, int32_t from, int32_t to) {
    formulas *f = &map->proof->f;
    formula all = f->yes;
    for (int32_t i = to - 1; i >= from; i--)
        all = hbg_verify_formula_and(f, hbg_verify_process_at(map, flows, way->conditions[i]), all);
    return all;
}

static hbg_process_any told(process_map *map, bool flows, const path_region *regions, int32_t count) {
    region_cubes cubes = hbg_verify_region_cubes(&map->proof->f, regions, count, CUBES);
    hbg_arena *arena = map->proof->arena;
    hbg_process_any made = {.count = cubes.count, .complete = cubes.complete};
    made.items = HBG_NEW_ARRAY(arena, hbg_process_all, cubes.count + 1);
    for (int32_t i = 0; i < cubes.count; i++)
        for (int32_t k = 0; k < cubes.items[i].count; k++)
            HBG_PUSH(arena, made.items[i], hbg_verify_process_literal(map, flows, cubes.items[i].items[k]));
    return made;
}

/* ---- clauses ---------------------------------------------------------------------------------------------------- */

/* Relations between energies, each independent of the rest. */
static void add_constraints(process_map *map, formula flowed, hbg_process_clause *clause) {
    formulas *f = &map->proof->f;
    bool several = hbg_verify_formula_kind(f, flowed) == Z3_OP_AND;
    unsigned count = several ? hbg_verify_formula_argument_count(f, flowed) : flowed == f->yes ? 0 : 1;
    formula before = f->yes;
    for (unsigned i = 0; i < count; i++) {
        formula own = several ? hbg_verify_formula_argument(f, flowed, i) : flowed;
        formula other = hbg_verify_formula_and(f, before, hbg_verify_formula_not(f, own));
        if (hbg_verify_formulas_check(f, other) == ANSWER_NONE) continue;
        before = hbg_verify_formula_and(f, before, own);
        clause->order--;
        HBG_PUSH(map->proof->arena, clause->constraints, hbg_verify_process_literal(map, true, own));
    }
}

static hbg_term *no_terms(process_map *map) {
    int32_t count = map->made->variables.count;
    hbg_term *made = HBG_NEW_ARRAY(map->proof->arena, hbg_term, count + 1);
    for (int32_t i = 0; i < count; i++) made[i] = HBG_NONE;
    return made;
}

static void add_rates(process_map *map, const path_mode *mode, hbg_process_clause *clause) {
    hbg_term *rates = no_terms(map);
    for (int32_t i = 0, count = map->made->variables.count; i < count; i++) {
        const hbg_process_variable of = map->made->variables.items[i];
        bool runs =
            of.role == HBG_PROCESS_WAIT || of.role == HBG_PROCESS_CLOCK || of.role == HBG_PROCESS_TIME;
        if (runs) rates[i] = hbg_term_integer(&map->made->terms, 1);
        if (of.role == HBG_PROCESS_ENERGY && mode->rates && mode->rates[of.of])
            rates[i] =
                hbg_verify_process_term(map, true, hbg_verify_process_at(map, true, mode->rates[of.of]));
    }
    clause->rates = rates;
}

static const char *const *places_of(const process_map *map, const int32_t *states) {
    const group_proof *proof = map->proof;
    const hbg_model *model = proof->model;
    const char **made = HBG_NEW_ARRAY(proof->arena, const char *, model->automata.count + 1);
    for (int32_t i = 0; i < model->automata.count; i++) {
        int32_t state = model->automata.items[i].first_state + states[i];
        made[i] = hbg_base_arena_print(proof->arena, "%s.%s", proof->system->automata[i].name,
                                       hbg_base_names_get(model->names, model->states.items[state].name));
    }
    return made;
}

/* Time advances where no guard is enabled, nothing comes from outside and the energies fit the mode. */
static void add_clause(process_map *map, const path_mode *mode) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    hbg_process_clause clause = {.states = mode->states,
                                 .mode = hbg_verify_paths_mode_text(proof, mode->states),
                                 .places = places_of(map, mode->states),
                                 .order = proof->system->state_count};
    HBG_VEC(path_region) regions = {0};
    add_rates(map, mode, &clause);
    formula flowed = mode->flowed ? hbg_verify_process_at(map, true, mode->flowed) : f->no;
    if (mode->flowed) add_constraints(map, flowed, &clause);
    for (int32_t i = mode->first_way; i < mode->first_way + mode->way_count && mode->flowed; i++) {
        const path_way *way = &map->ways.explorer.ways_found.items[i];
        if (!way->stays || way->on_edge) continue;
        path_region region = {.start = mode->states};
        region.condition = conjunction(map, true, way, mode->known, way->condition_count);
        region.known = hbg_verify_formula_and(f, flowed, conjunction(map, true, way, 0, mode->given));
        HBG_PUSH(proof->arena, regions, region);
    }
    clause.invariants = told(map, true, regions.items, regions.count);
    clause.flows = clause.invariants.count > 0 || !clause.invariants.complete;
    HBG_PUSH(proof->arena, map->made->clauses, clause);
}

/* ---- alternatives ------------------------------------------------------------------------------------------------ */

/* Ways that are one alternative. */
typedef struct {
    const path_way *first;
    HBG_VEC(path_region) regions; /* as a process has them: those of exact ways first */
    HBG_VEC(path_region) met;     /* likewise, as proofs have them */
    HBG_VEC(const char *) through;
    int32_t exact; /* regions that do not begin on the edge of a strict relation */
} way_family;
typedef HBG_VEC(way_family) way_families;

/* Modes between the first and the last, those that were real marked. */
static const char *through_text(const process_map *map, const path_way *way) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, map->proof->arena);
    for (int32_t i = 1; i + 1 < way->step_count; i++)
        hbg_base_buffer_print(&text, "%s%s%s", i > 1 ? ", " : "",
                              hbg_verify_paths_mode_text(map->proof, way->steps[i].states),
                              way->steps[i].committed ? " (real)" : "");
    return text.data;
}

static void add_through(const process_map *map, way_family *family, const char *text) {
    if (family->through.count == THROUGH) return;
    for (int32_t i = 0; i < family->through.count; i++)
        if (strcmp(family->through.items[i], text) == 0) return;
    HBG_PUSH(map->proof->arena, family->through, text);
}

/* The value of a parameter that is chosen anew after a way. */
static formula drawn_by(const process_map *map, const path_way *way, int32_t param) {
    return way->drawn && way->drawn[param] ? way->drawn[param] : map->proof->params.value[param].fin;
}

/* Whether a way leads where another does, wherever it is taken. */
static bool leads_alike(process_map *map, const path_way *way, formula taken, const path_way *other) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    formula same = f->yes;
    size_t size = (size_t)proof->model->automata.count * sizeof *way->states;
    if (way->stays != other->stays || memcmp(way->states, other->states, size) != 0) return false;
    for (int32_t i = 0; i < map->made->variables.count; i++) {
        const hbg_process_variable *of = &map->made->variables.items[i];
        if (of->role == HBG_PROCESS_WAIT && way->moved[of->of] != other->moved[of->of]) return false;
    }
    for (int32_t i = 0; i < proof->system->state_count; i++)
        same = hbg_verify_formula_and(f, same, hbg_verify_formula_equal(f, way->x_plus[i], other->x_plus[i]));
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (map->drawn_now[i] && drawn_by(map, way, i) != drawn_by(map, other, i)) return false;
    for (int32_t i = 0; i < proof->of.pre_count; i++) {
        int32_t pre = proof->of.pres[i];
        same = hbg_verify_formula_and(f, same,
                                      hbg_verify_formula_equal(f, way->pre[pre].fin, other->pre[pre].fin));
    }
    formula apart = hbg_verify_formula_and(f, taken, hbg_verify_formula_not(f, same));
    return apart == f->no || hbg_verify_formulas_check(f, apart) == ANSWER_NONE;
}

static void add_way(process_map *map, const path_mode *mode, const path_way *way, way_families *families) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    path_region met = {.start = mode->states}, region = met;
    int32_t end = way->condition_count, place = 0;
    met.given = met.known = met.condition = f->yes;
    for (int32_t i = end - 1; i >= 0; i--) {
        formula *into = i >= mode->known ? &met.condition : &met.known;
        *into = hbg_verify_formula_and(f, way->conditions[i], *into);
        if (i < mode->given) met.given = hbg_verify_formula_and(f, way->conditions[i], met.given);
    }
    formula taken = hbg_verify_formula_and(f, met.known, met.condition);
    region.known = conjunction(map, false, way, 0, mode->known);
    region.condition = conjunction(map, false, way, mode->known, end);
    while (place < families->count && !leads_alike(map, way, taken, families->items[place].first)) place++;
    if (place == families->count) HBG_PUSH(proof->arena, *families, (way_family){.first = way});
    way_family *family = &families->items[place];
    HBG_PUSH(proof->arena, family->regions, region);
    HBG_PUSH(proof->arena, family->met, met);
    family->exact += !way->on_edge;
    add_through(map, family, through_text(map, way));
}

/* The new values of the variables. */
static const hbg_term *becomes(process_map *map, const path_way *way, bool *jumps) {
    group_proof *proof = map->proof;
    hbg_terms *terms = &map->made->terms;
    hbg_term *made = no_terms(map);
    for (int32_t i = 0, count = map->made->variables.count; i < count; i++) {
        const hbg_process_variable of = map->made->variables.items[i];
        bool keeps =
            of.role == HBG_PROCESS_PRE ? way->stays : of.role == HBG_PROCESS_WAIT && !way->moved[of.of];
        if (of.role == HBG_PROCESS_ENERGY && way->x_plus[of.of] != proof->x[of.of]) {
            made[i] =
                hbg_verify_process_term(map, false, hbg_verify_process_at(map, false, way->x_plus[of.of]));
            *jumps = true;
        }
        if (of.role == HBG_PROCESS_PRE && !keeps)
            made[i] =
                hbg_verify_process_term(map, false, hbg_verify_process_at(map, false, way->pre[of.of].fin));
        if (of.role == HBG_PROCESS_WAIT && !keeps) made[i] = hbg_term_integer(terms, 0);
        if (of.role == HBG_PROCESS_CLOCK) {
            hbg_term since = hbg_term_variable(terms, i * HBG_PROCESS_VIEWS + HBG_PROCESS_OLD);
            hbg_term period = hbg_term_double(terms, of.period);
            made[i] = hbg_term_make(terms, HBG_OP_SELECT,
                                    hbg_term_make(terms, HBG_OP_GREATER_EQUAL, since, period, 0),
                                    hbg_term_integer(terms, 0), since);
        }
    }
    return made;
}

/* What samples take, which holds on every way from the mode. */
static void add_samples(process_map *map, const path_mode *mode, const path_way *way,
                        hbg_process_all *samples) {
    group_proof *proof = map->proof;
    for (int32_t i = 0; i < mode->given; i++)
        for (int32_t k = 0; k < proof->model->signals.count; k++)
            if (proof->signals.held[0][k].fin &&
                hbg_verify_formula_reads(&proof->f, way->conditions[i], &proof->signals.held[0][k].fin, 1)) {
                formula own = hbg_verify_process_at(map, false, way->conditions[i]);
                if (own != proof->f.yes)
                    HBG_PUSH(proof->arena, *samples, hbg_verify_process_literal(map, false, own));
                break;
            }
}

/* ---- what a jump chooses --------------------------------------------------------------------------------------- */

typedef struct {
    formula symbol;
    bool told;
} free_symbol;
typedef HBG_VEC(free_symbol) free_symbols;

/* Coefficients and parameters chosen at commits, and the remaining speed where an energy is lost. */
static free_symbols list_free(process_map *map) {
    group_proof *proof = map->proof;
    free_symbols made = {0};
    for (int32_t i = 0; i < proof->chosen.count; i++)
        HBG_PUSH(proof->arena, made, (free_symbol){proof->chosen.items[i].symbol, false});
    for (int32_t i = 0; i < proof->losses.count; i++)
        HBG_PUSH(proof->arena, made, (free_symbol){proof->losses.items[i].coefficient, false});
    return made;
}

static bool way_reads(process_map *map, const path_way *way, formula symbol) {
    group_proof *proof = map->proof;
    for (int32_t i = 0; i < way->condition_count; i++)
        if (hbg_verify_formula_reads(&proof->f, way->conditions[i], &symbol, 1)) return true;
    for (int32_t i = 0; i < proof->system->state_count; i++)
        if (hbg_verify_formula_reads(&proof->f, way->x_plus[i], &symbol, 1)) return true;
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (map->drawn_now[i] && drawn_by(map, way, i) == symbol) return true;
    return false;
}

/* What is known about a free symbol goes with it, and what is known about others that occur there. */
static void add_facts(process_map *map, free_symbols *all, int32_t number, hbg_process_all *into) {
    group_proof *proof = map->proof;
    formulas *f = &proof->f;
    all->items[number].told = true;
    for (int32_t i = 0; i < f->axioms.all.count; i++) {
        formula fact = f->axioms.all.items[i];
        if (!hbg_verify_formula_reads(f, fact, &all->items[number].symbol, 1)) continue;
        HBG_PUSH(proof->arena, *into,
                 hbg_verify_process_literal(map, false, hbg_verify_process_at(map, false, fact)));
        for (int32_t k = 0; k < all->count; k++)
            if (!all->items[k].told && hbg_verify_formula_reads(f, fact, &all->items[k].symbol, 1))
                add_facts(map, all, k, into);
    }
}

/* Free variables of the jump in their intervals, and the parameters after it. */
static void add_choices(process_map *map, const path_way *way, hbg_process_all *into) {
    group_proof *proof = map->proof;
    free_symbols all = list_free(map);
    for (int32_t i = 0; i < proof->model->params.count; i++)
        if (map->drawn_now[i]) {
            formula is = hbg_verify_formula_equal(&proof->f, map->drawn_now[i], drawn_by(map, way, i));
            HBG_PUSH(proof->arena, *into, hbg_verify_process_literal(map, false, is));
        }
    for (int32_t i = 0; i < all.count; i++)
        if (!all.items[i].told && way_reads(map, way, all.items[i].symbol)) add_facts(map, &all, i, into);
}

/* Parameters with one value for a run. */
static void tell_params(process_map *map) {
    const hbg_model *model = map->proof->model;
    for (int32_t i = 0; i < model->choices.count && map->proof->chooses; i++) {
        const hbg_choice *of = &model->choices.items[i];
        double low, high;
        if (of->target.kind != HBG_OBJECT_PARAM || of->anew || !hbg_model_choice_ends(model, of, &low, &high))
            continue;
        HBG_PUSH(map->proof->arena, map->made->warnings,
                 hbg_base_arena_print(map->proof->arena,
                                      "`%s` is one number for a whole run, from %.9g to %.9g",
                                      map->proof->system->params[of->target.index].name, low, high));
    }
}

/* Whether an exit of the mode leads there; else only a run that begins there meets it, and relations are as
 * written. Of an edge alone it stays open whether a trajectory crosses it; one that no trajectory reaches is
 * dropped. */
static bool judge_reach(process_map *map, way_family *family, hbg_process_alternative *made) {
    const hbg_reach_witness *from = NULL;
    int32_t asked = family->exact > 0 ? family->exact : family->met.count;
    if (map->ways.runs_begin_first) return true; // requested are energies that a run has reached
    verify_answer answer = hbg_verify_paths_reach(map->proof, family->met.items, asked, &from);
    made->by_start = answer == ANSWER_NONE && map->made->is_whole;
    made->is_certain = made->by_start || (answer == ANSWER_FOUND && family->exact > 0);
    if (made->by_start) family->regions.count = family->exact;
    return family->regions.count > 0;
}

static void add_alternatives(process_map *map, int32_t number) {
    const path_mode *mode = &map->ways.modes.items[number];
    way_families families = {0};
    for (int32_t i = mode->first_way; i < mode->first_way + mode->way_count; i++)
        if (!map->ways.explorer.ways_found.items[i].stays || !map->ways.explorer.ways_found.items[i].on_edge)
            add_way(map, mode, &map->ways.explorer.ways_found.items[i], &families);
    for (int32_t i = 0; i < families.count; i++) {
        way_family *family = &families.items[i];
        hbg_process_alternative made = {.from = number,
                                        .to = hbg_verify_paths_map_find(&map->ways, family->first->states),
                                        .stays = family->first->stays,
                                        .through = family->through.items,
                                        .through_count = family->through.count};
        if (made.to == HBG_NONE) continue; // beyond the limit
        if (!made.stays && !judge_reach(map, family, &made)) continue;
        made.becomes = becomes(map, family->first, &made.jumps);
        made.when = told(map, false, family->regions.items, family->regions.count);
        add_samples(map, mode, family->first, &made.samples);
        if (map->proof->chooses) add_choices(map, family->first, &made.samples);
        HBG_PUSH(map->proof->arena, map->made->alternatives, made);
    }
}

/* ---- where there is no end ---------------------------------------------------------------------------------------- */

static void add_ends(process_map *map) {
    const path_explorer *e = &map->ways.explorer;
    for (int32_t i = 0; i < e->findings.count; i++) {
        const path_finding *of = &e->findings.items[i];
        for (int32_t k = 0; k < map->ways.modes.count; k++) {
            HBG_VEC(path_region) own = {0};
            for (int32_t m = 0; m < of->regions.count; m++) {
                path_region at = of->regions.items[m];
                if (hbg_verify_paths_map_find(&map->ways, at.start) != k) continue;
                at.known = hbg_verify_process_at(map, false, at.known);
                at.condition = hbg_verify_process_at(map, false, at.condition);
                HBG_PUSH(map->proof->arena, own, at);
            }
            if (own.count == 0) continue;
            hbg_process_end made = {k, of->kind, told(map, false, own.items, own.count)};
            HBG_PUSH(map->proof->arena, map->made->ends, made);
        }
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static void write_down(process_map *map, int32_t clause_limit) {
    group_proof *proof = map->proof;
    hbg_process *made = map->made;
    bool within = hbg_verify_paths_map(&map->ways, clause_limit);
    made->reason = hbg_verify_paths_map_doubt(&map->ways);
    if (made->reason) return;
    if (!within)
        HBG_PUSH(proof->arena, made->warnings,
                 hbg_base_arena_print(proof->arena,
                                      "instants lead to more than %d modes: the others are not listed",
                                      (int)clause_limit));
    for (int32_t i = 0; i < proof->doubts.undefined.count; i++)
        HBG_PUSH(proof->arena, made->warnings,
                 hbg_base_arena_print(proof->arena,
                                      "where an expression has no value (%s) there is no alternative",
                                      proof->doubts.undefined.items[i]));
    made->automaton_count = proof->model->automata.count;
    hbg_verify_process_variables(map);
    tell_params(map);
    for (int32_t i = 0; i < map->ways.modes.count; i++) add_clause(map, &map->ways.modes.items[i]);
    for (int32_t i = 0; i < map->ways.modes.count && !hbg_verify_formulas_spent(&proof->f); i++)
        add_alternatives(map, i);
    add_ends(map);
    made->most_modes = map->ways.explorer.longest_chain;
    made->reason = hbg_verify_formulas_failure(&proof->f);
    if (!made->reason && hbg_verify_formulas_spent(&proof->f)) made->reason = FORMULA_SPENT;
}

/* The modes in which an instant begins: only those requested, or all, or those that follow from where runs
 * start. */
static void begin(process_map *map, const hbg_process_request *request) {
    path_explorer *e = &map->ways.explorer;
    for (int32_t i = 0; i < request->mode_count; i++) hbg_verify_paths_reached(e, request->modes[i]);
    map->ways.runs_begin_first = request->mode_count > 0;
    e->follows = e->ends = request->mode_count == 0;
    map->made->is_whole = request->mode_count > 0 || hbg_verify_paths_begin(e, HBG_PROCESS_MODES);
    map->proof->instant.never_starts = !map->made->is_whole;
}

hbg_process hbg_verify_process(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                               const hbg_model *sorted, const hbg_process_request *request,
                               const hbg_verify_options *options) {
    hbg_process made = {.reason = NULL};
    process_map map = {.made = &made};
    hbg_term_init(&made.terms, arena, 0, 0);
    if (!hbg_eqn_exact_open_whole(eqn)) {
        made.reason = "the mode it starts in has no valid causal assignment";
        return made;
    }
    map.proof = hbg_verify_group_begin(arena, prover, eqn, sorted, options, 0);
    if (!map.proof) {
        made.reason = "there is no memory for the prover";
        return made;
    }
    for (int i = 0; i < 2; i++) hbg_base_pair_map_init(&map.made_of[i], arena);
    map.proof->chooses = request->chooses;
    if (request->chooses) hbg_verify_choices_of_params(map.proof);
    if (request->fixed) hbg_verify_group_fix(map.proof, request->fixed);
    hbg_verify_group_ask(map.proof);
    hbg_verify_paths_map_begin(&map.ways, map.proof);
    begin(&map, request);
    write_down(&map, request->clause_limit);
    made.questions = map.proof->f.account.questions;
    made.seconds = map.proof->f.account.seconds;
    hbg_verify_formulas_end(&map.proof->f);
    return made;
}
