/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The folder of a sweep on a cluster: the script of the job array, a table and a log for each shard, the
 * numbers of the jobs. It is beside the table, and is removed when that is complete. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/sweep_slurm_impl.h"

#define ENDING      "-shards"
#define USUAL       32 /* shards, if the request does not say how many */
#define MOST_SHARDS 100000
#define LAST_WORDS  400 /* bytes of a log that a message shows */

/* ---- the request --------------------------------------------------------------------------------------- */

static hbg_status bad_request(const hbg_slurm_sweep *sweep, const char *why) {
    return hbg_api_session_fail(sweep->session, HBG_BAD_ARGUMENT,
                                "`--slurm %s`: %s; write options of sbatch, and how many shards, as in "
                                "`--slurm 'partition=short,time=01:00:00,shards=100'`",
                                sweep->options->request, why);
}

static hbg_status take_shards(hbg_slurm_sweep *sweep, const char *number) {
    char *end;
    long value = strtol(number, &end, 10);
    if (!isdigit((unsigned char)number[0]) || *end || value < 1 || value > MOST_SHARDS)
        return bad_request(sweep, "the number of shards is a whole number from 1 to 100000");
    sweep->shard_count = (int32_t)value;
    return HBG_OK;
}

static bool is_word(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!islower((unsigned char)text[i]) && !(i > 0 && text[i] == '-')) return false;
    return size > 0;
}

static hbg_status read_request(hbg_slurm_sweep *sweep) {
    static const char *const own[] = {"array", "output", "parsable", "job-name", "wait", "clusters"};
    hbg_arena *arena = &sweep->session->scratch;
    sweep->shard_count = USUAL;
    for (const char *at = sweep->options->request; *at;) {
        size_t size = strcspn(at, ","), name = strcspn(at, "=,");
        const char *item = hbg_base_arena_copy(arena, at, size);
        at += size + (at[size] == ',');
        if (!is_word(item, name)) return bad_request(sweep, "this is no list of NAME=VALUE");
        if (item[name] == '=' && !item[name + 1])
            return bad_request(sweep, hbg_base_arena_print(arena, "`%s` has no value", item));
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (strlen(own[i]) == name && strncmp(item, own[i], name) == 0)
                return bad_request(sweep, hbg_base_arena_print(arena, "`%s` is for hbg to choose", own[i]));
        if (strncmp(item, "shards=", 7) == 0)
            HBG_TRY(take_shards(sweep, item + 7));
        else
            HBG_PUSH(arena, sweep->requests, hbg_base_arena_print(arena, "--%s", item));
    }
    return HBG_OK;
}

/* ---- the folder ---------------------------------------------------------------------------------------- */

static const char *path_of(const hbg_slurm_sweep *sweep, int32_t shard, const char *ending) {
    return hbg_base_arena_print(&sweep->session->scratch, "%s/shard-%d.%s", sweep->folder, shard + 1, ending);
}

static hbg_status cannot_write(const hbg_slurm_sweep *sweep, const char *path, int error) {
    return hbg_api_session_fail(sweep->session, HBG_CANNOT_WRITE, "`%s` cannot be written: %s", path,
                                hbg_base_file_words(error));
}

static const char *in_folder(const hbg_slurm_sweep *sweep, const char *name) {
    return hbg_base_arena_print(&sweep->session->scratch, "%s/%s", sweep->folder, name);
}

static hbg_status make_folder(hbg_slurm_sweep *sweep) {
    const char *file = sweep->options->file, *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    int size = (int)(dot && dot > file && (!slash || dot > slash + 1) ? dot - file : (long)strlen(file));
    sweep->folder = hbg_base_arena_print(&sweep->session->scratch, "%.*s" ENDING, size, file);
    if (mkdir(sweep->folder, 0777) == 0) return HBG_OK;
    int error = errno;
    if (error == EEXIST && sweep->options->resume) return HBG_OK;
    if (error == EEXIST)
        return hbg_api_session_fail(
            sweep->session, HBG_CANNOT_WRITE,
            "there is `%s` already, which an earlier sweep left: --resume goes on with it, or remove it",
            sweep->folder);
    return cannot_write(sweep, sweep->folder, error);
}

/* ---- the script ---------------------------------------------------------------------------------------- */

/* As one word of a shell, whatever it contains. */
static void put_quoted(hbg_buffer *out, const char *word) {
    hbg_base_buffer_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            hbg_base_buffer_text(out, "'\\''");
        else
            hbg_base_buffer_char(out, *word);
    }
    hbg_base_buffer_char(out, '\'');
}

static hbg_status write_text(const hbg_slurm_sweep *sweep, const char *path, const char *mode,
                             const char *text) {
    FILE *file = fopen(path, mode);
    bool fine = file && fputs(text, file) >= 0;
    int error = errno;
    if (file && fclose(file) != 0) fine = false;
    return fine ? HBG_OK : cannot_write(sweep, path, error > 0 ? error : EIO);
}

