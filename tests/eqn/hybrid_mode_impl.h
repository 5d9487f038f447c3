/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One mode on the way through an instant: what a run has told about it against the oracle's answer — energies behind the jump,
 * areas, laws on them, what the structure conserves. And what an oracle that goes through instants has to remember. */
#ifndef HBG_TESTS_EQN_HYBRID_MODE_IMPL_H
#define HBG_TESTS_EQN_HYBRID_MODE_IMPL_H

#include "hybrid_trial_impl.h"

typedef struct {
    int instants, visits, mythical, pinnacles, boundaries, jumps, pulses, commits;
    int choices, open_choices; /* moves, and those in which the run was followed */
    int turned;                /* searches that came back, and began anew from what was crossed */
    int returns;               /* searches over mythical modes back to where they began */
    int conserved;             /* sums of energies that were looked at */
    int unsolved, stiff;       /* instants the oracle has no number for */
    int unfinished;            /* instants that could not be followed to the end */
    int verdicts[HBG_RT_VERDICT_COUNT];
} replay_statistics;

typedef enum { GOES_ON, ENDED, GAVE_UP } walk_state;

/* What is looked at: one claim at a time, or all. */
enum {
    LOOK_JUMPS = 1,
    LOOK_AREAS = 2,
    LOOK_CONSERVED = 4,
    LOOK_ENERGY = 8,
    LOOK_MOVES = 16,
    LOOK_VERDICTS = 32,
    LOOK_FLOW = 64,
    LOOK_ALL = 127
};

typedef struct {
    hybrid *h;
    const char *text;
    replay_statistics *count;
    int look;
    bool dependent; /* a mode had storages that can jump */
    const logged_event *log;
    /* kept between instants */
    int states[HYBRID_AUTOMATA];
    double entered[HYBRID_AUTOMATA], inputs[HYBRID_INPUTS];
    /* of this instant */
    int now[HYBRID_AUTOMATA];
    double x[NET_BONDS];
    oracle_values pre, cur;
    double balance[NET_NODES];
    double in_balance[NET_NODES]; /* what it would be if a junction came on that has been off */
    bool in_off[NET_NODES];       /* those */
    bool off_earlier[NET_NODES], a_priori, begins;
    bool left; /* pre is what was before inputs changed; it takes what they bring before time flows */
    int at;    /* next visit of the log */
    int seen[HYBRID_VISITS + 2][HYBRID_AUTOMATA], seen_count;
    int alone;         /* how often some came back: from there on one may move at a time */
    bool together;     /* several have moved at once in this search: only then is there a second try */
    int commits, last; /* the visit committed last */
    truth named[NET_BONDS], moves, changed;
    bool bounced[NET_NODES]; /* in the mode committed last */
    walk_state walk;
} replay;

static inline void replay_fail(const replay *r, const char *what) {
    fputs(r->text, stderr); // too long for a message
    print_error("t = %.17g, visit %d of %d, verdict %d (%s)\n%s\n", r->log->t, r->at, r->log->count,
                (int)r->log->verdict, r->log->words, what);
    for (int i = 0; i < r->log->count; i++) {
        print_error("  kind %d:", (int)r->log->visits[i].kind);
        for (int k = 0; k < r->h->automaton_count; k++)
            print_error(" a%d.s%d", k, r->log->visits[i].states[k]);
        print_error("\n");
    }
    fail_msg("%s", what);
}

