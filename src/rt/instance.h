/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An instance: all of a compiled model that changes in a run: parameters, held values, the mode, the branches of located relations,
 * registers. What does not change is shared: the image, and the description of what it computes. A system that is written by hand in C
 * has instances too (by_hand.h).
 *
 * Order of calls: new → set → declare → enter → jump → then rates, outputs, indicators … for any t and x. */
#ifndef HBG_RT_INSTANCE_H
#define HBG_RT_INSTANCE_H

#include "rt/description.h"
#include "rt/linear.h"
#include "rt/rt.h"

typedef struct hbg_rt_instance hbg_rt_instance;
typedef struct hbg_rt_stride hbg_rt_stride;

void hbg_rt_free(hbg_rt_instance *run); /* NULL is nothing */
/* Where and why the last call failed. */
const hbg_rt_failure *hbg_rt_failed(const hbg_rt_instance *run);
/* Lends a solver until NULL takes it back. */
void hbg_rt_lend(hbg_rt_instance *run, const hbg_rt_solver *solver);

/* ---- from outside ------------------------------------------------------------------------------------- */

/* Overrides a parameter; what depends on it follows. Overrides an input with a value held from now on. */
hbg_rt_status hbg_rt_set_param(hbg_rt_instance *run, int32_t param, double value);
hbg_rt_status hbg_rt_set_input(hbg_rt_instance *run, int32_t input, double value);
/* From t on a parameter is value + slope·time, at every time at which anything is asked for. It may have nothing to do with what is
 * stored, nor with a derivative. */
hbg_rt_status hbg_rt_set_line(hbg_rt_instance *run, int32_t param, double t, double value, double slope);
/* From the next instant on an automaton goes to this state and takes no transition, until HBG_RT_HOLD_NOT. HBG_RT_HOLD_ON
 * is the state it is in if that is on, else the first such state a transition leads to from there, else the first of all. */
hbg_rt_status hbg_rt_hold_automaton(hbg_rt_instance *run, int32_t automaton, int32_t state);
/* A clock takes what the sensor shows from now on; NULL: the truth. The sensor is borrowed. */
hbg_rt_status hbg_rt_set_sensor(hbg_rt_instance *run, int32_t clock, const hbg_rt_sensor *sensor);

/* What is left open in the model: the restitution of a junction, anew at each collision; a parameter, anew whenever an automaton
 * moves. */
typedef enum {
    HBG_RT_CHOOSE_DEFAULT,
    HBG_RT_CHOOSE_LEAST,
    HBG_RT_CHOOSE_GREATEST,
    HBG_RT_CHOOSE_RANDOM
} hbg_rt_choosing;
typedef struct {
    bool free; /* false: it has one value */
    double low, high;
    const double *values; /* of the first collisions; NAN: what the model says */
    int32_t count;
    hbg_rt_choosing then; /* of those after them */
    uint64_t seed, key;   /* of random ones */
} hbg_rt_rebound;
typedef struct {
    int32_t param, automaton; /* HBG_RT_NONE: the moves of all count */
    double usual;             /* what the model says */
    hbg_rt_rebound how;       /* its first value is the one a run begins with */
    double now;
    int32_t made;
} hbg_rt_drawn;
/* What a jump that became real might have led to. With numeric energies before it is affine in the coefficients of the junctions that
 * chose (semantics, section 4): values at the middle of all intervals, then for each junction at its two ends, the others in the
 * middle, then for each two of them, in this order, both at their upper end. */
