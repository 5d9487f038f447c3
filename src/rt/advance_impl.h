/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run on its way, for the files advance*.c. */
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
/* Where no automaton moves an instant is one jump, which the instance has just made. */
void hbg_rt_log_jump(hbg_rt_log *log, double t, const int32_t *states, const double *x, const double *x_plus);
void hbg_rt_log_fill(const hbg_rt_log *log, hbg_rt_story *event);

/* ---- event times that accumulate ---------------------------------------------------------------------- */

enum { HBG_RT_ZENO_TIMES = 8 };

typedef struct hbg_rt_zeno {
    /* of the last crossings of a relation that changed the mode, newest last */
    double times[HBG_RT_ZENO_TIMES];
    int count;
    double begin;         /* intervals shrink from here on */
    double end, interval; /* where they lead to, and the last one when that was reckoned; 0: it was not */
    double sure;          /* the earliest end that was near when it was reckoned; 0: none was */
    int past;             /* collisions behind it */
    struct {
        double count, x, y, xx, xy; /* sums over intervals and those behind them */
    } fit;                          /* of a fixed-step run: since they shrink little by little */
    int small; /* collisions in a row before which the relation was no farther away than states are exact */
} hbg_rt_zeno;

/* Takes note of the roots crossed at this instant; true if they accumulate, *end is where. Begins anew. */
bool hbg_rt_zeno_add(hbg_rt_engine *engine, double *end);
void hbg_rt_zeno_rest(hbg_rt_engine *engine);
/* Of the roots crossed at this instant that which is crossed again and again. */
int32_t hbg_rt_zeno_root(const hbg_rt_engine *engine);

/* ---- on the way --------------------------------------------------------------------------------------- */

/* Calls the observer, if it wants to be. */
static inline hbg_rt_status hbg_rt_engine_show(const hbg_rt_engine *engine, hbg_rt_status (*call)(void *)) {
    return call ? call(engine->setup->observer.context) : HBG_RT_OK;
}
/* Whether a planned time has come. */
static inline bool hbg_rt_engine_is_due(const hbg_rt_engine *engine, double time) {
    return hbg_rt_is_due(time, engine->t);
}
/* Fails where the system refuses, and remembers that it did. */
hbg_rt_status hbg_rt_engine_refused(hbg_rt_engine *engine, hbg_rt_status status);
/* Lays the Jacobian out for the mode the run is in. */
hbg_rt_status hbg_rt_engine_lay_out_jacobian(hbg_rt_engine *engine);

/* From declared energies to the first moment after t = 0. */
hbg_rt_status hbg_rt_engine_instant_at_start(hbg_rt_engine *engine);
/* What happens at the present time: actions, ticks, breaks, crossings. */
hbg_rt_status hbg_rt_engine_instant(hbg_rt_engine *engine);

/* advance_slide.c, where engine->slide is not NULL: an instant at which something was crossed is over, and may be one change of side
 * too many; where sliding ends in the last step, if it does; it ends here; a step along the surface has been made. */
hbg_rt_status hbg_rt_engine_slide_begin(hbg_rt_engine *engine, bool *slides);
hbg_rt_status hbg_rt_engine_slide_locate(hbg_rt_engine *engine, double *t);
bool hbg_rt_engine_slide_stop(hbg_rt_engine *engine);
/* It has stopped, but only because the run ends here: what is read last is read on the surface. */
void hbg_rt_engine_slide_last(hbg_rt_engine *engine);
hbg_rt_status hbg_rt_engine_slide_on(hbg_rt_engine *engine);
/* Whether the run slides. */
bool hbg_rt_engine_slides(const hbg_rt_engine *engine);

/* Around what happens at an instant; behind it, whether the method may go on as if there had been none. */
void hbg_rt_engine_tick_opens(hbg_rt_engine *engine);
bool hbg_rt_engine_tick_closes(hbg_rt_engine *engine);

/* Once there is a stepper. */
hbg_rt_status hbg_rt_engine_stride_prepare(hbg_rt_engine *engine);
/* What strides have added up by now goes to the ledger. */
void hbg_rt_engine_stride_book(hbg_rt_engine *engine);
/* Many steps in one go; not *strode: the next one has to be done by itself. */
hbg_rt_status hbg_rt_engine_stride(hbg_rt_engine *engine, bool *strode);

#endif
