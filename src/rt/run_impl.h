/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One run of a compiled model: its registers, its data for instants, and the functions on it. */
#ifndef HBG_RT_RUN_IMPL_H
#define HBG_RT_RUN_IMPL_H

#include <assert.h>

#include "rt/bands.h"
#include "rt/by_hand_impl.h"
#include "rt/native.h"
#include "rt/package.h"

typedef enum { LOCATED_DIRECT, LOCATED_FROZEN, LOCATED_RECORD } located_use;
/* How a recording takes a located relation: not recorded; beyond its root; with the branch it has; its branch
 * chosen anew; at equality. */
typedef enum { LISTED_NOT, LISTED_BEYOND, LISTED_DONE, LISTED_ANEW, LISTED_EQUAL } listed_as;

/* Rest after infinitely many bounces: requested, then reached. */
typedef enum { REST_NONE, REST_WANTED, REST_ENTERED } rest_kind;

/* A relation that was crossed is at equality. Leaving equality may be an event on a side for which guards
 * have not been judged yet. */
enum { MUTED = 1, MUTED_UNLESS_TRUE = 2, MUTED_UNLESS_FALSE = 4 };

/* How root finding met a relation at an instant: it crossed equality, or only touched it; or it crossed, and
 * turns back from here. */
enum { CROSSED = 1, TOUCHED, TURNED };

/* A discrete state in this search: left on a located relation; entered again in this pass; entered again
 * earlier; left once more after that. */
enum { LEFT_ON_CROSSING = 1, BACK_NOW, BACK_AGAIN, LEFT_AGAIN };

/* The truth of a condition at an instant, as bits. */
enum {
    HBG_RT_TRUE = 1,
    HBG_RT_LOW = 2,       /* it would be true if all relations at equality were false, */
    HBG_RT_HIGH = 4,      /* if they were true, */
    HBG_RT_SHARPLY = 8,   /* if the only band were rounding, */
    HBG_RT_PLAINLY = 128, /* if none had been located at this instant: at equality its operator decides */
    HBG_RT_CERTAIN = HBG_RT_LOW | HBG_RT_HIGH | HBG_RT_SHARPLY | HBG_RT_PLAINLY,
    HBG_RT_FOUND = 16,  /* a located relation decides */
    HBG_RT_UNTOLD = 32, /* it is undetermined, */
    HBG_RT_OPEN = 64    /* because unbounded parts leave it open */
};

/* fmax without a call, for sizes, which are never −0. */
static inline double hbg_rt_larger(double a, double b) {
    return a >= b || isnan(b) ? a : b;
}

/* Raises a size; NaN does not raise it. */
static inline void hbg_rt_keep_larger(double *size, double found) {
    if (found > *size) *size = found;
}

/* The truth bits in a register, whatever it holds. */
static inline int hbg_rt_bits(double value) {
    return value >= 0 && value < 2 * HBG_RT_PLAINLY ? (int)value : 0;
}

/* A value at an instant (semantics, section 2): fin + area·δ, with the largest contribution to each; of a
 * boolean, fin is 0 or 1. In a shorted mode (semantics, section 3a) a physical value has an unbounded part,
 * with its first two derivatives, and fin is NaN. */
typedef struct {
    double fin, area;
    double fin_size, area_size;
    double far[HBG_RT_ORDERS], far_size[HBG_RT_ORDERS];
    bool is_far; /* it has an unbounded part, even if 0 */
    uint8_t truth;
} instant_value;

/* Left limits of an instant, and values of pre(…). */
typedef struct {
    double *left;         /* by left limit: finite value at the last commit, or left limit */
    double *left_size;    /* by left limit: its largest magnitude in this run */
    double *left_share;   /* by left limit: largest contribution before the instant */
    double *pre_law;      /* by pre: its value in laws while time advances */
    double *pre_size;     /* by pre: largest contribution to the recorded values */
    double *pre_used;     /* by pre: its value, while in(…) uses another */
    double *pre_earlier;  /* by pre: its value a moment before branches were crossed */
    double *earlier;      /* states a moment earlier */
    bool before_branches; /* the earlier values are of this instant */
    bool branches;        /* some were crossed: relations in signals have their values after that */
} instant_limits;

/* plan.c: a value that time alone moves, between two breaks: (begin + rest + slope·t)/by until `next`. */
typedef struct {
    double begin, rest, slope, by, next;
} hbg_rt_moving;

typedef struct {
    double t, branch, next;
    int64_t version; /* of the parameters; 0: nothing is known */
} plan_ahead;

typedef struct {
    bool on;              /* relations that time alone decides are planned */
    double t;             /* the present planned time */
    uint8_t *kind;        /* by step of a plan: what moves it */
    hbg_rt_moving *value; /* by step: scratch */
    double *turn;         /* by relation: when its truth changes next */
    plan_ahead *ahead;    /* by relation: the branch just after a time, and until when it stays at least */
    bool *at_border;  /* by relation: at equality without a crossing; its later truth is found as it leaves */
    double *law_turn; /* by located relation: when its branch changes */
    int32_t *place;   /* by located relation: its plan */
} instant_plan;

