/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The name of an exported model: the prefix of its identifiers and files. */
#include <ctype.h>
#include <string.h>

#include "api/export_impl.h"

enum { LONGEST = 60 }; /* characters: together with the rest of a name a linker still distinguishes all */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* What is wrong with it as the beginning of names in C, or NULL. */
static const char *fault_of(const char *name) {
    if (!is_letter(name[0])) return "it does not begin with a letter";
    for (const char *at = name; *at; at++)
        if (!is_letter(*at) && !is_digit(*at) && *at != '_')
            return "it has other characters than letters, digits and underscores";
    if (strlen(name) > LONGEST) return "it is longer than 60 characters";
    if (strcmp(name, "main") == 0 || begins_with(name, "rt_") || begins_with(name, "base_") ||
        begins_with(name, "hbg_"))
        return "the name is taken by files of the engine or by the program itself";
    return NULL;
}

/* DiodeInductor becomes diode_inductor. */
static const char *usual_name(hbg_session *session, const char *model) {
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    for (const char *at = model; *at; at++) {
        bool is_upper = *at >= 'A' && *at <= 'Z';
        bool begins = is_upper && at > model && at[-1] >= 'a' && at[-1] <= 'z';
        if (begins) hbg_base_buffer_char(&out, '_');
        hbg_base_buffer_char(&out, is_upper ? (char)tolower((unsigned char)*at) : *at);
    }
    return out.data;
}

hbg_status hbg_api_export_name(hbg_session *session, const hbg_model *model, const char *asked,
                               const char **name) {
    const char *title = hbg_base_names_get(model->names, model->name);
    *name = asked ? asked : usual_name(session, title);
    const char *fault = fault_of(*name);
    if (!fault) return HBG_OK;
    if (asked)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "names in C cannot begin with `%s`: %s", asked,
                                    fault);
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                "names in C cannot begin with `%s`, the name of the model: %s; give another "
                                "one with `--name`",
                                *name, fault);
}
