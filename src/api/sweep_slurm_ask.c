/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Questions to Slurm: sbatch submits an array, squeue tells which of its tasks wait or run, scancel ends them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/sweep_slurm_impl.h"

#define ANSWER_TIME  60.0               /* s: a busy controller may be slow */
#define ANSWER_LIMIT ((size_t)64 << 20) /* a line for each task */

typedef HBG_VEC(const char *) word_list;

/* Runs it in a separate process group: Ctrl-C is for hbg, and the number of a submitted job must become
 * known. */
static bool always(void *context) {
    (void)context;
    return true;
}

static hbg_status ask(hbg_slurm_sweep *sweep, word_list *words) {
    hbg_arena *arena = &sweep->session->scratch;
    HBG_PUSH(arena, *words, NULL);
    hbg_draw_command command = {.arguments = words->items,
                                .package = "slurm-client",
                                .timeout = ANSWER_TIME,
                                .output_limit = ANSWER_LIMIT,
                                .goes_on = always};
    sweep->answer.size = 0;
    return hbg_draw_run(&command, &sweep->answer, &sweep->session->reason);
}

/* "1-3,7": the marked ones, in the form of sbatch. */
static const char *array_of(const hbg_slurm_sweep *sweep, const bool *wanted) {
    hbg_buffer list;
    hbg_base_buffer_init(&list, &sweep->session->scratch);
    for (int32_t i = 0; i < sweep->shard_count; i++) {
        if (!wanted[i]) continue;
        int32_t last = i;
        while (last + 1 < sweep->shard_count && wanted[last + 1]) last++;
        hbg_base_buffer_print(&list, "%s%d", list.size > 0 ? "," : "", i + 1);
        if (last > i) hbg_base_buffer_print(&list, "-%d", last + 1);
        i = last;
    }
    return list.data;
}

/* The log of each task, as a pattern of sbatch, in which `%` in the name of the folder is doubled. */
static const char *log_of(const hbg_slurm_sweep *sweep) {
    hbg_buffer pattern;
    hbg_base_buffer_init(&pattern, &sweep->session->scratch);
    hbg_base_buffer_text(&pattern, "--output=");
    for (const char *at = sweep->folder; *at; at++) {
        if (*at == '%') hbg_base_buffer_char(&pattern, '%');
        hbg_base_buffer_char(&pattern, *at);
    }
    hbg_base_buffer_text(&pattern, "/shard-%a.log");
    return pattern.data;
}

/* `sbatch --parsable` answers "123", or "123;cluster". */
static const char *job_of(hbg_arena *arena, const hbg_buffer *answer) {
    size_t size = answer->size > 0 ? strspn(answer->data, "0123456789") : 0;
    return size > 0 ? hbg_base_arena_copy(arena, answer->data, size) : NULL;
}

hbg_status hbg_api_slurm_submit(hbg_slurm_sweep *sweep, const bool *wanted) {
    hbg_session *session = sweep->session;
    hbg_arena *arena = &session->scratch;
    word_list words = {0};
    HBG_PUSH(arena, words, "sbatch");
    HBG_PUSH(arena, words, "--parsable");
    HBG_PUSH(arena, words, "--job-name=hbg-sweep");
    HBG_PUSH(arena, words, log_of(sweep));
    for (int32_t i = 0; i < sweep->requests.count; i++) HBG_PUSH(arena, words, sweep->requests.items[i]);
    HBG_PUSH(arena, words, hbg_base_arena_print(arena, "--array=%s", array_of(sweep, wanted)));
    HBG_PUSH(arena, words, sweep->script);
    HBG_TRY(ask(sweep, &words));
    const char *job = job_of(arena, &sweep->answer);
    if (!job)
        return hbg_api_session_fail(session, HBG_NO_PROGRAM,
                                    "sbatch answered `%.80s`, which is no number of a job",
                                    sweep->answer.size > 0 ? sweep->answer.data : "");
    HBG_PUSH(arena, sweep->jobs, job);
    return hbg_api_slurm_note_job(sweep, job);
}

static const char *jobs_of(const hbg_slurm_sweep *sweep) {
    hbg_buffer list;
    hbg_base_buffer_init(&list, &sweep->session->scratch);
    for (int32_t i = 0; i < sweep->jobs.count; i++)
        hbg_base_buffer_print(&list, "%s%s", i > 0 ? "," : "", sweep->jobs.items[i]);
    return list.data;
}

/* A line is "123_7 R": the seventh shard runs. */
static void take_line(hbg_slurm_sweep *sweep, const char *line) {
    const char *task = strchr(line, '_');
    if (!task || !isdigit((unsigned char)task[1])) return;
    char *end;
    long number = strtol(task + 1, &end, 10);
    if (number < 1 || number > sweep->shard_count) return;
    hbg_slurm_shard *shard = &sweep->shards[number - 1];
    shard->queued = true;
    shard->running = strncmp(end, " R", 2) == 0;
}

bool hbg_api_slurm_look(hbg_slurm_sweep *sweep) {
    hbg_arena *arena = &sweep->session->scratch;
    word_list words = {0};
    for (int32_t i = 0; i < sweep->shard_count; i++) sweep->shards[i].running = false;
    if (sweep->jobs.count == 0) return true;
    HBG_PUSH(arena, words, "squeue");
    HBG_PUSH(arena, words, "--noheader");
    HBG_PUSH(arena, words, "--array");
    HBG_PUSH(arena, words, "--format=%i %t");
    HBG_PUSH(arena, words, hbg_base_arena_print(arena, "--jobs=%s", jobs_of(sweep)));
    hbg_status status = ask(sweep, &words);
    // it forgets jobs that ended some minutes ago
    bool forgotten = status == HBG_NO_PROGRAM && strstr(sweep->session->reason, "Invalid job id");
    if (status != HBG_OK && !forgotten) return false;
    for (int32_t i = 0; i < sweep->shard_count; i++) sweep->shards[i].queued = false;
    for (const char *line = sweep->answer.size > 0 && !forgotten ? sweep->answer.data : NULL;
         line && *line;) {
        take_line(sweep, line);
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return true;
}

hbg_status hbg_api_slurm_cancel(hbg_slurm_sweep *sweep) {
    hbg_arena *arena = &sweep->session->scratch;
    word_list words = {0};
    HBG_PUSH(arena, words, "scancel");
    for (int32_t i = 0; i < sweep->jobs.count; i++) HBG_PUSH(arena, words, sweep->jobs.items[i]);
    hbg_status status = ask(sweep, &words);
    bool forgotten = status == HBG_NO_PROGRAM && strstr(sweep->session->reason, "Invalid job id");
    return forgotten ? HBG_OK : status; // jobs that ended some minutes ago
}