/* Guards while time advances. */
typedef struct {
    bool *by_area;             /* by relation: its areas decide */
    bool *truth;               /* by relation */
    int32_t *watched;          /* by relation: how many guards that can be taken read it */
    int32_t *watched_positive; /* by relation: those it may enable by being true */
    int32_t *watched_negative; /* by relation: those it may enable by being false */
    int32_t *watched_state;    /* by automaton: the state whose guards are counted, or HBG_RT_NONE */
    uint8_t *muted; /* by relation: crossed and still at equality; armed once it leaves; see MUTED */
    bool any_muted;
    bool in_others; /* values in other states are being found */
    double *doubts; /* by relation: hbg_rt_tell_doubts; NULL: none */
    instant_plan plan;
} instant_watch;

/* Held values that changed: left limits of the next instant use the values before. */
typedef struct {
    int32_t *changed; /* registers of inputs, samples and parameters changed since the last instant */
    double *before;   /* their values before */
    int32_t changed_count;
    bool params_changed; /* some are parameters, on which others depend */
} instant_change;

/* The times of the last two bounces after which a junction with restitution opened; 0: the start. */
typedef struct {
    double last, before;
} bounce_times;

/* Whether a junction with restitution would bounce if it came on, and by how much. */
typedef struct {
    double by;
    bool comes;
} other_bounce;

/* Data by junction with restitution. */
typedef struct {
    bool *off_earlier;          /* off in this search */
    uint8_t *resting;           /* see rest_kind */
    bool *bounced;              /* at this instant */
    bool *bounces;              /* in the mode considered last */
    bool *bounced_last;         /* in the mode committed last at this instant */
    bool *elastic;              /* its coefficient was not 0 at its last bounce */
    bounce_times *bounce_times; /* of its last bounces */
    other_bounce *in_bounce;    /* its bounces in other states */
    bool *chooses;              /* struck in the mode considered last, whatever its restitution */
    int32_t *choices_made;      /* in committed modes */
    hbg_rt_rebounds *choices;   /* for all: the caller's; NULL: none are chosen */
    bool struck;                /* for all: values before come with the pulses of the collision considered */
} instant_bounce;

/* Guards evaluated without a search. */
typedef struct {
    int64_t looks;   /* so far */
    int32_t *next;   /* by automaton that moves: its next state */
    int32_t *movers; /* automata that move */
    int32_t mover_count;
    double *step; /* scratch for the longest condition of a calm automaton */
} instant_look;

/* Registers of the programs judged at instants, by number. */
typedef struct {
    double *j, *size;     /* contents, and the largest contribution to them */
    int32_t *known;       /* known if equal to the present stamp */
    int32_t *changed;     /* of loaded registers: the stamp at the last change */
    bool *decided;        /* the truth of the guard reported last depends on it */
    int32_t *settled;     /* by program: the stamp of its last judgement; 0: it is judged each time */
    int32_t *loads;       /* by program that was judged: number of instructions up to its last load */
    int32_t stamp, epoch; /* epoch: results count as settled from this stamp on, if `keeps` */
    bool keeps, unsettled;
} instant_judged;

/* Moves, put into words on request. */
typedef struct {
    hbg_rt_taken_list taken;              /* the last */
    hbg_rt_taken_list kept[HBG_RT_MOVES]; /* moves of the search */
    hbg_rt_range *told;                   /* by first automaton of an island: its part of `taken` */
} instant_words;

/* Crossings that have been answered in this search. */
typedef struct {
    int32_t *opened;   /* by automaton: the state that the instant began in */
    uint8_t *answered; /* by discrete state: LEFT_ON_CROSSING, … or 0 */
} instant_answers;

