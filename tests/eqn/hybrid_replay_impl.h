/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration (semantics, section 6) a second time, on the oracle's values, beside what a run has told about an instant:
 * every move, every jump with its areas, every commit, what became of it, and the verdict have to be the same. Where the oracle
 * does not decide (values near equality) the run's choice has to be among those possible and is followed. */
#ifndef HBG_TESTS_EQN_HYBRID_REPLAY_IMPL_H
#define HBG_TESTS_EQN_HYBRID_REPLAY_IMPL_H

#include "hybrid_mode_impl.h"

/* ---- a search ----------------------------------------------------------------------------------------- */

/* What the run did in the mode considered. */
typedef enum { LOG_STAYS, LOG_MOVES, LOG_MOVES_SOMEWHERE, LOG_ENDS } log_step;

static inline log_step logged_step(replay *r, int *next) {
    const logged_event *log = r->log;
    bool cut = log->verdict == HBG_RT_FORBIDDEN_GUARD; // the mode refused is not told
    log_step end = cut ? LOG_ENDS : r->begins ? LOG_STAYS : LOG_MOVES_SOMEWHERE;
    if (r->begins) {
        const logged_visit *first = &log->visits[r->at];
        bool own = r->at < log->count && r->commits == 0 && same_states(r, first->states, r->now);
        if (own && first->kind != HBG_RT_MYTHICAL) return LOG_STAYS;
        if (own && log->at_start) { // the start mode was left
            check_visit(r, first);
            r->at++;
            if (!cut) end = LOG_MOVES_SOMEWHERE;
        }
    } else if (r->at > 0 && log->visits[r->at - 1].kind != HBG_RT_MYTHICAL) {
        return LOG_STAYS;
    }
    if (r->at >= log->count) return end;
    copy_states(r, next, log->visits[r->at].states);
    return LOG_MOVES;
}

static inline guard_view view_of(const replay *r) {
    return (guard_view){r->h,   &r->cur,    &r->pre, r->a_priori,   r->log->t, r->inputs,
                        r->now, r->entered, r->x,    r->in_balance, r->in_off};
}

/* Remembers what the guards of the transitions taken have read of storages that jumped. */
static inline void replay_suspect(replay *r, const guard_view *view, const int *next) {
    int states = net_state_count(&r->h->n);
    truth named[NET_BONDS] = {TRUTH_NO};
    double size = fmax(size_of(r->x, states), r->cur.scale);
    bool mythical = !r->begins || (r->log->at_start && r->commits == 0);
    for (int i = 0; i < r->h->automaton_count; i++) {
        const hybrid_state *state = &r->h->automata[i].states[r->now[i]];
        int possible = 0;
        for (int k = 0; k < state->transition_count && next[i] != r->now[i]; k++)
            possible += state->transitions[k].target == next[i];
        for (int k = 0; k < state->transition_count && next[i] != r->now[i]; k++)
            if (state->transitions[k].target == next[i])
                note_named(view, &state->transitions[k], mythical && possible == 1 ? TRUTH_YES : TRUTH_OPEN,
                           named);
    }
    for (int i = 0; i < states; i++) {
        double moved = fabs(r->cur.x_plus[i] - r->x[i]);
        truth jumped = moved > 1e-7 * size ? TRUTH_YES : moved > 1e-15 * size ? TRUTH_OPEN : TRUTH_NO;
        r->named[i] = truth_or(r->named[i], truth_and(jumped, named[i]));
    }
}

static inline bool may_go(const replay *r, const int *bits, const int *states) {
    for (int i = 0; i < r->h->automaton_count; i++)
        if (!(bits[i] >> states[i] & 1)) return false;
    return true;
}

static inline bool may_stay(const replay *r, const int *bits) {
    return may_go(r, bits, r->now);
}

/* The first automaton that can move does, in the order of the text, and no other. */
static inline bool goes_alone(const replay *r, const int *bits, const int *told) {
    bool moved = false;
    for (int i = 0; i < r->h->automaton_count; i++) {
        if (moved ? told[i] != r->now[i] : !(bits[i] >> told[i] & 1)) return false;
        moved |= told[i] != r->now[i];
    }
    return r->alone > 0;
}

