/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * All that the verifier answers, against runs: on random small models with laws that are no straight lines, angles, what throws back,
 * parameters and states with a range. Where it goes wrong is where the run does; where no mode is real none is that the run considers;
 * regions in words are those in numbers; what is within reach is met by a run that flows there, and what is not by none; with a repair
 * nothing goes wrong any more. HBG_VERIFY_GRAPHS=… takes so many models, HBG_VERIFY_SEED=… begins with this one. */
#include "answers_model_impl.h"
#include "answers_words_impl.h"
#include "paths_flow_impl.h"
#include "support/soak.h"

enum { ENOUGH_MODELS = 50, ANSWER_POINTS = 30 };

typedef struct {
    int never, real, words, reached, unreached, repairs, repaired_points;
} answer_count;

static answer_count told;

/* ---- points ---------------------------------------------------------------------------------------------- */

/* The range of a parameter or state by its name; false if it has none. */
static bool range_of(const hbg_model *model, const char *name, double *low, double *high) {
    for (int32_t i = 0; i < model->ranges.count; i++) {
        char text[64] = "";
        hbg_buffer out;
        hbg_arena *arena = model->scratch;
        hbg_base_buffer_init(&out, arena);
        hbg_model_print_expr(model, model->ranges.items[i].value, &out);
        snprintf(text, sizeof text, "%.*s", (int)out.size, out.data);
        if (strcmp(text, name) == 0)
            return hbg_model_constant(model, model->ranges.items[i].low, low) &&
                   hbg_model_constant(model, model->ranges.items[i].high, high);
    }
    return false;
}

/* Somewhere in its range, or at an end of it. */
static double draw_in(const hbg_model *model, const char *name, double low, double high,
                      test_random *random) {
    bool ends = range_of(model, name, &low, &high) && random_chance(random, 15);
    if (ends) return random_chance(random, 50) ? low : high;
    return low + (high - low) * (random_below(random, 1000001) / 1e6);
}

static void draw_answer_point(comparison *c, test_random *random) {
    const hbg_rt_description *system = c->m.system;
    for (int32_t i = 0; i < system->state_count; i++)
        c->x[i] = draw_in(c->m.model, system->states[i].name, -3, 3, random);
    for (int32_t i = 0; i < system->param_count; i++)
        c->params[i] = draw_in(c->m.model, system->params[i].name, 1, 1, random);
    for (int32_t g = 0; g < c->result.group_count; g++) {
        const hbg_group_result *group = &c->result.groups[g];
        const int32_t *states = group->phases[random_below(random, group->phase_count)].states;
        for (int32_t i = 0; i < group->of.automaton_count; i++)
            c->states[group->of.automata[i]] = states[group->of.automata[i]];
    }
}

static bool is_clear(const hbg_condition *condition, const hbg_point *point) {
    return hbg_verify_condition_margin(condition, point) > 1e-6 &&
           !isnan(hbg_verify_condition_value(condition, point));
}

/* ---- the weaker condition ---------------------------------------------------------------------------------- */

/* Whether the run, at an instant that begins where it is, would stay in these states if it considered them first; false: nothing is known. */
static bool stays_there(comparison *c, hbg_rt_instance *run, const int32_t *states, bool *stays) {
    const hbg_rt_description *system = c->m.system;
    double x_plus[NET_BONDS];
    int32_t next[HYBRID_AUTOMATA + 4];
    bool a_priori;
    *stays = false;
    if (hbg_rt_open(run, 0, c->x, true, NULL, 0) != HBG_RT_OK) return false;
    hbg_rt_open_search(run);
    if (hbg_rt_consider(run, states, 0, c->x, x_plus, &a_priori) != HBG_RT_OK ||
        hbg_rt_move(run, states, next, NULL) != HBG_RT_OK)
        return false;
    *stays = memcmp(states, next, (size_t)system->automaton_count * sizeof *next) == 0;
    return true;
}

/* A mode of the group is real for the run, all other automata being where they are. */
static bool has_real_mode(comparison *c, const hbg_group_result *group, bool *real) {
    int32_t states[HYBRID_AUTOMATA + 4];
    bool known = true;
    *real = false;
    for (int32_t i = 0; i < group->phase_count && known && !*real; i++) {
        hbg_rt_instance *run = hbg_code_run(c->m.code);
        assert_non_null(run);
        set_params(c, run);
        memcpy(states, c->states, sizeof states);
        for (int32_t k = 0; k < group->of.automaton_count; k++)
            states[group->of.automata[k]] = group->phases[i].states[group->of.automata[k]];
        known = hbg_rt_enter(run, c->states) == HBG_RT_OK && stays_there(c, run, states, real);
        hbg_rt_free(run);
    }
    return known;
}

