/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What ends a state of rest. Storages stand still there in one mode, with samples held and time stopped; the
 * rest of the model may still change: a guard may hold, a wait may end, a sample may take another value, a
 * source may follow `time`. */
#include <math.h>
#include <string.h>

#include "api/steady_impl.h"
#include "rt/bands.h"

typedef struct {
    hbg_session *session;
    const hbg_run_state *run;
    double t;
    const double *x;
    const int32_t *states;
    bool *told; /* by automaton */
    hbg_steady_exits *exits;
} looker;

static void add(looker *look, hbg_steady_exit_kind kind, const char *what, const char *text) {
    hbg_steady_exit one = {kind, what, text};
    HBG_PUSH(&look->session->scratch, *look->exits, one);
}

/* ---- automata ----------------------------------------------------------------------------------------- */

/* The targets of automata that have an enabled transition at this time; a mode that cannot be judged moves
 * nothing. */
static hbg_rt_status judge(looker *look, double t, int32_t *next) {
    const hbg_rt_description *system = look->run->system;
    hbg_rt_instance *instance = look->run->instance;
    double *x_plus = HBG_NEW_ARRAY(&look->session->scratch, double, system->state_count + 1);
    bool a_priori;
    memcpy(next, look->states, (size_t)system->automaton_count * sizeof *next);
    hbg_rt_status status = hbg_rt_enter(instance, look->states);
    if (status == HBG_RT_OK) status = hbg_rt_open(instance, t, look->x, true, NULL, 0);
    if (status != HBG_RT_OK) return status;
    hbg_rt_open_search(instance);
    status = hbg_rt_consider(instance, look->states, t, look->x, x_plus, &a_priori);
    return status == HBG_RT_OK ? hbg_rt_move(instance, look->states, next, NULL) : status;
}

static const hbg_automaton_state *state_of(const looker *look, int32_t automaton) {
    const hbg_model *model = look->run->model;
    return &model->states.items[model->automata.items[automaton].first_state + look->states[automaton]];
}

/* The transition taken: the first to that state, with a wait or without. */
static const hbg_transition *transition_to(const looker *look, int32_t automaton, int32_t target,
                                           bool waits) {
    const hbg_automaton_state *state = state_of(look, automaton);
    for (int32_t i = 0; i < state->transition_count; i++) {
        const hbg_transition *one = &look->run->model->transitions.items[state->first_transition + i];
        if (one->target == target && (one->after != HBG_NONE) == waits) return one;
    }
    return NULL;
}

static void tell_move(looker *look, int32_t automaton, int32_t target, hbg_steady_exit_kind kind) {
    bool waits = kind == HBG_EXIT_WAIT;
    const hbg_rt_automaton *of = &look->run->system->automata[automaton];
    const hbg_transition *taken = transition_to(look, automaton, target, waits);
    const hbg_model *model = look->run->model;
    hbg_buffer text;
    double after;
    hbg_base_buffer_init(&text, &look->session->scratch);
    hbg_base_buffer_print(&text, "`%s` goes from `%s` to `%s`", of->name, of->states[look->states[automaton]],
                          of->states[target]);
    if (taken && taken->after != HBG_NONE && hbg_model_constant(model, taken->after, &after))
        hbg_base_buffer_print(&text, " after %s", hbg_api_run_value_text(look->session, after, "s"));
    if (taken && taken->guard != HBG_NONE) {
        hbg_base_buffer_text(&text, taken->after != HBG_NONE ? ", since " : ": ");
        hbg_model_print_expr(model, taken->guard, &text);
        hbg_base_buffer_text(&text, kind == HBG_EXIT_TIME ? " will hold as time goes on" : " holds here");
    }
    look->told[automaton] = true;
    add(look, kind, of->name, text.data);
}