/* Whether anything moves, and where to, in `next`: the run's answer, which has to be one the guards allow. */
static inline log_step replay_move(replay *r, int *next) {
    guard_view view = view_of(r);
    int told[HYBRID_AUTOMATA] = {0}, bits[HYBRID_AUTOMATA];
    bool sure = true;
    for (int i = 0; i < r->h->automaton_count; i++) {
        bits[i] = possible_targets(&view, i);
        sure &= (bits[i] & (bits[i] - 1)) == 0;
        next[i] = r->now[i];
        for (int k = 0; k < HYBRID_STATES; k++)
            if (bits[i] >> k & 1) next[i] = k;
    }
    log_step step = logged_step(r, told);
    bool moves = !same_states(r, next, r->now);
    if (r->left && r->begins && step == LOG_MOVES && may_stay(r, bits) && !may_go(r, bits, told))
        step = LOG_STAYS; // what is told belongs to the search that follows
    r->count->choices++;
    r->count->open_choices += !sure;
    if (step == LOG_STAYS) copy_states(r, told, r->now);
    for (int i = 0; i < r->h->automaton_count && step <= LOG_MOVES && !goes_alone(r, bits, told); i++)
        if ((r->look & LOOK_MOVES) && !(bits[i] >> told[i] & 1)) {
            char text[120];
            snprintf(text, sizeof text, "a%d goes from s%d to s%d; its guards say otherwise (bits %d)", i,
                     r->now[i], told[i], bits[i]);
            replay_fail(r, text);
        }
    if (step <= LOG_MOVES) {
        copy_states(r, next, told);
    } else if (!sure) {
        r->walk = GAVE_UP;
    } else if (step == LOG_ENDS) {
        step = moves ? LOG_MOVES : LOG_STAYS;
    } else {
        REPLAY_ASSERT(r, LOOK_VERDICTS,
                      moves && (r->alone || some_came_back(r, next)) && r->log->verdict == HBG_RT_DIVERGENCE);
        r->walk = ENDED;
    }
    if (r->walk == GOES_ON && step == LOG_MOVES) replay_suspect(r, &view, next);
    r->inputs[INPUT_KICK] = 0; // true in the first pass only
    return step;
}

/* From the mode committed to the next that stands, which is then `now`. */
static inline void replay_search(replay *r) {
    int next[HYBRID_AUTOMATA];
    bool event = r->inputs[INPUT_KICK] != 0;
    r->seen_count = 0;
    r->alone = 0;
    r->together = false;
    copy_states(r, r->now, r->states);
    if (r->commits == 0 && !event) copy_states(r, r->seen[r->seen_count++], r->states);
    memset(r->named, 0, sizeof r->named);
    for (r->begins = true; replay_move(r, next) == LOG_MOVES && r->walk == GOES_ON; r->begins = false) {
        int movers = 0;
        for (int i = 0; i < r->h->automaton_count; i++) movers += r->now[i] != next[i];
        r->together |= movers > 1;
        if (was_seen(r, next) ||
            (!r->alone && some_came_back(r, next))) { // a second try (semantics, section 6)
            if (!r->together || r->alone == 2) {      // which automata come back together only the run knows
                REPLAY_ASSERT(r, LOOK_MOVES, r->log->verdict != HBG_RT_DIVERGENCE);
                r->count
                    ->turned++; // what was crossed goes back by the field, or was led on (semantics, section 5)
                r->walk = GAVE_UP;
                return;
            }
            r->alone++;
            r->seen_count = 0;
        }
        copy_states(r, r->seen[r->seen_count++], next);
        for (int i = 0; i < r->h->automaton_count; i++)
            if (r->now[i] != next[i]) r->entered[i] = r->log->t;
        copy_states(r, r->now, next);
        if (!replay_consider(r, &r->cur)) {
            r->walk = GAVE_UP;
            return;
        }
        if (r->at < r->log->count)
            check_visit(r, &r->log->visits[r->at++]);
        else if (r->log->verdict != HBG_RT_FORBIDDEN_GUARD)
            replay_fail(r, "the run ends its search here");
    }
}

/* ---- commits ------------------------------------------------------------------------------------------ */

static inline truth expect_forbidden(const replay *r) {
    int states = net_state_count(&r->h->n);
    double size = fmax(size_of(r->x, states), r->cur.scale);
    truth found = TRUTH_NO;
    for (int i = 0; i < states; i++) {
        double moved = fabs(r->cur.x_plus[i] - r->x[i]);
        truth kept = moved > 1e-7 * size ? TRUTH_NO : moved > 1e-15 * size ? TRUTH_OPEN : TRUTH_YES;
        found = truth_or(found, truth_and(kept, r->named[i]));
    }
    return found;
}

