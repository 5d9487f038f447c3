/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Workers that make runs of one compiled model, each in a thread of its own: for sweeps and for exploring. */
#include <unistd.h>

#include "api/sweep_impl.h"

#define MOST_THREADS 256
#define MOST_LANES   8 /* in each of them */

static int32_t thread_count(const hbg_sweep_options *options, int64_t runs) {
    long count = options->threads > 0 ? options->threads : sysconf(_SC_NPROCESSORS_ONLN);
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
        HBG_TRY(hbg_api_sweep_worker_init(session, worker));
    }
    return HBG_OK;
}

hbg_status hbg_api_sweep_crew_make(hbg_session *session, hbg_sweep_crew *crew, int64_t runs) {
    crew->threads = thread_count(crew->options, runs);
    crew->lanes = 1;
    crew->workers = HBG_NEW_ARRAY(&session->scratch, hbg_sweep_worker, crew->threads * MOST_LANES);
    crew->failed = HBG_NEW_ARRAY(&session->scratch, hbg_status, crew->threads * MOST_LANES);
    crew->lane = HBG_NEW_ARRAY(&session->scratch, hbg_sim_lane *, crew->threads * MOST_LANES);
    return make_workers(session, crew, crew->threads);
}

hbg_status hbg_api_sweep_crew_widen(hbg_session *session, hbg_sweep_crew *crew) {
    const hbg_rt_native_table *table = hbg_code_native_table(crew->compiled->run->code);
    if (table && table->width > 1) crew->lanes = table->width;
    return make_workers(session, crew, crew->threads * crew->lanes);
}

void hbg_api_sweep_crew_free(hbg_sweep_crew *crew) {
    for (int32_t i = 0; i < crew->count; i++) hbg_api_sweep_worker_fini(&crew->workers[i]);
    hbg_api_sweep_compiled_free(crew->compiled);
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
