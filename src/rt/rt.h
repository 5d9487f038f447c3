/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The system: what equations, simulation, generated C and FMU agree on. One struct of sizes, names and functions; behind
 * it stands the interpreter, compiled C, or C written by hand. This folder needs the C library and nothing else, so that
 * it can be shipped with emitted code.
 *
 * A system is shared and does not change; an instance belongs to one run and holds all that does: parameters, held
 * values, the mode, the branches of located relations, registers. States are the energies q and p of all storages, one for
 * each port, and then the integrators of the model; those of dependent storages are among them and are overwritten by
 * `settle`.
 *
 * Order of calls: new → set_param, set_input → start → enter → jump → then rates, outputs, roots … for any t and x. */
#ifndef HBG_RT_H
#define HBG_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/operator_list_impl.h"

/* ---- operators ---------------------------------------------------------------------------------------- */

/* The operator on plain numbers (booleans as 0 and 1). Only for operators whose arguments are expressions, and pi. */
double hbg_rt_evaluate(hbg_operator op, double a, double b, double c);
const char *hbg_rt_operator_text(hbg_operator op); /* as a modeller writes it */

/* The same bits wherever a model is computed, and to one unit in the last place: by the processor's fused products where it
 * has them, by libm where not. */
double hbg_rt_exp(double x);
double hbg_rt_ln(double x);
double hbg_rt_pow(double x, double y);
double hbg_rt_sin(double x);
double hbg_rt_cos(double x);
/* With the sign of a, and 0 where a is a whole multiple of b but for rounding, 4 units in its last place; and a/b, a whole number
 * there. The text of the former: a C function wrapped_remainder, which calls fmod. */
double hbg_rt_remainder(double a, double b);
double hbg_rt_quotient(double a, double b);
const char *hbg_rt_remainder_text(void);
/* Whether exp to cos are ours; if so, their text: C functions elementary_exp and so on. Before it, FUNCTION and RARE have to be
 * defined: what stands before a function, and before one that is seldom called; compile for fused products. */
bool hbg_rt_has_elementary(void);
const char *hbg_rt_elementary_text(void);

/* ---- status ------------------------------------------------------------------------------------------- */

/* identifier, text */
#define HBG_RT_STATUS_LIST(X)                                                                                \
    X(OK, "fine")                                                                                            \
    X(NOT_FINITE, "a value is not a finite number")                                                          \
    X(SINGULAR, "a linear loop has no unique solution")                                                      \
    X(NO_CONVERGENCE, "a nonlinear loop was not solved")                                                     \
    X(NO_CAUSALITY, "the mode has no valid causal assignment")                                               \
    X(UNDEFINED, "a value that has no meaning is read")                                                      \
    X(STEP_TOO_SMALL, "the step became too small")                                                           \
    X(TOO_MANY_STEPS, "too many steps")                                                                      \
    X(INTERRUPTED, "interrupted")                                                                            \
    X(CANNOT_WRITE, "results cannot be written")                                                             \
    X(NO_MEMORY, "out of memory")                                                                            \
    X(BAD_OPTION, "an option is out of its range")                                                           \
    X(VERDICT, "the switching of the model is not consistent")                                               \
    X(NOT_THERE, "the image lacks what the mode needs")                                                      \
    X(BAD_IMAGE, "the bytes are no image that can be run")

typedef enum {
#define X(id, text) HBG_RT_##id,
    HBG_RT_STATUS_LIST(X)
#undef X
        HBG_RT_STATUS_COUNT
} hbg_rt_status;

const char *hbg_rt_status_text(hbg_rt_status status);

/* Where and why the last call on an instance failed. */
typedef struct {
    hbg_rt_status status;
    double time;
    char text[480]; /* in words: block, variables and their values */
    /* of a mode without causality: what would help, or NULL; and the states of its automata */
    const char *way_out;
    const int32_t *states;
} hbg_rt_failure;

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Two functions of the caller. What is allocated is zeroed and aligned for any object; NULL: there is none left. They are called when
 * something is made, and when a mode is visited for the first time. */
typedef struct {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
} hbg_rt_memory;

/* What was taken from a memory, to be given back together. A failure is remembered: a maker of many things asks once, behind the last
 * of them, and touches none before. */
