/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Proofs, and the picture of the phase space. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "studio/studio_impl.h"

static bool progress(void *context, int32_t group, int32_t groups) {
    return hbg_studio_job_progress(context, group, groups);
}

static int32_t timeout_of(json_t *asked) {
    double seconds = json_number_value(json_object_get(asked, "timeout"));
    if (!(seconds >= HBG_TIMEOUT_LEAST)) seconds = HBG_TIMEOUT_USUAL;
    return (int32_t)(1000 * fmin(seconds, HBG_TIMEOUT_MOST));
}

static void prove(hbg_studio_job *job, const hbg_studio_loaded *loaded, hbg_studio_text *result) {
    hbg_verify_model_options options = {
        .json = true, .timeout_ms = timeout_of(job->asked), .progress = progress, .context = job};
    hbg_answer answer;
    hbg_text text;
    hbg_status status = hbg_verify_model(loaded->session, loaded->model, &options, &answer, &text);
    if (status == HBG_OK) {
        hbg_studio_text_put(result, "\"proof\":");
        hbg_studio_put_text(result, loaded->session, &text);
    } else {
        hbg_studio_put_failure(result, loaded->session, status);
    }
}

static void draw(hbg_studio_job *job, const hbg_studio_loaded *loaded, hbg_studio_text *result) {
    const char *at[64];
    json_t *list = json_object_get(job->asked, "at");
    hbg_verify_plot_options options = {.axes = json_string_value(json_object_get(job->asked, "axes")),
                                       .format = HBG_DRAW_SVG,
                                       .at = at,
                                       .timeout_ms = timeout_of(job->asked),
                                       .progress = progress,
                                       .context = job};
    hbg_answer answer;
    hbg_text picture;
    for (size_t i = 0; i < json_array_size(list) && options.at_count < 64; i++)
        if (json_is_string(json_array_get(list, i)))
            at[options.at_count++] = json_string_value(json_array_get(list, i));
    hbg_status status = hbg_verify_plot(loaded->session, loaded->model, &options, &answer, &picture);
    if (status == HBG_OK) {
        hbg_studio_text_put(result, "\"svg\":");
        hbg_studio_text_json(result, picture.data);
        hbg_text_free(loaded->session, &picture);
    } else {
        hbg_studio_put_failure(result, loaded->session, status);
    }
}

static void work(hbg_studio_job *job, hbg_studio_text *result) {
    hbg_studio_loaded loaded;
    hbg_studio_answer answer = {0};
    if (!hbg_studio_load(job->studio, job->asked, &loaded, &answer)) {
        *result = answer.body;
        return;
    }
    hbg_studio_text_put(result, "{");
    if (!loaded.model)
        hbg_studio_put_failure(result, loaded.session, loaded.status);
    else if (json_object_get(job->asked, "axes"))
        draw(job, &loaded, result);
    else
        prove(job, &loaded, result);
    hbg_studio_text_put(result, "}");
    hbg_studio_unload(&loaded);
}

void hbg_studio_answer_verify(hbg_studio_question *question, hbg_studio_answer *answer) {
    json_object_del(question->asked, "axes");
    hbg_studio_job_begin(question, answer, work);
}

void hbg_studio_answer_phase(hbg_studio_question *question, hbg_studio_answer *answer) {
    if (!hbg_studio_asked_text(question, "axes")) {
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "a phase space has two axes");
        return;
    }
    hbg_studio_job_begin(question, answer, work);
}