/* Lost is what the ledger says; none comes from nowhere. */
static inline void check_energy(replay *r, const logged_visit *visit) {
    oracle_place place = place_of(r);
    double before = oracle_energy(r->h, visit->x), after = oracle_energy(r->h, visit->x_plus);
    double work = oracle_source_work(&place, visit->effort, visit->flow), lost = before - after + work;
    double scale = fmax(1, fmax(before, fmax(after, fabs(work))));
    bool created = r->log->verdict == HBG_RT_ENERGY_CREATED && r->at == r->log->count;
    REPLAY_ASSERT(r, LOOK_ENERGY, fabs(lost - visit->lost) <= 1e-8 * scale);
    REPLAY_ASSERT(r, LOOK_ENERGY, !created || lost < -1e-10 * scale);
    REPLAY_ASSERT(r, LOOK_ENERGY, created || lost > -1e-8 * scale);
    bool bounced = false;
    for (int i = 0; i < r->h->n.node_count; i++) bounced |= r->balance[i] != 0 || r->h->reads[i] >= 0;
    REPLAY_ASSERT(r, LOOK_ENERGY, !created || bounced); // conservation of state alone never creates energy
    if (created) r->walk = ENDED;
}

static inline void check_kind(const replay *r, bool stays) {
    if (r->commits == 0) return;
    hbg_rt_mode_kind kind = r->log->visits[r->last].kind;
    bool returned = stays && r->at - 1 > r->last; // over mythical modes: it was left, and is told again
    if (stays && r->log->verdict != HBG_RT_LOST_PINNACLE)
        REPLAY_ASSERT(r, LOOK_VERDICTS, kind == (returned ? HBG_RT_BOUNDARY : HBG_RT_CONTINUOUS));
    if (!stays && r->moves == TRUTH_YES) REPLAY_ASSERT(r, LOOK_VERDICTS, kind == HBG_RT_PINNACLE);
    if (!stays && r->moves == TRUTH_NO) REPLAY_ASSERT(r, LOOK_VERDICTS, kind == HBG_RT_BOUNDARY);
}

/* A junction that bounced in the mode committed last and is still on (semantics, section 4). */
static inline bool loses_pinnacle(replay *r) {
    bool lost = false;
    for (int i = 0; i < r->h->n.node_count; i++) {
        bool on = r->commits > 0 && !r->h->n.nodes[i].off && r->balance[i] == 0;
        lost |= r->bounced[i] && on && r->moves == TRUTH_YES;
        r->bounced[i] = r->balance[i] != 0;
    }
    if (lost && r->log->verdict != HBG_RT_ENERGY_CREATED)
        REPLAY_ASSERT(r, LOOK_VERDICTS, r->log->verdict == HBG_RT_LOST_PINNACLE);
    return lost;
}

/* The mode `now` is real. */
static inline void replay_commit(replay *r) {
    truth forbidden = expect_forbidden(r);
    if (r->log->verdict == HBG_RT_FORBIDDEN_GUARD && forbidden != TRUTH_NO && r->at >= r->log->count) {
        r->walk = ENDED;
        return;
    }
    REPLAY_ASSERT(r, LOOK_VERDICTS, forbidden != TRUTH_YES);
    bool lost = loses_pinnacle(r);
    check_kind(r, false);
    if (r->begins) {
        REPLAY_ASSERT(r, LOOK_VERDICTS, r->at < r->log->count);
        check_visit(r, &r->log->visits[r->at++]);
    }
    const logged_visit *visit = &r->log->visits[r->at - 1];
    REPLAY_ASSERT(r, LOOK_VERDICTS, visit->kind != HBG_RT_MYTHICAL);
    check_energy(r, visit);
    if (lost) r->walk = ENDED;
    r->last = r->at - 1;
    r->changed = differ(r, visit->x, visit->x_plus);
    copy_states(r, r->states, r->now);
    memcpy(r->x, visit->x_plus, sizeof r->x);
    memset(r->cur.area, 0, sizeof r->cur.area);
    r->pre = r->cur;
    r->commits++;
    r->count->commits++;
    memset(r->off_earlier, 0,
           sizeof r->off_earlier); // what is off now has been off when the next search begins
    static oracle_values again;
    bool fine = replay_consider(r, &again);
    r->moves = fine ? differ(r, r->x, again.x_plus) : TRUTH_OPEN;
    r->a_priori = false;
    r->cur = r->pre;
}