/* Data of an instance for instants. */
typedef struct {
    double t;
    int32_t *event_register; /* by cell: register of its value in the mode considered, or HBG_RT_NONE */
    bool a_priori;           /* values are the left limits */
    bool *bouncing;          /* by island: a junction bounces in the mode considered last */
    bool *throws;            /* by group judged together: one bounces; guards are judged on left limits */
    bool resumed;            /* no mode considered since the last commit: guards are judged on left limits */
    bool *moved;             /* by island: one of its automata moved with the last commit */
    bool first_pass;         /* event inputs are true */
    instant_limits limits;
    instant_watch watch;
    instant_change change;
    instant_bounce bounce;
    instant_look look;
    instant_judged judged;
    instant_words words;
    int32_t unanswered;           /* a relation that decided a guard and compares NaN; HBG_RT_NONE */
    bool without_pulses;          /* values are being recorded: pulses are over */
    double *fin_band, *area_band; /* by relation: the size that its band is a share of */
    uint8_t *crossed; /* by relation: found by root finding at this instant; CROSSED, TOUCHED or TURNED */
    double *seen;     /* by relation found: its difference in root finding */
    bool *across;     /* by note of floor and the like: moved across a border as close as rounding */
    bool any_across, sees_cells;
    double *near;       /* by relation touched or turned: its band of equality; -1: not yet known */
    double *work;       /* by power line: work in the commits of this instant */
    int32_t *came_from; /* by automaton: state left on a located relation at this instant, or HBG_RT_NONE */
    instant_answers answers;
    double *state_size; /* by state: largest contribution so far */
    bool *entered_now;  /* by automaton: its state was entered in this search */
    double *in_area;    /* by in(…): largest contribution to its area so far */
    double *settled;    /* states with consistent dependent storages, or rates; scratch */
    double *energy;     /* by storage: before and after a jump, at sizes of states; by part; from sources */
    double *size;       /* by register: largest contribution to its value */
    int32_t size_capacity; /* a second half of the same length serves the time between instants */
    bool held_back;        /* a transition was not taken only because its relation is at equality */
    int32_t *suspect;      /* by state that jumped: 1 + the name by which a transition read it */
    int32_t refused;       /* term without a meaning on pulses, or HBG_RT_NONE */
    int32_t undefined;     /* transition whose guard read an undefined value, or HBG_RT_NONE */
    struct {               /* unbounded parts; see instant_far.c */
        int32_t *cell;     /* by cell: HBG_RT_USUAL, or place of its registers in ints; −1: it is 0 */
        bool *shorted;     /* by island: the mode considered last is shorted */
        /* by island: the code whose registers event_register has, without unbounded parts; NULL: unknown */
        const hbg_rt_event **laid;
        bool shares; /* several islands request the same cell */
    } far;
} instant_data;

/* Arguments of compiled strides; see native_impl.h. */
typedef struct {
    int32_t *states;
    int64_t *on;
    int32_t *laid; /* by automaton: the state that `on` is laid out for; HBG_RT_NONE: none yet, or calm */
    bool is_laid;
    double *near, *near_others;
    uint8_t *truth, *truth_others, *watched_others;
    double *x0, *dx0; /* by state: at the beginning of a step with rows */
} stride_room;

/* line.c: parameters that are straight lines in time. */
typedef struct {
    double *value, *slope;    /* by parameter: value + slope·t; a slope of 0: it keeps its value */
    int32_t count;            /* of parameters with a slope */
    int32_t *moving;          /* parameters with a slope */
    double at;                /* the time of their present values; NAN: none */
    located_use use;          /* and how branches were chosen at that time */
    bool wait;                /* they stay: the run evaluates values before a change */
    hbg_rt_instruction *code; /* instructions of the prologue that follow them */
    int32_t code_count;
    int32_t code_capacity;
    bool *marks; /* by register, three of each: scratch to find what depends on them */
    int32_t mark_capacity;
    int32_t known; /* length of the prologue when its dependents were listed; -1: not listed */
} param_lines;

typedef struct {
    int32_t number;
    hbg_rt_program code;
} listed_program;

/* Code of the local modes that the run is in. */
typedef struct {
    uint64_t *key; /* key of a choice, scratch */
    struct {       /* what switches with a mode, scratch */
        int32_t *regions;
        bool *is_listed; /* by region: it is in the list */
        int32_t count;
    } switched;
    const hbg_rt_validity **answer; /* by choice of a region; NULL: stale */
    int32_t bad_count;              /* number of invalid regions */
    const hbg_rt_variant **variant; /* by segment: the block as it is in this mode; NULL: stale, or steady */
    int32_t *stale;                 /* segments */
    int32_t *taken;                 /* segments that were stale, scratch */
    int32_t stale_count, segment_count;
    struct { /* what is run for a reading in this mode, in order: most segments do nothing for most of them */
        listed_program *programs;
        int32_t count;
        bool is_known;
    } listed[HBG_RT_TANGENT];
} run_variants;

/* Located relations, each by its number. */
typedef struct {
    double *branch, *root;
    uint8_t *crossed; /* see listed_as */
    int8_t *side;     /* sign of its root on the recorded branch; 0: a point */
    uint8_t *loose;   /* hbg_rt_hold */
    uint8_t *met;     /* as bits: the readings that have it in a mode this run has been in */
    int32_t met_count[HBG_RT_LOCATING]; /* by reading: how many it has */
    uint8_t reads;       /* as bits: the readings beside the field whose relations this run locates */
    uint8_t shared;      /* likewise: readings with a relation that the field locates in another mode */
    bool keeps_branches; /* relations not crossed keep their branch, even if a value jumped */
    int32_t located_capacity;
} run_branches;

