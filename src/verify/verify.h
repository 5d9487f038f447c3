/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Questions over all modes, answered without walking them (semantics, section 8): is there a mode without a
 * valid causal assignment, is there one in which a storage is dependent? Modes are never listed; a theorem
 * prover looks for the mode together with a certificate of what is wrong with it, and src/causal judges every
 * mode it names again before it is reported.
 *
 * Modes that can exist. Every automaton is in one of its states that its transitions, whatever their guards,
 * lead to from its start or from where an experiment starts it; the automata are taken as independent. A
 * junction is on where its condition over these states holds, so that shared, inverted and combined conditions
 * are respected. */
#ifndef HBG_VERIFY_H
#define HBG_VERIFY_H

#include "causal/causal.h"
#include "eqn/eqn.h"
#include "term/term.h"

/* The answer of a search for something wrong. */
typedef hbg_answer hbg_verdict;
#define HBG_VERDICT_PROVED    HBG_PROVED      /* no possible mode is of the kind asked for */
#define HBG_VERDICT_WITNESS   HBG_VIOLATED    /* here is one */
#define HBG_VERDICT_UNDECIDED HBG_NOT_DECIDED /* not decided, and why */

struct hbg_group_result;

typedef struct {
    /* For one question, 0: none. Each question that runs out of it halves it for those that follow, down to a
     * sixty-fourth, so that many hopeless questions take minutes and not hours. */
    int32_t timeout_ms;
    uint32_t effort;    /* steps of the prover for one search, the same on every machine; 0: no limit */
    int32_t mode_limit; /* most single modes judged in one question before it stays undecided */
    int32_t
        group_ms; /* of consistency: computing time for a group, and half of it for describing the findings */
    /* of consistency: called for every question, and now and then during one, with the group and their
     * number; after it returns false no more is asked, and what is not decided stays so. Or NULL */
    bool (*progress)(void *context, int32_t group, int32_t groups);
    void *context;
    bool bare;  /* of consistency: what is wrong and where, for numbers; no words, no reachability */
    bool jumps; /* of consistency: the first jump of every instant, for pictures; else of some */
    bool
        plainly; /* of consistency: all ways are followed from every discrete state, without shortcuts; for tests */
    /* of consistency: called for each group when it is judged. What its result points to lives no longer than
     * the call, so that memory does not grow with the square of the groups. NULL: results stay */
    void (*each)(void *listener, const struct hbg_group_result *group);
    void *listener;
} hbg_verify_options;
hbg_verify_options hbg_verify_options_default(void);

/* The theorem prover has its own memory, which does not belong to an arena, so its owner must free it. It
 * carries nothing from one question to the next. NULL if there is no memory for it. */
typedef struct hbg_verify_prover hbg_verify_prover;
hbg_verify_prover *hbg_verify_prover_new(hbg_memory *memory);
void hbg_verify_prover_free(hbg_verify_prover *prover); /* NULL is fine */

/* What all questions about one structure share; everything borrowed outlives it. */
typedef struct hbg_verify_modes hbg_verify_modes;
hbg_verify_modes *hbg_verify_modes_new(hbg_arena *arena, hbg_verify_prover *prover,
                                       const hbg_causal_structure *structure,
                                       const hbg_verify_options *options);

/* From now on a mode that is only passed through, or that floats, counts as valid (semantics, section 3a).
 * The equations are those of the same model, and have made the structure. */
void hbg_verify_modes_as_limits(hbg_verify_modes *modes, hbg_eqn *eqn);

typedef struct {
    hbg_verdict verdict;
    int32_t *states;    /* of a witness, by automaton: index of the state; else NULL */
    const char *reason; /* why it is undecided; else NULL */
    int32_t searches;   /* questions put to the prover */
    int32_t judged;     /* single modes judged */
} hbg_verify_result;

/* Whether a mode that can exist has no valid assignment. In a witness as few automata as the search could
 * manage are away from their start. */
hbg_verify_result hbg_verify_causality(hbg_verify_modes *modes);

/* Whether there is a mode in which a storage is dependent: some assignment with the fewest derivative storages
 * has this port in derivative causality (of two capacitors in parallel either may be the one, so both are).
 * Counted are modes in which the part of the graph around it, all that is joined to it through junctions that
 * are on, has a valid assignment. */