/* Other automata may be moved, too: only models of one group say something about it. */
static bool agree_on_real_modes(comparison *c, const hbg_point *point) {
    const hbg_group_result *group = &c->result.groups[0];
    bool never = false, real;
    if (c->result.group_count != 1 || group->undefined_count > 0 || group->of.restitution_count > 0)
        return true;
    for (int32_t i = 0; i < group->never_where_count; i++) {
        const hbg_finding_region *at = &group->never_where[i];
        if (at->start && !begins_there(c, group, at->start)) continue;
        if (!is_clear(at->where, point)) return true;
        never |= hbg_verify_condition_holds(at->where, point);
    }
    for (int32_t i = 0; i < group->phase_count; i++)
        if (!is_clear(group->phases[i].departed, point)) return true;
    if (!never && group->real_mode == HBG_VERDICT_UNDECIDED) return true; // not all of it is known
    if (group->never_where_count == 0 || !has_real_mode(c, group, &real)) return true;
    told.never += never;
    told.real += real;
    if (never && group->real_mode == HBG_VERDICT_PROVED)
        print_error("it was proved that there is none such\n");
    else if (never != real)
        return true;
    print_error("seed %llu: the verifier says that %s mode is real, the run has %s\n",
                (unsigned long long)c->seed, never ? "no" : "some", real ? "one" : "none");
    show_point(c, point);
    return false;
}

/* ---- words --------------------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_rt_description *system;
    const hbg_point *point;
} named_point;

static double value_of(const void *context, const char *name, size_t size) {
    const named_point *at = context;
    for (int32_t i = 0; i < at->system->state_count; i++)
        if (strlen(at->system->states[i].name) == size &&
            strncmp(at->system->states[i].name, name, size) == 0)
            return at->point->states[i];
    for (int32_t i = 0; i < at->system->param_count; i++)
        if (strlen(at->system->params[i].name) == size &&
            strncmp(at->system->params[i].name, name, size) == 0)
            return at->point->params[i];
    return NAN;
}

/* What is told is what is: `holds` in numbers. */
static bool agree_on_words(comparison *c, const hbg_point *point, const char *what, const char *const *texts,
                           int32_t count, bool complete, bool holds) {
    named_point at = {c->m.system, point};
    words_reader reader = {.value_of = value_of, .context = &at};
    bool words = any_words_hold(&reader, texts, count);
    if (reader.unknown || reader.near || words == holds || (!words && !complete)) {
        told.words += !reader.unknown && !reader.near;
        return true;
    }
    print_error("seed %llu: %s %s there in numbers, and %s in words:\n", (unsigned long long)c->seed, what,
                holds ? "is" : "is not", words ? "is" : "is not");
    for (int32_t i = 0; i < count; i++) print_error("  %s\n", texts[i]);
    show_point(c, point);
    return false;
}

/* Of a finding: there from whatever state the instant begins in. */
static bool agree_on_finding(comparison *c, const hbg_point *point, const hbg_finding *finding) {
    bool holds = false;
    for (int32_t k = 0; k < finding->where_count; k++) {
        if (!is_clear(finding->where[k].where, point)) return true;
        holds |= hbg_verify_condition_holds(finding->where[k].where, point);
    }
    return agree_on_words(c, point, hbg_verify_finding_word(finding->kind), finding->region,
                          finding->region_count, finding->region_complete, holds);
}

static bool agree_on_all_words(comparison *c, const hbg_point *point) {
    for (int32_t g = 0; g < c->result.group_count; g++) {
        const hbg_group_result *group = &c->result.groups[g];
        bool never = false, clear = true;
        for (int32_t i = 0; i < group->finding_count; i++)
            if (!agree_on_finding(c, point, &group->findings[i])) return false;
        if (group->undefined_count > 0) continue; // the rest is told where everything has a value
        for (int32_t i = 0; i < group->phase_count; i++) {
            const hbg_phase *phase = &group->phases[i];
            if (!is_clear(phase->departed, point)) return true;
            if (!agree_on_words(c, point, "what is left at once", phase->words, phase->word_count,
                                phase->words_complete, hbg_verify_condition_holds(phase->departed, point)))
                return false;
        }
        for (int32_t i = 0; i < group->never_where_count; i++) {
            clear &= is_clear(group->never_where[i].where, point);
            never |= hbg_verify_condition_holds(group->never_where[i].where, point);
        }
        if (clear && group->real_mode != HBG_VERDICT_UNDECIDED &&
            !agree_on_words(c, point, "where no mode is real", group->never_real, group->never_real_count,
                            group->real_mode == HBG_VERDICT_PROVED || group->never_real_complete, never))
            return false;
    }
    return true;
}