static hbg_status write_script(hbg_slurm_sweep *sweep) {
    const hbg_slurm_options *options = sweep->options;
    hbg_arena *arena = &sweep->session->scratch;
    hbg_buffer out;
    char *here = getcwd(NULL, 0);
    if (!here) return cannot_write(sweep, sweep->folder, errno);
    hbg_base_buffer_init(&out, arena);
    hbg_base_buffer_text(&out,
                         "#!/bin/sh\n# made by hbg sweep --slurm: a shard for each task of the array\ncd ");
    put_quoted(&out, here);
    free(here);
    hbg_base_buffer_text(&out, " || exit 1\nexec");
    for (int i = 0; i < options->word_count; i++) {
        hbg_base_buffer_char(&out, ' ');
        put_quoted(&out, options->words[i]);
    }
    hbg_base_buffer_text(&out, options->has_jobs ? "" : " -j \"${SLURM_CPUS_PER_TASK:-1}\"");
    hbg_base_buffer_print(&out, " -q --resume --shard \"$SLURM_ARRAY_TASK_ID/%d\" -o ", sweep->shard_count);
    put_quoted(&out, in_folder(sweep, "shard-"));
    hbg_base_buffer_text(&out, "\"$SLURM_ARRAY_TASK_ID.csv\" -- ");
    put_quoted(&out, options->model);
    hbg_base_buffer_char(&out, '\n');
    sweep->script = in_folder(sweep, "sweep.sh");
    return write_text(sweep, sweep->script, "w", out.data);
}

/* ---- jobs of an earlier command ------------------------------------------------------------------------ */

hbg_status hbg_api_slurm_note_job(hbg_slurm_sweep *sweep, const char *job) {
    const char *line = hbg_base_arena_print(&sweep->session->scratch, "%d %s\n", sweep->shard_count, job);
    return write_text(sweep, in_folder(sweep, "jobs"), "a", line);
}

static hbg_status find_jobs(hbg_slurm_sweep *sweep) {
    int shards;
    char job[32];
    FILE *file = fopen(in_folder(sweep, "jobs"), "r");
    bool other = false;
    while (file && fscanf(file, "%d %31[0-9]", &shards, job) == 2) {
        other = other || shards != sweep->shard_count;
        HBG_PUSH(&sweep->session->scratch, sweep->jobs,
                 hbg_base_arena_print(&sweep->session->scratch, "%s", job));
    }
    if (file) (void)fclose(file);
    return other ? bad_request(sweep, "the sweep to go on with has another number of shards") : HBG_OK;
}

hbg_status hbg_api_slurm_prepare(hbg_slurm_sweep *sweep) {
    HBG_TRY(read_request(sweep));
    HBG_TRY(make_folder(sweep));
    sweep->shards = HBG_NEW_ARRAY(&sweep->session->scratch, hbg_slurm_shard, sweep->shard_count);
    sweep->tables = HBG_NEW_ARRAY(&sweep->session->scratch, const char *, sweep->shard_count);
    for (int32_t i = 0; i < sweep->shard_count; i++) sweep->tables[i] = path_of(sweep, i, "csv");
    sweep->wanted = HBG_NEW_ARRAY(&sweep->session->scratch, bool, sweep->shard_count);
    hbg_base_buffer_init(&sweep->answer, &sweep->session->scratch);
    HBG_TRY(find_jobs(sweep));
    return write_script(sweep);
}

/* The first line of a table tells which sweep it is a shard of. */
static hbg_status check_shard(const hbg_slurm_sweep *sweep, int32_t shard, FILE *file) {
    char line[400] = "";
    hbg_sweep_shard of;
    bool read = fgets(line, sizeof line, file) && hbg_api_sweep_shard_read(line, &of);
    bool own = read && of.shard == shard + 1 && of.shards == sweep->shard_count &&
               of.key == strtoull(sweep->options->sum, NULL, 16) && strcmp(of.version, hbg_version()) == 0;
    if (own) return HBG_OK;
    return hbg_api_session_fail(
        sweep->session, HBG_BAD_ARGUMENT,
        "`%s` is a shard of another model, of other options or of another version: remove `%s`, or "
        "write another table",
        sweep->tables[shard], sweep->folder);
}

hbg_status hbg_api_slurm_find_done(hbg_slurm_sweep *sweep) {
    for (int32_t i = 0; i < sweep->shard_count; i++) {
        FILE *file = sweep->shards[i].done ? NULL : fopen(sweep->tables[i], "r");
        if (!file) continue;
        hbg_status status = check_shard(sweep, i, file);
        (void)fclose(file);
        HBG_TRY(status);
        sweep->shards[i].done = true;
    }
    return HBG_OK;
}

const char *hbg_api_slurm_last_words(const hbg_slurm_sweep *sweep, int32_t shard) {
    char *text = hbg_base_arena_alloc(&sweep->session->scratch, LAST_WORDS + 1);
    FILE *file = fopen(path_of(sweep, shard, "log"), "r");
    if (!file) return "it left no log";
    if (fseek(file, -LAST_WORDS, SEEK_END) != 0) rewind(file);
    size_t size = fread(text, 1, LAST_WORDS, file);
    (void)fclose(file);
    while (size > 0 && isspace((unsigned char)text[size - 1])) size--;
    text[size] = '\0';
    return size > 0 ? hbg_base_utf8_clean(text, true) : "its log is empty";
}

void hbg_api_slurm_remove(const hbg_slurm_sweep *sweep) {
    for (int32_t i = 0; i < sweep->shard_count; i++) {
        (void)unlink(sweep->tables[i]);
        (void)unlink(path_of(sweep, i, "log"));
    }
    (void)unlink(sweep->script);
    (void)unlink(in_folder(sweep, "jobs"));
    (void)rmdir(sweep->folder);
}