hbg_verify_result hbg_verify_dependence(hbg_verify_modes *modes, int32_t element, int32_t port);

/* ---- consistency of switching ------------------------------------------------------------------------------
 *
 * Whether time diverges (semantics, section 8): for every distribution of energy, every input and every discrete state the
 * search for the next mode ends, and so does the chain of commits. Energies stand still during a search, so that each guard
 * is a condition on them; all ways a search can go are followed, each with its condition, and the prover says which of them
 * exist. Values are compared exactly, without bands. */

/* What can be wrong: identifier, word, whether it leaves time divergent, text */
#define HBG_FINDING_LIST(X)                                                                                  \
    X(CYCLE, "cycle", true, "a search comes back to a state it has been in")                                 \
    X(CHAIN, "chain", true, "commits follow one another without end")                                        \
    X(LOST_PINNACLE, "lost pinnacle", true, "a mode that exists at a point only would persist")              \
    X(NO_CAUSALITY, "no causality", true, "a mode without a valid causal assignment is entered")             \
    X(SHORT_CIRCUIT, "short circuit", true, "sources are short-circuited, and no guard is enabled")          \
    X(OPEN_FLOW_SOURCE, "open flow source", true, "a flow has nowhere to go, and no guard is enabled")       \
    X(ENERGY, "energy created", true, "a jump creates energy")                                               \
    X(FORBIDDEN, "forbidden guard", true, "a guard reads what never was")                                    \
    X(LIMIT, "limit exceeded", true, "at a jump something does not hold that always should")                 \
    X(TEMPORAL, "temporal evolution", false, "the mode that persists changes the energies again")

typedef enum {
#define HBG_FINDING_ENUM(id, word, wrong, text) HBG_FINDING_##id,
    HBG_FINDING_LIST(HBG_FINDING_ENUM)
#undef HBG_FINDING_ENUM
        HBG_FINDING_COUNT
} hbg_finding_kind;
const char *hbg_verify_finding_word(hbg_finding_kind kind);
const char *hbg_verify_finding_text(hbg_finding_kind kind);
bool hbg_verify_finding_is_wrong(hbg_finding_kind kind);

/* A condition on energies and inputs, evaluated with plain numbers: for pictures, and for tests against
 * runs. */
typedef struct hbg_condition hbg_condition;
typedef struct {
    const double *states;         /* by state of the system */
    const double *signals;        /* by signal of the model: inputs and held values; NULL: all 0 */
    const double *signals_before; /* the same before the instant; NULL: as in it */
    const double *params;         /* by parameter: those with a range; NULL: all 0 */
    double time;
    const bool *ticks;  /* by automaton: it looks at its guards; NULL: all do */
    const bool *waited; /* by transition: the state has lasted as long as it says; NULL: none has */
} hbg_point;
/* Whether it holds at a point; false if it cannot be computed. */
bool hbg_verify_condition_holds(const hbg_condition *condition, const hbg_point *point);
/* Its value; of a truth 0 or 1. NaN: it cannot be computed there. */
double hbg_verify_condition_value(const hbg_condition *condition, const hbg_point *point);
typedef enum { HBG_POINT_STATE, HBG_POINT_SIGNAL, HBG_POINT_PARAM, HBG_POINT_TIME } hbg_point_part;
/* Whether it depends on one of the numbers of a point; of time the index is 0. */
bool hbg_verify_condition_reads(const hbg_condition *condition, hbg_point_part part, int32_t index);
/* Whether it depends on it as on an angle: by a sine or cosine. */
bool hbg_verify_condition_turns(const hbg_condition *condition, hbg_point_part part, int32_t index);
/* The smallest distance from equality of a relation in it that numbers decide, as a share of the largest
 * contribution to its sides: below about 1e-9 rounding decides the answer. Sides that differ only by rounding
 * count as equal. */
double hbg_verify_condition_margin(const hbg_condition *condition, const hbg_point *point);

typedef struct {                /* where an instant that begins in a discrete state goes wrong */
    const int32_t *start;       /* by automaton of the model */
    const hbg_condition *where; /* if one can begin there: the run does, or time has advanced in the state */
} hbg_finding_region;

typedef struct
{ /* when a discrete state is left at once after it was entered, with its jump, at an instant that begins in
   * another */
    const int32_t *from;
    const char **words;
    int32_t word_count;
    bool words_complete;
} hbg_phase_entered;