typedef struct {
    hbg_rt_memory memory;
    struct hbg_rt_taken *blocks;
    bool is_exhausted;
} hbg_rt_room;

#define HBG_RT_TAKE(room, type, count) ((type *)hbg_rt_room_take((room), (size_t)(count), sizeof(type)))
/* Zeroed, never NULL unless memory is exhausted, not even where the count is 0. */
void *hbg_rt_room_take(hbg_rt_room *room, size_t count, size_t size);
/* Gives one thing back before the others; NULL is nothing. */
void hbg_rt_room_return(hbg_rt_room *room, void *place);
void hbg_rt_room_end(hbg_rt_room *room);

/* ---- names -------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name; /* as in the model: "coil.p" */
    const char *unit; /* "Wb"; "" for a pure number, NULL where it is not known */
    bool is_bool;
} hbg_rt_variable;

/* A line of the ledger (semantics, section 7). */
typedef enum {
    HBG_RT_SUPPLIED,   /* by an independent source: out of it */
    HBG_RT_DISSIPATED, /* in an R: into it */
    HBG_RT_MODULATED   /* work of modulating a C or I: into it */
} hbg_rt_power_kind;

typedef struct {
    const char *name; /* of the element */
    hbg_rt_power_kind kind;
} hbg_rt_power;

/* A time-driven update: a sample, a sensor. */
typedef struct {
    const char *name;
    double period; /* s, more than 0; first at t = 0 */
} hbg_rt_clock;

/* An automaton and its states, for logs. */
typedef struct {
    const char *name;
    const char *const *states;
    int32_t state_count;
    double every; /* s, sample period; 0: none */
} hbg_rt_automaton;

/* ---- sensors ------------------------------------------------------------------------------------------ */

/* What a sensor makes of the truth y at t: y·(scale + scale_rate·t) + bias + bias_rate·t + noise, or what it is stuck at. */
typedef struct {
    double scale, scale_rate, bias, bias_rate; /* 1, 0, 0, 0: the truth */
    double mean, deviation;                    /* of white Gaussian noise */
    bool is_stuck;
    double stuck;
    uint64_t seed, key; /* of the noise: of the run, of the sensor */
} hbg_rt_sensor;

/* The key of a sensor follows from its name: what else a model has does not change its noise. */
uint64_t hbg_rt_sensor_key(const char *name);
/* A number of the standard normal distribution, the same bits on every machine. */
double hbg_rt_gauss(uint64_t seed, uint64_t key, uint64_t sample);
/* Likewise one of [0, 1), each of 2^53 as likely as any other. */
double hbg_rt_uniform(uint64_t seed, uint64_t key, uint64_t sample);
double hbg_rt_sensor_read(const hbg_rt_sensor *sensor, int64_t sample, double t, double truth);

/* Of `hold`: instead of a state. */
enum { HBG_RT_HOLD_NOT = -1, HBG_RT_HOLD_ON = -2, HBG_RT_HOLD_OFF = -3 };

/* ---- the system --------------------------------------------------------------------------------------- */

typedef struct hbg_rt_instance hbg_rt_instance; /* whatever the system makes of it */

/* A sparse matrix by columns: rows of column j are row[start[j]] … row[start[j+1]-1], increasing. */
typedef struct {
    int32_t count; /* rows and columns */
    const int32_t *start, *row;
} hbg_rt_pattern;

/* A sparse linear solver lent to a system whose loops are large. A key stands for one loop and its pattern. */
typedef struct {
    void *context;
    bool (*factor)(void *context, int32_t key, hbg_rt_pattern pattern,
                   const double *values);                 /* false: singular */
    void (*solve)(void *context, int32_t key, double *b); /* in place */
} hbg_rt_solver;

typedef struct hbg_rt_stride hbg_rt_stride;

/* How a located relation is taken while others are frozen. */
typedef enum { HBG_RT_FROZEN, HBG_RT_AS_IT_IS, HBG_RT_AT_ZERO } hbg_rt_hold;

typedef enum { HBG_RT_LOOK_QUIET, HBG_RT_LOOK_MOVED, HBG_RT_LOOK_SEARCH } hbg_rt_look_end;
typedef struct {
    int32_t *states; /* discrete state, in and out */
    int32_t moves;   /* automata that moved */
    hbg_rt_look_end end;
} hbg_rt_look;

