/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Campaigns: a run for each fault of a table, with a row of results each. */
#include <stdlib.h>
#include <string.h>

#include "studio/studio_impl.h"

static bool progress(void *context, int64_t done, int64_t runs) {
    return hbg_studio_job_progress(context, (double)done, (double)runs);
}

static void sweep(hbg_studio_job *job, hbg_studio_loaded *loaded, const char *table,
                  hbg_studio_text *result) {
    hbg_sweep_options options = hbg_sweep_options_default();
    hbg_run_end end;
    hbg_text text = {0}, rows;
    options.run = hbg_studio_run_options(job->asked, loaded);
    options.nominal = true;
    options.file = table;
    options.progress = progress;
    options.context = job;
    hbg_status status = hbg_sweep(loaded->session, loaded->model, &options, &end, &text);
    hbg_studio_text_put(result, "{");
    if (status == HBG_OK) {
        hbg_studio_text_print(result, "\"end\":\"%s\",\"told\":", hbg_run_end_text(end));
        hbg_studio_text_json(result, text.data ? text.data : "");
        hbg_text_free(loaded->session, &text);
        if (end == HBG_RUN_FINISHED && hbg_read_file(loaded->session, table, &rows) == HBG_OK) {
            hbg_studio_text_put(result, ",\"table\":");
            hbg_studio_text_json(result, rows.data);
            hbg_text_free(loaded->session, &rows);
        }
    } else {
        hbg_studio_put_failure(result, loaded->session, status);
    }
    hbg_studio_text_put(result, "}");
}

static bool write_table(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    bool fine = file && fputs(text, file) >= 0;
    if (file) fine = fclose(file) == 0 && fine;
    return fine;
}

static void work_in(hbg_studio_job *job, const char *folder, hbg_studio_text *result) {
    const char *faults = json_string_value(json_object_get(job->asked, "fault rows"));
    char table[PATH_MAX + 16], rows[PATH_MAX + 16];
    hbg_studio_loaded loaded;
    hbg_studio_answer answer = {0};
    (void)snprintf(table, sizeof table, "%s/faults.csv", folder);
    (void)snprintf(rows, sizeof rows, "%s/table.csv", folder);
    if (!faults || !write_table(table, faults) ||
        json_object_set_new(job->asked, "fault table", json_string(table)) != 0) {
        hbg_studio_text_put(result, "{\"error\":\"the table of faults cannot be written\"}");
        return;
    }
    if (!hbg_studio_load(job->studio, job->asked, &loaded, &answer)) {
        *result = answer.body;
        return;
    }
    if (loaded.model) {
        sweep(job, &loaded, rows, result);
    } else {
        hbg_studio_text_put(result, "{");
        hbg_studio_put_failure(result, loaded.session, loaded.status);
        hbg_studio_text_put(result, "}");
    }
    hbg_studio_unload(&loaded);
}

static void work(hbg_studio_job *job, hbg_studio_text *result) {
    char folder[PATH_MAX];
    if (!hbg_studio_scratch(folder)) {
        hbg_studio_text_put(result, "{\"error\":\"no folder for temporary files can be made\"}");
        return;
    }
    work_in(job, folder, result);
    hbg_studio_scratch_remove(folder);
}

void hbg_studio_answer_campaign(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio_job_begin(question, answer, work);
}
