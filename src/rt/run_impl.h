/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One run of a compiled model: registers and what instants need, and the functions on it. */
#ifndef HBG_RT_RUN_IMPL_H
#define HBG_RT_RUN_IMPL_H

#include <assert.h>

#include "rt/bands.h"
#include "rt/by_hand_impl.h"
#include "rt/native.h"
#include "rt/package.h"

typedef enum { LOCATED_DIRECT, LOCATED_FROZEN, LOCATED_RECORD } located_use;
/* What a recording does with a located relation: its branch is kept or as it is, beyond its root, taken anew, or that of equality. */
typedef enum { LISTED_NOT, LISTED_BEYOND, LISTED_DONE, LISTED_ANEW, LISTED_EQUAL } listed_as;

/* Coming to rest after infinitely many bounces: wanted, then there. */
typedef enum { REST_NONE, REST_WANTED, REST_ENTERED } rest_kind;

/* A relation that was crossed is at equality. Where it leaves that to a side on which guards have not been judged yet it may be an
 * event. */
enum { MUTED = 1, MUTED_UNLESS_TRUE = 2, MUTED_UNLESS_FALSE = 4 };

/* How root finding met a relation at an instant: it passed equality, or only came to it; or it passed, and goes back from here. */
enum { CROSSED = 1, TOUCHED, TURNED };

/* A state that was left on a located relation in this search; that has been entered again, first in this pass; and what was left after that. */
enum { LEFT_ON_CROSSING = 1, BACK_NOW, BACK_AGAIN, LEFT_AGAIN };

/* The truth of a condition at an instant, as bits. */
enum {
    HBG_RT_TRUE = 1,
    HBG_RT_LOW = 2,       /* it would be true were all relations at equality false, */
    HBG_RT_HIGH = 4,      /* or true, */
    HBG_RT_SHARPLY = 8,   /* or were there no band but rounding */
    HBG_RT_PLAINLY = 128, /* or had none been found at this instant: at equality its operator decides */
    HBG_RT_CERTAIN = HBG_RT_LOW | HBG_RT_HIGH | HBG_RT_SHARPLY | HBG_RT_PLAINLY,
    HBG_RT_FOUND = 16,  /* a relation that was located decides */
    HBG_RT_UNTOLD = 32, /* nothing tells whether it is true, */
    HBG_RT_OPEN = 64    /* since unbounded parts leave it open */
};

/* fmax of sizes, of which none is −0, without a call. */
static inline double hbg_rt_larger(double a, double b) {
    return a >= b || isnan(b) ? a : b;
}

/* Raises a size; what is no number raises none. */
static inline void hbg_rt_keep_larger(double *size, double found) {
    if (found > *size) *size = found;
}

/* As a register holds them, whatever is in it. */
static inline int hbg_rt_bits(double value) {
    return value >= 0 && value < 2 * HBG_RT_PLAINLY ? (int)value : 0;
}

/* A value at an instant (semantics, section 2): fin + area·δ, and how large what contributed to each was; of a boolean, fin is 0 or 1.
 * In a shorted mode (semantics, section 3a) what physics decides has an unbounded part, with its first two derivatives, and fin is no
 * number. */
typedef struct {
    double fin, area;
    double fin_size, area_size;
    double far[HBG_RT_ORDERS], far_size[HBG_RT_ORDERS];
    bool is_far; /* it has such a part, if only 0 */
    uint8_t truth;
} instant_value;

/* Left limits of an instant, and what pre(…) is. */
typedef struct {
    double *left;         /* by left limit: finite value at the last commit, or left limit */
    double *left_size;    /* by left limit: the largest it has been in this run */
    double *left_share;   /* the largest contribution to what it is before the instant */
    double *pre_law;      /* by pre: what stands in laws while time advances */
    double *pre_size;     /* by pre: the largest contribution to what was recorded */
    double *pre_used;     /* by pre: its value, while in(…) uses others */
    double *pre_earlier;  /* by pre: a moment before branches were crossed */
    double *earlier;      /* states a moment before */
    bool before_branches; /* they are those of this instant */
    bool branches;        /* some were crossed: relations in signals are what they are behind that */
} instant_limits;

/* plan.c: what time alone moves, between two breaks: (begin + rest + slope·t)/by until `next`. */
typedef struct {
    double begin, rest, slope, by, next;
} hbg_rt_moving;