enum { HBG_RT_CHOOSERS = 6, HBG_RT_OUTCOME_POINTS = 1 + 2 * HBG_RT_CHOOSERS + 15, HBG_RT_OUTCOME_SETS = 8 };
typedef struct {
    int32_t order; /* of the visit */
    int32_t count; /* junctions that chose; of more than HBG_RT_CHOOSERS nothing else is known */
    int32_t which[HBG_RT_CHOOSERS];
    double chosen[HBG_RT_CHOOSERS], low[HBG_RT_CHOOSERS], high[HBG_RT_CHOOSERS]; /* coefficients */
    double *x_plus;                                                              /* by point and state */
    double supplied[HBG_RT_OUTCOME_POINTS];                                      /* J, by sources */
} hbg_rt_outcome_set;
typedef struct { /* of an instant; those that do not fit are left out */
    hbg_rt_outcome_set sets[HBG_RT_OUTCOME_SETS];
    int32_t count; /* whoever has read them puts it back to 0 */
} hbg_rt_outcomes;
int32_t hbg_rt_outcome_points(int32_t choosers);
typedef struct {
    const hbg_rt_rebound *of; /* by junction with restitution */
    double *
        plastic; /* by such junction, of those that lose an energy: what it would have lost at most when it chose last */
    hbg_rt_drawn *drawn;
    int32_t drawn_count;
    int32_t *
        order; /* which of them chose, one after the other, as far as there is room: junctions, and behind their numbers those
                       that are drawn, but for what a run begins with. NULL: not asked for */
    int32_t order_room, order_count;
    hbg_rt_outcomes *outcomes; /* NULL: not asked for */
} hbg_rt_rebounds;
/* How many junctions have restitution; they are numbered in the order of the model. */
int32_t hbg_rt_restitution_count(const hbg_rt_instance *run);
/* Chosen from now on, beginning with the first; they are the caller's. NULL: all as the model says. */
void hbg_rt_set_rebounds(hbg_rt_instance *run, hbg_rt_rebounds *choices);
/* What was considered last, in the mode of `states` and entered with x, becomes real: what else could is written down, where somebody
 * asks for it. `order` is told with it. */
hbg_rt_status hbg_rt_note_outcomes(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                                   int32_t order);
/* How often a junction has chosen, and what it would choose for a collision, from 0, where the model says `otherwise`. */
int32_t hbg_rt_rebound_count(const hbg_rt_instance *run, int32_t restitution);
/* A junction that loses an energy, and would lose `plastic` if its bodies stayed together, leaves sqrt(1 - energy / plastic) of the speed. */
double hbg_rt_coefficient_of_loss(double energy, double plastic);
double hbg_rt_rebound_value(const hbg_rt_rebound *choice, int32_t number, double otherwise);

/* ---- modes and their states --------------------------------------------------------------------------- */

/* The declared energies. */
hbg_rt_status hbg_rt_declare(hbg_rt_instance *run, double *x);
/* Goes to the mode of the automaton states given (NULL: the start states). */
hbg_rt_status hbg_rt_enter(hbg_rt_instance *run, const int32_t *states);
/* x⁺ = g(x): conservation of state on entering the mode (semantics, section 4). */
hbg_rt_status hbg_rt_jump(hbg_rt_instance *run, double t, const double *x, double *x_plus);
/* Work of each power line in the jumps of the last instant (area × value), J. */
hbg_rt_status hbg_rt_jump_work(hbg_rt_instance *run, double *work);
/* Takes the energies of dependent storages from those of independent ones, in place. */
hbg_rt_status hbg_rt_settle(hbg_rt_instance *run, double t, double *x);

/* ---- the field and what is read from it --------------------------------------------------------------- */

/* dx of a dependent storage is its true rate. */
hbg_rt_status hbg_rt_rates(hbg_rt_instance *run, double t, const double *x, double *dx);
hbg_rt_status hbg_rt_outputs(hbg_rt_instance *run, double t, const double *x, double *y);
hbg_rt_status hbg_rt_powers(hbg_rt_instance *run, double t, const double *x, double *power);
/* Energies of x as it stands, dependent storages included: they are not taken from the others here. */
hbg_rt_status hbg_rt_energies(hbg_rt_instance *run, double t, const double *x, double *energy);
/* ∂rates/∂x in the present mode, exact. The pattern stands until the next `enter`; count -1: no memory for it. */
hbg_rt_pattern hbg_rt_jacobian_pattern(hbg_rt_instance *run);
hbg_rt_status hbg_rt_jacobian(hbg_rt_instance *run, double t, const double *x, double *values);

/* ---- located relations -------------------------------------------------------------------------------- */

/* While `freeze` is in force relations, abs, min, max and tables inside laws keep the branch they had at the t and x given, so that the
 * field is smooth. Without it they are evaluated as they are. `freeze` again after a crossing takes the branches beyond the roots
 * listed. */
hbg_rt_status hbg_rt_freeze(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                            int32_t count);
/* While frozen: relations listed take the branch of the values they have at t and x, ~k that of equality, since relation k has
 * jumped there. sides[k] is then the sign of root k on its branch; 0: that is a point. */
hbg_rt_status hbg_rt_freeze_anew(hbg_rt_instance *run, double t, const double *x, const int32_t *listed,
                                 int32_t count, int8_t *sides);
void hbg_rt_thaw(hbg_rt_instance *run);
/* In a run that asks for it, before it enters a mode, relations that outputs, or powers, read are located too. Those of them that no rate
 * reads are aside: they are frozen and have roots as the others, but where they change nothing happens to the model. */