/* Data for solving loops. */
typedef struct {
    double *reach;           /* by register of an unknown: largest solution so far */
    double *kept;            /* last solution, where a search starts */
    bool tries;              /* solving at a trial point, see solve_trial.c */
    int64_t trial;           /* its number */
    int64_t *noted;          /* by register of an unknown: the trial that last noted it */
    double *begun, *reached; /* its value before, and its reach */
    int32_t *tried, tried_count;
    int32_t reach_capacity;
    double *matrix, *step, *origin;
    int32_t *pivot;
    int32_t loop_capacity;
    int32_t dense_capacity;    /* of the matrix */
    const hbg_rt_solver *lent; /* for sparse loops, or NULL */
    double *entries;           /* by columns, of a sparse loop */
    int32_t entry_capacity;
    int64_t *factored; /* by loop: version of the parameters in its factors */
    int32_t factored_capacity;
    int64_t version; /* of the parameters */
    double *answer;  /* by probe and register; see size_answer.c */
    int32_t *stamp;  /* by register: the probe of its answer */
    int32_t probe;   /* the last */
    int32_t shares;  /* how many it has used */
} run_loops;

/* Data from outside a run. */
typedef struct {
    bool *overridden;              /* by parameter */
    int32_t *held;                 /* by automaton: the state it is stuck in, or HBG_RT_NONE */
    const hbg_rt_sensor **sensors; /* by clock: the sensor it reads through, or NULL */
    bool *ticks;                   /* by automaton: its clock ticks at this instant */
    double *ticked; /* by clock listed in a tick: value sampled; then by expression pre(…): its value */
    bool inputs_changed; /* since the last instant */
} run_outside;

struct hbg_rt_instance {
    const hbg_rt_description *system;
    const hbg_rt_by_hand *by_hand; /* the table of a system written by hand; NULL: a compiled model */
    hbg_rt_provider provider;
    const hbg_rt_native *native; /* compiled code in use, if any */
    hbg_rt_room room;            /* memory of its own if it has a thread of its own */
    const hbg_rt_image *image;
    hbg_rt_mark mark;         /* how much of the image the run has taken over */
    int32_t refused, doubted; /* texts of code that it ran, or -1 */
    /* the mode */
    bool has_mode;
    int32_t *mode_states; /* by automaton; then those of the mode refused last */
    int32_t *moved;       /* automata, scratch */
    uint64_t *on;         /* a bit for each place; always 1 if it switches by a select */
    run_variants variants;
    int32_t dependent_count;    /* storages in derivative causality */
    const hbg_rt_event **event; /* by island; NULL: stale */
    int32_t *active;            /* islands in which something happens at this instant */
    int32_t active_count, island_count, throw_count;
    bool *is_active; /* by island */

    double *r; /* registers */
    int32_t register_capacity;
    param_lines lines;
    run_branches branches;
    located_use located;
    run_loops loops;
    struct hbg_rt_slide *slide; /* data for sliding, if the run may slide; owned by the engine */
    run_outside outside;
    int32_t *states;          /* by automaton */
    int32_t *other_states;    /* by automaton: for in(…) */
    double *entered;          /* by automaton: when its state was entered */
    double *pre_next;         /* by pre: recorded last */
    instant_value *in_values; /* by in */
    instant_data at;
    stride_room stride;
    hbg_rt_strider strider;
    hbg_rt_failure failure;
};

/* An active island; the numbers of a range; the register of a cell in the mode considered, HBG_RT_NONE:
 * none. */
static inline const hbg_rt_island *hbg_rt_active_island(const hbg_rt_instance *run, int32_t n) {
    return &run->image->instants.kept.islands[run->active[n]];
}
static inline const int32_t *hbg_rt_list(const hbg_rt_instance *run, hbg_rt_range range) {
    return run->image->instants.ints + range.first;
}
static inline int32_t hbg_rt_event_register(const hbg_rt_instance *run, int32_t cell) {
    return cell < 0 ? HBG_RT_NONE : run->at.event_register[cell];
}

bool hbg_rt_lines_init(hbg_rt_instance *run);
/* Runs the prologue, which depends on parameters, from an instruction on. */
hbg_rt_status hbg_rt_run_prologue(hbg_rt_instance *run, int32_t first);
hbg_rt_status hbg_rt_lines_room(hbg_rt_instance *run); /* for all dependents, whatever parameters move */
/* Evaluates the lines at a time, and what depends on them. */
hbg_rt_status hbg_rt_follow_lines(hbg_rt_instance *run, double t);
/* Sets the time of an evaluation. */
static inline hbg_rt_status hbg_rt_set_time(hbg_rt_instance *run, double t) {
    run->r[run->image->layout.time] = t;
    return run->lines.count == 0 ? HBG_RT_OK : hbg_rt_follow_lines(run, t);
}

