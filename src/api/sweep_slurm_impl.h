/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the files about sweeps on a cluster share: the shards, and the questions to Slurm. */
#ifndef HBG_API_SWEEP_SLURM_IMPL_H
#define HBG_API_SWEEP_SLURM_IMPL_H

#include "api/sweep_impl.h"
#include "draw/draw.h"

typedef struct {
    bool done;     /* its table is complete */
    bool queued;   /* it waits or runs, as far as known */
    bool running;  /* and runs */
    int8_t tries;  /* how often it was submitted */
    int8_t absent; /* for this many consecutive looks it was neither in the queue nor done */
} hbg_slurm_shard;

typedef struct {
    hbg_session *session;
    const hbg_slurm_options *options;
    HBG_VEC(const char *) requests; /* options of sbatch: "--partition=short" */
    const char *folder;             /* of the shards */
    const char *script;
    hbg_slurm_shard *shards; /* by number - 1 */
    int32_t shard_count;
    bool *wanted;               /* by shard: it is submitted next */
    const char **tables;        /* of the shards: where they will be */
    HBG_VEC(const char *) jobs; /* arrays that were submitted, by number; the newest last */
    hbg_buffer answer;          /* of the scheduler; reused, since there are many looks */
} hbg_slurm_sweep;

/* sweep_slurm_ask.c: submits the shards that are marked in `wanted`; the number of the job becomes the last
 * of `jobs`. HBG_NO_PROGRAM after reporting why the scheduler refuses. */
HBG_MUST_CHECK hbg_status hbg_api_slurm_submit(hbg_slurm_sweep *sweep, const bool *wanted);
/* Marks what is in the queue. False: the scheduler did not answer, with the reason in the session. */
bool hbg_api_slurm_look(hbg_slurm_sweep *sweep);
HBG_MUST_CHECK hbg_status hbg_api_slurm_cancel(hbg_slurm_sweep *sweep);

/* sweep_slurm_files.c: reads the request, makes the folder and the script, or finds them again. */
HBG_MUST_CHECK hbg_status hbg_api_slurm_prepare(hbg_slurm_sweep *sweep);
/* HBG_BAD_ARGUMENT: a table there belongs to another sweep. */
HBG_MUST_CHECK hbg_status hbg_api_slurm_find_done(hbg_slurm_sweep *sweep);
/* Keeps the number of a job beside the shards, for a command that continues with them. */
HBG_MUST_CHECK hbg_status hbg_api_slurm_note_job(hbg_slurm_sweep *sweep, const char *job);
/* The end of a shard's log. */
const char *hbg_api_slurm_last_words(const hbg_slurm_sweep *sweep, int32_t shard);
void hbg_api_slurm_remove(const hbg_slurm_sweep *sweep);

#endif
