/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model leaves open, and the decisions of a run: `--choose contact=0.5,0.9,random`, one value for each
 * collision in their order. A word at the end holds for all further ones; after a number the model's own
 * value holds again. Without a name a list is for every choice that is not named. */
#include <math.h>
#include <string.h>

#include "api/run_impl.h"
#include "rt/sensor.h"

/* ---- what there is -------------------------------------------------------------------------------------- */

/* Its number among the junctions with restitution, which the engine has in the order of the model. */
static int32_t find_restitution(const hbg_model *model, int32_t element) {
    int32_t number = 0;
    for (int32_t i = 0; i < element; i++)
        number += model->elements.items[i].ports == 0 && model->elements.items[i].restitution != HBG_NONE;
    return number;
}

static int32_t count_restitutions(const hbg_model *model) {
    return find_restitution(model, model->elements.count);
}

/* The choices of a junction. */
static bool make_impact(const hbg_model *model, const hbg_choice *of, hbg_run_choice *made) {
    int32_t element = of->target.index;
    made->restitution = made->number = find_restitution(model, element);
    made->dimension = hbg_model_dimension_pure;
    if (of->loss == HBG_LOSS_ENERGY) {
        made->unit = "J";
        made->dimension = hbg_model_dimension_joule();
    }
    return hbg_model_constant(model, model->elements.items[element].restitution, &made->usual);
}

static bool make_choice(hbg_session *session, const hbg_run_state *state, const hbg_choice *of,
                        hbg_run_choice *made) {
    const hbg_model *model = state->model;
    bool param = of->target.kind == HBG_OBJECT_PARAM;
    *made = (hbg_run_choice){.param = HBG_NONE,
                             .restitution = HBG_NONE,
                             .number = HBG_NONE,
                             .anew = of->anew,
                             .automaton = of->automaton,
                             .how = {.free = true}};
    if (!hbg_model_choice_ends(model, of, &made->how.low, &made->how.high)) return false;
    if (param) {
        if (hbg_api_run_sets_param(state, of->target.index)) return false; // decided
        made->param = of->target.index;
        // as declared: a sweep has left the value of its last run there
        if (!hbg_model_constant(model, model->params.items[made->param].value, &made->usual))
            made->usual = model->param_values[made->param];
        made->unit = model->params.items[made->param].unit;
        made->dimension = model->params.items[made->param].dimension;
    } else if (!make_impact(model, of, made)) {
        return false;
    }
    made->name = hbg_api_text_path(session, model, of->target);
    made->how.key = hbg_rt_sensor_key(made->name);
    return true;
}

static bool is_given(hbg_object target, const int32_t *given, int32_t count) {
    for (int32_t i = 0; i < count && target.kind == HBG_OBJECT_PARAM; i++)
        if (given[i] == target.index) return true;
    return false;
}

const char *hbg_api_run_choices_fault(hbg_session *session, const hbg_model *model) {
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *of = &model->choices.items[i];
        bool impact = of->target.kind == HBG_OBJECT_ELEMENT;
        double low, high;
        char from[HBG_DOUBLE_TEXT], to[HBG_DOUBLE_TEXT];
        bool known = hbg_model_constant(model, of->low, &low) && hbg_model_constant(model, of->high, &high);
        bool fine = known && low <= high;
        if (fine && impact)
            fine = hbg_model_bounces_by(model, of->target.index, low) &&
                   hbg_model_bounces_by(model, of->target.index, high);
        if (fine || !known) continue;
        hbg_base_double_print(from, low);
        hbg_base_double_print(to, high);
        return hbg_base_arena_print(&session->scratch, "`%s` cannot be chosen from %s .. %s: %s",
                                    hbg_api_text_path(session, model, of->target), from, to,
                                    low > high
                                        ? "there is nothing in this interval"
                                        : "a restitution and a share that is lost are between 0 and 1, "
                                          "and an energy that is lost is not below 0");
    }
    return NULL;
}