/* size.c: computes the largest contribution to each register that code writes, into run->at.size */
void hbg_rt_measure_code(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count);
/* The size of the result of one operator, given registers r with their sizes, after it was run. */
double hbg_rt_size_of(const double *r, const double *size, int op, int32_t d, const int32_t *argument);

/* size_answer.c: whether a program has loops; lessens the sizes of values that cancel in a program that was
 * run and measured */
enum { HBG_RT_PROBES = 3 };
bool hbg_rt_has_loops(hbg_rt_program of);
/* Carried: starts from the answers of the programs followed since the last hbg_rt_forget_answers. */
void hbg_rt_take_answers(hbg_rt_instance *run, hbg_rt_program of, bool carried);
/* The same, of rounding alone, for a program that has been run. */
void hbg_rt_take_errors(hbg_rt_instance *run, hbg_rt_program of);
void hbg_rt_forget_answers(hbg_rt_instance *run);
/* By the programs followed with `carried`: what a register answers if every result is off by all of itself, of
 * which rounding is a share; and a bound of its rounding error */
double hbg_rt_rounding_seen(const hbg_rt_instance *run, int32_t reg);
double hbg_rt_error_of(const hbg_rt_instance *run, int32_t reg);
double hbg_rt_response_of(const hbg_rt_instance *run, int32_t reg); /* the largest contribution to it */

/* plan.c: finds what moves each step of a plan. It runs no plan of a law yet, so that saved runs need
 * none. */
void hbg_rt_plan_prepare(hbg_rt_instance *run);
/* Whether time alone decides a relation of a guard; its truth just after a time; whether time alone decides a
 * branch of a law, and that branch just after the present time in *branch */
bool hbg_rt_guard_is_planned(const hbg_rt_instance *run, int32_t relation);
bool hbg_rt_guard_holds_after(hbg_rt_instance *run, int32_t relation, double t);
bool hbg_rt_law_is_planned(const hbg_rt_instance *run, int32_t located);
bool hbg_rt_law_branch(hbg_rt_instance *run, const hbg_rt_instruction *code, double *branch);
/* Whether values are those of an instant in which branches were crossed, not those of a moment before;
 * whether, in addition, time moves a plan (HBG_RT_NONE: none); the branch of a plan just after that */
bool hbg_rt_is_at_plan(const hbg_rt_instance *run);
bool hbg_rt_plan_is_on(const hbg_rt_instance *run, int32_t plan);
double hbg_rt_plan_branch(hbg_rt_instance *run, int32_t plan);

/* Whether a relation with this difference is within the errors of states of its threshold, and so still on
 * its old side. */
bool hbg_rt_is_doubted(const hbg_rt_instance *run, int32_t relation, double difference);
/* judge.c: interprets programs on values with pulses; this begins a new set of values */
void hbg_rt_new_values(hbg_rt_instance *run);
/* Whether results are kept from here on where a program reads the same values: at one instant, while nothing
 * else influences them. */
static inline void hbg_rt_keep_judged(hbg_rt_instance *run, bool keeps) {
    run->at.judged.keeps = keeps;
    if (keeps) run->at.judged.epoch = run->at.judged.stamp + 1;
}
void hbg_rt_judge_load(hbg_rt_instance *run, const hbg_rt_judgement *at);
/* Whether a relation with this difference is on the side where it holds; == and != have no such side. */
bool hbg_rt_side_of(const hbg_rt_instance *run, int32_t relation, double difference);
/* Whether a relation with this operator holds where its difference is positive. */
static inline bool hbg_rt_holds_above(int op) {
    return op != HBG_OP_LESS && op != HBG_OP_LESS_EQUAL;
}
/* instant_cells.c: relations found at borders of cells use, at this instant, the cells that root finding saw,
 * since compiled code is rounded differently. The first function notes the values seen at t and x; the
 * second, given the values of the present mode, chooses the cells. */
hbg_rt_status hbg_rt_see_cells(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                               int32_t count);
void hbg_rt_match_cells(hbg_rt_instance *run);
/* Updates pre_next for der(…) of arguments with pre(…) in them. */
void hbg_rt_record_ders(hbg_rt_instance *run);
instant_value hbg_rt_cell_at(const hbg_rt_instance *run, int32_t cell);
instant_value hbg_rt_judge(hbg_rt_instance *run, int32_t program);
/* A side of a comparison; marks in `decided` the registers that decided a guard that was judged */
instant_value hbg_rt_side_at(const hbg_rt_instance *run, const hbg_rt_comparison *of, bool right);
void hbg_rt_find_decided(hbg_rt_instance *run, int32_t program);
/* take_over.c: takes over the contents that the image had when this mark was made. */
hbg_rt_status hbg_rt_keep_up(hbg_rt_instance *run, const hbg_rt_mark *with);
void hbg_rt_meet(hbg_rt_instance *run, int32_t located, hbg_rt_reading reading);
/* The readings in which the run locates it, as bits. */
static inline unsigned hbg_rt_located_in(const hbg_rt_instance *run, int32_t located) {
    return run->branches.met[located] & (run->branches.reads | 1U << HBG_RT_FIELD);
}
/* aside.c: after the field, records relations that only readings have; computes their roots before the field.
 * Values that cannot be computed there have no meaning. */