/* ---- reach --------------------------------------------------------------------------------------------------- */

/* What an instant that begins at these energies comes to; false where nothing is known. */
static bool run_from(comparison *c, const double *x, unsigned *kinds, int32_t *states) {
    hbg_rt_search search;
    memcpy(c->x, x, sizeof c->x);
    if (!run_there(c, kinds, &search)) return false;
    memcpy(states, search.states, (size_t)c->m.system->automaton_count * sizeof *states);
    return true;
}

/* A moment before the exit time flows in the mode, and a moment behind it goes wrong. */
static bool is_reached(comparison *c, const hbg_finding *finding, double moment) {
    const hbg_reach_witness *from = finding->reached_from;
    const hbg_rt_description *system = c->m.system;
    double rates[NET_BONDS], before[NET_BONDS] = {0}, behind[NET_BONDS] = {0};
    int32_t states[HYBRID_AUTOMATA + 4];
    unsigned kinds;
    hbg_rt_instance *run = hbg_code_run(c->m.code);
    set_params(c, run);
    bool known =
        hbg_rt_enter(run, c->states) == HBG_RT_OK && hbg_rt_rates(run, 0, from->states, rates) == HBG_RT_OK;
    hbg_rt_free(run);
    if (!known) return false;
    for (int32_t i = 0; i < system->state_count; i++) {
        before[i] = from->states[i] - moment * rates[i];
        behind[i] = from->states[i] + moment * rates[i];
    }
    if (!run_from(c, before, &kinds, states) || kinds != 0) return false;
    if (memcmp(states, c->states, (size_t)system->automaton_count * sizeof *states) != 0) return false;
    return run_from(c, behind, &kinds, states) &&
           kinds != 0; // perhaps something else that is wrong there, earlier
}

static bool agree_on_reach(comparison *c) {
    for (int32_t g = 0; g < c->result.group_count; g++)
        for (int32_t i = 0; i < c->result.groups[g].finding_count; i++) {
            const hbg_finding *finding = &c->result.groups[g].findings[i];
            told.unreached += finding->reachable == HBG_VERDICT_PROVED;
            if (finding->reachable != HBG_VERDICT_WITNESS || c->result.group_count > 1) continue;
            memcpy(c->states, finding->reached_from->start,
                   (size_t)c->m.system->automaton_count * sizeof *c->states);
            memcpy(c->params, finding->reached_from->params,
                   (size_t)c->m.system->param_count * sizeof *c->params);
            bool reached = false;
            for (double moment = 1e-2; moment > 1e-7 && !reached; moment /= 10)
                reached = is_reached(c, finding, moment);
            told.reached += reached;
            if (reached) continue;
            print_error("seed %llu: %s is said to be within reach, and no run goes there from\n",
                        (unsigned long long)c->seed, hbg_verify_finding_word(finding->kind));
            hbg_point point = {
                .states = finding->reached_from->states, .signals = c->signals, .params = c->params};
            show_point(c, &point);
            return false;
        }
    return true;
}

/* ---- repairs ------------------------------------------------------------------------------------------------- */

/* The place of a transition among the guards: automata have two states with one transition each. */
static int guard_of(const comparison *c, const hbg_repair *repair) {
    const hbg_automaton *of = &c->m.model->automata.items[repair->automaton];
    bool second = strcmp(c->m.system->automata[repair->automaton].name, "b") == 0;
    for (int32_t i = 0; i < of->state_count; i++) {
        const hbg_automaton_state *state = &c->m.model->states.items[of->first_state + i];
        const char *name = hbg_base_names_get(c->m.model->names, state->name);
        if (state->first_transition == repair->transition) return 2 * second + (strcmp(name, "x") == 0);
    }
    fail();
    return 0;
}