/* The longest wait in the present states that was not reported yet; 0 if there is none. */
static double longest_wait(const looker *look) {
    const hbg_model *model = look->run->model;
    double longest = 0, after;
    for (int32_t a = 0; a < model->automata.count; a++) {
        const hbg_automaton_state *state = state_of(look, a);
        for (int32_t i = 0; i < state->transition_count && !look->told[a]; i++) {
            hbg_expr wait = model->transitions.items[state->first_transition + i].after;
            if (wait != HBG_NONE && hbg_model_constant(model, wait, &after)) longest = fmax(longest, after);
        }
    }
    return longest;
}

/* Automata that move when this much time has passed, and were not reported yet. */
static hbg_rt_status find_moves(looker *look, double wait, hbg_steady_exit_kind kind) {
    const hbg_rt_description *system = look->run->system;
    if (!system->has_events) return HBG_RT_OK;
    int32_t *next = HBG_NEW_ARRAY(&look->session->scratch, int32_t, system->automaton_count + 1);
    hbg_rt_status status = judge(look, look->t + wait, next);
    for (int32_t a = 0; a < system->automaton_count && status == HBG_RT_OK; a++) {
        if (look->told[a] || next[a] == look->states[a]) continue;
        if (transition_to(look, a, next[a], kind == HBG_EXIT_WAIT)) tell_move(look, a, next[a], kind);
    }
    return status;
}

static hbg_rt_status find_waits(looker *look) {
    double wait = longest_wait(look);
    return wait > 0 ? find_moves(look, wait * (1 + HBG_RT_BEFORE), HBG_EXIT_WAIT) : HBG_RT_OK;
}

/* ---- samples ------------------------------------------------------------------------------------------ */

static bool differ(const looker *look, const double *from, const double *to) {
    double largest = 0;
    for (int32_t i = 0; i < look->run->system->state_count; i++) {
        double size = fmax(fabs(from[i]), fabs(to[i]));
        if (size > 0) largest = fmax(largest, fabs(to[i] - from[i]) / size);
    }
    return largest > HBG_RT_AT_REST;
}

/* Whether the point of rest is different, or missing, once all samples were taken anew. */
static hbg_rt_status moves_on(looker *look, bool *moves) {
    const hbg_rt_description *system = look->run->system;
    size_t size = (size_t)system->state_count * sizeof(double);
    double *x = HBG_NEW_ARRAY(&look->session->scratch, double, system->state_count + 1);
    char words[HBG_RT_WORDS];
    memcpy(x, look->x, size);
    hbg_rt_thaw(look->run->instance);
    hbg_rt_status status =
        hbg_sim_steady(&look->session->scratch, system, look->run->instance, look->t, x, words, sizeof words);
    if (status == HBG_RT_NO_MEMORY) return status;
    *moves = status != HBG_RT_OK || differ(look, look->x, x);
    return HBG_RT_OK;
}

/* Takes one sample after the other and reports those that change the rates; one may follow another, hence
 * twice. */
static hbg_rt_status take_samples(looker *look, bool *changes) {
    const hbg_rt_description *system = look->run->system;
    hbg_rt_instance *instance = look->run->instance;
    size_t count = (size_t)system->state_count;
    double *before = HBG_NEW_ARRAY(&look->session->scratch, double, count + 1),
           *after = HBG_NEW_ARRAY(&look->session->scratch, double, count + 1);
    hbg_rt_status status = hbg_rt_rates(instance, look->t, look->x, before);
    for (int32_t i = 0; i < 2 * system->clock_count && status == HBG_RT_OK; i++) {
        int32_t clock = i % system->clock_count;
        status = hbg_rt_tick(instance, look->t, look->x, &clock, 1);
        if (status == HBG_RT_OK) status = hbg_rt_rates(instance, look->t, look->x, after);
        if (status != HBG_RT_OK) break;
        changes[clock] |= memcmp(before, after, count * sizeof *after) != 0;
        memcpy(before, after, count * sizeof *after);
    }
    return status;
}