typedef struct {
    bool on;              /* relations that time alone decides are planned */
    double t;             /* the time that has come */
    uint8_t *kind;        /* by step of a plan: what moves it */
    hbg_rt_moving *value; /* by step: scratch */
    double *turn;         /* by relation: when its truth changes next */
    double *known; /* by relation: the time behind which `holds` tells whether it holds; NAN: it does not */
    bool *holds;
    bool *
        at_border; /* by relation: it is at equality, where it was not crossed, and what it is behind that is found as it leaves it */
    double *law_turn; /* by located relation: when its branch does */
    int32_t *place;   /* by located relation: which plan it has */
} instant_plan;

/* Guards while time advances. */
typedef struct {
    bool *by_area;             /* by relation: its areas decide */
    bool *truth;               /* by relation */
    int32_t *watched;          /* by relation: how many guards that can be taken read it */
    int32_t *watched_positive; /* by relation: those of them it may enable by being true */
    int32_t *watched_negative; /* by relation: those of them it may enable by being false */
    int32_t *watched_state;    /* by automaton: the state whose guards are counted, or HBG_RT_NONE */
    uint8_t
        *muted; /* by relation: was crossed and is still at equality, armed once it leaves it; see MUTED */
    bool any_muted;
    bool in_others; /* values in other states are being found */
    double *doubts; /* by relation: hbg_rt_tell_doubts; NULL: none */
    instant_plan plan;
} instant_watch;

/* What was held until it changed: left limits of the next instant are taken with that. */
typedef struct {
    int32_t *changed; /* registers of inputs, samples, parameters changed since the last instant opened */
    double *before;   /* and what they held */
    int32_t changed_count;
    bool params_changed; /* some of them are parameters, which others follow */
} instant_change;

/* Of a junction with restitution: times of its last two bounces that it was left by; 0: the start. */
typedef struct {
    double last, before;
} bounce_times;

/* Of a junction with restitution: whether it would bounce if it came on, and by how much. */
typedef struct {
    double by;
    bool comes;
} other_bounce;

/* By restitution. */
typedef struct {
    bool *off_earlier;          /* off in this search */
    uint8_t *resting;           /* see rest_kind */
    bool *bounced;              /* at this instant */
    bool *bounces;              /* in what was considered last */
    bool *bounced_last;         /* in the mode committed last at this instant */
    bool *elastic;              /* its coefficient was not 0 when it bounced last */
    bounce_times *bounce_times; /* of its bounces */
    other_bounce *in_bounce;    /* in other states */
    bool *chooses;              /* is struck in what was considered last, whatever its restitution */
    int32_t *choices_made;      /* in modes that were committed */
    hbg_rt_rebounds *choices;   /* of all: the caller's; NULL: nothing is chosen */
    bool struck; /* of all: values before have the pulses of the collision that is considered */
} instant_bounce;

/* Guards looked at without a search. */
typedef struct {
    int64_t looks;   /* so far */
    int32_t *next;   /* by automaton that moves: where to */
    int32_t *movers; /* those */
    int32_t mover_count;
    double *step; /* by step of the longest condition of a calm automaton */
} instant_look;

/* Registers of what is judged, by number. */
typedef struct {
    double *j, *size; /* contents, and the largest contribution to them */
    int32_t *known;   /* those with the present stamp are */
    int32_t *changed; /* of what is loaded: the stamp with which it became what it is */
    bool *decided;    /* the truth of the guard told last hangs on it */
    int32_t *settled; /* by program: the stamp of what it was judged on; 0: it is to be judged each time */
    int32_t *loads;   /* by program that was judged: up to where instructions load */
    int32_t stamp, epoch; /* from that stamp on programs are settled, where `keeps` says so */
    bool keeps, unsettled;
} instant_judged;

/* How a relation was decided that a transition was taken on. */
typedef struct {
    double left, right;
    uint8_t kind, op; /* of instant_words.c; the comparison that held */
    uint8_t order;    /* of unbounded parts: which differed */
    bool equal;       /* within the band */
} taken_decision;

/* A transition that was taken. */
typedef struct {
    int32_t automaton, from, to;
    int32_t decisions; /* how many are its */
} taken_transition;

/* Transitions of a move, as many as words can tell, with what decided them one behind the other. */
enum { HBG_RT_TAKEN = 400, MOST_TAKEN = 40, MOST_DECIDED = 64 };
typedef struct {
    taken_transition moves[MOST_TAKEN];
    taken_decision decided[MOST_DECIDED];
    int32_t count, decision_count;
} taken_list;

/* Moves, to be put into words if somebody asks. */
typedef struct {
    taken_list taken;              /* the last */
    taken_list kept[HBG_RT_MOVES]; /* those of the search */
    hbg_rt_range *told;            /* by first automaton of an island: its transitions of the last */
} instant_words;

/* Crossings that have been answered in this search. */
typedef struct {
    int32_t *opened;   /* by automaton: the state that the instant began in */
    uint8_t *answered; /* by discrete state: LEFT_ON_CROSSING, … or 0 */
} instant_answers;