typedef struct { /* a discrete state and when it is left at once by a run that begins in it */
    const int32_t *states;
    const hbg_condition *departed;
    const hbg_condition *allowed; /* where ranges and assumptions allow an instant to begin in it */
    const char **words;           /* the same as alternatives in words: its guards in terms of energy */
    int32_t word_count;
    bool words_complete;
    hbg_phase_entered *entered; /* for groups of few states in which that may be something else */
    int32_t entered_count;
} hbg_phase;

typedef struct {                   /* the jump of the first mode found real at an instant */
    const int32_t *start, *states; /* discrete state the instant begins in, and the one that is real */
    const hbg_condition *when;
    const hbg_condition *const *to; /* by state of the system: its value after the jump; NULL: as before */
} hbg_phase_jump;

typedef struct { /* a number of the witness */
    const char *name, *unit;
    double value; /* NaN: a truth */
    bool truth;
} hbg_witness_value;

typedef struct {           /* a discrete state on the way */
    const int32_t *states; /* by automaton of the model */
    const int32_t *taken;  /* by automaton of the group: the transition that led here, or HBG_NONE */
    bool committed;
} hbg_witness_step;

/* A further condition on a transition that is proved to exclude a finding; inside a component in its own
 * names. */
typedef struct {
    const char *condition; /* "pre(mass.p) <= 0"; NULL: none was found */
    int32_t automaton, transition;
    bool sought; /* there is a finding it was looked for */
} hbg_repair;

typedef struct {                      /* an exit of a real mode: the values when it is left */
    const int32_t *start;             /* discrete state, by automaton of the model */
    double *states, *params;          /* by state of the system; by parameter, of those with a range */
    double *signals_before, *signals; /* by signal of the model: inputs and held values; of a truth 0 or 1 */
    double time;
} hbg_reach_witness;

typedef struct {
    hbg_finding_kind kind;
    hbg_witness_step *steps;
    int32_t step_count;
    int32_t back_to; /* of a cycle or chain: the step it comes back to; else HBG_NONE */
    hbg_witness_value *values;
    int32_t value_count;
    const char **region; /* where it is so: alternatives, each a conjunction of inequalities in words */
    int32_t region_count;
    bool region_complete;  /* these are all */
    const char *subject;   /* its subject; or NULL */
    bool after_commit;     /* it comes after a first mode was found real at this instant */
    hbg_verdict reachable; /* WITNESS: an exit of a real mode leads there; PROVED: none does */
    const char *reach_reason;
    const hbg_reach_witness *reached_from; /* of a finding within reach; else NULL */
    hbg_finding_region *where;             /* the same for numbers */
    int32_t where_count;
    hbg_repair repair;
} hbg_finding;

typedef struct { /* a transition or state that nothing leads to */
    int32_t automaton, state;
    int32_t transition; /* HBG_NONE: the state itself */
} hbg_dead_end;

typedef struct { /* two discrete states that are both real for one distribution of energy */
    const int32_t *states[2];
    const char **where; /* alternatives in words */
    int32_t where_count;
    bool where_complete;
} hbg_overlap;

typedef struct hbg_group_result {
    hbg_exact_group of;
    const char *reasons; /* why its automata belong together, a line each; "" for one alone */
    hbg_verdict verdict;
    const char *reason; /* why it is undecided */
    hbg_finding *findings;
    int32_t finding_count;
    /* PROVED: from every state a run may begin in, with any energies, some mode, as it is entered there, is
     * real (the weaker published condition) */
    hbg_verdict real_mode;
    const char **never_real; /* else where none is, in words */
    int32_t never_real_count;
    bool never_real_complete;
    const int32_t *never_real_from;  /* the state an instant must begin in for that; NULL: any, or several */
    bool never_real_from_some;       /* several: each has its own regions */
    hbg_finding_region *never_where; /* the same for numbers; start NULL: any */
    int32_t never_where_count;
    hbg_phase *phases; /* of its discrete states */
    int32_t phase_count;
    hbg_phase_jump *jumps;
    int32_t jump_count;
    hbg_verdict overlap; /* WITNESS: some distribution has more than one real mode; PROVED: none has */
    hbg_overlap both;    /* of a witness: two of them, the first that were found */
    hbg_dead_end *dead;
    int32_t dead_count;
    const char **undefined; /* expressions that have no value somewhere; left out there */
    int32_t undefined_count;
    const char *
        *nearby; /* states whose range is a point: their sine and cosine are those of an angle within 1e-10 */
    int32_t nearby_count;
    int32_t states, ways, questions, longest_chain;
    double seconds, longest; /* of the prover, in all and for one question */
} hbg_group_result;

