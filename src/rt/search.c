/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration (semantics, section 6; the Mythical Mode Algorithm of 000 and 002): from a mode that is
 * left to the one in which time advances. Energies and pre do not change during a search; a mode whose guards
 * fire at once was mythical. A mode in which no guard fires is committed, with its jump, and the next search
 * begins there. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rt/bands.h"
#include "rt/rt_impl.h"

enum {
    SHOWN = 6,      /* states of a search that words list */
    COMMITS = 1000, /* of one instant */
    COLLAPSE = 8,   /* after so many commits, an end within a band counts as a collapse */
    NO_GROUP = -1
};

/* Working memory of the iteration, in the caller's scratch. */
typedef struct {
    int32_t automata;
    size_t states;
    hbg_rt_visited visited; /* discrete states of this search */
    int32_t *seen;          /* the first of them, one after the other */
    int32_t seen_count;
    bool *together;          /* by group: several of it moved at once in this search */
    bool *alone;             /* by group: one automaton moves at a time, as moving together came back */
    bool any_alone;          /* some group has it */
    bool *back;              /* by group: it came back to a state it has been in */
    bool *moved;             /* by automaton: in this search */
    int32_t *next, *entered; /* states after a move; states of the mode committed last */
    int32_t *before;         /* discrete states before the mode considered */
    int32_t *commit_before;  /* states before the last commit */
    int32_t order;           /* number of the mode considered last */
    double *x_plus, *x_old;  /* energies after the jump considered; before the last commit */
    double *energy;
    double last_jump;      /* how far the last jump moved a state, as a share of its size */
    const int32_t *groups; /* by automaton: the first of its group; NULL: all are one */
    int32_t group;         /* the one that came back to a state it has been in; NO_GROUP: none */
    int32_t loop;          /* the group whose loop the words list */
    bool *told;            /* by automaton: appears in words, scratch */
    bool *marked;          /* by automaton, scratch */
} workspace;