void hbg_api_run_list_choices(hbg_session *session, hbg_run_state *state, const int32_t *given,
                              int32_t given_count) {
    const hbg_model *model = state->model;
    state->choices = NULL;
    if (model->choices.count == 0) return;
    hbg_run_choices *made = HBG_NEW(&session->scratch, hbg_run_choices);
    made->items = HBG_NEW_ARRAY(&session->scratch, hbg_run_choice, model->choices.count);
    for (int32_t i = 0; i < model->choices.count; i++) {
        const hbg_choice *of = &model->choices.items[i];
        if (!is_given(of->target, given, given_count) &&
            make_choice(session, state, of, &made->items[made->count]))
            made->count++;
    }
    made->params = HBG_NEW_ARRAY(&session->scratch, int32_t, made->count + 1);
    made->values = HBG_NEW_ARRAY(&session->scratch, double, made->count + 1);
    int32_t drawn = count_restitutions(model);
    for (int32_t i = 0; i < made->count; i++) {
        if (made->items[i].param != HBG_NONE) made->params[made->param_count++] = made->items[i].param;
        if (made->items[i].anew) made->items[i].number = drawn++;
    }
    if (made->count > 0) state->choices = made;
}

/* ---- what is asked for ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    hbg_rt_choosing how;
} words[] = {{"default", HBG_RT_CHOOSE_DEFAULT},
             {"least", HBG_RT_CHOOSE_LEAST},
             {"greatest", HBG_RT_CHOOSE_GREATEST},
             {"random", HBG_RT_CHOOSE_RANDOM}};

/* `random:3` is the third of the random sequences of a run. */
static bool find_word(const char *text, size_t size, hbg_rt_choosing *how, uint64_t *sequence) {
    static const char numbered[] = "random:";
    size_t lead = sizeof numbered - 1;
    double number;
    *sequence = 1;
    if (size > lead && strncmp(text, numbered, lead) == 0 &&
        strspn(text + lead, "0123456789") >= size - lead &&
        hbg_base_double_parse(text + lead, size - lead, &number) && number >= 1 && number <= 1e9) {
        *how = HBG_RT_CHOOSE_RANDOM;
        *sequence = (uint64_t)number;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].name) != size || strncmp(words[i].name, text, size) != 0) continue;
        *how = words[i].how;
        return true;
    }
    return false;
}

static hbg_status no_value(hbg_session *session, const hbg_run_choice *choice, const char *text, int size,
                           bool number) {
    char low[HBG_DOUBLE_TEXT], high[HBG_DOUBLE_TEXT];
    hbg_base_double_print(low, choice->how.low);
    hbg_base_double_print(high, choice->how.high);
    if (number)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "`%.*s` cannot be chosen for `%s`: it is from %s to %s", size, text,
                                    choice->name, low, high);
    return hbg_api_session_fail(
        session, HBG_BAD_ARGUMENT,
        "`%.*s` cannot be chosen for `%s`: write numbers from %s to %s, default, least, greatest or random",
        size, text, choice->name, low, high);
}

/* `0.5`, `1 [kN/m]`, `1kN/m`: without a unit it is SI. */
static hbg_status read_value(hbg_session *session, const hbg_run_choice *choice, const char *text,
                             size_t size, double *value) {
    hbg_dimension dimension;
    const char *reason;
    if (!hbg_lang_quantity(session->lang.units, &session->scratch, text, size, value, &dimension, &reason))
        return no_value(session, choice, text, (int)size, false);
    if (!hbg_model_dimension_agree(dimension, choice->dimension)) {
        hbg_buffer unit;
        hbg_base_buffer_init(&unit, &session->scratch);
        hbg_model_dimension_print(&unit, choice->dimension);
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "`%.*s` cannot be chosen for `%s`, which is in %s", (int)size, text,
                                    choice->name, unit.data);
    }
    if (!(*value >= choice->how.low && *value <= choice->how.high))
        return no_value(session, choice, text, (int)size, true);
    return HBG_OK;
}

static hbg_status add_value(hbg_session *session, hbg_run_choice *choice, const char *text, size_t size,
                            double *values) {
    hbg_rt_choosing how;
    uint64_t sequence;
    double value;
    if (find_word(text, size, &how, &sequence)) {
        choice->how.seed = choice->seed + sequence - 1;
        hbg_rt_rebound one = choice->how;
        one.count = 0;
        one.then = choice->how.then = how;
        value = how == HBG_RT_CHOOSE_DEFAULT ? NAN : hbg_rt_rebound_value(&one, choice->how.count, NAN);
    } else {
        HBG_TRY(read_value(session, choice, text, size, &value));
        choice->how.then = HBG_RT_CHOOSE_DEFAULT;
    }
    values[choice->how.count++] = value;
    return HBG_OK;
}