typedef struct {
    hbg_verdict verdict; /* the worst of all groups */
    bool interrupted;    /* `progress` stopped it: groups or areas may be missing */
    hbg_group_result *groups;
    int32_t group_count;
    hbg_verify_result
        causality; /* of all combinations of states; one that is entered is a finding of its group */
} hbg_consistency_result;

/* Everything in the result lives in the arena; of groups that `each` was given, it has only the counts.
 * Inside a guard of the arena's memory. */
hbg_consistency_result hbg_verify_consistency(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                                              const hbg_model *sorted, const hbg_verify_options *options);

/* ---- a model as a hybrid automaton ---------------------------------------------------------------------------
 *
 * Locations are discrete states that instants lead to, transitions the ways through an instant that a proof
 * follows: mythical modes on them are passed, and of several commits there is the jump from the first
 * energies to the last. Everything is affine and closed: the edge belongs to a strict relation, too. */

typedef enum {
    HBG_HYBRID_STATE, /* of the system */
    HBG_HYBRID_HELD,  /* what a sample holds */
    HBG_HYBRID_PRE,   /* what a law holds by pre(…) */
    HBG_HYBRID_WAIT,  /* how long an automaton has not moved */
    HBG_HYBRID_CLOCK, /* time since a tick */
    HBG_HYBRID_SAW,   /* a remainder of time: it rises steadily, and restarts at its period */
    HBG_HYBRID_TIME
} hbg_hybrid_kind;

typedef struct {
    hbg_hybrid_kind kind;
    int32_t of; /* state of the system; signal; pre(…); automaton; number of the clock, or of the saw */
    const char *text; /* of a pre(…), or a remainder */
    double period;    /* of a clock or a saw: the value it rises to */
    double rate;      /* of a saw, 1/s times what it is in */
    double start;     /* value when time begins to advance */
} hbg_hybrid_variable;

typedef struct { /* constant + factors times variables */
    double constant;
    double *factors; /* by variable */
} hbg_hybrid_sum;

typedef struct { /* the sum is not positive, or it is 0 */
    hbg_hybrid_sum sum;
    bool equal;
} hbg_hybrid_bound;

typedef HBG_VEC(hbg_hybrid_bound) hbg_hybrid_region; /* all of them hold */

typedef struct {
    const int32_t *states; /* by automaton */
    int32_t phase;
    int32_t piece, piece_count; /* a region that is not convex is that of several locations */
    hbg_hybrid_region invariant;
    const hbg_hybrid_sum *flow; /* by variable */
} hbg_hybrid_location;

typedef struct {
    int32_t source, target;
    hbg_hybrid_region guard;
    const hbg_hybrid_sum *reset; /* by variable; factors NULL: it keeps its value */
} hbg_hybrid_transition;

/* External values, between two instants at which an experiment changes them. */
typedef struct {
    double time;          /* s: when it begins */
    const double *inputs; /* by signal */
    const bool *given,
        *fires; /* by signal: an input has a value of its own; an event happens when it begins */
} hbg_hybrid_phase;

typedef struct {
    const hbg_hybrid_phase *phases;
    int32_t phase_count;
    double stop;          /* s: no time passes after it */
    const int32_t *start; /* where time begins to advance: discrete state, by automaton */
    const double *states; /* and energies, by state of the system */
    const bool *fixed;    /* by parameter: it has its present value in the model, not the declared one */
} hbg_hybrid_request;

typedef struct {
    const char *reason; /* why there is none; NULL: there is one */
    hbg_span place;     /* what is in the way */
    HBG_VEC(hbg_hybrid_variable) variables;
    HBG_VEC(hbg_hybrid_location) locations;
    HBG_VEC(hbg_hybrid_transition) transitions;
    int32_t first; /* location in which time begins to advance */
    HBG_VEC(const char *) warnings;
} hbg_hybrid;