static size_t round_up(size_t size) {
    return (size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

/* Numbers by automaton, of which the first SHOWN are the states seen. */
enum { NUMBERS = SHOWN + 5 };

size_t hbg_rt_instant_scratch(const hbg_rt_description *system) {
    size_t automata = (size_t)system->automaton_count + 1, states = (size_t)system->state_count + 1;
    return round_up(automata * NUMBERS * sizeof(int32_t)) +
           (3 * states + (size_t)system->storage_count + 1) * sizeof(double) +
           round_up(hbg_rt_visited_scratch(system->automaton_count)) + 6 * automata;
}

static workspace lay_out(const hbg_rt_search *search) {
    const hbg_rt_description *system = search->system;
    size_t automata = (size_t)system->automaton_count + 1, states = (size_t)system->state_count + 1;
    workspace work = {
        .automata = system->automaton_count, .states = (size_t)system->state_count, .last_jump = 1};
    int32_t *numbers = search->scratch;
    double *reals =
        (double *)(void *)((char *)search->scratch + round_up(automata * NUMBERS * sizeof(int32_t)));
    work.seen = numbers;
    work.next = numbers + automata * SHOWN;
    work.entered = work.next + automata;
    work.before = work.entered + automata;
    work.commit_before = work.before + automata;
    work.x_plus = reals;
    work.x_old = reals + states;
    work.energy = reals + 2 * states;
    char *rest = (char *)(reals + 3 * states + (size_t)system->storage_count + 1);
    hbg_rt_visited_init(&work.visited, system->automaton_count, rest);
    work.told = (bool *)(rest + round_up(hbg_rt_visited_scratch(system->automaton_count)));
    work.marked = work.told + automata;
    work.moved = work.marked + automata;
    work.together = work.moved + automata;
    work.alone = work.together + automata;
    work.back = work.alone + automata;
    work.group = NO_GROUP;
    return work;
}

static bool equal(const workspace *work, const int32_t *a, const int32_t *b) {
    return memcmp(a, b, (size_t)work->automata * sizeof *a) == 0;
}

static void copy(const workspace *work, int32_t *to, const int32_t *from) {
    memcpy(to, from, (size_t)work->automata * sizeof *to);
}

static int32_t group_of(const workspace *work, int32_t automaton) {
    return work->groups ? work->groups[automaton] : 0;
}

static void show(workspace *work, const int32_t *states) {
    if (work->seen_count == SHOWN || work->any_alone) return; // words list the first loop
    copy(work, work->seen + (size_t)work->seen_count * (size_t)work->automata, states);
    work->seen_count++;
}

/* Notes the groups of which several automata moved at once. */
static void note_together(workspace *work) {
    memset(work->marked, 0, (size_t)work->automata);
    for (int32_t i = 0; i < work->automata; i++) {
        if (work->entered[i] == work->next[i]) continue;
        bool *moved = &work->marked[group_of(work, i)];
        work->together[group_of(work, i)] |= *moved;
        *moved = true;
    }
}

/* Whether a group that moves comes back to states it has been in, whatever other groups do. */
static bool was_seen(workspace *work) {
    note_together(work);
    for (int32_t i = 0; i < work->automata; i++) work->moved[i] |= work->entered[i] != work->next[i];
    work->group = hbg_rt_visited_add(&work->visited, work->entered, work->next, work->back);
    return work->group != NO_GROUP;
}

/* ---- words -------------------------------------------------------------------------------------------- */

/* Groups with more automata list only those that have moved. */
enum { TOLD = 4 };

static size_t put_state(const hbg_rt_search *search, char *text, size_t size, const int32_t *states,
                        const bool *told) {
    size_t used = 0;
    for (int32_t i = 0; i < search->system->automaton_count && used + 1 < size; i++) {
        const hbg_rt_automaton *of = &search->system->automata[i];
        if (!told[i]) continue;
        int part =
            snprintf(text + used, size - used, "%s%s=%s", used ? "," : "", of->name, of->states[states[i]]);
        if (part > 0) used += (size_t)part < size - used ? (size_t)part : size - used - 1;
    }
    return used;
}

/* Marks the automata that words list: of the group in question those that have moved, or all of a small
 * group. */
static void find_told(const workspace *work, const bool *moved) {
    int32_t members = 0;
    for (int32_t i = 0; i < work->automata; i++)
        members += work->group == NO_GROUP || group_of(work, i) == work->group;
    for (int32_t i = 0; i < work->automata; i++) {
        bool asked = work->group == NO_GROUP || group_of(work, i) == work->group;
        work->told[i] = asked && (members <= TOLD || moved[i]);
    }
}

/* Appends what drove the last move. */
static void put_move(hbg_rt_search *search, int32_t group, size_t used) {
    char taken[200] = "";
    hbg_rt_describe_move(search->instance, group, taken, sizeof taken);
    if (taken[0] && used + 1 < sizeof search->words)
        snprintf(search->words + used, sizeof search->words - used, "; last: %s", taken);
}

/* The states gone through, and what drove the last move. */
static void put_trace(hbg_rt_search *search, const workspace *work, const char *what) {
    size_t size = sizeof search->words, used = 0;
    int part = snprintf(search->words, size, "%s: ", what);
    find_told(work, work->moved);
    if (part > 0) used = (size_t)part < size ? (size_t)part : size - 1;
    for (int32_t i = 0; i < work->seen_count; i++) {
        used += put_state(search, search->words + used, size - used,
                          work->seen + (size_t)i * (size_t)work->automata, work->told);
        used += (size_t)snprintf(search->words + used, size - used, " -> ");
        if (used >= size - 1) return;
    }
    used += put_state(search, search->words + used, size - used, work->next, work->told);
    put_move(search, work->group, used);
}

/* Marks the automata of the groups that the last commit changed; of a large group only those that it
 * moved. */
static void find_changed(const workspace *work, const int32_t *now) {
    memset(work->marked, 0, (size_t)work->automata);
    for (int32_t i = 0; i < work->automata; i++)
        if (work->commit_before[i] != now[i]) work->marked[group_of(work, i)] = true;
    int32_t members = 0;
    for (int32_t i = 0; i < work->automata; i++) members += work->marked[group_of(work, i)];
    for (int32_t i = 0; i < work->automata && members > 0; i++)
        work->told[i] = members <= TOLD ? work->marked[group_of(work, i)] : work->commit_before[i] != now[i];
    if (members == 0) find_told(work, work->marked); // it changed none
}

/* Appends the mode committed last. */
static void put_committed(hbg_rt_search *search, const workspace *work, size_t used) {
    find_changed(work, search->states);
    put_state(search, search->words + used, sizeof search->words - used, search->states, work->told);
}

/* Appends to the words. */
__attribute__((format(printf, 2, 3))) static void add_words(hbg_rt_search *search, const char *format, ...) {
    size_t used = strlen(search->words);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(search->words + used, sizeof search->words - used, format, arguments);
    va_end(arguments);
}

static void note_move(hbg_rt_search *search) {
    int32_t place = search->move_count++ % HBG_RT_MOVES;
    if (hbg_rt_keep_move(search->instance, place)) return;
    hbg_rt_describe_move(search->instance, -1, search->moves[place], sizeof search->moves[0]);
}

void hbg_rt_put_moves(hbg_rt_search *search) {
    int32_t count = search->move_count < HBG_RT_MOVES ? search->move_count : HBG_RT_MOVES;
    for (int32_t i = 0; i < count; i++)
        hbg_rt_describe_kept(search->instance, i, search->moves[i], sizeof search->moves[0]);
    for (int32_t i = search->move_count - count; i < search->move_count; i++)
        add_words(search,
                  i > search->move_count - count ? ", then %s"
                  : count < search->move_count   ? "; taken: … %s"
                                                 : "; taken: %s",
                  search->moves[i % HBG_RT_MOVES]);
}

/* Appends the state that jumps most, relative to its size. */
static void put_jump(hbg_rt_search *search, const workspace *work, const char *lead, const double *from,
                     const double *to) {
    size_t most = 0;
    double largest = 0;
    for (size_t i = 0; i < work->states; i++) {
        double share = fabs(to[i] - from[i]) / (fabs(from[i]) + fabs(to[i]));
        if (!(share > largest)) continue;
        largest = share;
        most = i;
    }
    if (largest > 0 && search->system->states)
        add_words(search, "%s%s from %.9g to %.9g", lead, search->system->states[most].name, from[most],
                  to[most]);
}

static hbg_rt_status end_with(hbg_rt_search *search, hbg_rt_verdict verdict) {
    search->verdict = verdict;
    return HBG_RT_VERDICT;
}

/* ---- a search ----------------------------------------------------------------------------------------- */

static void tell(const hbg_rt_search *search, hbg_rt_visit visit) {
    if (search->visit) search->visit(search->context, &visit);
}

/* Refuses a shorted mode in which no guard is enabled (semantics, section 3a). */
static hbg_rt_status refuse_shorted(hbg_rt_search *search) {
    hbg_rt_verdict verdict = hbg_rt_conflict(search->instance, search->words, sizeof search->words);
    hbg_rt_put_moves(search);
    return end_with(search, verdict);
}

/* Puts the loop of a group into the words. */
static void put_loop(hbg_rt_search *search, workspace *work, int32_t group) {
    work->group = work->loop = group;
    put_trace(search, work,
              "the switching never settles at this instant: the search comes back to a state it has "
              "been in");
}

/* A group whose automata moved together came back to a state: from here on its automata move one at a time,
 * and only this state counts as visited. If that does not settle either, the words list this loop. Returns
 * false if a group that moves one at a time came back: it never settles. */
static bool go_alone(hbg_rt_search *search, workspace *work) {
    for (int32_t i = 0; i < work->automata; i++) {
        if (!work->back[i]) continue;
        bool ends = work->alone[i] || !work->together[i]; // one moved at a time already, or always
        if (!work->alone[i] || work->loop != i) put_loop(search, work, i);
        if (ends) return false;
        work->alone[i] = work->any_alone = true;
        hbg_rt_visited_forget(&work->visited, i, work->next);
    }
    work->group = NO_GROUP;
    return true;
}

/* Once a crossing has been answered, guards are judged differently: the states that the group visited before
 * no longer count. */
static void note_answers(hbg_rt_search *search, workspace *work) {
    for (int32_t i = 0; i < work->automata; i++) {
        if (work->entered[i] == work->next[i] || !hbg_rt_takes_answer(search->instance, i, work->next))
            continue;
        hbg_rt_visited_forget(&work->visited, group_of(work, i), work->next);
        work->back[group_of(work, i)] = false;
    }
}

/* A search that has come back would never settle. But in the mode in which the instant began, the value that
 * crossed may move the other way from here on: then the search restarts with that crossing withdrawn. */
static hbg_rt_status turn_back(hbg_rt_search *search, workspace *work, double t, bool *again) {
    const int32_t *opened = hbg_rt_opened(search->instance);
    bool a_priori;
    *again = false;
    if (!opened) return HBG_RT_OK;
    copy(work, work->next, search->states);
    for (int32_t i = 0; i < work->automata; i++)
        if (group_of(work, i) == work->group) work->next[i] = opened[i];
    if (hbg_rt_turn_back(search->instance, work->next, t, search->x, &search->outlook, again) != HBG_RT_OK ||
        !*again)
        return HBG_RT_OK;
    search->words[0] = 0;
    search->verdict = HBG_RT_FINE;
    hbg_rt_open_search(search->instance);
    if (search->commits > 0) return hbg_rt_resume(search->instance, t, search->x);
    return hbg_rt_consider(search->instance, search->states, t, search->x, work->x_plus, &a_priori);
}

/* From search->states to the next real mode, in work->entered; its energies in work->x_plus. */
static hbg_rt_status find_real_mode(hbg_rt_search *search, workspace *work, double t, bool left_is_mythical) {
    copy(work, work->entered, search->states);
    copy(work, work->before, search->states);
    for (bool first = true;; first = false) {
        hbg_rt_status status =
            hbg_rt_move(search->instance, work->entered, work->next, work->any_alone ? work->alone : NULL);
        if (status == HBG_RT_VERDICT) return refuse_shorted(search);
        if (status != HBG_RT_OK) return status;
        if (equal(work, work->entered, work->next)) {
            if (work->any_alone) search->words[0] = 0; // the loop has ended
            return HBG_RT_OK;
        }
        note_move(search);
        if (!first || left_is_mythical)
            tell(search, (hbg_rt_visit){HBG_RT_MYTHICAL, work->order, work->before, work->entered, search->x,
                                        work->x_plus, 0, false});
        bool seen = was_seen(work);
        note_answers(search, work);
        if (seen && !go_alone(search, work)) return end_with(search, HBG_RT_DIVERGENCE);
        show(work, work->next);
        bool a_priori;
        copy(work, work->before, work->entered);
        copy(work, work->entered, work->next);
        work->order = ++search->passes;
        status = hbg_rt_consider(search->instance, work->entered, t, search->x, work->x_plus, &a_priori);
        if (status != HBG_RT_OK) return status;
        if (search->considered) search->considered(search->context);
    }
}

/* ---- commits ------------------------------------------------------------------------------------------ */

static double stored(hbg_rt_search *search, workspace *work, double t, const double *x) {
    const hbg_rt_description *system = search->system;
    double sum = 0;
    if (hbg_rt_energies(search->instance, t, x, work->energy) != HBG_RT_OK) return NAN;
    for (int32_t i = 0; i < system->storage_count; i++) sum += work->energy[i];
    return sum;
}

double hbg_rt_no_energy(double energy, double most) {
    return energy > 0 && most > 0 ? 2 * HBG_RT_BAND * sqrt(energy * most) + HBG_RT_BAND * HBG_RT_BAND * most
                                  : 0;
}

/* The energy of a jump that counts as none. Where everything comes to rest at an instant, it exceeds any
 * share of the energy that is left. */
static double nothing(hbg_rt_search *search, workspace *work, double t, double energy) {
    const double *sizes = hbg_rt_state_sizes(search->instance);
    if (!sizes) return 0;
    double most = stored(search, work, t, sizes);
    (void)stored(search, work, t, search->x); // return the instance to the present state
    return hbg_rt_no_energy(energy, most);
}

/* A mode that moves no energy, such as one that is left again, has no jump. */
static bool note_jump(hbg_rt_search *search, workspace *work) {
    bool moved = !hbg_rt_same_states(search->instance, work->x_old, work->x_plus);
    const double *size = hbg_rt_state_sizes(search->instance);
    if (!moved) return false;
    work->last_jump = size ? 0 : 1;
    for (size_t i = 0; i < work->states && size; i++)
        if (size[i] > 0)
            work->last_jump = fmax(work->last_jump, fabs(work->x_plus[i] - work->x_old[i]) / size[i]);
    return true;
}

/* Commits the real mode that was found: energies jump, and the ledger is updated. */
static hbg_rt_status commit(hbg_rt_search *search, workspace *work, double t, double *energy, double *lost) {
    double supplied = hbg_rt_source_work(search->instance), part[3];
    bool creates = hbg_rt_creates(search->instance, t, search->x, work->x_plus, &part[0], &part[1], &part[2]);
    if (hbg_rt_forbidden(search->instance, search->x, work->x_plus, search->words, sizeof search->words)) {
        hbg_rt_put_moves(search);
        return end_with(search, HBG_RT_FORBIDDEN_GUARD);
    }
    hbg_rt_status status = hbg_rt_note_outcomes(search->instance, work->entered, t, search->x, work->order);
    if (status == HBG_RT_OK) status = hbg_rt_commit(search->instance, work->entered, t, work->x_plus);
    if (status != HBG_RT_OK) return status;
    if (search->committed) search->committed(search->context);
    // the gain of a storage whose parameter jumped is work of the parameter, not of the jump
    double before = stored(search, work, t, search->x), after = stored(search, work, t, work->x_plus);
    *lost = before - after + supplied;
    search->by_parameters += before - *energy;
    *energy = before;
    double scale = fmax(fabs(*energy), fmax(fabs(after), fabs(supplied)));
    if (isfinite(*lost)) search->lost += *lost;
    copy(work, work->commit_before, search->states);
    copy(work, search->states, work->entered);
    memcpy(work->x_old, search->x, work->states * sizeof *work->x_old);
    memcpy(search->x, work->x_plus, work->states * sizeof *search->x);
    search->commits++;
    bool moved = note_jump(search, work); // rounding creates no energy where there was none
    bool gains = *lost < -HBG_RT_ENERGY * scale && *lost < -nothing(search, work, t, scale);
    if ((gains || creates) && moved) {
        snprintf(search->words, sizeof search->words,
                 "a jump creates energy: %.9g J before, %.9g J after, %.9g J from sources",
                 creates ? part[0] : *energy, creates ? part[1] : after, creates ? part[2] : supplied);
        put_jump(search, work, "; ", work->x_old, work->x_plus);
        hbg_rt_put_moves(search);
        return end_with(search, HBG_RT_ENERGY_CREATED);
    }
    *energy = after;
    return HBG_RT_OK;
}

/* Whether entering the mode again, from the energies after its jump, would move them once more. */
static hbg_rt_status moves_again(hbg_rt_search *search, workspace *work, double t, bool *moves) {
    bool a_priori;
    hbg_rt_open_search(search->instance);
    hbg_rt_status status =
        hbg_rt_consider(search->instance, search->states, t, search->x, work->x_plus, &a_priori);
    *moves = status == HBG_RT_OK && !hbg_rt_same_states(search->instance, search->x, work->x_plus);
    return status;
}

typedef struct { /* the last commit, whose kind of mode is not known yet */
    bool waiting, moves;
    int32_t order;
    double lost;
} last_commit;

static void tell_commit(hbg_rt_search *search, const workspace *work, const last_commit *last, bool stays) {
    hbg_rt_mode_kind kind = stays ? HBG_RT_CONTINUOUS : last->moves ? HBG_RT_PINNACLE : HBG_RT_BOUNDARY;
    search->pinnacles += last->waiting && kind == HBG_RT_PINNACLE;
    if (last->waiting)
        tell(search, (hbg_rt_visit){kind, last->order, work->commit_before, search->states, work->x_old,
                                    search->x, last->lost, false});
}

/* Whether a sequence of modes has shrunk to jumps of the size of bands, which cannot be told apart. */
static bool collapses(hbg_rt_search *search, const workspace *work) {
    return search->commits > COLLAPSE &&
           (hbg_rt_held_back(search->instance) || work->last_jump <= 100 * HBG_RT_BAND);
}

static hbg_rt_status collapse(hbg_rt_search *search) {
    snprintf(search->words, sizeof search->words,
             "the switching never settles at this instant: %d modes at one instant, and the sequence ends "
             "only where values "
             "are too close to tell apart",
             (int)search->commits);
    hbg_rt_put_moves(search);
    return end_with(search, HBG_RT_DIVERGENCE);
}

static hbg_rt_status lose_pinnacle(hbg_rt_search *search, const workspace *work) {
    if (collapses(search, work)) return collapse(search);
    size_t used = (size_t)snprintf(search->words, sizeof search->words,
                                   "a mode that exists at a point only would persist: ");
    put_committed(search, work, used);
    put_jump(search, work, "; entered again it would take ", search->x, work->x_plus);
    hbg_rt_put_moves(search);
    return end_with(search, HBG_RT_LOST_PINNACLE);
}

/* Reports the mode in which time advances: the one committed last, or one that a search through mythical
 * modes has come back to. */
static void tell_end(hbg_rt_search *search, const workspace *work, const last_commit *last) {
    bool returns = work->order > (last->waiting ? last->order : 0);
    tell_commit(search, work, last, !returns);
    if (returns)
        tell(search, (hbg_rt_visit){.kind = HBG_RT_CONTINUOUS,
                                    .order = work->order,
                                    .before = work->before,
                                    .states = search->states,
                                    .x = search->x,
                                    .x_plus = search->x,
                                    .returns = true});
}

/* Time would advance: allowed only in a mode that would not move the energies again. */
static hbg_rt_status let_flow(hbg_rt_search *search, workspace *work, const last_commit *last, double t) {
    if (last->waiting && last->moves) {
        tell_commit(search, work, last, false);
        return lose_pinnacle(search, work);
    }
    if (collapses(search, work)) return collapse(search);
    if (search->commits > 1 && !hbg_rt_same_states(search->instance, work->x_old, search->x)) {
        size_t used = (size_t)snprintf(
            search->words, sizeof search->words,
            "the mode that persists changed the energies again, after %d mode(s) before it at this instant: ",
            (int)search->commits - 1);
        put_committed(search, work, used);
        put_jump(search, work, "; it takes ", work->x_old, search->x);
        hbg_rt_put_moves(search);
        search->verdict = HBG_RT_TEMPORAL_EVOLUTION;
    }
    tell_end(search, work, last);
    return hbg_rt_flow(search->instance, search->states, t, search->x);
}

/* Opens an instant, then considers the present mode with the changed values. */
static hbg_rt_status open_instant(hbg_rt_search *search, workspace *work, double t, bool at_start,
                                  const int32_t *crossed, int32_t count) {
    bool a_priori;
    search->commits = search->passes = search->pinnacles = search->move_count = 0;
    search->lost = search->by_parameters = 0;
    search->verdict = HBG_RT_FINE;
    search->words[0] = 0;
    search->pending = (hbg_rt_pending){.energy = stored(search, work, t, search->x), .last_jump = 1};
    hbg_rt_status status = hbg_rt_open(search->instance, t, search->x, at_start, crossed, count);
    work->groups = hbg_rt_groups(search->instance);
    hbg_rt_open_search(search->instance);
    if (status == HBG_RT_OK)
        status = hbg_rt_consider(search->instance, search->states, t, search->x, work->x_plus, &a_priori);
    if (status == HBG_RT_OK && search->considered) search->considered(search->context);
    return status;
}

hbg_rt_status hbg_rt_instant(hbg_rt_search *search, double t, bool at_start, const int32_t *crossed,
                             int32_t count) {
    workspace work = lay_out(search);
    hbg_rt_status status = HBG_RT_OK;
    bool left =
        !search->is_open && !at_start && count == 0; // inputs may have changed: pre holds the values before
    if (!search->is_open) status = open_instant(search, &work, t, at_start, crossed, count);
    hbg_rt_pending *of = &search->pending;
    last_commit last = {of->waiting, of->moves, of->committed, of->lost};
    double energy = of->energy;
    work.order = of->order;
    work.last_jump = of->last_jump;
    work.groups = hbg_rt_groups(search->instance);
    search->is_open = false;
    while (status == HBG_RT_OK) {
        // the state a search begins in counts as seen, except after a commit or if an event input drives it
        bool counts = search->commits == 0 && !hbg_rt_event_is_true(search->instance);
        hbg_rt_visited_begin(&work.visited, work.groups, counts);
        memset(work.moved, 0, (size_t)work.automata);
        memset(work.together, 0, (size_t)work.automata);
        work.seen_count = 0;
        memset(work.alone, 0, (size_t)work.automata);
        work.any_alone = false;
        if (counts) show(&work, search->states);
        status = find_real_mode(search, &work, t, at_start && search->commits == 0);
        if (status == HBG_RT_VERDICT && search->verdict == HBG_RT_DIVERGENCE) {
            bool again;
            hbg_rt_status turned = turn_back(search, &work, t, &again);
            if (again) {
                status = turned;
                continue;
            }
        }
        if (status == HBG_RT_VERDICT) tell_commit(search, &work, &last, false);
        if (status != HBG_RT_OK) return status;
        bool stays = equal(&work, search->states, work.entered);
        if (stays && search->commits > 0) return let_flow(search, &work, &last, t);
        bool same = stays && hbg_rt_same_states(search->instance, search->x, work.x_plus);
        if (same && left) {
            left = false;
            status = hbg_rt_renew(search->instance, t, search->x);
            continue;
        }
        if (same) return let_flow(search, &work, &last, t);
        tell_commit(search, &work, &last, false);
        if (search->commits >= COMMITS) {
            put_trace(search, &work,
                      "the switching never settles at this instant: one instant has too many commits");
            return end_with(search, HBG_RT_DIVERGENCE);
        }
        bool lost = last.waiting && last.moves && hbg_rt_still_on(search->instance);
        int32_t before = search->commits;
        status = commit(search, &work, t, &energy, &last.lost);
        last.waiting = search->commits > before;
        last.order = work.order;
        if (status == HBG_RT_OK && lost) status = lose_pinnacle(search, &work);
        if (status == HBG_RT_VERDICT && last.waiting) { // the kind of its mode is still reported
            (void)moves_again(search, &work, t, &last.moves);
            tell_commit(search, &work, &last, false);
        }
        if (status == HBG_RT_OK) status = moves_again(search, &work, t, &last.moves);
        if (status == HBG_RT_OK) status = hbg_rt_resume(search->instance, t, search->x);
        if (status == HBG_RT_OK && search->one_commit) {
            *of = (hbg_rt_pending){work.order, last.order, last.waiting,  last.moves,
                                   last.lost,  energy,     work.last_jump};
            search->is_open = true;
            return HBG_RT_OK;
        }
    }
    return status;
}
