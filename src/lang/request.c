/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests of the command line: what to record, times, faults. These are expressions of the language in the
 * scope of the model, so that `--stop '5*tau'` works and a slip is marked like any other. They become an
 * experiment without a name, after those of the model, and are checked with them. */
#include "lang/elaborate_impl.h"
#include "lang/parser_impl.h"

#include <string.h>

static bool read_list(hbg_elaborator *elaborator, const char *text, syntax_expr_list *list) {
    hbg_lang *lang = elaborator->lang;
    int32_t source = hbg_base_sources_add(lang->sources, "the command line", text, strlen(text));
    if (source < 0 || !hbg_lang_lexer_check_text(lang, &lang->sources->items.items[source])) return false;
    int64_t errors = lang->diagnostics->errors; // also those of the lexer, which the parser ignores
    return hbg_lang_parser_parse_list(lang, source, list) && lang->diagnostics->errors == errors;
}

/* A lone prefix, as in `4k`, is left to the lexer, which reports it best. */
const char *hbg_lang_elaborate_with_brackets(hbg_elaborator *elaborator, const char *text) {
    size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
    size_t digits = sign + strspn(text + sign, "0123456789.");
    size_t exponent = text[digits] == 'e' || text[digits] == 'E' ? 1 : 0;
    exponent += exponent && (text[digits + 1] == '-' || text[digits + 1] == '+');
    size_t power = exponent ? strspn(text + digits + exponent, "0123456789") : 0;
    size_t number = power ? digits + exponent + power : digits;
    const char *unit = text + number + strspn(text + number, " ");
    if (digits == sign || unit[0] == 0 || unit[0] == '/' ||
        strcspn(unit, " ()[]*+-^,;:?!=<>&|\"'") != strlen(unit))
        return text;
    if (unit[1] == 0 && strchr("kMGun", unit[0])) return text;
    return hbg_base_arena_print(elaborator->arena, "%.*s [%s]", (int)number, text, unit);
}

static hbg_expr read_time(hbg_elaborator *elaborator, const char *text, hbg_span *place) {
    syntax_expr_list list = {0};
    if (!text || !read_list(elaborator, hbg_lang_elaborate_with_brackets(elaborator, text), &list))
        return HBG_NONE;
    if (list.count > 1) {
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_SYNTAX, list.items[1]->span,
                        "one time is expected, not %d", list.count);
        return HBG_NONE;
    }
    *place = list.items[0]->span;
    hbg_lowering lowering = {elaborator, 0, HBG_NONE, NULL};
    return hbg_lang_elaborate_lower(&lowering, list.items[0]);
}

/* The requested one, else the first; a missing one is reported by the run. */
static int32_t find_experiment(const hbg_elaborator *elaborator, const char *wanted) {
    const hbg_model *model = elaborator->model;
    for (int32_t i = 0; i < model->experiments.count; i++)
        if (!wanted ||
            strcmp(hbg_base_names_get(model->names, model->experiments.items[i].name), wanted) == 0)
            return i;
    return HBG_NONE;
}

static hbg_expr replaced(hbg_elaborator *elaborator, const char *text, hbg_expr old, hbg_span *place) {
    return text ? read_time(elaborator, text, place) : old;
}

/* Takes the earlier request out of the model, and drops from it what the present options replace. */
static hbg_experiment take_request(hbg_model *model, const hbg_lang_options *options) {
    int32_t last = model->experiments.count - 1, kept = 0;
    if (last < 0 || model->experiments.items[last].name != 0)
        return (hbg_experiment){.stop = HBG_NONE, .step = HBG_NONE, .record_every = HBG_NONE};
    hbg_experiment request = model->experiments.items[last];
    model->experiments.count--;
    if (options->records) request.records.count = 0;
    for (int32_t i = 0; i < request.faults.count; i++)
        if (!request.faults.items[i].from_table || !options->fault_table)
            request.faults.items[kept++] = request.faults.items[i];
    request.faults.count = kept;
    return request;
}

/* Whether the request has a table of faults. */
static bool has_table(const hbg_experiment *request) {
    for (int32_t i = 0; i < request->faults.count; i++)
        if (request->faults.items[i].from_table) return true;
    return false;
}

/* Whether a sweep gives every row of the table there a separate run. */
static bool tells_apart(const hbg_model *model, const hbg_lang_options *options) {
    int32_t last = model->experiments.count - 1;
    return options->faults_apart && last >= 0 && model->experiments.items[last].name == 0 &&
           has_table(&model->experiments.items[last]);
}

/* A stop time given here need not be given there. */
static void give_stop(hbg_model *model, hbg_expr before, hbg_expr stop) {
    for (int32_t i = 0; i < model->experiments.count && stop != HBG_NONE; i++)
        if (model->experiments.items[i].stop == HBG_NONE || model->experiments.items[i].stop == before)
            model->experiments.items[i].stop = stop;
}

void hbg_lang_elaborate_request(hbg_elaborator *elaborator, const hbg_lang_options *options) {
    bool faults = options->fault_count > 0 || options->fault_table;
    if (options->one_experiment) elaborator->model->chosen = find_experiment(elaborator, options->experiment);
    bool asked = options->records || options->stop || options->step || options->every;
    if (!asked && !faults && options->sweep_count == 0 && !tells_apart(elaborator->model, options)) return;
    hbg_model *model = elaborator->model;
    hbg_experiment request = take_request(model, options);
    hbg_expr before = request.stop;
    request.added_to = find_experiment(elaborator, options->experiment);
    request.solver = HBG_SOLVER_AUTO;
    syntax_expr_list list = {0};
    request.stop = replaced(elaborator, options->stop, request.stop, &request.span);
    request.step = replaced(elaborator, options->step, request.step, &request.span);
    request.record_every = replaced(elaborator, options->every, request.record_every, &request.span);
    // one time marks its place; several have none in common
    int times = (options->stop != NULL) + (options->step != NULL) + (options->every != NULL);
    if (times > 1) request.span = (hbg_span){0, 0};
    if (options->records && !read_list(elaborator, options->records, &list)) list.count = 0;
    for (int32_t i = 0; i < list.count; i++)
        hbg_lang_elaborate_records(elaborator, list.items[i], &request.records);
    hbg_lang_elaborate_fault_sentences(elaborator, options, &request);
    request.faults_apart = options->faults_apart && (options->fault_table || has_table(&request));
    hbg_lang_elaborate_sweeps(elaborator, options, &request);
    give_stop(model, before, request.stop);
    HBG_PUSH(model->arena, model->experiments, request);
}