hbg_rt_status hbg_rt_record_aside(hbg_rt_instance *run, double t, const double *x);
hbg_rt_status hbg_rt_look_aside(hbg_rt_instance *run, double t, const double *x);
/* Whether relations are located in a reading beside the field. */
static inline bool hbg_rt_locates(const hbg_rt_instance *run, hbg_rt_reading reading) {
    return run->branches.reads & 1 << reading && run->branches.met_count[reading] > 0;
}
/* change.c: recomputes values that depend on parameters; changes a held register, whose value before is the
 * left limit of the next instant; the same for a parameter; exchanges all changed values with those before,
 * and back; sets the rate of a parameter */
hbg_rt_status hbg_rt_follow_params(hbg_rt_instance *run);
void hbg_rt_change(hbg_rt_instance *run, int32_t reg, double value);
void hbg_rt_change_param(hbg_rt_instance *run, int32_t reg, double value);
hbg_rt_status hbg_rt_swap_changed(hbg_rt_instance *run);
void hbg_rt_change_rate(hbg_rt_instance *run, int32_t param, double rate);
/* place.c: whether a place is on in these states of the automata */
bool hbg_rt_place_on(const hbg_rt_instance *run, int32_t place, const int32_t *states);
/* instant_words.c: notes a transition taken, or an automaton that goes to the state it is stuck in
 * (HBG_RT_NONE) */
void hbg_rt_note_taken(hbg_rt_instance *run, int32_t automaton, int32_t from, int32_t to, int32_t transition);
/* words.c: the text that a number stands for */
void hbg_rt_tell(const hbg_rt_instance *run, hbg_rt_word word, int32_t id, char *text, size_t size);
int32_t hbg_rt_name_in(const hbg_rt_instance *run, int32_t reg); /* name of its variable, or −1 */
/* place.c: whether a place is on in the mode of the run */
bool hbg_rt_is_on(const hbg_rt_instance *run, int32_t place);
/* Whether the state was left on a crossing and entered again: nothing counts as crossed in it. */
bool hbg_rt_is_back(const hbg_rt_instance *run, int32_t automaton, int32_t state);
/* mode.c: enters a mode; prepares blocks, events of active islands, and tangents for it */
hbg_rt_status hbg_rt_set_mode(hbg_rt_instance *run, const int32_t *states);
/* Enters a mode that differs from the present one only in the automata listed. */
hbg_rt_status hbg_rt_change_mode(hbg_rt_instance *run, const int32_t *moved, int32_t count,
                                 const int32_t *states);
hbg_rt_status hbg_rt_take_blocks(hbg_rt_instance *run);
static inline hbg_rt_status hbg_rt_ready_blocks(hbg_rt_instance *run) { // called by every evaluation
    return run->variants.stale_count == 0 ? HBG_RT_OK : hbg_rt_take_blocks(run);
}
hbg_rt_status hbg_rt_ready_events(hbg_rt_instance *run);
hbg_rt_status hbg_rt_ready_tangents(hbg_rt_instance *run);
hbg_rt_status hbg_rt_mode_init(hbg_rt_instance *run);
/* reading.c: writes states into their registers; the code of a segment for a reading; runs the code of all
 * segments for tangents or slopes; a complete evaluation: the field, then a reading */
void hbg_rt_set_states(hbg_rt_instance *run, const double *x);
int32_t hbg_rt_code_of(const hbg_rt_instance *run, int32_t number, hbg_rt_reading reading);
hbg_rt_status hbg_rt_ready_slopes(hbg_rt_instance *run);
hbg_rt_status hbg_rt_run_segments(hbg_rt_instance *run, hbg_rt_reading reading);
hbg_rt_status hbg_rt_run_reading(hbg_rt_instance *run, double t, const double *x, hbg_rt_reading reading);
hbg_rt_status hbg_rt_run_field(hbg_rt_instance *run, double t, const double *x);
/* slide.c: whether the run slides at present; its rates, and values read on both sides */
bool hbg_rt_slides(const hbg_rt_instance *run);
hbg_rt_status hbg_rt_slide_rates(hbg_rt_instance *run, double t, const double *x, double *dx);
typedef hbg_rt_status (*slide_reader)(hbg_rt_instance *run, double t, const double *x, double *values);
hbg_rt_status hbg_rt_slide_values(hbg_rt_instance *run, double t, const double *x, int32_t count,
                                  slide_reader read, double *values);
