/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The table a sweep writes, a row for each run in their order. While it is not complete it is FILE.partial,
 * and FILE.resume beside it identifies its sweep, so that a later one continues it only if it would make the
 * same rows. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/sweep_impl.h"

#define KEY_FORMAT "hbg sweep %016" PRIx64 "\n"
#define KEY_SIZE   64

/* ---- which sweep it is -------------------------------------------------------------------------------- */

/* FNV-1a: texts of different sweeps hardly ever have the same. */
static uint64_t mix(uint64_t key, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) key = (key ^ bytes[i]) * UINT64_C(0x100000001b3);
    return key;
}

static uint64_t mix_text(uint64_t key, const char *text) {
    if (!text) text = "\x01"; // not the same as ""
    return mix(key, text, strlen(text) + 1);
}

static uint64_t mix_options(uint64_t key, const hbg_sweep_options *options) {
    const hbg_run_options *run = &options->run;
    bool flags[] = {run->ledger, run->strict, run->zeno_rest, run->slides, options->nominal};
    key = mix_text(key, run->solver);
    key = mix(key, &run->rtol, sizeof run->rtol);
    key = mix(key, &run->atol, sizeof run->atol);
    key = mix(key, &run->seed, sizeof run->seed);
    key = mix(key, &options->runs, sizeof options->runs);
    for (int i = 0; i < run->choose_count; i++) key = mix_text(key, run->choose[i]);
    if (options->plan) key = mix_text(key, options->plan);
    return mix(key, flags, sizeof flags);
}

/* The text of the model names the files of its tables; their contents may have changed since. */
static uint64_t mix_tables(uint64_t key, const hbg_model *model) {
    for (int32_t i = 0; i < model->tables.count; i++) {
        const hbg_table *table = &model->tables.items[i];
        size_t size = (size_t)table->count * sizeof *table->x;
        key = mix(key, &table->count, sizeof table->count);
        key = mix(mix(key, table->x, size), table->y, size);
    }
    return key;
}

uint64_t hbg_api_sweep_key(hbg_session *session, const hbg_model *model, int32_t experiment,
                           const hbg_sweep_options *options, const hbg_sweep_list *list) {
    uint64_t key = UINT64_C(0xcbf29ce484222325);
    hbg_buffer text;
    hbg_base_buffer_init(&text, &session->scratch);
    hbg_experiment kept[2]; // other experiments do not matter to this sweep, and are not in an image
    hbg_model used = hbg_model_for_run(model, experiment, kept);
    hbg_model_dump(&used, &text);
    key = mix_options(mix_text(mix_text(key, hbg_version()), text.data), options);
    key = mix_tables(key, model);
    for (int32_t i = 0; i < list->axis_count; i++) {
        const hbg_sweep_axis *axis = &list->axes[i];
        int kind = (int)axis->axis->kind;
        key = mix(mix_text(key, axis->name), &kind, sizeof kind);
        key = mix(key, axis->list, (size_t)axis->axis->count * sizeof *axis->list);
        key = mix(key, &axis->spread, sizeof axis->spread);
        if (axis->axis->spread == HBG_NONE) continue;
        text.size = 0; // of all numbers the only one that the text of the model lacks
        hbg_model_print_expr(model, axis->axis->spread, &text);
        key = mix_text(key, text.data);
    }
    for (int32_t i = 0; i < list->case_count; i++) key = mix_text(key, list->fault_texts[i]);
    return key;
}

/* Pipes, terminals and what is below /dev are written into, and cannot be resumed. */
static bool is_file(const char *path) {
    struct stat about;
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0) return false;
    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

/* ---- the file ----------------------------------------------------------------------------------------- */

static hbg_status no_resume(hbg_session *session, const hbg_sweep_options *options, const char *why) {
    return hbg_api_session_fail(
        session, HBG_BAD_ARGUMENT,
        "the sweep cannot go on with `%s.partial`: %s; without --resume it starts anew", options->file, why);
}