/* The first expression that a run reads and that is not affine, even for one mode: why not, or NULL. */
const char *hbg_verify_not_affine(hbg_arena *arena, const hbg_model *sorted, hbg_span *place);

/* No proof has used the equations before. Everything lives in the arena. */
hbg_hybrid hbg_verify_hybrid(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                             const hbg_model *sorted, const hbg_hybrid_request *request,
                             const hbg_verify_options *options);

/* ---- a model as a process --------------------------------------------------------------------------------------
 *
 * The event iteration as a linear process of HyPA (003): clauses in which time advances, and alternatives,
 * each a jump and the clause after it. Predicates are terms over the variables of the process, so that
 * printing them, reading them back or judging a run by them needs nothing else of the model. */

typedef enum {
    HBG_PROCESS_ENERGY, /* state of the system */
    HBG_PROCESS_INPUT,  /* signal */
    HBG_PROCESS_HELD,   /* held value of a sample; signal */
    HBG_PROCESS_PRE,    /* what a law holds by pre(…) */
    HBG_PROCESS_WAIT,   /* s: how long an automaton has not moved */
    HBG_PROCESS_CLOCK,  /* s: time since a tick */
    HBG_PROCESS_TIME,
    HBG_PROCESS_HIDDEN, /* there is some value for it: a solution of a loop, what a table says */
    /* of the composition of 003 alone: */
    HBG_PROCESS_BOND,     /* effort or flow while time advances: twice the bond, and 1 more for the flow */
    HBG_PROCESS_RATE,     /* der(…); variable */
    HBG_PROCESS_PULSE,    /* impulse(…) of an effort or flow in a jump: as of a bond */
    HBG_PROCESS_WORK,     /* work(…): energy that passes a bond in a jump; bond */
    HBG_PROCESS_STORED,   /* energy of a storage; element */
    HBG_PROCESS_PARAM,    /* parameter */
    HBG_PROCESS_DISCRETE, /* whether an automaton is in a state; state of the model */
    HBG_PROCESS_CHOICE,   /* the choice of a jump; element */
    HBG_PROCESS_FUNCTION  /* of others that a jump may change, without a polynomial */
} hbg_process_role;

/* Whether it is the same before and after a jump. */
static inline bool hbg_process_is_plain(hbg_process_role role) {
    return role == HBG_PROCESS_TIME || role == HBG_PROCESS_HIDDEN || role == HBG_PROCESS_RATE ||
           role == HBG_PROCESS_PULSE || role == HBG_PROCESS_WORK || role == HBG_PROCESS_PARAM ||
           role == HBG_PROCESS_CHOICE;
}

/* Which value of a variable a term means: that while time advances; those before and after a jump. */
typedef enum { HBG_PROCESS_NOW, HBG_PROCESS_OLD, HBG_PROCESS_NEW, HBG_PROCESS_VIEWS } hbg_process_view;

typedef struct {
    hbg_process_role role;
    int32_t of;              /* state of the system; signal; pre(…); automaton; number of the clock */
    const char *name, *unit; /* unit NULL: it has none, or none is known */
    bool is_truth;
    double period; /* s, of a clock */
    bool is_event; /* an input that has a value only at an instant */
} hbg_process_variable;

/* Of a term: the variable and its view. */
static inline int32_t hbg_process_variable_of(int32_t variable) {
    return variable / HBG_PROCESS_VIEWS;
}
static inline hbg_process_view hbg_process_view_of(int32_t variable) {
    return (hbg_process_view)(variable % HBG_PROCESS_VIEWS);
}

typedef HBG_VEC(hbg_term) hbg_process_all; /* all of them hold */
typedef struct {                           /* one of them does */
    hbg_process_all *items;
    int32_t count;
    bool complete; /* there are no others */
} hbg_process_any;

typedef struct {
    const int32_t *states;       /* by automaton */
    const char *mode;            /* the same in words: "diode=blocking,switch=open" */
    const char *const *places;   /* by automaton: "diode.blocking" */
    const hbg_term *rates;       /* by variable; HBG_NONE: it stands still, or is free */
    hbg_process_all constraints; /* between energies */
    hbg_process_any invariants;  /* relations are closed: a continuous phase includes its ends */
    int32_t order;               /* energies that are free */
    bool flows;                  /* time can flow in it */
} hbg_process_clause;

