/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event iteration (semantics, section 6) followed for all energies at once: every way the search can go, with the
 * condition under which it goes there. Part of src/verify. */
#ifndef HBG_VERIFY_PATHS_IMPL_H
#define HBG_VERIFY_PATHS_IMPL_H

#include "verify/group_impl.h"

/* One discrete state on a way. */
typedef struct {
    const int32_t *states; /* by automaton of the model */
    const int32_t *taken;  /* by automaton of the group: the transition that led here, or HBG_NONE */
    bool committed;        /* it was found real, and its jump became the past */
} path_step;

/* Where a way leads to something: what is known about its instant, and the condition of the way. */
typedef struct {
    formula known, condition;
    const int32_t *start; /* discrete state the instant begins in */
    formula given;        /* what is known, apart from that an instant can begin there */
} path_region;

/* Something wrong, with all conditions under which it was met. */
typedef struct {
    hbg_finding_kind kind;
    path_step *steps;
    int32_t step_count;
    int32_t back_to;     /* step the search came back to, or HBG_NONE */
    bool after_commit;   /* not in the first search of the instant */
    const char *subject; /* its subject, if that is not the way itself; or NULL */
    HBG_VEC(path_region) regions;
    const char *unclear; /* an expression known only by an enclosure takes part, or NULL */
    bool partial;        /* reported where it is certain; there may be more of it */
} path_finding;

/* A guard read a value that had jumped, in a mode that was left again: the storage, the condition for that,
 * what was read. */
typedef struct {
    int32_t state, variable;
    int32_t transition; /* whose guard it was */
    formula when;
} path_suspect;

/* One search of an instant: what stands still in it. */
typedef struct path_search {
    exact_past past;
    const int32_t *start;         /* states it begins in, committed or left */
    int32_t first_step;           /* in the steps: states seen from here on */
    bool alone;                   /* all moving together returned: from here on one moves at a time */
    int32_t loop_first, loop_end; /* then: the steps of that loop */
    HBG_VEC(path_suspect) suspects;
    int32_t commits;                 /* before it */
    int32_t asserted;                /* formulas asserted when it began */
    bool *off_earlier;               /* by junction with restitution of the group */
    int32_t *moved;                  /* by automaton of the model: how often it has moved in it */
    formula *x_before;               /* energies before the last commit, by state of the system */
    formula moves;                   /* entering the committed state again would move the energies */
    formula *bounced;                /* by junction: how it bounced in the commit before */
    const struct path_search *outer; /* the search before the last commit, or NULL */
    bool renewed;
} path_search;

/* The first commit of an instant: when it is made, and the energies it leads to. */
typedef struct {
    const int32_t *start, *states; /* before, and of the mode found */
    formula condition;
    const formula *x_plus;
} path_jump;

/* A way through an instant that ends where time advances again: for whatever draws the automaton. */
typedef struct {
    const int32_t *start, *states; /* by automaton: where it begins, and ends */
    formula *conditions;           /* all that holds on it */
    int32_t condition_count;
    const formula *x_plus;  /* energies at its end, by state of the system */
    const exact_value *pre; /* by pre(…): its value then */
    const formula *drawn;   /* as of a past: the parameters then */
    bool *moved;            /* by automaton: it has moved on the way */
    bool stays;             /* nothing was committed */
    bool on_edge;           /* it begins on the edge of a strict relation */
    path_step *steps;       /* all discrete states on it, the first and the last included */
    int32_t step_count;
} path_way;

enum { HBG_FLOWS = 400 }; /* ways after which time advances that are kept */

typedef struct {
    group_proof *proof;
    int32_t *const *starts; /* discrete states in which an instant begins */
    int32_t start_count;
    HBG_VEC(int32_t *) reached; /* the same while they are processed */
    bool follows;               /* states that instants lead to are added there */
    bool shares;                /* the continuation of a state is left to the instant that begins in it */
    hbg_pair_map met;           /* their numbers */
    bool *driven;   /* by automaton of the group: it is driven from outside; where ways are shared */
    int32_t *order; /* places among the automata of the group, driven ones last; NULL: as listed */
    int32_t driven_count;
    bool still;  /* all that are driven stay where they are, on this way */
    bool mended; /* a repair was found */
    HBG_VEC(path_jump) jumps;
    bool keeps_flows; /* also note where time advances again */
    HBG_VEC(path_jump) flows;
    bool maps;  /* note all ways, without looking for findings on them */
    bool ends;  /* but also note those that have no end */
    bool edges; /* and instants begin on the edge of a strict relation, which counts as crossed */
    HBG_VEC(path_way) ways_found;
    HBG_VEC(path_step) steps;
    HBG_VEC(path_finding) findings;
    int32_t base, known;       /* asserted formulas: before the instant, and before its ways part */
    int32_t given;             /* of those known: without the last, that an instant can begin there */
    HBG_VEC(formula) harmless; /* gains of energy that no values make positive */
    int32_t commit_limit;
    bool *entered;             /* by state of the model: some way leads there */
    bool *fired;               /* by transition: some way takes it */
    const char *open;          /* why some way was not followed to its end, or NULL */
    int32_t begun;             /* discrete states in which an instant can begin */
    int32_t excluded;          /* and those in which assumptions exclude it */
    int32_t ways;              /* followed to their end */
    int32_t longest_chain;     /* commits */
    int32_t ray_step, ray_end; /* where an endless chain begins to repeat, and the first step after that */
    int32_t rays_tried;
    bool has_ray; /* an endless chain was found: others of that length are not examined */
    bool cut;     /* and there are such: the findings are not complete */
} path_explorer;