/* instant_flow.c: the difference of the finite parts of a guard's relation while time advances; NaN where
 * areas decide */
hbg_rt_status hbg_rt_difference_at(hbg_rt_instance *run, int32_t relation, double t, const double *x,
                                   double *value);
/* culprit.c: notes a failure */
hbg_rt_status hbg_rt_note_failure(hbg_rt_instance *run, double t, hbg_rt_status status);
hbg_rt_status hbg_rt_refuse_term(hbg_rt_instance *run); /* a term without a meaning on pulses */
/* The failure of a register that is not finite, with its cause; `what` is its name. The given code wrote it,
 * or after it the segments of a reading (−1: none). The check reports the first value read that is not
 * finite. */
hbg_rt_status hbg_rt_fail_not_finite(hbg_rt_instance *run, double t, int32_t last, int reading, int32_t reg,
                                     const char *what);
/* The failure of reading the common variable of a junction that has none while it is off. */
hbg_rt_status hbg_rt_fail_undefined(hbg_rt_instance *run, double t, int32_t place, const char *reader);
/* The failure of reading a value that is undetermined because a zero is set twice; `reader` NULL: the name is
 * that of the reader. */
hbg_rt_status hbg_rt_fail_undetermined(hbg_rt_instance *run, double t, const char *name, const char *reader);
/* The failure of a model with a part that has no equations; its text. */
hbg_rt_status hbg_rt_refuse_text(hbg_rt_instance *run, int32_t text);
hbg_rt_status hbg_rt_check_finite(hbg_rt_instance *run, double t, const hbg_rt_readout *of, int reading,
                                  const hbg_rt_variable *names);
/* solve.c: makes room for the dense matrix of a loop. A sparse loop gets one when it is first solved without
 * a lent solver. */
bool hbg_rt_make_dense(hbg_rt_instance *run, int32_t n);
/* solve_bracket.c: solves a loop of one unknown between two places where its residual has different signs.
 * Returns false if there are none, or the residual jumps. */
bool hbg_rt_solve_bracket(hbg_rt_instance *run, const hbg_rt_loop_view *of);
/* solve_trial.c: between `begin` and `end` solving leaves no trace. */
void hbg_rt_trial_begin(hbg_rt_instance *run);
void hbg_rt_trial_note(hbg_rt_instance *run, const hbg_rt_loop_view *of);
void hbg_rt_trial_end(hbg_rt_instance *run);
/* solve_branch.c: whether the unknowns have passed a fold on the way from run->loops.kept to their present
 * values. Does not change them. */
bool hbg_rt_passed_fold(hbg_rt_instance *run, const hbg_rt_loop_view *of);

/* instant_memory.c */
bool hbg_rt_instant_init(hbg_rt_instance *run);
hbg_rt_status hbg_rt_instant_fit(hbg_rt_instance *run);  /* allocates by cell and by judged register */
hbg_rt_status hbg_rt_instant_room(hbg_rt_instance *run); /* makes room for registers added by compiling */
/* instant_values.c */
double hbg_rt_record_pre(hbg_rt_instance *run, int32_t pre); /* its present value; keeps its size */
void hbg_rt_record_values(hbg_rt_instance *run);             /* keeps left limits and values of pre */
void hbg_rt_keep_pre(const hbg_rt_instance *run, double *values);
void hbg_rt_activate(hbg_rt_instance *run, int32_t island);
void hbg_rt_activate_all(hbg_rt_instance *run);
void hbg_rt_rest_islands(hbg_rt_instance *run); /* makes all inactive */
hbg_rt_status hbg_rt_run_events(hbg_rt_instance *run, double t, const double *x);
hbg_rt_status hbg_rt_watch_values(hbg_rt_instance *run, double t, const double *x);
hbg_rt_status hbg_rt_watch_guards(hbg_rt_instance *run, double t, const double *x, double *g);

/* look.c: evaluates guards without a search. Sizes that bands are shares of are measured again now and then:
 * at the first look, often while a run is young, and later once every so many looks. This depends only on the
 * number of the look. */
enum { HBG_RT_FIRST_LOOKS = 1 << 12, HBG_RT_LOOKS = 1 << 16 };
static inline int64_t hbg_rt_next_measure(int64_t looks) { /* number of the next look that measures */
    int64_t next = HBG_RT_FIRST_LOOKS;
    while (next <= looks && next < HBG_RT_LOOKS) next *= 2;
    return next > looks ? next : (looks / HBG_RT_LOOKS + 1) * HBG_RT_LOOKS;
}
static inline bool hbg_rt_measures(int64_t look) {
    return look == 0 || hbg_rt_next_measure(look - 1) == look;
}
#define HBG_RT_NEAR (8 * HBG_RT_BAND)
/* instant_flow.c: in(…) at t and x while time advances, if a reading uses it */
hbg_rt_status hbg_rt_refresh_ins(hbg_rt_instance *run, double t, const double *x, hbg_rt_reading reading);
hbg_rt_status hbg_rt_remeasure(hbg_rt_instance *run, double t, const double *x);
void hbg_rt_follow_guards(hbg_rt_instance *run, int32_t island); /* instant_flow.c */
/* instant_values.c: finite parts and areas in the mode of these states, entered with x; in the mode that the
 * run is in, which has been made ready */
