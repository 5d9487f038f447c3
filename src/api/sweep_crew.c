/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Workers that make runs of one compiled model, each in its own thread: for sweeps and for exploring. */
#include <string.h>
#include <unistd.h>

#include "api/sweep_impl.h"

#define MOST_THREADS 256
#define MOST_LANES   8           /* in each of them */
#define DEVICE_LANES 2048        /* likewise, on a device: some ten thousand fill it */
#define STACK_USED   (128 << 10) /* bytes of a lane, about */

static bool asks_for_device(const hbg_sweep_options *options) {
    return options->run.engine == HBG_ENGINE_CUDA;
}

/* While a device works for one, the processor works for another. */
static int32_t thread_count(const hbg_sweep_options *options, int64_t runs) {
    long count = sysconf(_SC_NPROCESSORS_ONLN) * (asks_for_device(options) ? 2 : 1);
    if (options->threads > 0) count = options->threads;
    if (count < 1) count = 1;
    if (count > MOST_THREADS) count = MOST_THREADS;
    if (count > runs) count = (long)runs;
    return count > 0 ? (int32_t)count : 1;
}

hbg_status hbg_api_sweep_crew_compile(hbg_session *session, const hbg_model *model, hbg_sweep_crew *crew) {
    return hbg_api_sweep_compile(session, model, crew->options, &crew->compiled);
}

/* Makes workers up to this number. */
static hbg_status make_workers(hbg_session *session, hbg_sweep_crew *crew, int32_t count) {
    while (crew->count < count) {
        hbg_sweep_worker *worker = &crew->workers[crew->count++];
        worker->options = crew->options;
        worker->list = crew->list;
        worker->guide = crew->guide;
        worker->compiled = crew->compiled;
        HBG_TRY(hbg_api_sweep_worker_init(session, worker, crew->count > 1 ? crew->workers : NULL));
    }
    return HBG_OK;
}

hbg_status hbg_api_sweep_crew_make(hbg_session *session, hbg_sweep_crew *crew, int64_t runs) {
    const hbg_sweep_options *options = crew->options;
    crew->threads = thread_count(options, runs);
    crew->lanes = 1;
    crew->most_lanes = MOST_LANES;
    if (asks_for_device(options)) {
        int64_t each = (runs + crew->threads - 1) / crew->threads;
        int32_t most = options->lanes > 0 ? options->lanes : DEVICE_LANES;
        crew->most_lanes = each < MOST_LANES ? MOST_LANES : each < most ? (int32_t)each : most;
    }
    int32_t count = crew->threads * crew->most_lanes;
    crew->workers = HBG_NEW_ARRAY(&session->scratch, hbg_sweep_worker, count);
    crew->failed = HBG_NEW_ARRAY(&session->scratch, hbg_status, count);
    crew->lane = HBG_NEW_ARRAY(&session->scratch, hbg_sim_lane *, count);
    return make_workers(session, crew, crew->threads);
}

/* As many lanes as fit in a quarter of the memory. */
static int32_t device_lanes(const hbg_sweep_crew *crew, size_t worker_size) {
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 4;
    double each = (double)(crew->code.run_size + worker_size + STACK_USED);
    double most = memory / each / crew->threads;
    return most < 2 ? 2 : most < crew->most_lanes ? (int32_t)most : crew->most_lanes;
}

/* A device is useless without compiled code for what it leaves to the processor. */
static void choose_device(hbg_session *session, hbg_sweep_crew *crew, const hbg_rt_native_table *table) {
    const hbg_rt_native_device *device = crew->code.device.table;
    if (!asks_for_device(crew->options)) return;
    crew->no_device =
        hbg_base_arena_copy(&session->scratch, crew->workers[0].reason, strlen(crew->workers[0].reason));
    if (device && table && table->stride) crew->device = hbg_sim_device_new(&session->scratch, device);
    if (crew->device) crew->no_device = NULL;
}

hbg_status hbg_api_sweep_crew_widen(hbg_session *session, hbg_sweep_crew *crew) {
    crew->code.threads = crew->threads;
    HBG_TRY(hbg_api_sweep_worker_native(session, &crew->workers[0], &crew->code));
    const hbg_rt_native_table *table = hbg_code_native_table(crew->compiled->run->code);
    choose_device(session, crew, table);
    if (table && table->width > 1) crew->lanes = table->width;
    if (!crew->device) return make_workers(session, crew, crew->threads * crew->lanes);
    size_t before = session->memory.used;
    HBG_TRY(make_workers(session, crew, crew->threads + 1));
    crew->lanes = device_lanes(crew, session->memory.used - before);
    return make_workers(session, crew, crew->threads * crew->lanes);
}

void hbg_api_sweep_crew_tell(const hbg_sweep_crew *crew, hbg_buffer *out) {
    const char *trouble = crew->device ? hbg_sim_device_trouble(crew->device) : NULL;
    if (crew->device)
        hbg_base_buffer_print(out, "%lld steps on %s\n", (long long)hbg_sim_device_steps(crew->device),
                              crew->code.device.table->name);
    if (trouble)
        hbg_base_buffer_print(out, "the device said: %s; what it did not do the processor did\n", trouble);
    if (crew->no_device)
        hbg_base_buffer_print(out, "all on the processor: %s\n",
                              crew->no_device[0] ? crew->no_device : "the device cannot be used");
}

void hbg_api_sweep_crew_free(hbg_sweep_crew *crew) {
    for (int32_t i = 0; i < crew->count; i++) hbg_api_sweep_worker_fini(&crew->workers[i]);
    hbg_sim_device_free(crew->device);
    hbg_emit_unload(crew->code.device.library);
    hbg_api_sweep_compiled_free(crew->compiled);
    crew->device = NULL;
    crew->code.device.library = NULL;
    crew->compiled = NULL;
    crew->count = 0;
}

hbg_status hbg_api_sweep_crew_failure(hbg_session *session, const hbg_sweep_crew *crew, int64_t done) {
    if (done < 0) return hbg_api_session_fail(session, HBG_NO_MEMORY, "no thread can be made");
    for (int32_t i = 0; i < crew->count; i++)
        if (crew->failed[i] != HBG_OK)
            return hbg_api_session_fail(session, crew->failed[i], "%s", crew->workers[i].reason);
    return HBG_OK;
}
