/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model of a question: the present text in the page, with parameters, faults and times given in the
 * question. */
#include <stdlib.h>
#include <string.h>

#include "studio/studio_impl.h"

static const char *text_of(json_t *asked, const char *key) {
    const char *text = json_string_value(json_object_get(asked, key));
    return text && text[0] ? text : NULL;
}

static int list_of(json_t *asked, const char *key, const char *values[256]) {
    json_t *list = json_object_get(asked, key);
    int count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < 256; i++) {
        const char *value = json_string_value(json_array_get(list, i));
        if (value) values[count++] = value;
    }
    return count;
}

static hbg_load_options load_options(json_t *asked, hbg_studio_loaded *loaded) {
    hbg_load_options options = {.model = text_of(asked, "model"),
                                .records = text_of(asked, "records"),
                                .stop = text_of(asked, "stop"),
                                .step = text_of(asked, "step"),
                                .every = text_of(asked, "every"),
                                .experiment = text_of(asked, "experiment"),
                                .fault_table = text_of(asked, "fault table"),
                                .faults_apart = text_of(asked, "fault table") != NULL};
    options.parameter_count = list_of(asked, "parameters", loaded->lists[0]);
    options.parameters = loaded->lists[0];
    options.fault_count = list_of(asked, "faults", loaded->lists[1]);
    options.faults = loaded->lists[1];
    options.sweep_count = list_of(asked, "sweeps", loaded->lists[2]);
    options.sweeps = loaded->lists[2];
    return options;
}

hbg_run_options hbg_studio_run_options(json_t *asked, hbg_studio_loaded *loaded) {
    hbg_run_options options = hbg_run_options_default();
    double seed = json_number_value(json_object_get(asked, "seed"));
    options.experiment = text_of(asked, "experiment");
    options.solver = text_of(asked, "solver");
    options.rtol = json_number_value(json_object_get(asked, "rtol"));
    options.atol = json_number_value(json_object_get(asked, "atol"));
    options.zeno_rest = json_is_true(json_object_get(asked, "rest"));
    options.slides = json_is_true(json_object_get(asked, "slides"));
    if (seed >= 1 && seed < 0x1p53) options.seed = (uint64_t)seed;
    options.choose_count = list_of(asked, "choose", loaded->lists[3]);
    options.choose = loaded->lists[3];
    options.every_element = true;
    options.json = true;
    return options;
}

bool hbg_studio_load(hbg_studio *studio, json_t *asked, hbg_studio_loaded *loaded,
                     hbg_studio_answer *answer) {
    const char *text = json_string_value(json_object_get(asked, "text")), *why;
    memset(loaded, 0, sizeof *loaded);
    if (!hbg_studio_resolve(studio, text_of(asked, "path"), loaded->path, &why)) {
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN, "%s", why);
        return false;
    }
    hbg_session_options options = hbg_session_options_default();
    options.search = (const char *const *)studio->search;
    options.search_count = studio->search_count;
    options.memory_limit = HBG_STUDIO_SESSION_MOST;
    if (hbg_session_new(&options, &loaded->session) != HBG_OK) {
        answer->body.failed = true;
        return false;
    }
    hbg_load_options load = load_options(asked, loaded);
    loaded->status =
        text ? hbg_load_text(loaded->session, loaded->path, text, strlen(text), &load, &loaded->model)
             : hbg_load_file(loaded->session, loaded->path, &load, &loaded->model);
    if (loaded->status != HBG_OK) loaded->model = NULL;
    return true;
}

void hbg_studio_unload(hbg_studio_loaded *loaded) {
    hbg_session_free(loaded->session);
    loaded->session = NULL;
}

void hbg_studio_put_text(hbg_studio_text *out, hbg_session *session, hbg_text *text) {
    hbg_studio_text_add(out, text->data, text->size);
    hbg_text_free(session, text);
}

void hbg_studio_put_diagnostics(hbg_studio_text *out, hbg_session *session) {
    hbg_text text;
    hbg_studio_text_put(out, "\"diagnostics\":");
    if (hbg_diagnostics_json(session, &text) == HBG_OK)
        hbg_studio_put_text(out, session, &text);
    else
        hbg_studio_text_put(out, "null");
}

void hbg_studio_put_failure(hbg_studio_text *out, hbg_session *session, hbg_status status) {
    const char *reason = hbg_session_reason(session);
    hbg_studio_text_put(out, "\"error\":");
    hbg_studio_text_json(out, reason[0] ? reason : hbg_status_text(status));
    hbg_studio_text_put(out, ",");
    hbg_studio_put_diagnostics(out, session);
}