hbg_rt_status hbg_rt_values_in(hbg_rt_instance *run, const int32_t *states, double t, const double *x);
hbg_rt_status hbg_rt_values_here(hbg_rt_instance *run, double t, const double *x);
/* While time advances: in other states der(…) jumps from its present value. */
hbg_rt_status hbg_rt_begin_ders(hbg_rt_instance *run, double t, const double *x); /* instant_values.c */

/* interpret.c, solve.c */
/* The value or slope of a table; for an argument less than `across` from a point, that on its other side, if
 * `across` is not 0. */
double hbg_rt_table_at(const hbg_rt_instance *run, int op, int32_t number, double at, double across);
double hbg_rt_next_point(const hbg_rt_instance *run, int32_t number, double after); /* INFINITY: none */
hbg_rt_status hbg_rt_execute(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count);
/* Run compiled code if there is any; the second is given the instructions of the program. */
hbg_rt_status hbg_rt_run_program(hbg_rt_instance *run, int32_t program);
hbg_rt_status hbg_rt_run_code(hbg_rt_instance *run, int32_t program, hbg_rt_program code);
/* Whether the operators with branches in a program that has been run are within the branches they keep. */
bool hbg_rt_is_on_branches(hbg_rt_instance *run, int32_t program);
hbg_rt_status hbg_rt_solve_loop(hbg_rt_instance *run, int32_t number);
bool hbg_rt_stride_init(hbg_rt_instance *run);

/* charge.c */
double hbg_rt_charge_up(hbg_rt_instance *run, int32_t charge, double state);

/* Gives drawn parameters their values in the mode of `states`: a new one where an automaton has moved. Then
 * notes that the mode is real. */
hbg_rt_status hbg_rt_draw(hbg_rt_instance *run, const int32_t *states);
void hbg_rt_note_drawn(hbg_rt_instance *run, const int32_t *states);
bool hbg_rt_draws(const hbg_rt_instance *run);
/* Work of the k-th line of an island in the mode considered last. */
double hbg_rt_work_of_line(const hbg_rt_instance *run, int32_t island_number, int32_t k);
/* Computes the coefficients of junctions that lose a given energy, in the mode considered. */
hbg_rt_status hbg_rt_lose_energies(hbg_rt_instance *run, const int32_t *states, double t, const double *x);
/* rebound.c: the coefficient chosen instead of the model's; notes that the mode considered has become
 * real. */
double hbg_rt_chosen_coefficient(const hbg_rt_instance *run, int32_t restitution, double otherwise);
void hbg_rt_note_chosen(hbg_rt_instance *run);
double hbg_rt_bounce_sum(const hbg_rt_instance *run, int32_t restitution);
/* Its coefficient, or the energy it loses; its rebound. */
double hbg_rt_restitution_of(hbg_rt_instance *run, int32_t restitution);
double hbg_rt_bounce_of(hbg_rt_instance *run, int32_t restitution);
/* Restitution in other states: junctions bounce that were off, here or in the current mode, and are on
 * there. */
void hbg_rt_ready_bounces(hbg_rt_instance *run, const bool *off);
hbg_rt_status hbg_rt_record_sums(hbg_rt_instance *run, double t, const double *x); /* and prepares bounces */
hbg_rt_status hbg_rt_evaluate_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x);
instant_value hbg_rt_difference_of(hbg_rt_instance *run, int32_t relation); /* by the values recorded last */
/* Before a mode is entered, pre(…) is the present value. */
hbg_rt_status hbg_rt_begin_pres(hbg_rt_instance *run, double t, const double *x);
void hbg_rt_use_pre(hbg_rt_instance *run, const double *values);
/* instant_far.c: runs and measures the code of the unbounded parts of an island, to find whether the mode is
 * shorted there; then notes the cells requested. Whether some active island is shorted; −1, 0, 1 by the first
 * order that differs, in *order. */
hbg_rt_status hbg_rt_run_limit(hbg_rt_instance *run, int32_t island);
void hbg_rt_take_far(hbg_rt_instance *run, int32_t island);
bool hbg_rt_is_shorted(const hbg_rt_instance *run);
int hbg_rt_far_order(instant_value a, instant_value b, int *order);
bool hbg_rt_is_unbounded(instant_value value);
void hbg_rt_measure_inputs(hbg_rt_instance *run, const hbg_rt_event *event); /* instant_values.c */

#endif
