/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The linear form: alternatives of parts multiply, what does not switch is conjoined once. A product is a jump and a clause; products
 * with the same modes before and after are one alternative, and jumps that are the same relation have one name. */
#include "verify/paper_impl.h"

#define MODE_LIMIT 65536

/* ---- modes -------------------------------------------------------------------------------------------------------------- */

/* On comes first, as in 003. */
static const int32_t *modes_of(paper_linear *linear, int32_t number) {
    paper_work *work = linear->work;
    int32_t *modes = HBG_NEW_ARRAY(work->arena, int32_t, work->switches.count + 1);
    for (int32_t i = work->switches.count - 1; i >= 0; i--) {
        const paper_switch *of = &work->switches.items[i];
        modes[i] = number % of->modes;
        number /= of->modes;
        if (of->kind == PAPER_JUNCTION) modes[i] = 1 - modes[i];
    }
    return modes;
}

static int32_t start_of(const paper_work *work) {
    int32_t number = 0;
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *of = &work->switches.items[i];
        int32_t start = of->automaton == HBG_NONE ? 0 : work->model->automata.items[of->automaton].start;
        int32_t digit = of->kind == PAPER_AUTOMATON  ? start
                        : of->kind == PAPER_JUNCTION ? of->modes > 1 && of->states[0] == start
                                                     : 0;
        number = number * of->modes + digit;
    }
    return number;
}

static const char *mode_text(paper_work *work, const int32_t *modes) {
    hbg_buffer text;
    const hbg_model *model = work->model;
    hbg_base_buffer_init(&text, work->arena);
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *of = &work->switches.items[i];
        if (of->automaton == HBG_NONE) continue;
        int32_t state = of->kind == PAPER_AUTOMATON  ? modes[i]
                        : of->kind == PAPER_JUNCTION ? of->states[modes[i]]
                                                     : of->states[0];
        if (state == HBG_NONE) continue;
        hbg_base_buffer_print(
            &text, "%s%s=%s", text.size > 0 ? "," : "",
            hbg_verify_paper_path(work, HBG_OBJECT_AUTOMATON, of->automaton),
            hbg_base_names_get(
                model->names,
                model->states.items[model->automata.items[of->automaton].first_state + state].name));
    }
    return text.data ? text.data : "";
}

static int32_t add_clause(paper_linear *linear, int32_t number) {
    paper_work *work = linear->work;
    paper_clause clause = {.modes = modes_of(linear, number)};
    hbg_verify_paper_clause(work, &clause);
    hbg_paper_clause told = hbg_verify_paper_tell_clause(work, &clause);
    told.mode = mode_text(work, clause.modes);
    HBG_PUSH(work->arena, linear->clauses, clause);
    HBG_PUSH(work->arena, work->made->clauses, told);
    return linear->clauses.count - 1;
}

/* ---- alternatives ---------------------------------------------------------------------------------------------------------- */

typedef struct { /* rows between two modes: which of them for each switch */
    paper_linear *linear;
    int32_t before, after;    /* clauses */
    const int32_t *from, *to; /* by switch: its mode on both sides */
    const paper_row **rows;   /* by switch: the row that is taken */
    int32_t bounces;          /* of switches with restitution, as bits: these have an impact */
} choosing;

static bool fits(const choosing *c, int32_t number, const paper_row *row) {
    return row->before == c->from[number] && row->after == c->to[number];
}

/* Every product of rows that fit, each one case of the jump. */
static void collect(choosing *c, int32_t number, int32_t bounce, paper_jump *jump) {
    paper_work *work = c->linear->work;
    if (number == work->switches.count) {
        paper_product of = {&c->linear->clauses.items[c->before], &c->linear->clauses.items[c->after],
                            c->rows, number};
        HBG_PUSH(work->arena, jump->cases, hbg_verify_paper_case(work, &of));
        work->made->composed++;
        return;
    }
    const paper_switch *of = &work->switches.items[number];
    bool bounces = of->kind == PAPER_BOUNCE;
    for (int32_t i = 0; i < of->rows.count; i++) {
        const paper_row *row = &of->rows.items[i];
        if (!fits(c, number, row) || (bounces && row->impact != ((c->bounces >> bounce) & 1))) continue;
        c->rows[number] = row;
        collect(c, number + 1, bounce + bounces, jump);
    }
}