#define REPLAY_ASSERT(r, of, condition)                                                                      \
    do {                                                                                                     \
        if (((r)->look & (of)) && !(condition)) replay_fail((r), #condition);                                \
    } while (0)

static inline bool same_states(const replay *r, const int *a, const int *b) {
    return memcmp(a, b, (size_t)r->h->automaton_count * sizeof *a) == 0;
}

static inline void copy_states(const replay *r, int *to, const int *from) {
    memcpy(to, from, (size_t)r->h->automaton_count * sizeof *to);
}

static inline bool was_seen(const replay *r, const int *states) {
    for (int i = 0; i < r->seen_count; i++)
        if (same_states(r, r->seen[i], states)) return true;
    return false;
}

/* Marks the automata whose states the guards of this one name, and those of theirs. */
static inline void mark_named(const hybrid *h, int automaton, bool *marked) {
    marked[automaton] = true;
    const hybrid_automaton *of = &h->automata[automaton];
    for (int s = 0; s < of->state_count; s++)
        for (int k = 0; k < of->states[s].transition_count; k++) {
            const hybrid_transition *way = &of->states[s].transitions[k];
            if (way->automaton >= 0 && !marked[way->automaton]) mark_named(h, way->automaton, marked);
            if (way->second >= 0 && !marked[way->second]) mark_named(h, way->second, marked);
        }
}

/* Whether automata that move come back, with all that their guards name, to states they have been in: the others may go on, where
 * nothing of what they do is any business of these. */
static inline bool some_came_back(const replay *r, const int *next) {
    for (int k = 0; k < r->seen_count; k++)
        for (int i = 0; i < r->h->automaton_count; i++) {
            bool marked[HYBRID_AUTOMATA] = {false}, same = next[i] != r->now[i];
            if (same) mark_named(r->h, i, marked);
            for (int a = 0; a < r->h->automaton_count && same; a++)
                same = !marked[a] || next[a] == r->seen[k][a];
            if (same) return true;
        }
    return false;
}

static inline double size_of(const double *values, int count) {
    double most = 1;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

static inline truth differ(const replay *r, const double *a, const double *b) {
    int states = net_state_count(&r->h->n);
    double most = 0, size = fmax(size_of(a, states), size_of(b, states));
    for (int i = 0; i < states; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most > 1e-7 * size ? TRUTH_YES : most > 1e-15 * size ? TRUTH_OPEN : TRUTH_NO;
}

static inline oracle_place place_of(const replay *r) {
    return (oracle_place){r->h, r->log->t, r->inputs, r->balance};
}

/* ---- one mode ----------------------------------------------------------------------------------------- */

/* Σ of what a junction balances, on the values before; *known: all of them are. */
static inline double sum_before(const replay *r, int junction, bool *known) {
    const net *n = &r->h->n;
    long double sum = 0;
    for (int b = 0; b < n->bond_count; b++) {
        int column = 2 * b + (node_is(&n->nodes[junction], "0") ? 1 : 0);
        bool in = n->bonds[b].to.node == junction, out = n->bonds[b].from.node == junction;
        sum += in ? r->pre.fin[column] : out ? -r->pre.fin[column] : 0;
        if ((in || out) && !r->pre.fin_known[column]) *known = false;
    }
    return (double)sum;
}

/* In another state, all else as it is, a junction bounces that comes on there (semantics, section 5). */
static inline void find_in_balance(replay *r, const bool *off) {
    for (int i = 0; i < r->h->n.node_count; i++) {
        bool known = true;
        r->in_balance[i] = 0;
        r->in_off[i] = off[i];
        if (r->h->restitution[i] < 0 || !off[i]) continue;
        r->in_balance[i] = -r->h->restitution[i] * sum_before(r, i, &known);
        if (!known) r->in_balance[i] = NAN;
    }
}

/* The oracle enters the mode `now` with x. False: it has no number for it. */
static inline bool replay_consider(replay *r, oracle_values *values) {
    bool known = true;
    oracle_enter(r->h, r->now);
    r->a_priori = false;
    for (int i = 0; i < r->h->n.node_count; i++) {
        const net_node *node = &r->h->n.nodes[i];
        r->balance[i] = 0;
        if (r->h->restitution[i] < 0) continue;
        if (!node->off && r->off_earlier[i]) {
            r->a_priori = true;
            r->balance[i] = -r->h->restitution[i] * sum_before(r, i, &known);
        }
        r->off_earlier[i] |= node->off;
    }
    find_in_balance(r, r->off_earlier);
    oracle_place place = place_of(r);
    oracle_consider(values, &place, r->x);
    r->count->unsolved += !values->solved || !known;
    bool stiff = values->scale > 1e5 || values->area_scale > 1e5;
    r->count->stiff += stiff;
    return values->solved && known && !stiff;
}

/* Areas told obey junctions, transformers, resistors and sources, as far as they are determined. */
static inline void check_area_laws(const replay *r, const logged_visit *visit, double scale) {
    static tableau all;
    oracle_place place = place_of(r);
    tableau_begin(&all, &r->h->n, 2 * r->h->n.bond_count);
    oracle_structure(&all, &place, 0, BLOCK_AREA);
    for (int row = 0; row < all.rows; row++) {
        long double sum = 0;
        bool known = true;
        for (int k = 0; k < all.columns; k++) {
            if (all.matrix[row][k] == 0) continue;
            known &= r->cur.area_known[k];
            sum += all.matrix[row][k] * (k % 2 ? visit->flow[k / 2] : visit->effort[k / 2]);
        }
        REPLAY_ASSERT(r, LOOK_AREAS, !known || fabsl(sum) <= 1e-8L * scale);
    }
}

/* Every sum of energies that the structure of the mode conserves, but for what sources bring. */
static inline void check_conserved(replay *r, const logged_visit *visit, double scale) {
    static tableau all;
    bool kept[2 * NET_BONDS];
    oracle_place place = place_of(r);
    int bonds = 2 * r->h->n.bond_count, states = net_state_count(&r->h->n), first, count;
    oracle_conserved(&all, &place, kept, &first, &count);
    for (int row = first; row < first + count; row++) {
        long double sum = 0, size = 1;
        for (int k = 0; k < states; k++) {
            sum += all.matrix[row][bonds + k] * (visit->x_plus[k] - visit->x[k]);
            size = fmaxl(size, fabsl(all.matrix[row][bonds + k]));
        }
        for (int k = 0; k < bonds; k++)
            if (kept[k]) sum += all.matrix[row][k] * (k % 2 ? visit->flow[k / 2] : visit->effort[k / 2]);
        REPLAY_ASSERT(r, LOOK_CONSERVED, fabsl(sum) <= 1e-8L * size * scale);
    }
    r->count->conserved += count;
    r->dependent |= count < states;
}

/* What the run says about the mode against the oracle's answer. */
static inline void check_visit(replay *r, const logged_visit *visit) {
    int states = net_state_count(&r->h->n);
    char text[200];
    double scale = fmax(r->cur.scale, size_of(r->x, states)), area_scale = fmax(scale, r->cur.area_scale);
    bool pulse = false;
    REPLAY_ASSERT(r, LOOK_JUMPS,
                  memcmp(visit->x, r->x, (size_t)states * sizeof *r->x) ==
                      0); // energies stand still in a search
    for (int i = 0; i < states; i++)
        if ((r->look & LOOK_JUMPS) && !(fabs(visit->x_plus[i] - r->cur.x_plus[i]) <= 1e-8 * scale)) {
            snprintf(text, sizeof text, "state %d jumps from %.15g to %.15g; the oracle says %.15g", i,
                     visit->x[i], visit->x_plus[i], r->cur.x_plus[i]);
            replay_fail(r, text);
        }
    for (int i = 0; i < 2 * r->h->n.bond_count; i++) {
        double found = i % 2 ? visit->flow[i / 2] : visit->effort[i / 2];
        pulse |= fabs(found) > 1e-9 * area_scale;
        if (!(r->look & LOOK_AREAS) || !r->cur.area_known[i] ||
            fabs(found - (double)r->cur.area[i]) <= 1e-8 * area_scale)
            continue;
        snprintf(text, sizeof text, "area of b%d.%c is %.15g; the oracle says %.15g", i / 2,
                 i % 2 ? 'f' : 'e', found, (double)r->cur.area[i]);
        replay_fail(r, text);
    }
    check_area_laws(r, visit, area_scale);
    check_conserved(r, visit, area_scale);
    r->count->visits++;
    r->count->mythical += visit->kind == HBG_RT_MYTHICAL;
    r->count->pinnacles += visit->kind == HBG_RT_PINNACLE;
    r->count->boundaries += visit->kind == HBG_RT_BOUNDARY;
    r->count->pulses += pulse;
    r->count->jumps += differ(r, visit->x, visit->x_plus) == TRUTH_YES;
}

#endif