static hbg_status cannot_write(hbg_session *session, const hbg_sweep_options *options, const char *reason) {
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the table cannot be written to `%s`: %s",
                                options->file, reason);
}

/* The key comes before the head, and both after the file: rows are never taken for those of a sweep that did
 * not make them. */
static hbg_status begin(hbg_session *session, const hbg_sweep_options *options, const char *head,
                        const char *own_key, const hbg_sweep_table *table) {
    const char *reason;
    errno = 0;
    bool fine = !table->key_path ||
                hbg_base_file_replace(table->key_path, own_key, strlen(own_key), &reason) == HBG_OK;
    if (fine && hbg_sim_lines_write(table->lines, head, strlen(head)) && hbg_sim_lines_flush(table->lines))
        return HBG_OK;
    return cannot_write(session, options, hbg_base_file_words(errno > 0 ? errno : EIO));
}

/* The rows that an earlier sweep has left, if any: FILE.partial, beside the target of FILE if it is a
 * link. */
static bool find_partial(hbg_session *session, const hbg_sweep_options *options, struct stat *about) {
    char target[PATH_MAX];
    const char *file = realpath(options->file, target) ? target : options->file;
    return lstat(hbg_base_arena_print(&session->scratch, "%s.partial", file), about) == 0;
}

/* A sweep that was killed as it began leaves no identification; there are no rows either. */
static bool is_empty(hbg_session *session, const hbg_sweep_options *options) {
    struct stat about;
    return find_partial(session, options, &about) && about.st_size == 0;
}

static hbg_status open_again(hbg_session *session, const hbg_sweep_options *options, const char *head,
                             const char *own_key, hbg_sweep_table *table) {
    char *found;
    size_t size;
    const char *reason;
    bool known =
        hbg_base_file_read(&session->scratch, table->key_path, KEY_SIZE, &found, &size, &reason) == HBG_OK;
    if (!known && !is_empty(session, options))
        return no_resume(session, options,
                         hbg_base_arena_print(&session->scratch, "`%s`, which says what it belongs to: %s",
                                              table->key_path, reason));
    if (known && strcmp(found, own_key) != 0)
        return no_resume(session, options, "it belongs to another model, or to other options");
    table->done = table->first;
    table->lines = hbg_sim_lines_resume(&session->memory, options->file, head, &table->done, &reason);
    if (!table->lines) return no_resume(session, options, reason);
    if (table->done >= 0) return HBG_OK;
    table->done = table->first;
    table->anew = true;
    return begin(session, options, head, own_key, table);
}

hbg_status hbg_api_sweep_table_open(hbg_session *session, const hbg_sweep_options *options, const char *head,
                                    uint64_t key, const hbg_patience *patience, hbg_sweep_table *table) {
    char own_key[KEY_SIZE];
    const char *reason;
    bool keeps = is_file(options->file);
    (void)snprintf(own_key, sizeof own_key, KEY_FORMAT, key);
    *table = (hbg_sweep_table){.first = table->first, .done = table->first};
    if (keeps) table->key_path = hbg_base_arena_print(&session->scratch, "%s.resume", options->file);
    if (options->resume && !keeps)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "--resume needs a file to go on with: write `-o FILE`");
    struct stat about;
    table->missing = options->resume && !find_partial(session, options, &about);
    if (options->resume && !table->missing) return open_again(session, options, head, own_key, table);
    table->lines = hbg_sim_lines_open(&session->memory, options->file, patience, &reason);
    if (!table->lines) return cannot_write(session, options, reason);
    return begin(session, options, head, own_key, table);
}

hbg_status hbg_api_sweep_table_close(hbg_session *session, const hbg_sweep_options *options,
                                     hbg_sweep_table *table, bool complete) {
    const char *reason = "";
    hbg_sim_lines *lines = table->lines;
    table->lines = NULL;
    if (!lines) return HBG_OK;
    if (!hbg_sim_lines_close(lines, complete, &reason)) return cannot_write(session, options, reason);
    if (complete && table->key_path) (void)remove(table->key_path);
    return HBG_OK;
}