/* Predicates before: those of any row between these modes. */
static void tell_before(choosing *c, hbg_paper_alternative *told, formula *before) {
    paper_work *work = c->linear->work;
    formulas *f = &work->proof->f;
    int32_t bounce = 0;
    *before = f->yes;
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *of = &work->switches.items[i];
        int32_t taken = HBG_NONE;
        for (int32_t k = 0; k < of->rows.count && taken == HBG_NONE; k++)
            if (fits(c, i, &of->rows.items[k]) &&
                (of->kind != PAPER_BOUNCE || of->rows.items[k].impact == ((c->bounces >> bounce) & 1)))
                taken = k;
        bounce += of->kind == PAPER_BOUNCE;
        const hbg_process_all *all = &of->rows.items[taken].told.before;
        told->impact = told->impact || of->rows.items[taken].impact;
        for (int32_t k = 0; k < all->count; k++) {
            HBG_PUSH(work->arena, told->when, all->items[k]);
            *before = hbg_verify_formula_and(f, *before, hbg_verify_paper_holds(work, all->items[k]));
        }
    }
}

static int32_t name_jump(paper_linear *linear, const paper_jump *jump) {
    paper_work *work = linear->work;
    for (int32_t i = 0; i < linear->jumps.count; i++)
        if (hbg_verify_paper_same_jump(work, jump, &linear->jumps.items[i], false)) return i;
    hbg_paper_jump told = hbg_verify_paper_tell_jump(work, jump);
    int32_t own = linear->jumps.count;
    told.on_energies = own;
    for (int32_t i = 0; i < own && told.on_energies == own; i++)
        if (hbg_verify_paper_same_jump(work, jump, &linear->jumps.items[i], true)) told.on_energies = i;
    work->made->distinct_on_energies += told.on_energies == own;
    HBG_PUSH(work->arena, linear->jumps, *jump);
    HBG_PUSH(work->arena, work->made->jumps, told);
    return own;
}

formula hbg_verify_paper_behind(paper_linear *linear, int32_t clause, bool sure) {
    const paper_clause *of = &linear->clauses.items[clause];
    return hbg_verify_formula_and(&linear->work->proof->f, of->hidden, sure ? of->entry_sure : of->entry);
}

/* Whether something is possible, for certain or as far as entries are decided. */
static hbg_answer can_be(paper_linear *linear, formula a, int32_t behind, bool *entry_open) {
    formulas *f = &linear->work->proof->f;
    formula sure = hbg_verify_formula_and(f, a, hbg_verify_paper_behind(linear, behind, true));
    formula open = hbg_verify_formula_and(f, a, hbg_verify_paper_behind(linear, behind, false));
    verify_answer answer = hbg_verify_formulas_check(f, sure);
    if (answer == ANSWER_FOUND) return HBG_PROVED;
    verify_answer other = hbg_verify_formulas_check(f, open);
    *entry_open = answer == ANSWER_NONE && other == ANSWER_FOUND;
    return other == ANSWER_NONE ? HBG_VIOLATED : HBG_NOT_DECIDED;
}

/* Discrete variables before, as a clause has them. */
static formula with_modes(paper_work *work, const paper_clause *clause, formula a) {
    formulas *f = &work->proof->f;
    for (int32_t i = 0; i < work->switches.count; i++) {
        const paper_switch *of = &work->switches.items[i];
        for (int32_t k = 0; k < of->modes && of->kind == PAPER_AUTOMATON; k++) {
            int32_t variable = work->at.discrete[work->model->automata.items[of->automaton].first_state + k];
            if (variable == HBG_NONE) continue;
            a = hbg_verify_formula_replace(f, a, 1, &work->map.before.items[variable],
                                           clause->modes[i] == k ? &f->yes : &f->no);
        }
    }
    return a;
}

