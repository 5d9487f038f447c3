/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawings of a model as it is in the page, and the changes to a drawing that the page already has. */
#include <string.h>

#include "studio/studio_impl.h"

/* A text of the question; NULL if it is empty or missing. */
static const char *said(const hbg_studio_question *question, const char *key) {
    const char *text = hbg_studio_asked_text(question, key);
    return text && text[0] ? text : NULL;
}

hbg_draw_options hbg_studio_draw_options(const hbg_studio_question *question) {
    hbg_draw_options options = hbg_draw_options_default();
    options.mode = said(question, "mode");
    options.compare = said(question, "compare");
    options.focus = said(question, "focus");
    options.open = said(question, "open");
    options.closed = said(question, "closed");
    options.earlier = said(question, "earlier");
    options.values = !hbg_studio_asked_yes(question, "no values");
    options.automata = !hbg_studio_asked_yes(question, "no automata");
    options.force = hbg_studio_asked_yes(question, "force");
    options.bare = hbg_studio_asked_yes(question, "bare");
    double depth = hbg_studio_asked_number(question, "depth");
    if (json_is_number(json_object_get(question->asked, "depth")) && depth >= 0)
        options.depth = depth < INT32_MAX ? (int32_t)depth : INT32_MAX;
    return options;
}

static hbg_status draw_draft(const hbg_studio_question *question, const hbg_studio_loaded *loaded,
                             const hbg_draw_options *options, hbg_text *picture) {
    const char *text = hbg_studio_asked_text(question, "text");
    hbg_load_options load = {.model = said(question, "model")};
    hbg_draw_options used = *options;
    used.mode = used.compare = NULL; /* of an earlier text, perhaps */
    return hbg_draw_draft(loaded->session, loaded->path, text, strlen(text), &load, &used, picture);
}

/* The drawing, or with "marks only" the marks of its mode. */
void hbg_studio_answer_draw(hbg_studio_question *question, hbg_studio_answer *answer) {
    hbg_studio_loaded loaded;
    hbg_text picture = {0}, marks = {0};
    bool marks_only = hbg_studio_asked_yes(question, "marks only");
    if (!hbg_studio_load(question->studio, question->asked, &loaded, answer)) return;
    hbg_draw_options options = hbg_studio_draw_options(question);
    hbg_status status = loaded.status;
    bool draft =
        !loaded.model && status == HBG_BAD_MODEL && !marks_only && hbg_studio_asked_text(question, "text");
    if (loaded.model) status = hbg_draw_marks_json(loaded.session, loaded.model, &options, &marks);
    if (status == HBG_OK && !marks_only) status = hbg_draw(loaded.session, loaded.model, &options, &picture);
    if (draft) status = draw_draft(question, &loaded, &options, &picture);
    hbg_studio_text_put(&answer->body, "{");
    if (status == HBG_OK) {
        if (marks.data) hbg_studio_text_put(&answer->body, "\"marks\":");
        if (marks.data) hbg_studio_text_add(&answer->body, marks.data, marks.size);
        if (picture.data) hbg_studio_text_put(&answer->body, marks.data ? ",\"svg\":" : "\"svg\":");
        if (picture.data) hbg_studio_text_json(&answer->body, picture.data);
        hbg_text_free(loaded.session, &picture);
    } else {
        hbg_studio_put_failure(&answer->body, loaded.session, status);
    }
    hbg_text_free(loaded.session, &marks);
    hbg_studio_text_put(&answer->body, "}");
    hbg_studio_unload(&loaded);
}
