/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reading models and formatting text. */
#include "api/image_impl.h"

hbg_lang_options hbg_api_lang_options(const hbg_load_options *options) {
    hbg_lang_options result = {0};
    if (!options) return result;
    result.model = options->model;
    result.parameters = options->parameters;
    result.parameter_count = options->parameter_count;
    result.records = options->records;
    result.stop = options->stop;
    result.step = options->step;
    result.every = options->every;
    result.inputs = options->inputs;
    result.input_count = options->input_count;
    result.faults = options->faults;
    result.fault_count = options->fault_count;
    result.sweeps = options->sweeps;
    result.sweep_count = options->sweep_count;
    result.fault_table = options->fault_table;
    result.faults_apart = options->faults_apart;
    result.experiment = options->experiment;
    result.one_experiment = options->one_experiment;
    return result;
}

hbg_status hbg_load_file(hbg_session *session, const char *path, const hbg_load_options *options,
                         hbg_model **model) {
    *model = NULL;
    HBG_ENTER(session);
    hbg_lang_options used = hbg_api_lang_options(options);
    *model = hbg_lang_read_file(&session->lang, path, &used);
    return hbg_api_session_leave(session, *model ? HBG_OK : HBG_BAD_MODEL);
}

hbg_status hbg_load_text(hbg_session *session, const char *path, const char *text, size_t size,
                         const hbg_load_options *options, hbg_model **model) {
    *model = NULL;
    HBG_ENTER(session);
    hbg_lang_options used = hbg_api_lang_options(options);
    *model = hbg_lang_read_text(&session->lang, path, text, size, &used);
    return hbg_api_session_leave(session, *model ? HBG_OK : HBG_BAD_MODEL);
}

hbg_status hbg_format(hbg_session *session, const char *path, const char *text, size_t size,
                      hbg_text *formatted) {
    *formatted = (hbg_text){0};
    HBG_ENTER(session);
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, &session->scratch);
    hbg_status status = HBG_BAD_MODEL;
    if (hbg_lang_format(&session->lang, path, text, size, &buffer))
        status = hbg_api_text_of(session, buffer.data, buffer.size, formatted);
    return hbg_api_session_leave(session, status);
}

hbg_status hbg_read_file(hbg_session *session, const char *path, hbg_text *text) {
    *text = (hbg_text){0};
    HBG_ENTER(session);
    char *data;
    size_t size;
    hbg_status status =
        hbg_base_file_read(&session->scratch, path, HBG_LANG_FILE_LIMIT, &data, &size, &session->reason);
    if (status == HBG_OK) status = hbg_api_text_of(session, data, size, text);
    return hbg_api_session_leave(session, status);
}

hbg_status hbg_write_file(hbg_session *session, const char *path, const char *data, size_t size) {
    HBG_ENTER(session);
    hbg_status status = hbg_base_file_write(path, data, size, NULL, &session->reason);
    return hbg_api_session_leave(session, status);
}

const char *hbg_input_at(const hbg_session *session, const hbg_model *model, const char *path) {
    const hbg_origin *image = hbg_api_origin_of(session, model);
    if (image && hbg_base_file_same(image->path, path)) return image->path;
    for (int32_t i = 0; i < session->sources.items.count; i++)
        if (hbg_base_file_same(session->sources.items.items[i].path, path))
            return session->sources.items.items[i].path;
    for (int32_t i = 0; i < model->tables.count; i++)
        if (model->tables.items[i].path && hbg_base_file_same(model->tables.items[i].path, path))
            return model->tables.items[i].path;
    return NULL;
}