void hbg_rt_locate_aside(hbg_rt_instance *run, bool outputs, bool powers);
bool hbg_rt_is_aside(const hbg_rt_instance *run, int32_t root);
/* How a located relation is taken while others are frozen. */
typedef enum { HBG_RT_FROZEN, HBG_RT_AS_IT_IS, HBG_RT_AT_ZERO } hbg_rt_hold;
/* A root, of those that are no guards, is not frozen with the others until the next `freeze` that lists none: its relation is as it
 * is, and the root stays at 0; or a sign counts as 0, and the root tells how far it is from that. False: that is of no use. And whether
 * any root can be: not those of a system written by hand. */
bool hbg_rt_loosen(hbg_rt_instance *instance, int32_t root, hbg_rt_hold hold);
bool hbg_rt_loosens(const hbg_rt_instance *instance);
/* Slopes of guards along time and dx, by root; NAN: not known. Relations inside laws have none. */
hbg_rt_status hbg_rt_guard_slopes(hbg_rt_instance *run, double t, const double *x, const double *dx,
                                  double *slope);
/* Where branches would change: one value by root, sign changes count, 0 is on the branch taken. */
hbg_rt_status hbg_rt_indicators(hbg_rt_instance *run, double t, const double *x, double *g);
/* By root: the largest value in the sums on either side of its relation, of which its rounding is a share; 0: not known. Bands of
 * relations whose sides are equal but for that follow. If `rounding` is not NULL, by root: the rounding that loops make of it where that
 * is more than the band of all that answers in this mode; 0: it is not. */
hbg_rt_status hbg_rt_indicator_sizes(hbg_rt_instance *run, double t, const double *x, double *sizes,
                                     double *rounding);
/* By state: the rounding error of its rate, per second, if the present mode solves loops and the model can switch;
 * else 0. */
hbg_rt_status hbg_rt_rate_errors(hbg_rt_instance *run, double t, const double *x, double *errors);
/* Whether the field or guards solve loops in the present mode. */
bool hbg_rt_solves_loops(hbg_rt_instance *run);
/* Whether a guard that comes to equality and turns there is an event: what it is at equality may enable a transition. */
bool hbg_rt_touch_matters(const hbg_rt_instance *instance, int32_t root);
void hbg_rt_indicator_name(hbg_rt_instance *run, int32_t root, char *text, size_t size);

/* ---- what time drives --------------------------------------------------------------------------------- */

/* Waves and saw-teeth are not to be stepped over: the longest step; INFINITY if there are none. */
double hbg_rt_longest_step(hbg_rt_instance *run);
/* From now on relations that time alone decides are planned: their roots never change, and what happens to them is asked for here.
 * Asked once a mode is entered. */
void hbg_rt_plan_begin(hbg_rt_instance *run, bool on);
/* The first time after t at which one of them that rates or guards read changes, while nothing else does; INFINITY if none does before
 * *horizon, as far as has been looked. */
double hbg_rt_plan_next(hbg_rt_instance *run, double t, double *horizon);
/* The same of relations aside, by the plan made last. */
double hbg_rt_plan_aside(const hbg_rt_instance *run);
/* Those that change at t, by the plan made last: their roots; how many. Then time t has come: branches that are taken are those behind it. */
int32_t hbg_rt_plan_due(const hbg_rt_instance *run, double t, int32_t *roots);
void hbg_rt_plan_reach(hbg_rt_instance *run, double t);
bool hbg_rt_is_planned(const hbg_rt_instance *instance, int32_t root);
/* The next instant is for all automata, whatever was crossed. */
void hbg_rt_ask_all(hbg_rt_instance *run);
/* The first instant after t at which an input or a table over time has a kink or a jump; INFINITY if none. */
double hbg_rt_next_break(hbg_rt_instance *run, double t);
/* The clocks listed tick at t: samples and sensors take their values, those that read others of
 * them after these; what they drive follows when all are taken. */
hbg_rt_status hbg_rt_tick(hbg_rt_instance *run, double t, const double *x, const int32_t *clocks,
                          int32_t count);

/* ---- instants (semantics, sections 2 and 4 to 6) ------------------------------------------------------ */

/* An instant opens with the left limits in the present mode at (t, x); at the start of a run those are the finite values after the
 * first jump. `crossed`: roots found here; ~k is root k, that only came to 0 and did not pass it. */