/* What an instance needs at instants. */
typedef struct {
    double t;
    int32_t *event_register; /* by cell: where the islands considered left it, or HBG_RT_NONE */
    bool a_priori;           /* values are those of `left` */
    bool *bouncing;          /* by island: a junction bounces in what was considered last */
    bool *throws;            /* by group that is judged together: one does, and guards are judged on `left` */
    bool resumed;    /* nothing has been considered since the last commit: all guards are judged on `left` */
    bool *moved;     /* by island: one of its automata moved with the last commit */
    bool first_pass; /* event inputs are true */
    instant_limits limits;
    instant_watch watch;
    instant_change change;
    instant_bounce bounce;
    instant_look look;
    instant_judged judged;
    instant_words words;
    int32_t unanswered;           /* a relation that decided a guard and is between no numbers; HBG_RT_NONE */
    bool without_pulses;          /* values are to be recorded: pulses are over then */
    double *fin_band, *area_band; /* by relation: size of what its band is a share of */
    uint8_t *crossed; /* by relation: found by root finding at this instant; CROSSED, TOUCHED or TURNED */
    double *seen;     /* by relation found: its difference as root finding saw it */
    bool *across;     /* by note of floor and the like: on the other side of a border that is rounding away */
    bool any_across, sees_cells;
    double *near; /* by relation touched or turned: so near to equality it is equal; -1: not yet seen */
    double *work; /* by power line: over the commits of this instant */
    int32_t
        *came_from; /* by automaton: state it left on a located relation at this instant, or HBG_RT_NONE */
    instant_answers answers;
    double *state_size; /* by state: largest contribution so far */
    bool *entered_now;  /* by automaton: its state was entered in this search */
    double *in_area;    /* by in(…): largest contribution to its area so far */
    double *settled;    /* by state: a state with dependent storages in order */
    double *
        energy; /* by storage, three times: before and after a jump, at the sizes of states; then by part, and what sources gave */
    double *size;          /* by register: largest contribution to its contents */
    int32_t size_capacity; /* room for as many lies behind them, for the time between instants */
    bool held_back;        /* a transition was left alone only because its relation is at equality */
    int32_t *
        suspect; /* by state: name, plus 1, by which a transition of this search read it where it had jumped */
    int32_t refused;   /* term with no meaning on pulses, to be told in words, or HBG_RT_NONE */
    int32_t undefined; /* transition whose guard read what has no value, or HBG_RT_NONE */
    struct {           /* unbounded parts; see instant_far.c */
        int32_t
            *cell; /* by cell: HBG_RT_USUAL, or where the registers of its part are, in ints; −1: it is 0 */
        bool *shorted; /* by island: what was considered last is */
        /* by island: the code whose registers are in event_register, without unbounded parts; NULL: unknown */
        const hbg_rt_event **laid;
        bool shares; /* several islands ask for the same cell */
    } far;
} instant_data;

/* What compiled strides are called with; see native_impl.h. */
typedef struct {
    int32_t *states;
    int64_t *on;
    int32_t *
        laid; /* by automaton, not calm: the state for which `on` is laid out; HBG_RT_NONE: not yet, or calm */
    bool is_laid;
    double *near, *near_others;
    uint8_t *truth, *truth_others, *watched_others;
    double *x0, *dx0; /* by state: where a step with rows began */
} stride_room;

/* line.c: parameters that are straight lines in time. */
typedef struct {
    double *value, *slope;    /* by parameter: value + slope·t; a slope of 0: it is as it was set */
    int32_t count;            /* of those with a slope */
    int32_t *moving;          /* these */
    double at;                /* the time they are at; NAN: none */
    located_use use;          /* and how branches were taken there */
    bool wait;                /* they stay as they are: the run looks at what was before */
    hbg_rt_instruction *code; /* instructions of the prologue that follow them */
    int32_t code_count;
    int32_t code_capacity;
    bool *marks; /* by register, three of each: room to find out what follows */
    int32_t mark_capacity;
    int32_t known; /* how long the prologue was when they were listed; -1: not at all */
} param_lines;

/* Code of the local modes that the run is in. */
typedef struct {
    uint64_t *key; /* of a choice, scratch */
    struct {       /* what switches with a mode, scratch */
        int32_t *regions;
        bool *is_listed; /* by region: it is one of these */
        int32_t count;
    } switched;
    const hbg_rt_validity **answer; /* by choice of a region; NULL: stale */
    int32_t bad_count;              /* those that are not valid */
    const hbg_rt_variant **variant; /* by segment: the block as it is in this mode; NULL: stale, or steady */
    int32_t *stale;                 /* segments */
    int32_t *taken;                 /* those that were, scratch */
    int32_t stale_count, segment_count;
} run_variants;