static void add_alternative(choosing *c) {
    paper_linear *linear = c->linear;
    paper_work *work = linear->work;
    formulas *f = &work->proof->f;
    hbg_paper_alternative told = {.before = c->before, .after = c->after};
    paper_jump jump = {0};
    formula before;
    collect(c, 0, 0, &jump);
    hbg_verify_paper_drop_cases(work, &jump);
    told.jump = name_jump(linear, &jump);
    tell_before(c, &told, &before);
    before = with_modes(work, &linear->clauses.items[c->before], before);
    formula relation = hbg_verify_paper_on_energies(work, &jump);
    told.feasible = can_be(linear, hbg_verify_formula_and(f, before, relation), c->after, &told.entry_open);
    HBG_PUSH(work->arena, linear->befores, before);
    HBG_PUSH(work->arena, linear->relations, relation);
    HBG_PUSH(work->arena, work->made->alternatives, told);
}

enum { MOST_BOUNCES = 20 };

static int32_t limit_of(const paper_work *work) {
    return work->request->limit > 0 ? work->request->limit : HBG_PAPER_LIMIT;
}

/* Everything between two clauses: one, and one more for each set of impacts. False: no row leads there. */
static bool add_between(paper_linear *linear, int32_t before, int32_t after) {
    paper_work *work = linear->work;
    int32_t count = work->switches.count, bounces = 0;
    if (hbg_verify_formulas_spent(&work->proof->f)) return false;
    int32_t *from = HBG_NEW_ARRAY(work->arena, int32_t, count + 1),
            *to = HBG_NEW_ARRAY(work->arena, int32_t, count + 1);
    choosing c = {.linear = linear, .before = before, .after = after, .from = from, .to = to};
    c.rows = HBG_NEW_ARRAY(work->arena, const paper_row *, count + 1);
    for (int32_t i = 0; i < count; i++) {
        bool any = false;
        from[i] = hbg_verify_paper_mode_of(work, linear->clauses.items[before].modes, i);
        to[i] = hbg_verify_paper_mode_of(work, linear->clauses.items[after].modes, i);
        for (int32_t k = 0; k < work->switches.items[i].rows.count && !any; k++)
            any = fits(&c, i, &work->switches.items[i].rows.items[k]);
        if (!any) return false;
        bounces += work->switches.items[i].kind == PAPER_BOUNCE;
    }
    int32_t ways = 1 << (bounces < MOST_BOUNCES ? bounces : MOST_BOUNCES), limit = limit_of(work);
    for (c.bounces = 0; c.bounces < ways && work->made->alternatives.count < limit; c.bounces++)
        add_alternative(&c);
    if (c.bounces < ways || bounces > MOST_BOUNCES) work->made->is_whole = false; // each contact doubles them
    return true;
}

/* ---- edges -------------------------------------------------------------------------------------------------------------------- */

formula hbg_verify_paper_before_in(paper_linear *linear, int32_t alternative, int32_t clause) {
    paper_work *work = linear->work;
    formulas *f = &work->proof->f;
    const paper_clause *of = &linear->clauses.items[clause];
    formula before = linear->befores.items[alternative];
    paper_formulas from = {0}, to = {0};
    for (int32_t i = 0; i < work->map.symbols.count; i++) {
        hbg_process_role role = work->made->process.variables.items[i].role;
        if (role != HBG_PROCESS_BOND) continue;
        HBG_PUSH(work->arena, from, work->map.before.items[i]);
        HBG_PUSH(
            work->arena, to,
            hbg_verify_paper_before(work, hbg_verify_paper_put(&of->system, work->map.symbols.items[i])));
    }
    before = hbg_verify_formula_replace(f, before, from.count, from.items, to.items);
    return hbg_verify_formula_and(
        f, before, hbg_verify_paper_before(work, hbg_verify_formula_and(f, of->hidden, of->predicate)));
}

/* An automaton that is a separate process stays where it was. */
static bool is_where_it_was(const paper_linear *linear, int32_t clause,
                            const hbg_paper_alternative *alternative) {
    const int32_t *own = linear->clauses.items[clause].modes,
                  *other = linear->clauses.items[alternative->before].modes;
    for (int32_t i = 0; i < linear->work->switches.count; i++)
        if (linear->work->switches.items[i].kind == PAPER_AUTOMATON && own[i] != other[i]) return false;
    return true;
}

static formula some_jump(paper_work *work) {
    formulas *f = &work->proof->f;
    formula some = f->no;
    for (int32_t i = 0; i < work->map.symbols.count; i++)
        if (work->made->process.variables.items[i].role == HBG_PROCESS_ENERGY)
            some = hbg_verify_formula_or(
                f, some,
                hbg_verify_formula_not(
                    f, hbg_verify_formula_equal(f, work->map.symbols.items[i], work->map.before.items[i])));
    return some;
}