static hbg_status read_list(hbg_session *session, hbg_run_choice *choice, const char *list) {
    double *values = HBG_NEW_ARRAY(&session->scratch, double, strlen(list) + 2);
    choice->how.count = 0;
    choice->how.values = values;
    for (const char *at = list;; at++) {
        size_t size = strcspn(at, ","), blank = strspn(at, " "), end = size;
        while (end > blank && at[end - 1] == ' ') end--;
        HBG_TRY(add_value(session, choice, at + (blank < end ? blank : end), end > blank ? end - blank : 0,
                          values));
        at += size;
        if (!*at) break;
    }
    if (choice->param == HBG_NONE || choice->anew || choice->how.count == 1) return HBG_OK;
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                "`%s` is chosen once for a run, and cannot have %d values", choice->name,
                                (int)choice->how.count);
}

static hbg_status unknown(hbg_session *session, const hbg_run_choices *choices, const char *name) {
    hbg_nearest nearest;
    hbg_buffer names;
    hbg_base_buffer_init(&names, &session->scratch);
    hbg_base_nearest_init(&nearest, name);
    for (int32_t i = 0; i < choices->count; i++) {
        hbg_base_nearest_offer(&nearest, choices->items[i].name);
        hbg_base_buffer_print(&names, "%s`%s`", i > 0 ? ", " : "", choices->items[i].name);
    }
    if (nearest.best)
        return hbg_api_session_fail(session, HBG_NOT_FOUND,
                                    "nothing called `%s` is to be chosen; did you mean `%s`?", name,
                                    nearest.best);
    return hbg_api_session_fail(session, HBG_NOT_FOUND, "nothing called `%s` is to be chosen; there is %s",
                                name, names.data);
}

static hbg_status read_one(hbg_session *session, hbg_run_choices *choices, const char *text, bool named) {
    const char *joint = strchr(text, '=');
    if (!joint && named) return HBG_OK;
    if (!joint) {
        for (int32_t i = 0; i < choices->count; i++) HBG_TRY(read_list(session, &choices->items[i], text));
        return HBG_OK;
    }
    if (!named) return HBG_OK;
    const char *name = hbg_base_arena_copy(&session->scratch, text, (size_t)(joint - text));
    for (int32_t i = 0; i < choices->count; i++)
        if (strcmp(choices->items[i].name, name) == 0)
            return read_list(session, &choices->items[i], joint + 1);
    return unknown(session, choices, name);
}

hbg_status hbg_api_run_read_choices(hbg_session *session, hbg_run_state *state,
                                    const hbg_run_options *options) {
    hbg_run_choices *choices = state->choices;
    if (options->choose_count > 0 && !choices)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "`--choose %s`: this run has nothing to choose; a model leaves something open with "
            "`restitution 0.5 .. 0.9`, `choice k in 1 .. 2` or `param k in 1 .. 2`",
            options->choose[0]);
    if (!choices) return HBG_OK;
    for (int32_t i = 0; i < choices->count; i++)
        choices->items[i].seed = choices->items[i].how.seed = options->seed;
    for (int named = 0; named < 2; named++) // a name takes precedence
        for (int i = 0; i < options->choose_count; i++)
            HBG_TRY(read_one(session, choices, options->choose[i], named == 1));
    choices->asked = options->choose_count > 0;
    return HBG_OK;
}

/* ---- deciding ------------------------------------------------------------------------------------------- */

hbg_status hbg_api_run_decide(hbg_session *session, hbg_run_state *state,
                              const hbg_run_constants *constants) {
    hbg_run_choices *choices = state->choices;
    int32_t count = hbg_rt_restitution_count(state->instance);
    hbg_rt_rebound *of = HBG_NEW_ARRAY(&session->scratch, hbg_rt_rebound, count + 1);
    choices->engine.plastic = HBG_NEW_ARRAY(&session->scratch, double, count + 1);
    choices->engine.drawn = HBG_NEW_ARRAY(&session->scratch, hbg_rt_drawn, choices->count + 1);
    choices->engine.drawn_count = 0;
    for (int32_t i = 0; i < choices->count; i++) {
        const hbg_run_choice *choice = &choices->items[i];
        if (choice->restitution != HBG_NONE) of[choice->restitution] = choice->how;
        if (choice->anew)
            choices->engine.drawn[choices->engine.drawn_count++] =
                (hbg_rt_drawn){choice->param, choice->automaton, choice->usual, choice->how, 0, 0};
    }
    choices->engine.of = of;
    hbg_rt_set_rebounds(state->instance, &choices->engine);
    if (choices->param_count == 0 || !constants) return HBG_OK;
    hbg_api_run_vary(session, state, constants, choices->params, choices->values, choices->param_count);
    hbg_rt_status status = HBG_RT_OK;
    for (int32_t i = 0; i < choices->param_count && status == HBG_RT_OK; i++)
        status = hbg_rt_set_param(state->instance, choices->params[i], choices->values[i]);
    if (status == HBG_RT_NO_MEMORY) return HBG_NO_MEMORY;
    if (status == HBG_RT_OK) return HBG_OK;
    return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "these values cannot be chosen: %s",
                                hbg_rt_status_text(status));
}