typedef struct hbg_rt_system {
    void *self;
    const char *name;

    int32_t state_count;
    const hbg_rt_variable *states;
    int32_t output_count; /* what the run was asked to record */
    const hbg_rt_variable *outputs;
    int32_t input_count;
    const hbg_rt_variable *inputs;
    int32_t param_count;
    const hbg_rt_variable *params;
    int32_t clock_count;
    const hbg_rt_clock *clocks;
    int32_t root_count;
    int32_t idle_roots; /* of these, those that move only where the run moves parameters (set_line) */
    int32_t
        guard_first; /* roots from this number on belong to guards: positive while nothing happens there */
    int32_t power_count;
    const hbg_rt_power *powers;
    int32_t storage_count; /* storages: what `energies` gives, one for each element */
    const hbg_rt_variable *storages;
    int32_t bond_count;
    const hbg_rt_variable *bonds; /* names, for logs */
    int32_t automaton_count;
    const hbg_rt_automaton *automata;
    const int32_t *start_states; /* by automaton */
    bool has_events;             /* transitions can be taken: instants are searched (hbg_rt_instant) */

    hbg_rt_instance *(*make)(void *self); /* NULL: no memory. Parameters, inputs, modes are those declared */
    void (*end)(hbg_rt_instance *instance);
    /* Lends a solver until NULL takes it back. */
    void (*lend)(hbg_rt_instance *instance, const hbg_rt_solver *solver);

    /* Overrides a parameter; what depends on it follows. Overrides an input with a value held from now on. */
    hbg_rt_status (*set_param)(hbg_rt_instance *instance, int32_t param, double value);
    hbg_rt_status (*set_input)(hbg_rt_instance *instance, int32_t input, double value);
    /* From t on a parameter is value + slope·time, at every time at which anything is asked for. It may have nothing to do with what is
     * stored, nor with a derivative. NULL: no parameter moves. */
    hbg_rt_status (*set_line)(hbg_rt_instance *instance, int32_t param, double t, double value, double slope);
    /* From the next instant on an automaton goes to this state and takes no transition, until HBG_RT_HOLD_NOT. HBG_RT_HOLD_ON
     * is the state it is in if that is on, else the first such state a transition leads to from there, else the first of all.
     * NULL: no system with automata that can be held. */
    hbg_rt_status (*hold)(hbg_rt_instance *instance, int32_t automaton, int32_t state);
    /* A clock takes what the sensor shows from now on; NULL: the truth. The sensor is borrowed. NULL: no sensors. */
    hbg_rt_status (*set_sensor)(hbg_rt_instance *instance, int32_t clock, const hbg_rt_sensor *sensor);

    /* The declared energies. */
    hbg_rt_status (*start)(hbg_rt_instance *instance, double *x);
    /* Goes to the mode of the automaton states given (NULL: the start states). */
    hbg_rt_status (*enter)(hbg_rt_instance *instance, const int32_t *states);
    /* x⁺ = g(x): conservation of state on entering the mode (semantics, section 4). */
    hbg_rt_status (*jump)(hbg_rt_instance *instance, double t, const double *x, double *x_plus);
    /* Takes the energies of dependent storages from those of independent ones, in place. */
    hbg_rt_status (*settle)(hbg_rt_instance *instance, double t, double *x);

    /* The field. dx of a dependent storage is its true rate. */
    hbg_rt_status (*rates)(hbg_rt_instance *instance, double t, const double *x, double *dx);
    hbg_rt_status (*outputs_at)(hbg_rt_instance *instance, double t, const double *x, double *y);
    hbg_rt_status (*powers_at)(hbg_rt_instance *instance, double t, const double *x, double *power);
    /* Energies of x as it stands, dependent storages included: they are not taken from the others here. */
    hbg_rt_status (*energies_at)(hbg_rt_instance *instance, double t, const double *x, double *energy);
    /* Work of each power line in the jumps of the last instant (area × value), J. NULL: never any. */
    hbg_rt_status (*jump_work)(hbg_rt_instance *instance, double *work);

    /* ∂rates/∂x in the present mode, exact. The pattern stands until the next `enter`; count -1: no memory for it. */
    hbg_rt_pattern (*jacobian_pattern)(hbg_rt_instance *instance);
    hbg_rt_status (*jacobian)(hbg_rt_instance *instance, double t, const double *x, double *values);

    /* Located relations. While `freeze` is in force relations, abs, min, max and tables inside laws keep the branch they had
     * at the t and x given, so that the field is smooth; roots_at tells where the branches would change (one value
     * each, sign changes count, 0 is on the branch taken). Without it they are evaluated as they are. `freeze` again after a crossing takes the branches
     * beyond the roots listed. */
    hbg_rt_status (*freeze)(hbg_rt_instance *instance, double t, const double *x, const int32_t *crossed,
                            int32_t count);
    /* While frozen: relations listed take the branch of the values they have at t and x, ~k that of equality, since relation k has
     * jumped there. sides[k] is then the sign of root k on its branch; 0: that is a point. NULL: none reads another one. */
    hbg_rt_status (*freeze_anew)(hbg_rt_instance *instance, double t, const double *x, const int32_t *listed,
                                 int32_t count, int8_t *sides);
    void (*thaw)(hbg_rt_instance *instance);
    /* A root, of those that are no guards, is not frozen with the others until the next `freeze` that lists none: its relation is as it
     * is, and the root stays at 0; or a sign counts as 0, and the root tells how far it is from that. False: that is of no use. NULL:
     * all are frozen. */
    bool (*loosen)(hbg_rt_instance *instance, int32_t root, hbg_rt_hold hold);
    hbg_rt_status (*roots_at)(hbg_rt_instance *instance, double t, const double *x, double *g);
    /* By root: the largest value in the sums on either side of its relation, of which its rounding is a share; 0: not known. Bands of
     * relations whose sides are equal but for that follow. NULL: nobody knows. */
    hbg_rt_status (*root_sizes)(hbg_rt_instance *instance, double t, const double *x, double *sizes);
    void (*root_name)(hbg_rt_instance *instance, int32_t root, char *text, size_t size);
    /* What time itself drives, waves and saw-teeth, is not to be stepped over: the longest step; INFINITY if nothing is. NULL: none
     * known. */
    double (*longest_step)(hbg_rt_instance *instance);
    /* The first instant after t at which an input or a table over time has a kink or a jump; INFINITY if none. */
    double (*next_break)(hbg_rt_instance *instance, double t);

    /* The clocks listed tick at t: samples and sensors take their values, those that read others of
     * them behind these; what they drive follows when all are taken. */
    hbg_rt_status (*tick)(hbg_rt_instance *instance, double t, const double *x, const int32_t *clocks,
                          int32_t count);

    /* Instants (semantics, sections 2 and 4 to 6). An instant opens with the left limits in the present mode at (t, x); at the
     * start of a run those are the finite values behind the first jump. `crossed`: roots found here; ~k is root k, that only came to
     * 0 and did not pass it. */
    hbg_rt_status (*open)(hbg_rt_instance *instance, double t, const double *x, bool at_start,
                          const int32_t *crossed, int32_t count);
    /* A search begins: no junction has been off in it yet. */
    void (*open_search)(hbg_rt_instance *instance);
    /* Values with pulses in the mode of `states`, entered with energies x. `*a_priori`: a restitution junction is on that was
     * off earlier in this search, so that guards are judged on the values before. */
    hbg_rt_status (*consider)(hbg_rt_instance *instance, const int32_t *states, double t, const double *x,
                              double *x_plus, bool *a_priori);
    /* All automata with an enabled transition move, judged on the values considered; `alone`: the first of them in the order of the
     * source. HBG_RT_VERDICT: none does, in a shorted mode. */
    hbg_rt_status (*move)(hbg_rt_instance *instance, const int32_t *states, int32_t *next, bool alone);
    /* What was considered is real: pre takes its finite parts, pulses are over. */
    hbg_rt_status (*commit)(hbg_rt_instance *instance, const int32_t *states, double t, const double *x_plus);
    /* Back to the values of the last commit, after something else was considered. */
    hbg_rt_status (*resume)(hbg_rt_instance *instance, double t, const double *x);
    /* Whether the last `move` left a transition alone only because its relation is at equality. */
    bool (*held_back)(hbg_rt_instance *instance);
    /* A root whose relation kept a guard from holding because it is between what is no number, like 0/0; -1: there was none in this run.
     * NULL: nobody knows. */
    int32_t (*unanswered)(hbg_rt_instance *instance);
    /* Whether a transition taken in this search read, by finite parts, a storage that jumped there and keeps its energy in the
     * mode found (000, section 3.3.4); then says which. */
    bool (*forbidden)(hbg_rt_instance *instance, const double *x, const double *x_plus, char *text,
                      size_t size);
    /* Junctions that bounced at the last instant are entered without restitution from now on, until they have been left. False:
     * none bounced, nothing can rest. `rested` gets the names of those that begin to, next to one another in quotes. */
    bool (*rest)(hbg_rt_instance *instance, char *rested, size_t size);
    /* Whether a junction with restitution stays on behind the last instant, at t, because what it would throw back has come to
     * rest, after bounces closer and closer to one another: they have accumulated there. Asked once an instant. */
    bool (*settles)(hbg_rt_instance *instance, double t);
    /* Bonds that may pulse in what was considered last, into `bonds` (bond_count at most); how many. NULL: any may. */
    int32_t (*pulsing)(hbg_rt_instance *instance, int32_t *bonds);
    /* Areas of effort and flow of a bond in what was considered last. */
    void (*pulse)(hbg_rt_instance *instance, int32_t bond, double *effort, double *flow);
    /* Whether a junction that bounced in the mode committed last is still on in what was considered last: its pinnacle is lost
     * (semantics, section 4). NULL: nothing bounces. */
    bool (*still_on)(hbg_rt_instance *instance);
    /* Nothing moved: pre of guards takes the values considered, before time flows. NULL: no guard reads pre. */
    hbg_rt_status (*renew)(hbg_rt_instance *instance, double t, const double *x);
    /* Whether an event input is true in the first pass of this instant. */
    bool (*event_is_true)(hbg_rt_instance *instance);
    /* Whether two states are the same but for rounding in this run. */
    bool (*same)(hbg_rt_instance *instance, const double *a, const double *b);
    /* By state: the largest contribution to it at instants of this run, of which rounding is a share. NULL: nobody knows. */
    const double *(*state_sizes)(hbg_rt_instance *instance);
    /* Work of independent sources in what was considered last. */
    double (*source_work)(hbg_rt_instance *instance);
    /* Whether parts of the system that have nothing to do with one another jump in what was considered last, and one of them ends
     * with more energy than it had and got: then what it had, has and got. The sum of all would hide that. NULL: there are none. */
    bool (*creates)(hbg_rt_instance *instance, double t, const double *x, const double *x_plus,
                    double *before, double *after, double *supplied);
    /* Time flows on in the mode committed. */
    hbg_rt_status (*flow)(hbg_rt_instance *instance, const int32_t *states, double t, const double *x);
    /* An accepted step ended at (t, x) without a crossing: relations that were crossed last and have left equality count again. */
    hbg_rt_status (*accept)(hbg_rt_instance *instance, double t, const double *x);
    /* In words: which transitions the last `move` took, and on which values; of one group, or of all (−1). */
    void (*describe_move)(hbg_rt_instance *instance, int32_t group, char *text, size_t size);
    /* By automaton: the first automaton of its group. What different groups do at an instant is no business of one another's. NULL,
     * also as an answer: all are one group. */
    const int32_t *(*groups)(hbg_rt_instance *instance);

    /* Guards at the end of a fixed step where nothing is planned. Automata whose moves change nothing but which junctions conduct,
     * and no value that their guards read, move at once: no energy jumps, no search is needed. Anything else is left as it is and
     * answered by HBG_RT_LOOK_SEARCH. NULL: nothing can be told without a search. */
    hbg_rt_status (*look)(hbg_rt_instance *instance, double t, const double *x, hbg_rt_look *look);
    /* Whether no output has another value because of such a move. */
    bool (*keeps_outputs)(hbg_rt_instance *instance);
    /* Some of the steps to come in one go, as hbg_rt_stride_run does them, to the bit. False: it has no code for the next one, nothing
     * was done. NULL: for none. */
    bool (*stride)(hbg_rt_instance *instance, hbg_rt_stride *stride, hbg_rt_status *status);

    const hbg_rt_failure *(*failure)(hbg_rt_instance *instance);
} hbg_rt_system;