hbg_rt_status hbg_rt_open(hbg_rt_instance *run, double t, const double *x, bool at_start,
                          const int32_t *crossed, int32_t count);
/* By guard, for the instants to come: in the mode an instant opens in, a relation that is so near to its threshold and was not found there is
 * on the side it has been on. They are the caller's, and what hbg_rt_turn_back finds is added; NULL: values tell. */
void hbg_rt_tell_doubts(hbg_rt_instance *run, double *within);
/* A search begins: no junction has been off in it yet. */
void hbg_rt_open_search(hbg_rt_instance *run);
/* Values with pulses in the mode of `states`, entered with energies x. `*a_priori`: a restitution junction is on that was
 * off earlier in this search, so that guards are judged on the values before. */
hbg_rt_status hbg_rt_consider(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                              double *x_plus, bool *a_priori);
/* All automata with an enabled transition move, judged on the values considered; `alone`: by the first automaton of an island, or NULL:
 * of this island only the first of them in the order of the source. HBG_RT_VERDICT: none does, in a shorted mode. */
hbg_rt_status hbg_rt_move(hbg_rt_instance *run, const int32_t *states, int32_t *next, const bool *alone);
/* What was considered is real: pre takes its finite parts, pulses are over. */
hbg_rt_status hbg_rt_commit(hbg_rt_instance *run, const int32_t *states, double t, const double *x_plus);
/* Back to the values of the last commit, after something else was considered. */
hbg_rt_status hbg_rt_resume(hbg_rt_instance *run, double t, const double *x);
/* Nothing moved: pre of guards takes the values considered, before time advances. */
hbg_rt_status hbg_rt_renew(hbg_rt_instance *run, double t, const double *x);
/* Time advances in the mode committed. */
hbg_rt_status hbg_rt_flow(hbg_rt_instance *run, const int32_t *states, double t, const double *x);
/* An accepted step ended at (t, x) without a crossing: relations that were crossed last and have left equality count again. */
hbg_rt_status hbg_rt_accept(hbg_rt_instance *run, double t, const double *x);

/* Whether the automaton has just come back to the state of `states`, which it left on a crossing, and its group is not where that was
 * found: what was crossed counts no more for it. Told once. */
bool hbg_rt_takes_answer(hbg_rt_instance *instance, int32_t automaton, const int32_t *states);
/* Where what was crossed goes. */
typedef struct {
    double ahead; /* s: it is looked for no farther; 0: not at all */
    double error; /* of its size: as far from equality errors of states may have brought it */
} hbg_rt_outlook;

/* Of the relations found at this instant those that the field in the mode of `states`, from x on, leads back to where they were count as
 * touched from here on; `*any`: there were some. The mode has to be considered again. */
hbg_rt_status hbg_rt_turn_back(hbg_rt_instance *run, const int32_t *states, double t, const double *x,
                               const hbg_rt_outlook *outlook, bool *any);
/* The states that the instant began in; NULL: nobody knows. */
const int32_t *hbg_rt_opened(const hbg_rt_instance *run);
/* Whether the last `move` left a transition alone only because its relation is at equality. */
bool hbg_rt_held_back(hbg_rt_instance *instance);
/* A root whose relation kept a guard from holding because it is between what is no number, like 0/0; -1: there was none in this run. */
int32_t hbg_rt_unanswered(hbg_rt_instance *run);
/* Whether a transition taken in this search read, by finite parts, a storage that jumped there and keeps its energy in the
 * mode found (000, section 3.3.4); then says which. */
bool hbg_rt_forbidden(hbg_rt_instance *instance, const double *x, const double *x_plus, char *text,
                      size_t size);
/* Junctions that bounced at the last instant are entered without restitution from now on, until they have been left. False:
 * none bounced, nothing can rest. `rested` gets the names of those that begin to, next to one another in quotes. */
bool hbg_rt_rest(hbg_rt_instance *instance, char *rested, size_t size);
/* Whether a junction with restitution stays on after the last instant, at t, because what it would throw back has come to
 * rest, after bounces closer and closer to one another: they have accumulated there. Asked once an instant. */
bool hbg_rt_settles(hbg_rt_instance *instance, double t);
/* Bonds that may pulse in what was considered last, into `bonds` (bond_count at most); how many. */
int32_t hbg_rt_pulsing(hbg_rt_instance *run, int32_t *bonds);
/* Areas of effort and flow of a bond in what was considered last. */
void hbg_rt_pulse(hbg_rt_instance *run, int32_t bond, double *effort, double *flow);
/* Whether a junction that bounced in the mode committed last is still on in what was considered last: its pinnacle is lost
 * (semantics, section 4). */