/* paths_map.c: a discrete state with how time advances in it, and all ways out of it. */
typedef struct {
    const int32_t *states;
    const formula *rates; /* by state of the system; NULL: there are none */
    int32_t first_way, way_count;
    int32_t known,
        given; /* how many of the conditions of its ways describe the instant; and those without the condition
                * that it can begin */
    formula flowed; /* what holds where time has advanced; NULL: it cannot */
} path_mode;

/* All that instants lead to, from the states in explorer.reached on. */
typedef struct {
    path_explorer explorer;
    HBG_VEC(path_mode) modes;
    bool runs_begin_first; /* a run begins in the first of them, and in no other */
} path_map;
void hbg_verify_paths_map_begin(path_map *map, group_proof *proof);
/* False: there are more. */
bool hbg_verify_paths_map(path_map *map, int32_t mode_limit);
/* Why the ways could not be followed to their ends; NULL: they were. */
const char *hbg_verify_paths_map_doubt(const path_map *map);
/* Parameters that an experiment sets have its values. */
void hbg_verify_group_fix(group_proof *proof, const bool *fixed);
/* Whether some way, or how time advances, depends on a symbol, such as a value that a law holds. */
bool hbg_verify_paths_map_reads(const path_map *map, formula symbol);
int32_t hbg_verify_paths_map_find(const path_map *map, const int32_t *states); /* HBG_NONE: it is not there */
/* A discrete state in words: "diode=blocking,switch=open". */
const char *hbg_verify_paths_mode_text(const group_proof *proof, const int32_t *states);

/* paths_open.c: room for the past, all of it 0; energies are the same */
void hbg_verify_paths_past(group_proof *proof, exact_past *past);
formula hbg_verify_paths_same(group_proof *proof, const formula *a, const formula *b);

/* paths.c: follows all ways of an instant that begins in these states. */
void hbg_verify_paths_explore(path_explorer *explorer, const int32_t *states);
/* The past of an instant in which time advanced in these states, or of a start in them; asserts what is known
 * about it, and last that either is so, proof->begins. NULL where the mode has no valid causality. */
exact_values *hbg_verify_paths_open(group_proof *proof, const int32_t *states, exact_past *past);
/* An assumption is about values in the mode in which an instant begins. */
bool hbg_verify_paths_assume_computed(group_proof *proof);
/* paths_in.c: values of in(…) in a state, into the past. `off`: by junction with restitution of the group, whether it was off
 * earlier in the search; NULL: if it is off in the state. */
void hbg_verify_paths_ins(group_proof *proof, const int32_t *states, exact_past *past, const bool *off);
int32_t hbg_verify_paths_in_room(const group_proof *proof); /* entries by in(…) */
/* The speed of rebound at a junction with restitution in a state: ε·Σ⁻. */
formula hbg_verify_paths_bounce(group_proof *proof, int32_t junction, const exact_state *state,
                                const exact_past *past);
/* Conditions under which the transitions of an automaton are taken, in source order: `taken` by transition of its state. */
void hbg_verify_paths_guards(group_proof *proof, exact_scope *scope, const path_search *search,
                             int32_t automaton, const int32_t *states, formula *taken);

/* paths_edge.c: the same with strict relations closed; and where that makes a difference, for any automaton
 * of the group. */
void hbg_verify_paths_closed_guards(group_proof *proof, exact_scope *closed, const path_search *search,
                                    int32_t automaton, const int32_t *states, formula *taken);
formula hbg_verify_paths_edge(group_proof *proof, exact_scope *scope, exact_scope *closed,
                              const path_search *search, const int32_t *states);

/* consistency_ray.c: whether the chain of commits that this search ends repeats for ever, from some energies;
 * ray_step says where it begins to repeat. */
bool hbg_verify_paths_ray(path_explorer *explorer, const path_search *search);

/* consistency_states.c: states that transitions, whatever their guards, lead to; by state of the model */
void hbg_verify_group_possible(hbg_arena *arena, const hbg_model *model, bool *can_be);
/* Into explorer.reached: where runs start, and every other combination of states unless there are more than so many; false: there are. */
bool hbg_verify_paths_begin(path_explorer *explorer, int32_t most);
/* Goes through all instants of the group. */
void hbg_verify_group_explore(path_explorer *explorer, const bool *can_be, hbg_group_result *result);
/* The continuation is followed where an instant begins in these states. */
bool hbg_verify_paths_is_shared(const path_explorer *explorer, const path_search *search,
                                const int32_t *states);