typedef struct {
    int32_t from, to; /* clauses */
    hbg_process_any when;
    hbg_process_all samples; /* their values, in any case */
    const hbg_term *becomes; /* by variable; HBG_NONE: unchanged, or free */
    const char *const
        *through; /* modes between, a text for each of the first ways; the real ones are marked */
    int32_t through_count;
    bool stays;      /* nothing moves: an external change had no effect */
    bool jumps;      /* some energy may */
    bool by_start;   /* only a run that begins there meets it */
    bool is_certain; /* the prover has decided that */
} hbg_process_alternative;

typedef struct { /* where an instant has no end */
    int32_t from;
    hbg_finding_kind kind;
    hbg_process_any when;
} hbg_process_end;

typedef struct {
    const char *reason; /* why there is none; NULL: there is one */
    hbg_terms terms;
    HBG_VEC(hbg_process_variable) variables;
    int32_t automaton_count;
    HBG_VEC(hbg_process_clause) clauses;
    HBG_VEC(hbg_process_alternative) alternatives;
    HBG_VEC(hbg_process_end) ends;
    HBG_VEC(const char *) warnings;
    bool is_whole;      /* from every mode with any energies; else what follows from where runs start */
    int32_t most_modes; /* real modes at one instant */
    int32_t questions;
    double seconds; /* of the prover */
} hbg_process;

enum { HBG_PROCESS_MODES = 16 }; /* combinations of states in all of which an instant begins */

/* A term of it as an expression: `whole`, however long it is. */
void hbg_verify_process_print(const hbg_process *of, hbg_term term, bool whole, hbg_buffer *out);

/* ---- how the process of 003 and hbg differ -------------------------------------------------------------------------
 *
 * Where the composition of 003's constitutive processes and the event iteration of hbg are not the same:
 * identifier, what the paper has, what hbg does. For a model they name the object; for a run that is refused,
 * the explanation. */
#define HBG_DIFFERENCE_LIST(X)                                                                               \
    X(D1, "as printed, sources have no pulses", "a source passes the pulse of what it does not determine")   \
    X(D2, "as printed, a junction that switches has the pulses of one that is on",                           \
      "pulses follow the law of the mode that is entered")                                                   \
    X(D3, "a junction that stays off takes no pulse", "a junction that stays off supports the pulse")        \
    X(D4, "a source at a junction that is off contradicts it, unless its value is 0", "the source is cut")   \
    X(D5, "switching is possible wherever both predicates allow it, and never urgent",                       \
      "a mode is left at the first instant at which a guard holds")                                          \
    X(D6, "a predicate is judged behind the jump, which may make it true",                                   \
      "a guard holds in the mode that is left, mythical or real")                                            \
    X(D7, "nothing but energies remembers: where predicates overlap the mode is forgotten",                  \
      "automata remember")                                                                                   \
    X(D8, "a rebound, and what it loses, is free as long as no energy is created",                           \
      "there is a common value, or a declared restitution")                                                  \
    X(D9, "a resistor has no pulses", "a resistor can carry a pulse, with unbounded work")                   \
    X(D10, "predicates read finite values; pulses never decide",                                             \
      "guards compare unbounded parts, areas and finite parts, in that order")                               \
    X(D11, "work is balanced at each junction, and lost only where one switches",                            \
      "any jump may lose energy; only the total is looked at")                                               \
    X(D12, "several modes at an instant are jumps one behind the other",                                     \
      "modes that are real at one point only are passed within an instant")                                  \
    X(D13, "what nothing determines may be anything, and a contradiction is the end",                        \
      "it has its limit, and a contradiction is passed through if a guard resolves it")                      \
    X(D14, "equal is equal", "numbers within a band of 1e-10 are equal")                                     \
    X(D15, "jumps without end are no flow", "they are a verdict: divergence, or accumulation in time")       \
    X(D16, "predicates are guards, relaxed and weakened: more is possible than guards allow",                \
      "guards are taken as they are written")                                                                \
    X(D17, "there is no noise, no fault and no rest behind infinitely many jumps", "all of these can be had")

typedef enum {
#define HBG_DIFFERENCE_ENUM(id, paper, own) HBG_DIFFERENCE_##id,
    HBG_DIFFERENCE_LIST(HBG_DIFFERENCE_ENUM)
#undef HBG_DIFFERENCE_ENUM
        HBG_DIFFERENCE_COUNT
} hbg_difference;
const char *hbg_verify_difference_code(hbg_difference difference);  /* "D1" */
const char *hbg_verify_difference_paper(hbg_difference difference); /* what 003 has */
const char *hbg_verify_difference_own(hbg_difference difference);   /* what hbg does */

