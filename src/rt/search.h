/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration at an instant (semantics, sections 4 to 6). */
#ifndef HBG_RT_SEARCH_H
#define HBG_RT_SEARCH_H

#include "rt/instance.h"

typedef enum { HBG_RT_MYTHICAL, HBG_RT_PINNACLE, HBG_RT_BOUNDARY, HBG_RT_CONTINUOUS } hbg_rt_mode_kind;

/* One mode on the way through an instant. */
typedef struct {
    hbg_rt_mode_kind kind;
    int32_t order; /* which mode of the instant it was; what became of a commit is known later */
    const int32_t *before, *states; /* automaton states of the mode before, and of this one */
    const double *x, *x_plus;       /* energies it was entered with, and after its jump */
    double lost;                    /* J, in the jump; 0 for a mythical mode */
    bool returns; /* the search came back to where it began: time advances, nothing is committed */
} hbg_rt_visit;

/* What is wrong with the switching of an instant (docs/events.md): identifier, name. The last is a warning. */
#define HBG_RT_VERDICT_LIST(X)                                                                               \
    X(FINE, "none")                                                                                          \
    X(DIVERGENCE, "divergence")                                                                              \
    X(LOST_PINNACLE, "lost-pinnacle")                                                                        \
    X(FORBIDDEN_GUARD, "forbidden-guard")                                                                    \
    X(ENERGY_CREATED, "energy-created")                                                                      \
    X(SHORT_CIRCUIT, "short-circuit")                                                                        \
    X(OPEN_FLOW_SOURCE, "open-flow-source")                                                                  \
    X(ZENO, "zeno")                                                                                          \
    X(CHATTERING, "chattering")                                                                              \
    X(TEMPORAL_EVOLUTION, "temporal-evolution")

typedef enum {
#define X(id, name) HBG_RT_##id,
    HBG_RT_VERDICT_LIST(X)
#undef X
        HBG_RT_VERDICT_COUNT
} hbg_rt_verdict;

const char *hbg_rt_verdict_name(hbg_rt_verdict verdict);

enum { HBG_RT_WORDS = 640, HBG_RT_MOVES = 4 };

/* What an iteration goes on with after a commit. */
typedef struct {
    int32_t order, committed; /* modes of the instant: considered last, and committed last */
    bool waiting, moves; /* the kind of that one is not known yet; entering it again would move energies */
    double lost, energy; /* J, in its jump; stored behind it */
    double last_jump;    /* how far it moved a state, as a share of the largest it has been */
} hbg_rt_pending;

typedef struct {
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    bool
        one_commit; /* the iteration returns after each commit; called again it goes on, until time advances */
    int32_t *states; /* discrete state, in and out */
    double *x;       /* energies, in and out */
    void *scratch;   /* hbg_rt_instant_scratch bytes, aligned for double */
    hbg_rt_outlook outlook;
    /* Called for each mode visited; see its `order`. May be NULL. */
    void (*visit)(void *context, const hbg_rt_visit *visit);
    /* Called when a mode was considered, while its pulses can be read. May be NULL. */
    void (*considered)(void *context);
    /* Called when what was considered last has become real. May be NULL. */
    void (*committed)(void *context);
    void *context;

    /* out */
    bool is_open; /* it has not come to its end: only with `one_commit` */
    hbg_rt_pending pending;
    int32_t commits, passes;
    int32_t pinnacles;             /* commits that were left at once and have no field */
    double lost;                   /* J, over all commits */
    double by_parameters;          /* J: what storages gained because parameters of theirs jumped */
    hbg_rt_verdict verdict;        /* also a warning, with HBG_RT_OK */
    char words[HBG_RT_WORDS];      /* of a verdict: trace and values that decided */
    char moves[HBG_RT_MOVES][160]; /* the last transitions taken, with the values that decided them */
    int32_t move_count;            /* of all that were */
} hbg_rt_search;

size_t hbg_rt_instant_scratch(const hbg_rt_description *system);
/* Behind the words of a verdict: the transitions that led there. */
void hbg_rt_put_moves(hbg_rt_search *search);
/* J: states within a share τ of the largest they have been count as equal (semantics, section 5). Moving them by that moves an energy E,
 * with E_most at those largest, by about 2·τ·√(E·E_most) + τ²·E_most: less is no energy. */
double hbg_rt_no_energy(double energy, double most);
/* The event iteration at t: searches the next real mode until time advances. HBG_RT_VERDICT: see verdict and words. */
hbg_rt_status hbg_rt_instant(hbg_rt_search *search, double t, bool at_start, const int32_t *crossed,
                             int32_t count);

#endif