/* Time advances in these states. */
void hbg_verify_paths_reached(path_explorer *explorer, const int32_t *states);

/* paths_driven.c: which automata of the group are driven from outside */
void hbg_verify_driven_find(path_explorer *explorer, const int32_t *states);
/* This is the first step of a search, and its driven automata may be left to other searches. */
bool hbg_verify_driven_counts(const path_explorer *explorer, const path_search *search);
/* No driven automaton moves where the search begins. */
formula hbg_verify_driven_rest(path_explorer *explorer, exact_scope *scope, const path_search *search);
/* Notes which transitions can be taken there that were not met yet. */
void hbg_verify_driven_note(path_explorer *explorer, exact_scope *scope, const path_search *search);
/* Some energy may jump there, so that a guard may read a value that never existed. */
bool hbg_verify_driven_may_suspect(const path_explorer *explorer, const exact_values *values,
                                   const path_search *search);

/* paths_in.c: a junction is on in a state */
bool hbg_verify_paths_is_on(const group_proof *proof, int32_t junction, const int32_t *states);
/* Sets what junctions throw back that are on and were off before; by automaton of the model, whether its
 * guards are judged on the values before because of that. */
const bool *hbg_verify_paths_throw(group_proof *proof, const bool *off, const int32_t *states,
                                   exact_past *past);

/* consistency_entered.c: when a discrete state is left at once, and when it is not, over the energies a run may begin with; neither where
 * an expression has no value */
typedef struct {
    formula departed, stays;
} real_judgement;
/* It matters from where a state was entered. */
bool hbg_verify_group_remembers(const group_proof *proof);
real_judgement hbg_verify_group_begun(group_proof *proof, const int32_t *states); /* a run begins in it */
/* It is entered at an instant that begins in another; departed: on any way. False: there are too many of
 * these. */
bool hbg_verify_group_entered(group_proof *proof, const int32_t *from, const int32_t *states,
                              real_judgement *made);
/* Numbers of the past as they are where a run begins. */
formula hbg_verify_group_at_start(group_proof *proof, formula a);

/* consistency_real.c: the discrete states with their areas, for numbers; and whether one of them is real everywhere. */
void hbg_verify_group_phases(group_proof *proof, int32_t *const *states, int32_t count,
                             hbg_group_result *result);
void hbg_verify_group_real_modes(group_proof *proof, hbg_group_result *result);
/* In words where two discrete states are real; after all that is told of findings, since the prover answers by what it found last. */
void hbg_verify_group_tell_overlap(group_proof *proof, hbg_group_result *result);

/* consistency_reach.c: whether an exit of a real mode leads to one of the regions: time has advanced in the
 * state the instant begins in, no guard of it held just before, and just afterwards the energies are in the
 * region. */
verify_answer hbg_verify_paths_reach(group_proof *proof, const path_region *regions, int32_t count,
                                     const hbg_reach_witness **from);

/* Rates of the states that guards and regions of the group read; NULL for those that other groups decide. */
formula *hbg_verify_paths_rates(group_proof *proof, const int32_t *states, const exact_past *past);

/* consistency_flows.c: whether a transition is taken after time has advanced in a state of its automaton that
 * explored instants have led to. Also true if that is not known well enough, or runs begin in the state. */
bool hbg_verify_flows_leave(const path_explorer *explored, int32_t *const *states, int32_t count,
                            int32_t automaton, int32_t transition);

/* consistency_repair.c: a condition that is proved to exclude a finding. */
hbg_repair hbg_verify_group_repair(path_explorer *explorer, const path_finding *of, int32_t *const *states,
                                   int32_t count);

/* paths_findings.c */
/* An expression of a region known only by bounds, or NULL; `pieces` becomes the part where it is known
 * exactly, NULL if nowhere. */
const char *hbg_verify_paths_unclear(formulas *f, path_region region, formula *pieces);
bool hbg_verify_paths_is_same(const path_explorer *explorer, const path_finding *of,
                              const path_finding *other);
void hbg_verify_paths_report(path_explorer *explorer, hbg_finding_kind kind, int32_t back_to,
                             bool after_commit, formula also, const char *subject);
/* Notes what the transitions taken have read of storages that jumped. */
void hbg_verify_paths_suspect(path_explorer *explorer, path_search *search, exact_scope *scope,
                              const int32_t *taken);
/* paths_always.c: what must hold at every jump, of the mode it leads to. */
void hbg_verify_paths_check_always(path_explorer *explorer, const path_search *search,
                                   const exact_values *values, const exact_past *past);
/* Notes the first commit of an instant, for pictures. */
void hbg_verify_paths_note_jump(path_explorer *explorer, const path_search *search, const int32_t *states,
                                const formula *x_plus);
/* Notes that time advances after an instant. */
void hbg_verify_paths_note_flow(path_explorer *explorer, const path_search *search);
/* Checks a commit: energy, and guards that read values that never existed. */
void hbg_verify_paths_check_commit(path_explorer *explorer, const path_search *search,
                                   const exact_values *values, const formula *x_plus);

#endif