/* No proof has used the equations before. Everything lives in the arena. */
typedef struct {
    int32_t clause_limit; /* most clauses */
    const bool *
        fixed; /* by parameter: it has its present value in the model, not the declared one; NULL: none has */
    bool chooses; /* what the model leaves open is free; else it has its value without a decision */
    const int32_t *const *modes; /* discrete states in which an instant begins; in the first also a run */
    int32_t mode_count;          /* 0: all that follow from where runs start */
} hbg_process_request;
hbg_process hbg_verify_process(hbg_arena *arena, hbg_verify_prover *prover, hbg_eqn *eqn,
                               const hbg_model *sorted, const hbg_process_request *request,
                               const hbg_verify_options *options);

/* ---- a model as the composition of 003 -------------------------------------------------------------------------
 *
 * The constitutive process of every element, all of them in parallel, and the linear process that this is:
 * clauses in which time advances, and alternatives, each a jump and the clause after it. Only energies
 * remember, unless an automaton has to be a separate process. */

/* Which text of 003 counts: identifier, word. As printed, sources have no pulses and a junction that switches
 * has those of one that is on; loose is printed, without the sum of pulses at a 1-junction that is off
 * without flow. */
#define HBG_PAPER_READING_LIST(X) X(SETTLED, "settled") X(PRINTED, "printed") X(LOOSE, "loose")
typedef enum {
#define HBG_PAPER_READING_ENUM(id, word) HBG_PAPER_##id,
    HBG_PAPER_READING_LIST(HBG_PAPER_READING_ENUM)
#undef HBG_PAPER_READING_ENUM
        HBG_PAPER_READINGS
} hbg_paper_reading;

typedef struct {                  /* a summand of a constitutive process */
    const char *note;             /* its purpose: "on -> off"; or NULL */
    hbg_process_all before;       /* of values before the jump */
    hbg_process_all jump, clause; /* pulses, works and energies; values and rates */
} hbg_paper_row;

typedef struct {
    const char *name, *kind; /* "contact", "1/E junction" */
    hbg_object of;
    HBG_VEC(hbg_paper_row) rows;
    int32_t like; /* an earlier part that it is a copy of, but for names; HBG_NONE: none */
} hbg_paper_part;

typedef struct {
    const char *mode; /* "diode=blocking,switch=open"; "" where nothing switches */
    hbg_process_all equations, constraints;
    hbg_process_any invariants;
    int32_t order;         /* energies that are free */
    hbg_answer flows;      /* PROVED: time can advance in it; VIOLATED: never */
    bool contradicts;      /* its equations do */
    const char *undecided; /* a bond variable that it leaves undetermined; or NULL */
} hbg_paper_clause;

typedef struct { /* all of it holds */
    hbg_process_all equations, inequalities;
} hbg_paper_case;

typedef struct {
    HBG_VEC(hbg_paper_case) cases; /* one of them; none: nothing is possible */
    int32_t on_energies;           /* the first jump that is the same on energies */
    bool moves;                    /* some energy may change */
    bool loses;                    /* and some energy is lost in it, how much is left open */
} hbg_paper_jump;

typedef struct {
    int32_t before, after; /* clauses: whose predicates hold before, and the one after */
    int32_t jump;
    hbg_process_all when; /* predicates before, and what entering requires */
    hbg_answer feasible;  /* PROVED: yes; VIOLATED: never */
    bool entry_open;      /* whether time advances after it is not decided at every point */
    bool impact;          /* a collision with restitution takes part */
} hbg_paper_alternative;

typedef struct { /* where time has advanced, an alternative, where it advances again */
    int32_t from, alternative;
    hbg_answer jumps; /* VIOLATED: no energy changes */
    bool certain;     /* it was shown to exist */
} hbg_paper_edge;

typedef struct { /* another clause allows all that this one allows */
    int32_t clause, in;
    hbg_process_all where, behind; /* its further requirements: while time advances, and after a jump */
} hbg_paper_included;

typedef struct {
    int32_t before, after;         /* after: a clause that is left */
    HBG_VEC(int32_t) alternatives; /* some with the constraints of a removed clause */
} hbg_paper_merged;