static void add_edges(paper_linear *linear, int32_t alternative) {
    paper_work *work = linear->work;
    formulas *f = &work->proof->f;
    const hbg_paper_alternative *of = &work->made->alternatives.items[alternative];
    bool moves = work->made->jumps.items[of->jump].moves, open;
    if (of->feasible == HBG_VIOLATED) return;
    for (int32_t i = 0; i < linear->clauses.count; i++) {
        hbg_paper_edge edge = {.from = i, .alternative = alternative, .jumps = HBG_VIOLATED};
        if (work->made->clauses.items[i].flows == HBG_VIOLATED || !is_where_it_was(linear, i, of)) continue;
        formula all = hbg_verify_formula_and(f, hbg_verify_paper_before_in(linear, alternative, i),
                                             linear->relations.items[alternative]);
        hbg_answer is = can_be(linear, all, of->after, &open);
        if (is == HBG_VIOLATED) continue;
        edge.certain = is == HBG_PROVED;
        if (moves)
            edge.jumps = can_be(linear, hbg_verify_formula_and(f, all, some_jump(work)), of->after, &open);
        HBG_PUSH(work->arena, work->made->edges, edge);
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------------ */

static void compose_whole(paper_linear *linear) {
    for (int32_t i = 0; i < linear->mode_count; i++) add_clause(linear, i);
    for (int32_t i = 0; i < linear->mode_count; i++)
        for (int32_t k = 0; k < linear->mode_count; k++) add_between(linear, i, k);
    linear->work->made->start = start_of(linear->work);
}

/* From the start mode on, breadth first, up to the limit of alternatives. */
static void compose_reach(paper_linear *linear, int32_t limit) {
    paper_work *work = linear->work;
    int32_t *clause_of = HBG_NEW_ARRAY(work->arena, int32_t, linear->mode_count);
    for (int32_t i = 0; i < linear->mode_count; i++) clause_of[i] = HBG_NONE;
    clause_of[start_of(work)] = add_clause(linear, start_of(work));
    bool *seen = HBG_NEW_ARRAY(work->arena, bool, linear->mode_count);
    for (int32_t i = 0; i < linear->clauses.count; i++) {
        if (seen[i]) continue;
        for (int32_t k = 0; k < linear->mode_count && work->made->alternatives.count < limit; k++) {
            if (clause_of[k] == HBG_NONE) clause_of[k] = add_clause(linear, k);
            add_between(linear, i, clause_of[k]);
            if (linear->clauses.count >= limit) break;
        }
        seen[i] = true;
        if (work->made->alternatives.count >= limit) break;
    }
}

void hbg_verify_paper_compose(paper_linear *linear) {
    paper_work *work = linear->work;
    int32_t limit = limit_of(work);
    linear->mode_count = 1;
    for (int32_t i = 0; i < work->switches.count; i++) {
        linear->mode_count *= work->switches.items[i].modes;
        if (linear->mode_count <= MODE_LIMIT) continue;
        work->made->reason = "it has more than 65536 modes";
        return;
    }
    work->made->is_whole = (int64_t)linear->mode_count * linear->mode_count <= limit;
    if (work->made->is_whole)
        compose_whole(linear);
    else
        compose_reach(linear, limit);
    for (int32_t i = 0; i < work->made->alternatives.count; i++) add_edges(linear, i);
    if (hbg_verify_formulas_spent(&work->proof->f)) work->made->reason = FORMULA_SPENT;
    hbg_verify_paper_include(linear);
    hbg_verify_paper_differ(linear);
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------------------- */

static bool is_named(const char *list, const char *name) {
    size_t size = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at++)
        if ((at == list || at[-1] == ',') && (at[size] == 0 || at[size] == ',')) return true;
    return false;
}

static void keep_bonds(paper_work *work) {
    int32_t count = work->model->bonds.count;
    const char *keep = work->request->keep;
    work->kept = HBG_NEW_ARRAY(work->arena, bool, count + 1);
    for (int32_t i = 0; i < count; i++) {
        const char *effort = work->made->process.variables.items[work->at.effort[i]].name;
        const char *name = hbg_base_arena_copy(work->arena, effort, strlen(effort) - 2);
        work->kept[i] =
            !keep ? count <= HBG_PAPER_FEW_BONDS : strcmp(keep, "all") == 0 || is_named(keep, name);
    }
}

static void look_at_laws(paper_work *work, const hbg_process_all *laws) {
    hbg_process *of = &work->made->process;
    for (int32_t i = 0; i < laws->count && !work->has_bonds_in_jumps; i++) {
        hbg_term_walk(&of->terms, laws->items[i]);
        for (int32_t k = 0; k < of->terms.walk.count; k++) {
            const term_node *node = &of->terms.nodes.items[of->terms.walk.items[k]];
            if (node->op == TERM_VARIABLE &&
                of->variables.items[hbg_process_variable_of(node->a)].role == HBG_PROCESS_BOND)
                work->has_bonds_in_jumps = true;
        }
    }
}

static void find_bonds_in_jumps(paper_work *work) {
    look_at_laws(work, &work->jump);
    for (int32_t i = 0; i < work->switches.count; i++)
        for (int32_t k = 0; k < work->switches.items[i].rows.count; k++)
            look_at_laws(work, &work->switches.items[i].rows.items[k].told.jump);
}

paper_work *hbg_verify_paper_begin(hbg_arena *arena, hbg_verify_prover *prover, const hbg_model *sorted,
                                   const hbg_paper_request *request, const hbg_verify_options *options,
                                   hbg_paper *made) {
    paper_work *work = HBG_NEW(arena, paper_work);
    work->arena = arena;
    work->model = sorted;
    work->request = request;
    work->made = made;
    work->proof = HBG_NEW(arena, group_proof);
    work->proof->arena = arena;
    work->proof->model = sorted;
    made->reading = request->reading;
    hbg_term_init(&made->process.terms, arena, 0, 0);
    if (!hbg_verify_formulas_begin(&work->proof->f, prover, arena, options)) return NULL;
    hbg_verify_formulas_allow(&work->proof->f, 1e-3 * options->group_ms);
    hbg_base_pair_map_init(&work->number_of, arena);
    work->map = (process_map){.proof = work->proof, .made = &made->process};
    for (int i = 0; i < 2; i++) hbg_base_pair_map_init(&work->map.made_of[i], arena);
    hbg_verify_paper_variables(work);
    hbg_verify_paper_parts(work);
    hbg_verify_paper_find_switches(work);
    hbg_verify_paper_find_jumping(work);
    hbg_verify_paper_switches(work);
    keep_bonds(work);
    find_bonds_in_jumps(work);
    return work;
}

/* A restitution is free in its jump. All else that is left open has its value without a decision in the
 * composition. */
static void note_choices(paper_work *work) {
    const hbg_model *model = work->model;
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *of = &model->choices.items[i];
        double low, high;
        if (of->target.kind != HBG_OBJECT_PARAM || !hbg_model_choice_ends(model, of, &low, &high)) continue;
        hbg_verify_paper_note(work,
                              "`%s` is left open from %.9g to %.9g: here it is %.9g, what counts without a "
                              "decision; form exact has it free",
                              hbg_verify_paper_path(work, HBG_OBJECT_PARAM, of->target.index), low, high,
                              model->param_values[of->target.index]);
    }
}

hbg_paper hbg_verify_paper(hbg_arena *arena, hbg_verify_prover *prover, const hbg_model *sorted,
                           const hbg_paper_request *request, const hbg_verify_options *options) {
    hbg_paper made = {.reason = NULL};
    paper_work *work = hbg_verify_paper_begin(arena, prover, sorted, request, options, &made);
    if (!work) {
        made.reason = "there is no memory for the prover";
        return made;
    }
    paper_linear linear = {.work = work};
    note_choices(work);
    made.reason = work->refused;
    if (!made.reason && !request->composition_only) hbg_verify_paper_compose(&linear);
    const char *failure = hbg_verify_formulas_failure(&work->proof->f);
    if (failure) made.reason = failure;
    made.questions = work->proof->f.account.questions;
    made.seconds = work->proof->f.account.seconds;
    hbg_verify_formulas_end(&work->proof->f);
    return made;
}