hbg_status hbg_api_run_choose(hbg_session *session, const hbg_run_options *options) {
    hbg_run_state *state = session->run;
    hbg_run_constants constants;
    const char *fault = hbg_api_run_choices_fault(session, state->model);
    if (fault) return hbg_api_session_fail(session, HBG_BAD_ARGUMENT, "%s", fault);
    HBG_TRY(hbg_api_run_open_choices(session, state, options, NULL, 0));
    if (!state->choices) return HBG_OK;
    hbg_api_run_find_constants(session, state, state->choices->params, state->choices->param_count,
                               &constants);
    return hbg_api_run_decide(session, state, &constants);
}

hbg_status hbg_api_run_open_choices(hbg_session *session, hbg_run_state *state,
                                    const hbg_run_options *options, const int32_t *given,
                                    int32_t given_count) {
    hbg_api_run_list_choices(session, state, given, given_count);
    HBG_TRY(hbg_api_run_read_choices(session, state, options));
    hbg_run_choices *choices = state->choices;
    for (int32_t i = 0, param = 0; choices && i < choices->count; i++)
        if (choices->items[i].param != HBG_NONE)
            choices->values[param++] =
                hbg_rt_rebound_value(&choices->items[i].how, 0, choices->items[i].usual);
    return HBG_OK;
}

/* ---- telling -------------------------------------------------------------------------------------------- */

#define MOST_TOLD 12 /* values that are shown to people */

static const hbg_rt_drawn *drawn_of(const hbg_run_choices *choices, const hbg_run_choice *choice) {
    const hbg_rt_drawn *found = choices->engine.drawn;
    while (found->param != choice->param) found++;
    return found;
}

static void put_choice(hbg_api_report *list, const hbg_run_state *state, const hbg_run_choice *choice) {
    bool param = choice->param != HBG_NONE;
    int32_t made = choice->anew ? drawn_of(state->choices, choice)->made
                   : param      ? 1
                                : hbg_rt_rebound_count(state->instance, choice->restitution);
    hbg_api_report *object = hbg_api_object(list, NULL);
    double *values = HBG_NEW_ARRAY(&list->session->scratch, double, made + 1);
    char text[HBG_DOUBLE_TEXT];
    hbg_api_text(object, "name", choice->name);
    hbg_api_text(object, "of",
                 choice->anew   ? "choice"
                 : param        ? "parameter"
                 : choice->unit ? "energy lost"
                                : "restitution");
    hbg_api_number(object, "least", choice->how.low);
    hbg_api_number(object, "greatest", choice->how.high);
    for (int32_t i = 0; i < made; i++) values[i] = hbg_rt_rebound_value(&choice->how, i, choice->usual);
    hbg_api_numbers(object, "values", values, made);
    if (made == 0) {
        hbg_api_say(object, "    %s: nothing had to be chosen\n", choice->name);
        return;
    }
    hbg_api_say(object, "    %s=", choice->name);
    for (int32_t i = 0; i < made && i < MOST_TOLD; i++) {
        hbg_base_double_print(text, values[i]);
        hbg_api_say(object, "%s%s", i > 0 ? "," : "", text);
    }
    if (made > MOST_TOLD) hbg_api_say(object, " and %d more", (int)made - MOST_TOLD);
    hbg_api_say(object, "\n");
}

void hbg_api_run_put_choices(hbg_api_report *report, const hbg_run_state *state) {
    const hbg_run_choices *choices = state->choices;
    if (!choices) return;
    hbg_api_report *list = hbg_api_list(report, "choices");
    hbg_api_say(list, "\n  chosen%s\n",
                choices->asked ? "" : ", nothing else being asked for (--choose, docs/processes.md)");
    for (int32_t i = 0; i < choices->count; i++) put_choice(list, state, &choices->items[i]);
}
