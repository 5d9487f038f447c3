/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What there is to say of a model as it stands: diagnostics, what it holds, causality, drawing. */
#include <math.h>
#include <string.h>

#include "studio/studio_impl.h"

typedef hbg_status put_json(hbg_session *session, const hbg_model *model, hbg_text *text);

/* A field with what a function of the library says; null where it fails. */
static void put_field(hbg_studio_text *out, const char *key, const hbg_studio_loaded *loaded, put_json *put) {
    hbg_text text;
    hbg_studio_text_print(out, ",\"%s\":", key);
    if (loaded->model && put(loaded->session, loaded->model, &text) == HBG_OK)
        hbg_studio_put_text(out, loaded->session, &text);
    else
        hbg_studio_text_put(out, "null");
}

/* Diagnostics, and all that `hbg list` shows if there are no errors. */
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
    hbg_studio_text_put(&answer->body, "}");
    hbg_studio_unload(&loaded);
}

/* ---- causality ------------------------------------------------------------------------------------------- */

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

/* ---- drawing --------------------------------------------------------------------------------------------- */

static const char *text_of(const hbg_studio_question *question, const char *key) {
    const char *text = hbg_studio_asked_text(question, key);
    return text && text[0] ? text : NULL;
}

static hbg_draw_options draw_options(const hbg_studio_question *question) {
    hbg_draw_options options = hbg_draw_options_default();
    options.mode = text_of(question, "mode");
    options.compare = text_of(question, "compare");
    options.focus = text_of(question, "focus");
    options.open = text_of(question, "open");
    options.closed = text_of(question, "closed");
    options.earlier = text_of(question, "earlier");
    options.values = !hbg_studio_asked_yes(question, "no values");
    options.automata = !hbg_studio_asked_yes(question, "no automata");
    options.force = hbg_studio_asked_yes(question, "force");
    if (json_is_integer(json_object_get(question->asked, "depth")))
        options.depth = (int32_t)fmax(-1, fmin(1000, hbg_studio_asked_number(question, "depth")));
    return options;
}

/* The drawing, or with "marks" alone only what it shows of its mode. */
void hbg_studio_answer_draw(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio_loaded loaded;
    hbg_text picture = {0}, marks = {0};
    bool marks_only = hbg_studio_asked_yes(question, "marks only");
    if (!hbg_studio_load(question->studio, question->asked, &loaded, answer)) return;
    hbg_draw_options options = draw_options(question);
    hbg_status status = loaded.status;
    if (loaded.model) status = hbg_draw_marks_json(loaded.session, loaded.model, &options, &marks);
    if (status == HBG_OK && !marks_only) status = hbg_draw(loaded.session, loaded.model, &options, &picture);
    hbg_studio_text_put(&answer->body, "{");
    if (status == HBG_OK) {
        hbg_studio_text_put(&answer->body, "\"marks\":");
        hbg_studio_text_add(&answer->body, marks.data, marks.size);
        hbg_studio_text_put(&answer->body, marks_only ? "" : ",\"svg\":");
        if (!marks_only) hbg_studio_text_json(&answer->body, picture.data);
        hbg_text_free(loaded.session, &picture);
    } else {
        hbg_studio_put_failure(&answer->body, loaded.session, status);
    }
    if (marks.data) hbg_text_free(loaded.session, &marks);
    hbg_studio_text_put(&answer->body, "}");
    hbg_studio_unload(&loaded);
}