/* ---- the event iteration ------------------------------------------------------------------------------ */

typedef enum { HBG_RT_MYTHICAL, HBG_RT_PINNACLE, HBG_RT_BOUNDARY, HBG_RT_CONTINUOUS } hbg_rt_mode_kind;

/* One mode on the way through an instant. */
typedef struct {
    hbg_rt_mode_kind kind;
    int32_t order; /* which mode of the instant it was; what became of a commit is known later */
    const int32_t *before, *states; /* automaton states of the mode before, and of this one */
    const double *x, *x_plus;       /* energies it was entered with, and after its jump */
    double lost;                    /* J, in the jump; 0 for a mythical mode */
    bool returns; /* the search came back to where it began: time flows on, nothing is committed */
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

typedef struct {
    const hbg_rt_system *system;
    hbg_rt_instance *instance;
    int32_t *states; /* discrete state, in and out */
    double *x;       /* energies, in and out */
    void *scratch;   /* hbg_rt_instant_scratch bytes, aligned for double */
    /* Called for each mode visited; see its `order`. May be NULL. */
    void (*visit)(void *context, const hbg_rt_visit *visit);
    /* Called when a mode was considered, while its pulses can be read. May be NULL. */
    void (*considered)(void *context);
    /* Called when what was considered last has become real. May be NULL. */
    void (*committed)(void *context);
    void *context;

    /* out */
    int32_t commits, passes;
    int32_t pinnacles;             /* commits that were left at once and have no field */
    double lost;                   /* J, over all commits */
    double by_parameters;          /* J: what storages gained because parameters of theirs jumped */
    hbg_rt_verdict verdict;        /* also a warning, with HBG_RT_OK */
    char words[HBG_RT_WORDS];      /* of a verdict: trace and values that decided */
    char moves[HBG_RT_MOVES][160]; /* the last transitions taken, with the values that decided them */
    int32_t move_count;            /* of all that were */
} hbg_rt_search;

size_t hbg_rt_instant_scratch(const hbg_rt_system *system);
/* Behind the words of a verdict: the transitions that led there. */
void hbg_rt_put_moves(hbg_rt_search *search);
/* J: states within a share τ of the largest they have been count as equal (semantics, section 5). Moving them by that moves an energy E,
 * with E_most at those largest, by about 2·τ·√(E·E_most) + τ²·E_most: less is no energy. */
double hbg_rt_no_energy(double energy, double most);
/* The event iteration at t: searches the next real mode until time flows on. HBG_RT_VERDICT: see verdict and words. */
hbg_rt_status hbg_rt_instant(hbg_rt_search *search, double t, bool at_start, const int32_t *crossed,
                             int32_t count);

/* ---- small dense linear algebra ----------------------------------------------------------------------- */

/* LU with partial pivoting of the n×n matrix by rows, in place. False if it is singular to working precision: `*column` (may
 * be NULL) is then where. Rows are scaled by their largest entry when pivots are chosen. */
bool hbg_rt_lu_factor(int32_t n, double *matrix, int32_t *pivot, int32_t *column);
void hbg_rt_lu_solve(int32_t n, const double *matrix, const int32_t *pivot, double *b);

/* ---- fixed-step methods ------------------------------------------------------------------------------- */

typedef enum { HBG_RT_EULER, HBG_RT_HEUN, HBG_RT_ODE3, HBG_RT_RK4, HBG_RT_TRAPEZOIDAL } hbg_rt_method;

/* An explicit method of which each stage starts from the one before: x + h·through·k at t + h·through. */
typedef struct {
    int32_t stage_count;
    double through[4]; /* of stage 1, 2, …; that of stage 0 is 0 */
    double weight[4];
} hbg_rt_tableau;
const hbg_rt_tableau *hbg_rt_method_tableau(hbg_rt_method method); /* NULL: it is not explicit */

/* A linear solver lent to the trapezoidal method where a dense matrix would be too large. */
typedef struct {
    void *context;
    /* Factors I − scale·∂rates/∂x at t and x. */
    hbg_rt_status (*factor)(void *context, double t, const double *x, double scale);
    void (*solve)(void *context, double *b); /* in place */
    void (*end)(void *context);              /* it is lent no longer. May be NULL */
} hbg_rt_linear;

typedef struct {
    const hbg_rt_system *system;
    hbg_rt_instance *instance;
    hbg_rt_method method;
    const hbg_rt_linear *linear; /* NULL: dense LU in the scratch */
    double *scratch;             /* hbg_rt_step_scratch doubles */
    double
        *work; /* by power line: J of the last step, by the weights of the method itself; NULL: nobody asks */
} hbg_rt_stepper;

/* Doubles of scratch the method needs; trapezoidal without a lent solver includes dense matrices. */
size_t hbg_rt_step_scratch(const hbg_rt_stepper *stepper);
/* One step from t to t_end, x in place. `dx` are the rates at (t, x) and then those at (t_end, x): after a jump the caller
 * asks the system for them anew. Where it fails x stands as it was. */
hbg_rt_status hbg_rt_step(const hbg_rt_stepper *stepper, double t, double t_end, double *x, double *dx);

/* ---- times on a grid ---------------------------------------------------------------------------------- */

/* Multiples of a step, each the nearest number to what it is on paper: number·numerator/denominator up to the `most`-th. */
typedef struct {
    double step, numerator, denominator;
    double most;
} hbg_rt_grid;
hbg_rt_grid hbg_rt_grid_of(double step);
static inline double hbg_rt_grid_time(const hbg_rt_grid *grid, double number) {
    return number <= grid->most ? number * grid->numerator / grid->denominator : number * grid->step;
}

/* ---- inside a step ------------------------------------------------------------------------------------ */

/* The cubic through states and rates at both ends of a step; at the end itself it is the state there. */
typedef struct {
    double begin, end; /* s */
    const double *x0, *dx0, *x1, *dx1;
} hbg_rt_curve;
void hbg_rt_curve_at(const hbg_rt_curve *curve, int32_t count, double t, double *x);

/* What is kept of outputs from step to step, of the first `count` of them. */
typedef struct {
    int32_t count;
    double *last, *low, *high;
    double *area; /* under straight lines from one to the next */
} hbg_rt_extent;
/* Outputs at the end of a step so many seconds long. */
void hbg_rt_extent_step(const hbg_rt_extent *extent, double width, const double *outputs);

/* ---- many fixed steps --------------------------------------------------------------------------------- */

typedef enum {
    HBG_RT_STRIDE_DONE,   /* all steps; the guards at the end have not been looked at */
    HBG_RT_STRIDE_SEARCH, /* where it stands an instant has to be searched, or looked at more closely */
    HBG_RT_STRIDE_FAILED  /* the next step has no finite end: it has not been done */
} hbg_rt_stride_end;

/* Where outputs are wanted: inside of a step, or at its end where the time is that of its end to the last bit. */
typedef struct {
    int64_t step; /* of the stride, from 0 */
    double time;  /* s */
} hbg_rt_row;

/* Steps of an explicit method between two planned instants, guards looked at where each begins. */
struct hbg_rt_stride {
    const hbg_rt_stepper *stepper;
    hbg_rt_grid grid;       /* of its steps */
    double first;           /* the stride begins at the first-th time on it */
    int64_t count;          /* steps at most */
    bool looked;            /* the guards at its beginning have been looked at */
    double *x;              /* in and out */
    int32_t *states;        /* likewise */
    const hbg_rt_row *rows; /* in order; all within its steps */
    int32_t row_count;
    const hbg_rt_extent
        *extent; /* in and out: it has the outputs where the stride begins. NULL: nobody asks */
    /* out */
    double *outputs;  /* by row: output_count each */
    int32_t row_done; /* rows of the steps done */
    hbg_rt_stride_end end;
    int64_t done;    /* steps */
    int64_t commits; /* looks at which automata moved */
    int64_t moves;   /* and how many of them did */
    double *work;    /* in and out, by power line, J: that of all steps is added; NULL: nobody asks */
};

/* Doubles of scratch behind those of the step. */
size_t hbg_rt_stride_scratch(const hbg_rt_stepper *stepper);
hbg_rt_status hbg_rt_stride_run(hbg_rt_stride *stride);

#endif