/* Located relations, each by its number. */
typedef struct {
    double *branch, *root;
    uint8_t *crossed;                   /* see listed_as */
    int8_t *side;                       /* the sign of its root on the branch recorded; 0: that is a point */
    uint8_t *loose;                     /* hbg_rt_hold */
    uint8_t *met;                       /* readings that have it in a mode this run has been in, as bits */
    int32_t met_count[HBG_RT_LOCATING]; /* by reading: how many it has */
    uint8_t reads; /* readings beside the field whose relations are located in this run, as bits */
    bool
        keeps_branches; /* those of relations that were not crossed stay, though a value they read has jumped */
    int32_t located_capacity;
} run_branches;

/* Loops that are solved. */
typedef struct {
    double *reach;           /* by register of an unknown: largest solution so far */
    double *kept;            /* and the last one, where a search starts */
    bool tries;              /* at a trial point, see solve_trial.c */
    int64_t trial;           /* its number */
    int64_t *noted;          /* by register of an unknown: the trial that it was last noted in */
    double *begun, *reached; /* what it was before, and its reach */
    int32_t *tried, tried_count;
    int32_t reach_capacity;
    double *matrix, *step, *origin;
    int32_t *pivot;
    int32_t loop_capacity;
    int32_t dense_capacity;    /* of the matrix */
    const hbg_rt_solver *lent; /* for sparse loops, or NULL */
    double *entries;           /* by columns, of a sparse loop */
    int32_t entry_capacity;
    int64_t *factored; /* by loop: version of the parameters its factors belong to */
    int32_t factored_capacity;
    int64_t version; /* of the parameters */
    double *answer;  /* by probe and register; see size_answer.c */
    int32_t *stamp;  /* by register: in which probe it has one */
    int32_t probe;   /* the last */
} run_loops;

/* What reaches a run from outside. */
typedef struct {
    bool *overridden;              /* by parameter */
    int32_t *held;                 /* by automaton: the state it is stuck in, or HBG_RT_NONE */
    const hbg_rt_sensor **sensors; /* by clock: what it reads through, or NULL */
    bool *ticks;                   /* by automaton: its clock ticks at this instant */
    double *ticked; /* by clock listed in a tick: what it takes; behind them, by expression pre(…): it */
    bool inputs_changed; /* since the last instant */
} run_outside;

struct hbg_rt_instance {
    const hbg_rt_description *system;
    const hbg_rt_by_hand *by_hand; /* the table of a system written by hand; NULL: a compiled model */
    hbg_rt_provider provider;
    const hbg_rt_native *native; /* compiled code in use, if any */
    hbg_rt_room room;            /* memory of its own if it has a thread of its own */
    const hbg_rt_image *image;
    hbg_rt_mark mark;         /* how much of the image it has taken over */
    int32_t refused, doubted; /* texts of code that it met, or -1 */
    /* the mode */
    bool has_mode;
    int32_t *mode_states; /* by automaton; behind them, of the mode refused last */
    int32_t *moved;       /* automata, scratch */
    uint64_t *on;         /* a bit for each place; of one that switches by a select always 1 */
    run_variants variants;
    int32_t dependent_count;    /* storages in derivative causality */
    const hbg_rt_event **event; /* by island; NULL: stale */
    int32_t *active;            /* islands that something happens in at this instant */
    int32_t active_count, island_count, throw_count;
    bool *is_active; /* by island */