bool hbg_rt_still_on(hbg_rt_instance *instance);
/* Whether an event input is true in the first pass of this instant. */
bool hbg_rt_event_is_true(hbg_rt_instance *instance);
/* Whether two states are the same but for rounding in this run. */
bool hbg_rt_same_states(hbg_rt_instance *instance, const double *a, const double *b);
/* By state: the largest contribution to it at instants of this run, of which rounding is a share. NULL: it is not known. */
const double *hbg_rt_state_sizes(hbg_rt_instance *run);
/* Work of independent sources in what was considered last. */
double hbg_rt_source_work(hbg_rt_instance *run);
/* Whether parts of the system that have nothing to do with one another jump in what was considered last, and one of them ends
 * with more energy than it had and got: then what it had, has and got. The sum of all would hide that. */
bool hbg_rt_creates(hbg_rt_instance *instance, double t, const double *x, const double *x_plus,
                    double *before, double *after, double *supplied);
/* In words: which transitions the last `move` took, and on which values; of one group, or of all (−1). */
void hbg_rt_describe_move(hbg_rt_instance *run, int32_t group, char *text, size_t size);

/* How a relation was decided that a transition was taken on. */
typedef struct {
    double left, right;
    uint8_t kind, op; /* of instant_words.c; the comparison that held */
    uint8_t order;    /* of unbounded parts: which differed */
    bool equal;       /* within the band */
} hbg_rt_taken_decision;

/* A transition that was taken. */
typedef struct {
    int32_t automaton, from, to;
    int32_t decisions; /* how many are its */
} hbg_rt_taken_transition;

/* Transitions of a move, as many as words have room for, with the decisions of all in one list. */
enum { HBG_RT_TAKEN = 400, HBG_RT_MOST_TAKEN = 40, HBG_RT_MOST_DECIDED = 64 };
typedef struct {
    hbg_rt_taken_transition moves[HBG_RT_MOST_TAKEN];
    hbg_rt_taken_decision decided[HBG_RT_MOST_DECIDED];
    int32_t count, decision_count;
} hbg_rt_taken_list;

void hbg_rt_copy_taken(hbg_rt_taken_list *to, const hbg_rt_taken_list *from);
/* Keeps the transitions of the last `move`, to be put into words later. False: the list has no room for all of
 * them, and words have to be made at once. */
bool hbg_rt_take_move(hbg_rt_instance *run, hbg_rt_taken_list *taken);
void hbg_rt_describe_taken(const hbg_rt_instance *run, const hbg_rt_taken_list *taken, char *text,
                           size_t size);
/* The same, kept by the instance in one of HBG_RT_MOVES places. */
bool hbg_rt_keep_move(hbg_rt_instance *run, int32_t place);
void hbg_rt_describe_kept(hbg_rt_instance *run, int32_t place, char *text, size_t size);

/* By automaton: the first automaton of its group. What different groups do at an instant does not concern the others. NULL: all are one
 * group. */
const int32_t *hbg_rt_groups(hbg_rt_instance *run);

/* ---- guards without a search -------------------------------------------------------------------------- */

typedef enum { HBG_RT_LOOK_QUIET, HBG_RT_LOOK_MOVED, HBG_RT_LOOK_SEARCH } hbg_rt_look_end;
typedef struct {
    int32_t *states; /* discrete state, in and out */
    int32_t moves;   /* automata that moved */
    hbg_rt_look_end end;
} hbg_rt_look;
/* Guards at the end of a fixed step where nothing is planned. Automata whose moves change nothing but which junctions conduct,
 * and no value that their guards read, move at once: no energy jumps, no search is needed. Anything else is left as it is and
 * answered by HBG_RT_LOOK_SEARCH. */
hbg_rt_status hbg_rt_look_at_guards(hbg_rt_instance *run, double t, const double *x, hbg_rt_look *of);
/* Whether no output has another value because of such a move. */
bool hbg_rt_keeps_outputs(hbg_rt_instance *instance);
/* Some of the steps to come in one go by compiled code, as hbg_rt_stride_run does them, to the bit. False: there is no code for the next
 * one, nothing was done. */
bool hbg_rt_stride_compiled(hbg_rt_instance *instance, hbg_rt_stride *stride, hbg_rt_status *status);

#endif
