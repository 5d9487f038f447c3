/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What `hbg verify` tells programs. */
#include <math.h>

#include "api/verify_impl.h"

static json_t *words(hbg_session *session, json_t *object, const char *key) {
    json_t *array = json_array();
    hbg_json_set(session, object, key, array);
    return array;
}

void hbg_verify_put_json(const verify_report *report) {
    hbg_session *session = report->session;
    json_t *root = session->json = hbg_json_new(session, json_object());
    hbg_json_set(session, root, "model", json_string(hbg_model_title(report->model)));
    words(session, root, "groups");
}
