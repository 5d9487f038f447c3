/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reports about a model as it is in the page: diagnostics, contents, causality. */
#include <string.h>

#include "studio/studio_impl.h"

typedef hbg_status put_json(hbg_session *session, const hbg_model *model, hbg_text *text);

/* A field with the result of a function of the library; null if it fails. */
static void put_field(hbg_studio_text *out, const char *key, const hbg_studio_loaded *loaded, put_json *put) {
    hbg_text text;
    hbg_studio_text_print(out, ",\"%s\":", key);
    if (loaded->model && put(loaded->session, loaded->model, &text) == HBG_OK)
        hbg_studio_put_text(out, loaded->session, &text);
    else
        hbg_studio_text_put(out, "null");
}

/* With "marks": the strokes of the requested mode, for a drawing that the page has. */
static void put_marks(hbg_studio_text *out, const hbg_studio_question *question,
                      const hbg_studio_loaded *loaded) {
    hbg_draw_options options = hbg_studio_draw_options(question);
    hbg_text text;
    hbg_studio_text_put(out, ",\"marks\":");
    if (loaded->model && hbg_draw_marks_json(loaded->session, loaded->model, &options, &text) == HBG_OK)
        hbg_studio_put_text(out, loaded->session, &text);
    else
        hbg_studio_text_put(out, "null");
}

/* Diagnostics, and everything that `hbg list` shows if there are no errors. */
void hbg_studio_answer_check(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio_loaded loaded;
    if (!hbg_studio_load(question->studio, question->asked, &loaded, answer)) return;
    if (loaded.model && hbg_check_start_mode(loaded.session, loaded.model) == HBG_NO_MEMORY)
        answer->body.failed = true;
    hbg_studio_text_put(&answer->body, "{");
    if (loaded.status != HBG_OK && loaded.status != HBG_BAD_MODEL)
        hbg_studio_put_failure(&answer->body, loaded.session, loaded.status);
    else
        hbg_studio_put_diagnostics(&answer->body, loaded.session);
    put_field(&answer->body, "list", &loaded, hbg_list_json);
    if (hbg_studio_asked_yes(question, "marks")) put_marks(&answer->body, question, &loaded);
    hbg_studio_text_put(&answer->body, "}");
    hbg_studio_unload(&loaded);
}

/* ---- causality ----------------------------------------------------------------------------------------- */

/* Of a mode, or with "all" over all modes. */
void hbg_studio_answer_causality(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio_loaded loaded;
    hbg_text text;
    bool valid;
    hbg_answer decided;
    if (!hbg_studio_load(question->studio, question->asked, &loaded, answer)) return;
    hbg_causality_options options = {.mode = hbg_studio_asked_text(question, "mode"),
                                     .integral = hbg_studio_asked_yes(question, "integral")};
    hbg_causality_all_options all = {.integral = options.integral, .json = true};
    hbg_status status = loaded.status;
    if (loaded.model)
        status = hbg_studio_asked_yes(question, "all")
                     ? hbg_causality_all(loaded.session, loaded.model, &all, &decided, &text)
                     : hbg_causality_json(loaded.session, loaded.model, &options, &valid, &text);
    hbg_studio_text_put(&answer->body, "{");
    if (status == HBG_OK) {
        hbg_studio_text_put(&answer->body, "\"causality\":");
        hbg_studio_put_text(&answer->body, loaded.session, &text);
    } else {
        hbg_studio_put_failure(&answer->body, loaded.session, status);
    }
    hbg_studio_text_put(&answer->body, "}");
    hbg_studio_unload(&loaded);
}