typedef struct {
    hbg_difference code;
    const char *object; /* what it is about */
    const char *words;
} hbg_paper_difference;

typedef struct {
    hbg_process process; /* its terms and variables; nothing else of it */
    hbg_paper_reading reading;
    HBG_VEC(hbg_paper_part) parts;  /* elements */
    HBG_VEC(hbg_paper_part) others; /* integrators, and automata that are separate processes */
    HBG_VEC(const char *) notes;    /* what has no counterpart, and what has a simpler equivalent */
    HBG_VEC(hbg_paper_difference) differences;

    const char *reason; /* why there is no linear form; NULL: there is one */
    HBG_VEC(hbg_paper_clause) clauses;
    HBG_VEC(hbg_paper_jump) jumps;
    HBG_VEC(hbg_paper_alternative) alternatives;
    HBG_VEC(hbg_paper_edge) edges;
    HBG_VEC(hbg_paper_included) included;
    HBG_VEC(hbg_paper_merged) merged; /* where some clause is included */
    HBG_VEC(const char *) junctions;  /* that switch */
    int32_t start;                    /* clause of the start mode */
    int32_t composed;                 /* products of alternatives of the parts */
    int32_t distinct_on_energies;
    int32_t merged_clauses;
    bool is_whole; /* from every mode; else what the start mode leads to, as far as the limit */
    int32_t questions;
    double seconds; /* of the prover */
} hbg_paper;

typedef struct {
    hbg_paper_reading reading;
    bool composition_only;
    const char
        *keep; /* bonds that jumps and clauses show: "b3,b4", "all", "none"; NULL: all where there are few */
    int32_t limit; /* most alternatives; 0: some thousands */
} hbg_paper_request;

enum { HBG_PAPER_LIMIT = 4096, HBG_PAPER_FEW_BONDS = 8 };

/* Everything lives in the arena. */
hbg_paper hbg_verify_paper(hbg_arena *arena, hbg_verify_prover *prover, const hbg_model *sorted,
                           const hbg_paper_request *request, const hbg_verify_options *options);

/* Whether every jump of a process that hbg makes is one of the composition. */
typedef struct {
    const char *from, *to;             /* modes */
    hbg_answer answer;                 /* PROVED: it is */
    HBG_VEC(hbg_witness_value) values; /* of a jump that is not allowed: energies before */
    const char *why;                   /* the reason, as far as it is known; or NULL */
} hbg_paper_compared;
typedef struct {
    const char *reason;
    HBG_VEC(hbg_paper_compared) jumps;
    int32_t questions;
} hbg_paper_comparison;
hbg_paper_comparison hbg_verify_paper_compare(hbg_arena *arena, hbg_verify_prover *prover,
                                              const hbg_model *sorted, const hbg_process *exact,
                                              const hbg_paper_request *request,
                                              const hbg_verify_options *options);

/* A point of a run: where time advances, or the right side of an instant whose left side is the point before.
 * The first has the declared values, the second the right side of the start. */
typedef struct {
    double t;
    const double *values;  /* by variable; times are not needed, and NaN is unknown */
    const int32_t *states; /* by automaton */
    bool is_instant;
} hbg_process_point;

typedef struct {
    hbg_verdict verdict; /* PROVED: the run is a behaviour of the process */
    int32_t flows, instants;
    int32_t unjudged; /* of these: unknown in numbers, for example where a table takes part */
    int32_t *used;    /* by alternative: how often */
    double worst;     /* the largest error of what was accepted, as a share of its size */
    /* of a refusal: */
    double t;
    int32_t from, to; /* clauses; HBG_NONE: there is none */
    enum { HBG_REFUSED_MODE, HBG_REFUSED_LATE, HBG_REFUSED_WAY, HBG_REFUSED_JUMP, HBG_REFUSED_FLOW } kind;
    const char *why;
    hbg_term law; /* that fails; HBG_NONE: it is no single one */
    double by;
} hbg_process_judgement;

/* Every continuous phase is judged by its clause and every instant by an alternative, with this relative
 * tolerance. */
hbg_process_judgement hbg_verify_process_check(hbg_arena *arena, const hbg_process *of,
                                               const hbg_process_point *points, int32_t count,
                                               double tolerance);

#endif
