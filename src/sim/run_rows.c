/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory of rows (rt/rows.h) from an arena, and whether a run goes on. */
#include <time.h>

#include "sim/run_impl.h"

/* An exhausted arena jumps, as usual. */
static void end_at_exhaustion(const hbg_arena *arena, const hbg_rt_room *room) {
    if (room->is_exhausted) hbg_base_memory_exhausted(arena->memory);
}

void hbg_sim_rows_init(hbg_arena *arena, const hbg_rt_description *system, const hbg_sim_options *options,
                       hbg_rt_rows *rows) {
    hbg_rt_room room = {.memory = hbg_sim_memory(arena)};
    hbg_rt_rows_init(&room, system, &options->of_rows, rows);
    end_at_exhaustion(arena, &room);
}

hbg_rt_commits *hbg_sim_commits_new(hbg_arena *arena, const hbg_rt_description *system) {
    hbg_rt_room room = {.memory = hbg_sim_memory(arena)};
    hbg_rt_commits *commits = hbg_rt_commits_new(&room, system);
    end_at_exhaustion(arena, &room);
    return commits;
}

void hbg_sim_summary_init(hbg_arena *arena, hbg_rt_summary *summary, int32_t count) {
    *summary = (hbg_rt_summary){.count = count};
    summary->final = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->low = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->high = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->mean = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->area = HBG_NEW_ARRAY(arena, double, count + 1);
    summary->middle = HBG_NEW_ARRAY(arena, double, count + 1);
    hbg_rt_summary_begin(summary);
}

bool hbg_sim_goes_on(hbg_sim_progress *progress) {
    const hbg_sim_options *options = progress->options;
    const hbg_rt_engine *engine = progress->engine;
    const int64_t pause = 50000000;
    struct timespec now;
    if (options->progress == NULL) return true;
    bool often = engine->field.n > 1000 ||
                 (engine->strides.on && engine->strides.stride.done * engine->field.n > 8192);
    if ((++progress->asked % 8 != 0 && !often && progress->at != 0) ||
        clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return true;
    int64_t time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (progress->at != 0 && time - progress->at < pause) return true;
    progress->at = time;
    return options->progress(options->context, engine->t, options->stop);
}