/* Time flows on. */
static inline void check_end(const replay *r) {
    hbg_rt_verdict verdict = r->log->verdict;
    bool after_all = verdict == HBG_RT_ZENO || verdict == HBG_RT_CHATTERING;
    REPLAY_ASSERT(r, LOOK_VERDICTS, r->at == r->log->count);
    REPLAY_ASSERT(r, LOOK_VERDICTS, verdict != HBG_RT_DIVERGENCE || r->commits > 8);
    REPLAY_ASSERT(r, LOOK_VERDICTS, verdict != HBG_RT_FORBIDDEN_GUARD && verdict != HBG_RT_ENERGY_CREATED);
    check_kind(r, true);
    if (r->commits > 0 && r->moves == TRUTH_YES)
        REPLAY_ASSERT(r, LOOK_VERDICTS, verdict == HBG_RT_LOST_PINNACLE);
    if (r->commits == 0 || r->moves == TRUTH_NO)
        REPLAY_ASSERT(r, LOOK_VERDICTS, verdict != HBG_RT_LOST_PINNACLE);
    if (verdict == HBG_RT_LOST_PINNACLE || verdict == HBG_RT_DIVERGENCE) return;
    if (r->commits > 1 && r->changed == TRUTH_YES)
        REPLAY_ASSERT(r, LOOK_VERDICTS, verdict == HBG_RT_TEMPORAL_EVOLUTION || after_all);
    if (r->commits < 2 || r->changed == TRUTH_NO)
        REPLAY_ASSERT(r, LOOK_VERDICTS, verdict != HBG_RT_TEMPORAL_EVOLUTION);
}

/* ---- an instant --------------------------------------------------------------------------------------- */

/* Whatever the oracle knows of it: what a trace ends with is the mode that time flows on in, unless the run ends there. */
static inline void check_last(replay *r) {
    const logged_event *log = r->log;
    bool flows = log->verdict == HBG_RT_FINE || log->verdict == HBG_RT_TEMPORAL_EVOLUTION ||
                 log->verdict == HBG_RT_ZENO || log->verdict == HBG_RT_CHATTERING;
    if (!flows || log->count == 0) return;
    REPLAY_ASSERT(r, LOOK_VERDICTS, log->visits[log->count - 1].kind == HBG_RT_CONTINUOUS);
    r->count->returns += log->count > 1 && log->visits[log->count - 2].kind == HBG_RT_MYTHICAL &&
                         same_states(r, log->visits[log->count - 1].states, r->states);
}

/* Left limits, with inputs as they were; at the start energies as declared, all else as behind the first jump. */
static inline bool replay_open(replay *r, const double *inputs_before) {
    memcpy(r->x, r->log->x_left, sizeof r->x);
    copy_states(r, r->now, r->states);
    memset(r->off_earlier, 0, sizeof r->off_earlier);
    bool fine = replay_consider(r, &r->cur);
    if (r->log->at_start) {
        r->pre = r->cur;
        memcpy(r->pre.x_plus, r->x, sizeof r->x);
    } else {
        oracle_place place = place_of(r);
        place.inputs = inputs_before;
        oracle_values_at(&r->pre, &place, r->x);
        fine &= r->pre.solved;
    }
    return fine;
}

/* After an instant the oracle could not follow: what the run committed stands. */
static inline void replay_catch_up(replay *r) {
    int last[HYBRID_AUTOMATA];
    r->count->unfinished++;
    copy_states(r, last, r->states);
    for (int i = 0; i < r->log->count; i++) {
        const logged_visit *visit = &r->log->visits[i];
        for (int k = 0; k < r->h->automaton_count; k++)
            if (last[k] != visit->states[k]) r->entered[k] = r->log->t;
        copy_states(r, last, visit->states);
        if (visit->kind != HBG_RT_MYTHICAL) copy_states(r, r->states, visit->states);
    }
}

static inline void replay_event(replay *r, const logged_event *log, const double *inputs_before) {
    r->log = log;
    r->at = r->commits = 0;
    // these laws know of no limits (semantics, section 3a)
    bool shorted = log->verdict == HBG_RT_SHORT_CIRCUIT || log->verdict == HBG_RT_OPEN_FLOW_SOURCE;
    bool known = log->count < HYBRID_VISITS && !shorted;
    r->walk = known && replay_open(r, inputs_before) ? GOES_ON : GAVE_UP;
    r->left = !log->at_start && memcmp(r->inputs, inputs_before, sizeof r->inputs) != 0;
    r->count->instants++;
    r->count->verdicts[log->verdict]++;
    check_last(r);
    while (r->walk == GOES_ON) {
        replay_search(r);
        if (r->walk != GOES_ON) break;
        truth moved = r->commits > 0 ? TRUTH_NO : differ(r, r->x, r->cur.x_plus);
        bool told = r->at < r->log->count;
        bool stays = same_states(r, r->now, r->states);
        if (stays && (moved == TRUTH_NO || (moved == TRUTH_OPEN && !told))) {
            if (r->left && r->commits == 0) {
                memset(r->cur.area, 0, sizeof r->cur.area);
                r->pre = r->cur;
                r->left = false;
                continue;
            }
            check_end(r);
            r->walk = ENDED;
        } else {
            replay_commit(r);
        }
    }
    if (r->walk == GAVE_UP) replay_catch_up(r);
    r->inputs[INPUT_KICK] = 0;
}

#endif
