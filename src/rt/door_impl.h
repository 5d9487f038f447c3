/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run behind its public functions: an instance, an engine on it, and what was set. */
#ifndef HBG_RT_DOOR_IMPL_H
#define HBG_RT_DOOR_IMPL_H

#include "rt/advance_impl.h"
#include "rt/archive_impl.h"
#include "rt/package_impl.h"
#include "rt/rows.h"
#include "rt/run_impl.h"

struct hbg_rt_run {
    hbg_rt_room room; /* the run is allocated in it */
    const hbg_rt_description *system;
    hbg_rt_instance *instance;
    hbg_rt_engine *engine;
    hbg_rt_setup setup;
    hbg_rt_result result;
    hbg_rt_sensor *sensors; /* of the experiment */
    int32_t sensor_count;
    /* Planned changes, in order of time. In front of future ones there is room for what is set, each at most
     * once. */
    hbg_rt_action *actions;
    hbg_rt_override *overrides;
    int32_t actions_set, overrides_set; /* that have not happened yet */
    bool is_started, is_finished;
    hbg_rt_options options;
    hbg_rt_row_options row_options;
    hbg_rt_rows rows;
    double *last;       /* outputs for the last row */
    double row_time;    /* of the last row, or NaN */
    uint32_t image_sum; /* of the heads of its sections: by it a saved run knows its image */
    hbg_rt_failure failure;
};

/* door.c: records where a call failed, in the words of the instance, of the search or of the field; and a
 * call that is refused. */
hbg_rt_status hbg_rt_run_note(hbg_rt_run *run, hbg_rt_status status);
hbg_rt_status hbg_rt_run_refuse(hbg_rt_run *run, const char *why);

/* ship.c: allocates what an instance may need later and does not have yet */
hbg_rt_status hbg_rt_reserve(hbg_rt_instance *instance);

/* save_instance.c, save_engine.c: everything that changes in them. */
void hbg_rt_instance_keep(hbg_rt_instance *run, hbg_rt_archive *archive);
void hbg_rt_engine_keep(hbg_rt_engine *engine, hbg_rt_archive *archive);
void hbg_rt_instant_keep(hbg_rt_instance *run, hbg_rt_archive *archive); /* instant_memory.c: its arrays */

#endif
