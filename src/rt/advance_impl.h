/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run in progress, for the files advance*.c. */
#ifndef HBG_RT_ADVANCE_IMPL_H
#define HBG_RT_ADVANCE_IMPL_H

#include "rt/engine.h"
#include "rt/ledger_impl.h"
#include "rt/roots_impl.h"

/* ---- the story of an instant -------------------------------------------------------------------------- */

void hbg_rt_log_input(hbg_rt_log *log, int32_t input);
/* For the callbacks of the event iteration; the context is the log. */
void hbg_rt_log_considered(void *context);
void hbg_rt_log_committed(void *context);
void hbg_rt_log_visit(void *context, const hbg_rt_visit *visit);
/* If no automaton moves, an instant is one jump, which the instance has just made. */
void hbg_rt_log_jump(hbg_rt_log *log, double t, const int32_t *states, const double *x, const double *x_plus);
void hbg_rt_log_fill(const hbg_rt_log *log, hbg_rt_story *event);

/* ---- event times that accumulate ---------------------------------------------------------------------- */

enum { HBG_RT_ZENO_TIMES = 8 };

typedef struct hbg_rt_zeno {
    /* of the last crossings of a relation that changed the mode, newest last */
    double times[HBG_RT_ZENO_TIMES];
    int count;
    double begin;         /* intervals shrink from this time on */
    double end, interval; /* their estimated end, and the last interval then; 0: no estimate */
    double sure;          /* the earliest end that was close when estimated; 0: none */
    int past;             /* collisions after it */
    struct {
        double count, x, y, xx, xy; /* sums over pairs of successive intervals */
    } fit;                          /* of a fixed-step run: since they shrink gradually */
    int small; /* collisions in a row before which the relation stayed within the accuracy of states */
} hbg_rt_zeno;

/* Records the roots crossed at this instant; true if they accumulate, *end is where. Starts anew. */
bool hbg_rt_zeno_add(hbg_rt_engine *engine, double *end);
void hbg_rt_zeno_rest(hbg_rt_engine *engine);
/* Of the roots crossed at this instant the one that is crossed again and again. */
int32_t hbg_rt_zeno_root(const hbg_rt_engine *engine);

/* ---- during a run ------------------------------------------------------------------------------------- */

/* Calls the observer if it has this callback. */
static inline hbg_rt_status hbg_rt_engine_show(const hbg_rt_engine *engine, hbg_rt_status (*call)(void *)) {
    return call ? call(engine->setup->observer.context) : HBG_RT_OK;
}
/* Whether a planned time is reached. */
static inline bool hbg_rt_engine_is_due(const hbg_rt_engine *engine, double time) {
    return hbg_rt_is_due(time, engine->t);
}
/* Fails if the system refuses, and records that it did. */
hbg_rt_status hbg_rt_engine_refused(hbg_rt_engine *engine, hbg_rt_status status);
/* Lays out the Jacobian for the mode of the run. */
hbg_rt_status hbg_rt_engine_lay_out_jacobian(hbg_rt_engine *engine);

/* From declared energies to the first moment after t = 0. */
hbg_rt_status hbg_rt_engine_instant_at_start(hbg_rt_engine *engine);
/* What happens at the present time: actions, ticks, breaks, crossings. */
hbg_rt_status hbg_rt_engine_instant(hbg_rt_engine *engine);

/* advance_slide.c, if engine->slide is not NULL: after an instant with crossings, which may have been one
 * change of side too many; finds where sliding ends in the last step, if it does; ends it here; after a step
 * along the surface. */
hbg_rt_status hbg_rt_engine_slide_begin(hbg_rt_engine *engine, bool *slides);
hbg_rt_status hbg_rt_engine_slide_locate(hbg_rt_engine *engine, double *t);
bool hbg_rt_engine_slide_stop(hbg_rt_engine *engine);
/* Sliding has stopped: outputs and powers, which were as they are on the surface, are located again. */
hbg_rt_status hbg_rt_engine_slide_left(hbg_rt_engine *engine);
/* Sliding stopped only because the run ends here: the last values are read on the surface. */
void hbg_rt_engine_slide_last(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_slide_on(hbg_rt_engine *engine);
/* Whether the run slides. */
bool hbg_rt_engine_slides(const hbg_rt_engine *engine);

/* advance_aside.c: changes that only outputs and powers see. Cuts the step where time alone changes such a
 * relation, or adds it to what changes there; whether only such relations change at the end; takes their
 * branches and continues in the same step. */
void hbg_rt_engine_flip(hbg_rt_engine *engine, double *end);
bool hbg_rt_engine_is_aside(const hbg_rt_engine *engine, double end);
hbg_rt_status hbg_rt_engine_pass_aside(hbg_rt_engine *engine);
void hbg_rt_engine_leave_aside(hbg_rt_engine *engine);
/* What was crossed, but for relations aside: they cause nothing. How many there are. */
int32_t hbg_rt_engine_list_causes(const hbg_rt_engine *engine, int32_t *causes);

/* Called before and after the events of an instant; the second returns whether the method may continue as if
 * there had been no instant. */
void hbg_rt_engine_tick_opens(hbg_rt_engine *engine);
bool hbg_rt_engine_tick_closes(hbg_rt_engine *engine);

/* To call once there is a stepper. */
hbg_rt_status hbg_rt_engine_stride_prepare(hbg_rt_engine *engine);
/* Books in the ledger what strides have summed so far. */
void hbg_rt_engine_stride_book(hbg_rt_engine *engine);
/* Many steps in one call; not *strode: the next one has to be done singly. */
hbg_rt_status hbg_rt_engine_stride(hbg_rt_engine *engine, bool *strode);

#endif
