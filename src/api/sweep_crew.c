/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Workers that make runs of one compiled model, each in a thread of its own: for sweeps and for exploring. */
#include <unistd.h>

#include "api/sweep_impl.h"

#define MOST_THREADS 256

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

hbg_status hbg_api_sweep_crew_make(hbg_session *session, hbg_sweep_crew *crew, int64_t runs) {
    int32_t count = thread_count(crew->options, runs);
    crew->workers = HBG_NEW_ARRAY(&session->scratch, hbg_sweep_worker, count);
    crew->failed = HBG_NEW_ARRAY(&session->scratch, hbg_status, count);
    for (int32_t i = 0; i < count; i++) {
        hbg_sweep_worker *worker = &crew->workers[i];
        crew->count = i + 1;
        worker->options = crew->options;
        worker->list = crew->list;
        worker->guide = crew->guide;
        worker->compiled = crew->compiled;
        HBG_TRY(hbg_api_sweep_worker_init(session, worker));
    }
    return HBG_OK;
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
