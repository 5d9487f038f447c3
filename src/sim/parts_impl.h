/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run of a system that falls into parts, for the files parts*.c: each part has an engine with its own rows,
 * and so has the whole: the whole's engine integrates nothing, and its rows are written. */
#ifndef HBG_SIM_PARTS_IMPL_H
#define HBG_SIM_PARTS_IMPL_H

#include "rt/by_hand.h"
#include "sim/run_impl.h"

typedef struct {
    const hbg_sim_part *map;
    hbg_rt_engine *engine; /* NULL: it was not made */
    hbg_rt_setup setup;
    hbg_sim_maker maker;
    hbg_sim_lent *lent;
    hbg_rt_rows rows;        /* outputs around an instant */
    hbg_sim_options options; /* with its own actions and overrides */
    hbg_sim_result result;
    bool pending;            /* a step beyond its present time was made */
    bool moved;              /* by the jump at the start */
    int64_t warnings, rests; /* reported so far */
    int32_t root_first;
} hbg_sim_part_run;

typedef struct hbg_sim_merger hbg_sim_merger;

typedef struct {
    hbg_arena *arena;
    const hbg_rt_description *system; /* the whole */
    hbg_rt_engine whole;              /* where the run is */
    const hbg_sim_options *options;   /* of the whole */
    hbg_sim_progress progress;
    hbg_rt_rows rows;
    hbg_rt_description face;  /* the whole as rows see it */
    hbg_rt_by_hand by_hand;   /* as set by hand */
    hbg_rt_integrator inside; /* likewise, inside of steps */
    hbg_sim_part_run *parts;
    int32_t count;
    int32_t *with_outputs, with_output_count;
    double *gathered; /* outputs at the present moment: those of parts without an instant stay */
    bool has_gathered;
    int32_t *heap, heap_count; /* parts with a step made, the earliest end first */
    int32_t *now, now_count;   /* parts with an instant at the moment */
    int32_t step_count;        /* after them: parts that only end a step there */
    hbg_sim_part_run *current; /* responsible for a failure */
    hbg_rt_room room;          /* of the log */
    hbg_rt_log *log;           /* lent to the part whose instant it is; NULL: not wanted */
    hbg_rt_commits *commits;   /* likewise */
    hbg_sim_merger *merger;    /* NULL: not wanted */
    bool no_memory;            /* for the events of a part */
    int32_t *states;           /* by automaton of the whole */
} hbg_sim_schedule;

/* parts_share.c: gives actions and overrides to the parts they concern. */
void hbg_sim_share_options(hbg_sim_schedule *schedule, const hbg_sim_options *options);

/* parts_rows.c: outputs of all parts at a time that no part has passed. */
void hbg_sim_gather_prepare(hbg_sim_schedule *schedule);
hbg_rt_status hbg_sim_gather(hbg_sim_schedule *schedule, double t, double *y);
/* Left limits of the parts that have an instant, before it is known whether rows are wanted. After the
 * instant: whether they are; then the left limits of all are in y of the whole. */
hbg_rt_status hbg_sim_gather_left(hbg_sim_schedule *schedule);
hbg_rt_status hbg_sim_gather_change(hbg_sim_schedule *schedule, bool *changed);
/* The modes a part went through at the present instant, next to those of the others; the rest of their rows,
 * once all have. */
void hbg_sim_gather_commits(hbg_sim_schedule *schedule, hbg_sim_part_run *part);
hbg_rt_status hbg_sim_complete_commits(hbg_sim_schedule *schedule);
/* Rows of the start. */
hbg_rt_status hbg_sim_gather_start(hbg_sim_schedule *schedule);

/* parts_events.c: merges the reports of parts about an instant into one event. */
hbg_sim_merger *hbg_sim_merger_new(hbg_sim_schedule *schedule);
void hbg_sim_merger_begin(hbg_sim_merger *merger, double t, bool at_start);
void hbg_sim_merger_take(hbg_sim_schedule *schedule, const hbg_sim_event *event);
void hbg_sim_merger_tell(hbg_sim_merger *merger);

/* parts_result.c: the merged result. */
void hbg_sim_result_name_solvers(hbg_sim_schedule *schedule);
hbg_rt_status hbg_sim_result_sum(hbg_sim_schedule *schedule, hbg_rt_status status);

#endif