    double *r; /* registers */
    int32_t register_capacity;
    param_lines lines;
    run_branches branches;
    located_use located;
    run_loops loops;
    struct hbg_rt_slide *slide; /* what sliding needs, if it may; the engine owns it */
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

/* An active island; numbers of a range; where the islands considered left a cell, HBG_RT_NONE: nowhere. */
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
/* What parameters decide, from an instruction of the prologue on, as it is now. */
hbg_rt_status hbg_rt_run_prologue(hbg_rt_instance *run, int32_t first);
hbg_rt_status hbg_rt_lines_room(hbg_rt_instance *run); /* for what follows, whatever is moved */
/* Puts the lines to a time, with what follows them. */
hbg_rt_status hbg_rt_follow_lines(hbg_rt_instance *run, double t);
/* The time of an evaluation. */
static inline hbg_rt_status hbg_rt_set_time(hbg_rt_instance *run, double t) {
    run->r[run->image->layout.time] = t;
    return run->lines.count == 0 ? HBG_RT_OK : hbg_rt_follow_lines(run, t);
}

/* size.c: how large the largest contribution to each register of the code is, into run->size */
void hbg_rt_measure_code(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count);
/* Of one operator of what is judged, on registers r with their sizes, after it. */
double hbg_rt_size_of(const double *r, const double *size, int op, int32_t d, const int32_t *argument);

/* size_answer.c: whether a program has loops; a program has been run and measured: what cancels in it has no size */
enum { HBG_RT_PROBES = 3 };
bool hbg_rt_has_loops(hbg_rt_program of);
/* Carried: starts from the rounding of the programs followed since the last hbg_rt_forget_errors, and adds that of this one. */
void hbg_rt_take_answers(hbg_rt_instance *run, hbg_rt_program of, bool carried);
void hbg_rt_forget_errors(hbg_rt_instance *run);
/* A bound of the rounding of a register, by the programs followed with `carried`. */
double hbg_rt_error_of(const hbg_rt_instance *run, int32_t reg);

/* plan.c: finds what moves each step of a plan, and no plan of a law yet: a saved run is not asked for it */
void hbg_rt_plan_prepare(hbg_rt_instance *run);
/* Whether time alone decides a relation of a guard, and what it is just behind a time; whether it decides a branch of a law, which
 * just behind the time that has come is put in *branch */
bool hbg_rt_guard_is_planned(const hbg_rt_instance *run, int32_t relation);
bool hbg_rt_guard_holds_after(hbg_rt_instance *run, int32_t relation, double t);
bool hbg_rt_law_is_planned(const hbg_rt_instance *run, int32_t located);
bool hbg_rt_law_branch(hbg_rt_instance *run, const hbg_rt_instruction *code, double *branch);
/* Whether a plan, or HBG_RT_NONE, is one that time moves, and values are those of the time that has come; and the branch just behind that. */
/* Whether values are those of an instant in which branches were crossed, not of a moment before. */
bool hbg_rt_is_at_plan(const hbg_rt_instance *run);
bool hbg_rt_plan_is_on(const hbg_rt_instance *run, int32_t plan);
double hbg_rt_plan_branch(hbg_rt_instance *run, int32_t plan);

/* Whether a relation with this difference is as near to its threshold as states are exact, and so on the side it has been on. */
bool hbg_rt_is_doubted(const hbg_rt_instance *run, int32_t relation, double difference);
/* judge.c: programs on values with pulses; the first begins new values */
void hbg_rt_new_values(hbg_rt_instance *run);
/* Whether what is judged from here on is not judged again where it reads the same: at one instant, while nothing else has a say. */
static inline void hbg_rt_keep_judged(hbg_rt_instance *run, bool keeps) {
    run->at.judged.keeps = keeps;
    if (keeps) run->at.judged.epoch = run->at.judged.stamp + 1;
}
void hbg_rt_judge_load(hbg_rt_instance *run, const hbg_rt_judgement *at);
/* Whether a relation with this difference is on the side where it holds; one of equality holds on none, and has two. */
bool hbg_rt_side_of(const hbg_rt_instance *run, int32_t relation, double difference);
/* A relation with this operator holds where its difference is positive. */
static inline bool hbg_rt_holds_above(int op) {
    return op != HBG_OP_LESS && op != HBG_OP_LESS_EQUAL;
}
/* instant_cells.c: cells at the borders of which relations were found are, at this instant, those that root finding saw: what is compiled
 * is not rounded as values of instants are. First what it saw at t and x, then, with the values of the present mode, what that means. */
hbg_rt_status hbg_rt_see_cells(hbg_rt_instance *run, double t, const double *x, const int32_t *crossed,
                               int32_t count);
void hbg_rt_match_cells(hbg_rt_instance *run);
/* Behind pre_next: what der(…) of arguments with pre(…) in them compares with. */
void hbg_rt_record_ders(hbg_rt_instance *run);
instant_value hbg_rt_cell_at(const hbg_rt_instance *run, int32_t cell);
instant_value hbg_rt_judge(hbg_rt_instance *run, int32_t program);
/* A side of what was compared; marks in `decided` what the truth of a guard that was judged hangs on. */
instant_value hbg_rt_side_at(const hbg_rt_instance *run, const hbg_rt_comparison *of, bool right);
void hbg_rt_find_decided(hbg_rt_instance *run, int32_t program);
/* take_over.c: takes over what the image had when this mark was made. */
hbg_rt_status hbg_rt_keep_up(hbg_rt_instance *run, const hbg_rt_mark *with);
void hbg_rt_meet(hbg_rt_instance *run, int32_t located, hbg_rt_reading reading);
/* In which readings the run locates it, as bits. */
static inline unsigned hbg_rt_located_in(const hbg_rt_instance *run, int32_t located) {
    return run->branches.met[located] & (run->branches.reads | 1U << HBG_RT_FIELD);
}
/* aside.c: after the field, relations that only what is read has are recorded, or their roots computed before it; what is not to be had
 * of these says nothing. */
hbg_rt_status hbg_rt_record_aside(hbg_rt_instance *run, double t, const double *x);
hbg_rt_status hbg_rt_look_aside(hbg_rt_instance *run, double t, const double *x);
/* Whether relations are located in a reading beside the field. */
static inline bool hbg_rt_locates(const hbg_rt_instance *run, hbg_rt_reading reading) {
    return run->branches.reads & 1 << reading && run->branches.met_count[reading] > 0;
}
/* change.c: what depends on parameters, anew; sets what is held until it changes again: the next instant begins with what it was
 * before; a register of a parameter; how fast one of them moves; all of it as it was before, and back */
hbg_rt_status hbg_rt_follow_params(hbg_rt_instance *run);
void hbg_rt_change(hbg_rt_instance *run, int32_t reg, double value);
void hbg_rt_change_param(hbg_rt_instance *run, int32_t reg, double value);
hbg_rt_status hbg_rt_swap_changed(hbg_rt_instance *run);
void hbg_rt_change_rate(hbg_rt_instance *run, int32_t param, double rate);
/* place.c: whether a place is on in these states of the automata */
bool hbg_rt_place_on(const hbg_rt_instance *run, int32_t place, const int32_t *states);
/* instant_words.c: a transition is taken, or an automaton goes where it is stuck (HBG_RT_NONE) */
void hbg_rt_note_taken(hbg_rt_instance *run, int32_t automaton, int32_t from, int32_t to, int32_t transition);
/* words.c: what a number stands for, as text */
void hbg_rt_tell(const hbg_rt_instance *run, hbg_rt_word word, int32_t id, char *text, size_t size);
int32_t hbg_rt_name_in(const hbg_rt_instance *run, int32_t reg); /* name of the variable it holds, or −1 */
/* place.c: whether a place is on in the mode of the run */
bool hbg_rt_is_on(const hbg_rt_instance *run, int32_t place);
/* The state was left on a crossing and entered again: nothing counts as crossed in it. */
bool hbg_rt_is_back(const hbg_rt_instance *run, int32_t automaton, int32_t state);
/* mode.c: goes to a mode; makes blocks, events of active islands and tangents ready in it */
hbg_rt_status hbg_rt_set_mode(hbg_rt_instance *run, const int32_t *states);
/* The same where it is known which automata have other states than the mode the run is in. */
hbg_rt_status hbg_rt_change_mode(hbg_rt_instance *run, const int32_t *moved, int32_t count,
                                 const int32_t *states);
hbg_rt_status hbg_rt_take_blocks(hbg_rt_instance *run);
static inline hbg_rt_status hbg_rt_ready_blocks(hbg_rt_instance *run) { // asked for by every evaluation
    return run->variants.stale_count == 0 ? HBG_RT_OK : hbg_rt_take_blocks(run);
}
hbg_rt_status hbg_rt_ready_events(hbg_rt_instance *run);
hbg_rt_status hbg_rt_ready_tangents(hbg_rt_instance *run);
hbg_rt_status hbg_rt_mode_init(hbg_rt_instance *run);
/* reading.c: states into their registers; the code of all segments for a reading; all of an evaluation: the field, then a reading
 * behind it */
void hbg_rt_set_states(hbg_rt_instance *run, const double *x);
int32_t hbg_rt_code_of(const hbg_rt_instance *run, int32_t number, hbg_rt_reading reading);
hbg_rt_status hbg_rt_ready_slopes(hbg_rt_instance *run);
hbg_rt_status hbg_rt_run_segments(hbg_rt_instance *run, hbg_rt_reading reading);
hbg_rt_status hbg_rt_run_reading(hbg_rt_instance *run, double t, const double *x, hbg_rt_reading reading);
hbg_rt_status hbg_rt_run_field(hbg_rt_instance *run, double t, const double *x);
/* slide.c: whether a run that may slide does so; rates there, and what is read of both sides */
bool hbg_rt_slides(const hbg_rt_instance *run);
hbg_rt_status hbg_rt_slide_rates(hbg_rt_instance *run, double t, const double *x, double *dx);
typedef hbg_rt_status (*slide_reader)(hbg_rt_instance *run, double t, const double *x, double *values);
hbg_rt_status hbg_rt_slide_values(hbg_rt_instance *run, double t, const double *x, int32_t count,
                                  slide_reader read, double *values);
/* instant_flow.c: the difference of a guard's relation while time advances, of finite parts; no number where areas decide */
hbg_rt_status hbg_rt_difference_at(hbg_rt_instance *run, int32_t relation, double t, const double *x,
                                   double *value);
/* culprit.c: notes a failure */
hbg_rt_status hbg_rt_note_failure(hbg_rt_instance *run, double t, hbg_rt_status status);
hbg_rt_status hbg_rt_refuse_term(hbg_rt_instance *run); /* a term that has no meaning on pulses */
/* The failure of a register that is not finite, with what made it so; `what` is its name. It was written by the
 * code given, or behind it by the segments of a reading (−1: by none). The check reports the first of all values read
 * that is not finite. */
hbg_rt_status hbg_rt_fail_not_finite(hbg_rt_instance *run, double t, int32_t last, int reading, int32_t reg,
                                     const char *what);
/* The failure of reading the common variable of a junction that has none while it is off. */
hbg_rt_status hbg_rt_fail_undefined(hbg_rt_instance *run, double t, int32_t place, const char *reader);
/* The failure of reading what nothing determines where a zero is set twice; `reader` NULL: whoever reads it has its name. */
hbg_rt_status hbg_rt_fail_undetermined(hbg_rt_instance *run, double t, const char *name, const char *reader);
/* The model asks for what no equation can be made of; its text. */
hbg_rt_status hbg_rt_refuse_text(hbg_rt_instance *run, int32_t text);
hbg_rt_status hbg_rt_check_finite(hbg_rt_instance *run, double t, const hbg_rt_readout *of, int reading,
                                  const hbg_rt_variable *names);
/* solve.c: room for the dense matrix of a loop. Sparse loops get one when they are first solved without a solver that was lent. */
bool hbg_rt_make_dense(hbg_rt_instance *run, int32_t n);
/* solve_bracket.c: a loop of one unknown between two places where its residual has different signs. False: none was found, or
 * the residual jumps there. */
bool hbg_rt_solve_bracket(hbg_rt_instance *run, const hbg_rt_loop_view *of);
/* solve_trial.c: from `begin` to `end` searches leave no trace of where they led to. */
void hbg_rt_trial_begin(hbg_rt_instance *run);
void hbg_rt_trial_note(hbg_rt_instance *run, const hbg_rt_loop_view *of);
void hbg_rt_trial_end(hbg_rt_instance *run);
/* solve_branch.c: whether the unknowns have passed a fold on the way from run->loops.kept to where they are. Leaves them there. */
bool hbg_rt_passed_fold(hbg_rt_instance *run, const hbg_rt_loop_view *of);

/* instant_memory.c */
bool hbg_rt_instant_init(hbg_rt_instance *run);
hbg_rt_status hbg_rt_instant_fit(
    hbg_rt_instance *run); /* room by cell and by register that is judged, once they are there */
hbg_rt_status hbg_rt_instant_room(hbg_rt_instance *run); /* for registers that compiling has added */
/* instant_values.c */
double hbg_rt_record_pre(hbg_rt_instance *run, int32_t pre); /* its value now, whose size is kept */
void hbg_rt_record_values(hbg_rt_instance *run); /* keeps the finite values guards read, and those of pre */
void hbg_rt_keep_pre(const hbg_rt_instance *run, double *values);
void hbg_rt_activate(hbg_rt_instance *run, int32_t island);
void hbg_rt_activate_all(hbg_rt_instance *run);
void hbg_rt_rest_islands(hbg_rt_instance *run); /* none is active any more */
hbg_rt_status hbg_rt_run_events(hbg_rt_instance *run, double t, const double *x);
hbg_rt_status hbg_rt_watch_values(hbg_rt_instance *run, double t, const double *x);
hbg_rt_status hbg_rt_watch_guards(hbg_rt_instance *run, double t, const double *x, double *g);

/* look.c: guards without a search. Sizes that bands are shares of are measured anew now and then: at the first look, often while a run is
 * young and finds its sizes, at least every so many looks later. Which looks these are depends on their number alone. */
enum { HBG_RT_FIRST_LOOKS = 1 << 12, HBG_RT_LOOKS = 1 << 16 };
static inline int64_t
hbg_rt_next_measure(int64_t looks) { /* behind so many looks, the number of the next that measures */
    int64_t next = HBG_RT_FIRST_LOOKS;
    while (next <= looks && next < HBG_RT_LOOKS) next *= 2;
    return next > looks ? next : (looks / HBG_RT_LOOKS + 1) * HBG_RT_LOOKS;
}
static inline bool hbg_rt_measures(int64_t look) {
    return look == 0 || hbg_rt_next_measure(look - 1) == look;
}
#define HBG_RT_NEAR                                                                                          \
    (8 *                                                                                                     \
     HBG_RT_BAND) /* instant_flow.c: in(…) at t and x while time advances, where a reading has use for it */
hbg_rt_status hbg_rt_refresh_ins(hbg_rt_instance *run, double t, const double *x, hbg_rt_reading reading);
hbg_rt_status hbg_rt_remeasure(hbg_rt_instance *run, double t, const double *x);
void hbg_rt_follow_guards(hbg_rt_instance *run, int32_t island); /* instant_flow.c */
hbg_rt_status hbg_rt_values_in(hbg_rt_instance *run, const int32_t *states, double t,
                               const double *x); /* instant_values.c */
/* While time advances: der(…) jumps from where it is now, in other states. */
hbg_rt_status hbg_rt_begin_ders(hbg_rt_instance *run, double t, const double *x); /* instant_values.c */

/* interpret.c, solve.c */
/* Value or slope; of the other side of a point that is less than `across` away, if that is not 0. */
double hbg_rt_table_at(const hbg_rt_instance *run, int op, int32_t number, double at, double across);
double hbg_rt_next_point(const hbg_rt_instance *run, int32_t number, double after); /* INFINITY: none */
hbg_rt_status hbg_rt_execute(hbg_rt_instance *run, const hbg_rt_instruction *code, int32_t count);
hbg_rt_status hbg_rt_run_program(hbg_rt_instance *run, int32_t program); /* compiled where it is */
/* Whether the operators with branches in a program that has been run are where the branches they keep hold. */
bool hbg_rt_is_on_branches(hbg_rt_instance *run, int32_t program);
hbg_rt_status hbg_rt_solve_loop(hbg_rt_instance *run, int32_t number);
bool hbg_rt_stride_init(hbg_rt_instance *run);

/* charge.c */
double hbg_rt_charge_up(hbg_rt_instance *run, int32_t charge, double state);

/* Restitution in other states: junctions bounce that were off, here or in the current mode, and are on there. */
/* rebound.c: the coefficient that is chosen instead of the model's; and what was considered has become real. */
/* Parameters that are drawn get what they have in the mode of `states`: something new where an automaton has moved. Then it is real. */
hbg_rt_status hbg_rt_draw(hbg_rt_instance *run, const int32_t *states);
void hbg_rt_note_drawn(hbg_rt_instance *run, const int32_t *states);
bool hbg_rt_draws(const hbg_rt_instance *run);
/* Work of the k-th line of an island in what was considered last. */
double hbg_rt_work_of_line(const hbg_rt_instance *run, int32_t island_number, int32_t k);
/* Junctions that lose an energy get their coefficient, in the mode that is considered. */
hbg_rt_status hbg_rt_lose_energies(hbg_rt_instance *run, const int32_t *states, double t, const double *x);
double hbg_rt_chosen_coefficient(const hbg_rt_instance *run, int32_t restitution, double otherwise);
void hbg_rt_note_chosen(hbg_rt_instance *run);
double hbg_rt_bounce_sum(const hbg_rt_instance *run, int32_t restitution);
/* Its coefficient, or the energy it loses. */
double hbg_rt_restitution_of(hbg_rt_instance *run, int32_t restitution);
double hbg_rt_bounce_of(hbg_rt_instance *run, int32_t restitution);
void hbg_rt_ready_bounces(hbg_rt_instance *run, const bool *off);
hbg_rt_status hbg_rt_record_sums(hbg_rt_instance *run, double t, const double *x); /* and readies them */
hbg_rt_status hbg_rt_evaluate_ins(hbg_rt_instance *run, const int32_t *states, double t, const double *x);
instant_value hbg_rt_difference_of(hbg_rt_instance *run, int32_t relation); /* by the values recorded last */
/* pre(…) is the present while nothing was entered yet. */
hbg_rt_status hbg_rt_begin_pres(hbg_rt_instance *run, double t, const double *x);
void hbg_rt_use_pre(hbg_rt_instance *run, const double *values);
/* instant_far.c: runs the code of the unbounded parts of an island, with sizes: whether the mode is shorted there; cells of what is asked
 * for, after it. Whether some active island is; −1, 0, 1 by the first order that differs, which is that. */
hbg_rt_status hbg_rt_run_limit(hbg_rt_instance *run, int32_t island);
void hbg_rt_take_far(hbg_rt_instance *run, int32_t island);
bool hbg_rt_is_shorted(const hbg_rt_instance *run);
int hbg_rt_far_order(instant_value a, instant_value b, int *order);
bool hbg_rt_is_unbounded(instant_value value);
void hbg_rt_measure_inputs(hbg_rt_instance *run, const hbg_rt_event *event); /* instant_values.c */

#endif