static hbg_rt_status find_samples(looker *look) {
    const hbg_rt_description *system = look->run->system;
    if (system->clock_count == 0) return HBG_RT_OK;
    bool *changes = HBG_NEW_ARRAY(&look->session->scratch, bool, system->clock_count), moves = false;
    hbg_rt_status status = hbg_rt_enter(look->run->instance, look->states); // an instant was open
    hbg_rt_thaw(look->run->instance);
    if (status == HBG_RT_OK) status = take_samples(look, changes);
    if (status == HBG_RT_OK) status = moves_on(look, &moves);
    for (int32_t i = 0; i < system->clock_count && status == HBG_RT_OK && moves; i++) {
        if (!changes[i]) continue;
        const char *period = hbg_api_run_value_text(look->session, system->clocks[i].period, "s");
        add(look, HBG_EXIT_SAMPLE, system->clocks[i].name,
            hbg_base_arena_print(
                &look->session->scratch,
                "`%s`, taken every %s, was held so far; taken again here it is another value",
                system->clocks[i].name, period));
    }
    return status;
}

/* ---- time --------------------------------------------------------------------------------------------- */

/* Soon and late, since the pace of a formula is not known. */
static const double later[] = {1.234567e-9, 7.31e-7, 3.17e-5, 1.93e-3, // exact: times, s
                               0.0871,      0.611,   3.77,    211,     9773};
enum { LATER = sizeof later / sizeof *later };

/* Whether the field differs at another time. */
static hbg_rt_status find_time(looker *look) {
    const hbg_rt_description *system = look->run->system;
    hbg_rt_instance *instance = look->run->instance;
    size_t count = (size_t)system->state_count;
    double *now = HBG_NEW_ARRAY(&look->session->scratch, double, count + 1),
           *then = HBG_NEW_ARRAY(&look->session->scratch, double, count + 1);
    hbg_rt_status status = hbg_rt_rates(instance, look->t, look->x, now);
    for (int i = 0; i < LATER && status == HBG_RT_OK; i++) {
        bool known = hbg_rt_rates(instance, look->t + later[i], look->x, then) == HBG_RT_OK;
        if (!known || memcmp(now, then, count * sizeof *now) == 0) continue;
        add(look, HBG_EXIT_TIME, "time",
            hbg_base_arena_print(&look->session->scratch,
                                 "time stands still at %s here; what follows `time` goes on",
                                 hbg_api_run_value_text(look->session, look->t, "s")));
        return HBG_RT_OK;
    }
    return status;
}

/* Guards that only time makes true. */
static hbg_rt_status find_later_moves(looker *look) {
    hbg_rt_status status = HBG_RT_OK;
    for (int i = 0; i < LATER && status == HBG_RT_OK; i++) status = find_moves(look, later[i], HBG_EXIT_TIME);
    return status;
}

static looker look_from(hbg_session *session, double t, const double *x, const int32_t *states,
                        hbg_steady_exits *exits) {
    looker look = {.session = session, .run = session->run, .t = t, .x = x, .states = states, .exits = exits};
    look.told = HBG_NEW_ARRAY(&session->scratch, bool, session->run->system->automaton_count + 1);
    return look;
}

hbg_status hbg_api_steady_find_guards(hbg_session *session, double t, const double *x, const int32_t *states,
                                      hbg_steady_exits *exits) {
    looker look = look_from(session, t, x, states, exits);
    hbg_rt_status status = find_moves(&look, 0, HBG_EXIT_GUARD);
    return status == HBG_RT_NO_MEMORY ? HBG_NO_MEMORY : HBG_OK;
}

hbg_status hbg_api_steady_find_exits(hbg_session *session, double t, const double *x, const int32_t *states,
                                     hbg_steady_exits *exits) {
    looker look = look_from(session, t, x, states, exits);
    hbg_rt_status status = find_time(&look);
    if (status == HBG_RT_OK) status = find_moves(&look, 0, HBG_EXIT_GUARD);
    if (status == HBG_RT_OK) status = find_samples(&look);
    if (status == HBG_RT_OK) // those that react to samples, or periodically
        status = find_moves(&look, 0, HBG_EXIT_GUARD);
    if (status == HBG_RT_OK) status = find_waits(&look);
    if (status == HBG_RT_OK) status = find_later_moves(&look);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    return HBG_OK; // what cannot be judged ends nothing: a run would say why
}