/* Nothing goes wrong in the model with the repair, wherever it is begun in. */
static bool is_mended(const comparison *before, const answer_model *model, const hbg_group_result *group,
                      const hbg_repair *repair, test_random *random) {
    static comparison c;
    answer_model mended = *model;
    unsigned kinds;
    hbg_rt_search search;
    int guard = guard_of(before, repair);
    bool fine = true;
    snprintf(mended.guards[guard], sizeof mended.guards[guard], "(%.100s) && %.180s", model->guards[guard],
             repair->condition);
    write_answer_text(&mended);
    c = *before; // the groups are those of before
    model_open(&c.m, mended.text);
    told.repairs++;
    for (int i = 0; i < ANSWER_POINTS && fine; i++) {
        draw_answer_point(&c, random);
        if (!run_there(&c, &kinds, &search)) continue;
        told.repaired_points++;
        fine = (kinds & ~(1u << HBG_FINDING_TEMPORAL)) == 0;
    }
    if (!fine) {
        hbg_point point = {.states = c.x, .signals = c.signals, .params = c.params};
        print_error("seed %llu: with the repair && %s it still goes wrong (%s):\n",
                    (unsigned long long)c.seed, repair->condition, search.words);
        show_point(&c, &point);
    }
    model_close(&c.m);
    (void)group;
    return fine;
}

static bool agree_on_repairs(comparison *c, const answer_model *model, test_random *random) {
    for (int32_t g = 0; g < c->result.group_count; g++)
        for (int32_t i = 0; i < c->result.groups[g].finding_count; i++) {
            const hbg_repair *repair = &c->result.groups[g].findings[i].repair;
            if (!repair->condition || c->result.group_count > 1) continue;
            if (strlen(repair->condition) > 170) continue;
            if (!is_mended(c, model, &c->result.groups[g], repair, random)) return false;
        }
    return true;
}

/* ---- one model ----------------------------------------------------------------------------------------------- */

static bool examine_points(comparison *c, const answer_model *model, test_random *random) {
    bool fine = true;
    for (int i = 0; i < ANSWER_POINTS && fine; i++) {
        draw_answer_point(c, random);
        hbg_point point = {.states = c->x, .signals = c->signals, .params = c->params};
        fine = compare(c) && agree_on_real_modes(c, &point);
        // a number that a source holds since earlier is 0 where a run begins, and not in words
        if (fine && !strstr(model->elements, "pre(")) fine = agree_on_all_words(c, &point);
        if (fine && i % 6 == 0) fine = follow_run(c, random);
    }
    return fine && agree_on_reach(c) && agree_on_repairs(c, model, random);
}

static bool examine_answers(comparison *c, const answer_model *model, test_random *random) {
    hbg_verify_options limits = hbg_verify_options_default();
    jmp_buf guard;
    model_open(&c->m, model->text);
    bool soak = getenv("HBG_VERIFY_SEED");
    limits.timeout_ms = soak ? 500 : 200;
    limits.group_ms = soak ? 4000 : 1000;
    hbg_verify_prover *prover = hbg_verify_prover_new(&c->m.memory);
    assert_non_null(prover);
    if (HBG_GUARD(&c->m.memory, guard)) fail();
    c->sets_params = true;
    c->result = hbg_verify_consistency(&c->m.arena, prover, c->m.eqn, c->m.model, &limits);
    HBG_GUARD_END(&c->m.memory);
    count_verdicts(c);
    bool fine = examine_points(c, model, random);
    if (!fine) print_error("%s\n", model->text);
    hbg_verify_prover_free(prover);
    model_close(&c->m);
    return fine;
}

static void every_answer_is_borne_out_by_runs(void **state) {
    (void)state;
    static comparison c;
    statistics count = {0};
    const char *graphs = getenv("HBG_VERIFY_GRAPHS"), *seed = getenv("HBG_VERIFY_SEED");
    int wanted = graphs ? atoi(graphs) : trials(8, 16), failed = 0;
    uint64_t first = seed ? strtoull(seed, NULL, 10) : 50000;
    c.count = &count;
    for (int i = 0; i < wanted && failed < 5; i++) {
        static answer_model model;
        test_random random = {first + (uint64_t)i};
        c.seed = first + (uint64_t)i;
        draw_answer_model(&model, c.seed, &random);
        failed += !examine_answers(&c, &model, &random);
    }
    print_message("%d models: %d proved, %d violated, %d undecided; %d points, %d wrong, %d left out\n",
                  count.graphs, count.proved, count.violated, count.undecided, count.samples, count.wrong,
                  count.skipped);
    print_message(
        "no real mode at %d points, some at %d; %d regions in words; %d within reach, %d not; %d repairs\n",
        told.never, told.real, told.words, told.reached, told.unreached, told.repairs);
    assert_int_equal(failed, 0);
    if (count.graphs < ENOUGH_MODELS) return;
    assert_true(5 * count.violated > count.graphs && 20 * count.proved > count.graphs);
    assert_true(4 * count.undecided < count.groups && 3 * count.skipped < count.samples);
    assert_true(told.never > 20 && told.real > 20 && told.words > 200);
    assert_true(told.reached > 5 && told.unreached > 0 && told.repairs > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_answer_is_borne_out_by_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
