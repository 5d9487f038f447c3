/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The report of exploring: least and greatest values after each instant and overall, and stories, each with a
 * witness in the form that `--choose` takes. */
#include <math.h>
#include <string.h>

#include "api/explore_impl.h"
#include "api/run_events_impl.h"
#include "rt/bands.h"

enum { TOLD_INSTANTS = 12, TOLD_STORIES = 12 };

/* ---- witnesses ------------------------------------------------------------------------------------------ */

static const char *word_of(int32_t way) {
    static const char *const words[] = {"default", "least", "greatest", "random"};
    return words[way < HBG_EXPLORE_RANDOM ? way : HBG_EXPLORE_RANDOM];
}

static void put_way(const hbg_explore_state *state, hbg_buffer *out, const hbg_run_choice *choice,
                    int32_t way, int32_t number) {
    char text[HBG_DOUBLE_TEXT];
    if (way < HBG_EXPLORE_RANDOM) {
        hbg_base_buffer_text(out, word_of(way));
        return;
    }
    hbg_base_double_print(text, hbg_api_explore_value(state, choice, way, number));
    hbg_base_buffer_text(out, text);
}

/* Ways of something chosen repeatedly, up to the last change; how many. A parameter begins with an axis. */
static int32_t list_ways(const hbg_explore_state *state, int32_t run, const hbg_run_choice *choice,
                         int32_t axis, int32_t *ways) {
    const hbg_explore_run *of = &state->runs.items[run];
    int32_t first = state->list.axis_count, count = 0;
    if (choice->anew) ways[count++] = hbg_api_explore_way(state, run, axis);
    for (int32_t p = first; p <= of->position; p++)
        if (state->runs.items[of->from].order[p - first] == choice->number)
            ways[count++] = hbg_api_explore_way(state, run, p);
    while (count > 0 && ways[count - 1] == of->way) count--; // the last word says it
    return count;
}

/* "contact=0.5,least"; NULL: nothing is decided. */
static const char *witness_of(hbg_session *session, const hbg_explore_state *state, int32_t run,
                              const hbg_run_choice *choice, int32_t param) {
    const hbg_explore_run *of = &state->runs.items[run];
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_base_buffer_print(&out, "%s=", choice->name);
    if (choice->param != HBG_NONE && !choice->anew) {
        int32_t way = hbg_api_explore_way(state, run, param);
        if (way == HBG_EXPLORE_DEFAULT) return NULL;
        put_way(state, &out, choice, way, 0);
        return out.data;
    }
    int32_t *ways = HBG_NEW_ARRAY(&session->scratch, int32_t, of->position + 3);
    int32_t count = list_ways(state, run, choice, param, ways);
    if (count == 0 && of->way == HBG_EXPLORE_DEFAULT) return NULL;
    for (int32_t i = 0; i < count; i++) {
        put_way(state, &out, choice, ways[i], i);
        hbg_base_buffer_char(&out, ',');
    }
    hbg_base_buffer_text(&out, word_of(of->way));
    if (of->way > HBG_EXPLORE_RANDOM)
        hbg_base_buffer_print(&out, ":%d", (int)(of->way - HBG_EXPLORE_RANDOM) + 1);
    return out.data;
}

/* The choices of a run: a list for programs, one line of text for people. */
static void put_witness(hbg_api_report *into, const hbg_explore_state *state, int32_t run, bool words) {
    const hbg_explore_run *of = &state->runs.items[run];
    hbg_api_report *list = hbg_api_list(into, "choose");
    int32_t param = 0, told = 0;
    for (int32_t i = 0; i < state->choices->count; i++) {
        const hbg_run_choice *choice = &state->choices->items[i];
        const char *text = witness_of(into->session, state, run, choice, param);
        param += choice->param != HBG_NONE;
        if (!text) continue;
        hbg_api_text(list, NULL, text);
        if (words) hbg_api_say(list, "%s%s", told > 0 ? " " : "", text);
        told++;
    }
    if (words && told == 0) hbg_api_say(list, "default");
    if (of->way < HBG_EXPLORE_RANDOM) return;
    uint64_t seed = state->options->run.seed;
    hbg_api_count(into, "seed", (int64_t)seed);
    if (words && seed != hbg_run_options_default().seed)
        hbg_api_say(into, " --seed %llu", (unsigned long long)seed);
}

/* ---- ranges --------------------------------------------------------------------------------------------- */

typedef struct {
    const hbg_explore_state *state;
    const char *name, *unit;
    double size; /* relative to these a value is rounding */
    bool words;
} teller;

static void say_value(const teller *tell, hbg_api_report *into, double value) {
    hbg_api_run_put_quantity(hbg_api_words(into), fabs(value) > HBG_RT_ALIKE * tell->size ? value : 0,
                             tell->unit);
}

static void put_end(const teller *tell, hbg_api_report *into, const char *key, const hbg_explore_end *end) {
    hbg_api_report *object = hbg_api_object(into, key);
    hbg_api_number(object, "value", end->value);
    hbg_api_count(object, "run", end->run);
    if (tell->words) say_value(tell, object, end->value);
    if (tell->words) hbg_api_say(object, " (");
    put_witness(object, tell->state, end->run, tell->words);
    if (tell->words) hbg_api_say(object, ")");
}

static void put_range(teller tell, hbg_api_report *list, const hbg_explore_range *range) {
    if (range->least.run == HBG_NONE || range->greatest.run == HBG_NONE) return;
    hbg_api_report *object = hbg_api_object(list, NULL);
    hbg_api_text(object, "name", tell.name);
    hbg_api_text(object, "unit", tell.unit ? tell.unit : "");
    tell.words = range->greatest.value - range->least.value > HBG_RT_ALIKE * tell.size;
    hbg_api_say(object, tell.words ? "    %s from " : "    %s ", tell.name);
    if (!tell.words) say_value(&tell, object, range->least.value);
    put_end(&tell, object, "least", &range->least);
    hbg_api_say(object, tell.words ? " to " : ", always the same");
    put_end(&tell, object, "greatest", &range->greatest);
    hbg_api_say(object, "\n");
}

static double size_of(const hbg_explore_range *range) {
    return fmax(fabs(range->least.value), fabs(range->greatest.value));
}

static teller teller_of(const hbg_explore_state *state, int32_t output) {
    const hbg_rt_variable *of = &state->crew.workers[0].state.system->outputs[output];
    return (teller){state, of->name, of->unit, size_of(&state->overall[output]), true};
}

static void put_instants(hbg_api_report *root, const hbg_explore_state *state) {
    hbg_api_report *list = hbg_api_list(root, "instants");
    bool words = !state->options->run.json;
    int64_t last = 0;
    for (int64_t k = 0; k < HBG_EXPLORE_INSTANTS && state->reached[k] > 0; k++) {
        last = k + 1;
        if (words && k >= TOLD_INSTANTS) continue;
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_count(object, "instant", k + 1);
        hbg_api_count(object, "runs", state->reached[k]);
        hbg_api_say(object, "\n  after instant %lld, which %lld run%s\n", (long long)k + 1,
                    (long long)state->reached[k], state->reached[k] == 1 ? " had" : "s had");
        hbg_api_report *values = hbg_api_list(object, "values");
        const hbg_explore_range *after = &state->after[k * state->columns];
        put_range((teller){state, "time", "s", size_of(after), true}, values, after);
        for (int32_t i = 0; i < state->columns - 1; i++)
            put_range(teller_of(state, i), values, &after[i + 1]);
    }
    if (words && last > TOLD_INSTANTS)
        hbg_api_say(list, "\n  and %lld more instants; --json has the first %d\n",
                    (long long)last - TOLD_INSTANTS, HBG_EXPLORE_INSTANTS);
}

static void put_overall(hbg_api_report *root, const hbg_explore_state *state) {
    hbg_api_report *list = hbg_api_list(root, "outputs");
    if (state->columns > 1) hbg_api_say(list, "\n  at any time\n");
    for (int32_t i = 0; i < state->columns - 1; i++) put_range(teller_of(state, i), list, &state->overall[i]);
}

static void put_stories(hbg_api_report *root, const hbg_explore_state *state) {
    hbg_api_report *list = hbg_api_list(root, "stories");
    bool words = !state->options->run.json;
    hbg_api_say(list, "\n  %d stor%s\n", (int)state->story_count, state->story_count == 1 ? "y" : "ies");
    for (int32_t i = 0; i < state->story_count && (!words || i < TOLD_STORIES); i++) {
        const hbg_explore_story *story = &state->stories[i];
        bool cut = strlen(story->text) + 1 == HBG_EXPLORE_STORY;
        hbg_api_report *object = hbg_api_object(list, NULL);
        hbg_api_text(object, "modes", story->text);
        hbg_api_flag(object, "cut", cut);
        hbg_api_count(object, "instants", story->instants);
        hbg_api_count(object, "runs", story->count);
        hbg_api_text(object, "verdict", story->verdict);
        hbg_api_say(object, "    %lld run%s, %lld instant%s, %s (", (long long)story->count,
                    story->count == 1 ? "" : "s", (long long)story->instants, story->instants == 1 ? "" : "s",
                    story->verdict);
        put_witness(object, state, story->run, true);
        hbg_api_say(object, "): %.160s%s\n", story->text[0] ? story->text : "nothing switches",
                    strlen(story->text) > 160 ? " …" : "");
    }
    if (words && state->story_count > TOLD_STORIES)
        hbg_api_say(list, "    and %d more; --json has them\n", (int)state->story_count - TOLD_STORIES);
    hbg_api_count(root, "runs_of_other_stories", state->other_stories);
    if (state->other_stories > 0)
        hbg_api_say(root, "    and %lld runs of still others\n", (long long)state->other_stories);
}

static void put_head(hbg_api_report *root, const hbg_explore_state *state) {
    const hbg_run_state *run = &state->crew.workers[0].state;
    const hbg_model *model = run->model;
    const char *name = hbg_base_names_get(model->names, model->name), *experiment = NULL;
    if (run->experiment != HBG_NONE)
        experiment = hbg_base_names_get(model->names, model->experiments.items[run->experiment].name);
    hbg_api_text(root, "model", name);
    hbg_api_text(root, "experiment", experiment);
    hbg_api_count(root, "runs", state->runs.count);
    hbg_api_count(root, "unfinished", state->unfinished);
    hbg_api_count(root, "depth", state->options->depth);
    hbg_api_count(root, "points", state->options->points);
    hbg_api_flag(root, "all_sequences", state->left_out == 0 && !state->deeper);
    hbg_api_flag(root, "inner_estimate", true);
    hbg_api_say(root, "%s%s%s: %d runs; %lld did not get to the end\n", name,
                experiment ? ", experiment " : "", experiment ? experiment : "", (int)state->runs.count,
                (long long)state->unfinished);
    hbg_api_say(root, "an inner estimate: what is possible may reach farther than these runs\n");
    if (state->left_out > 0)
        hbg_api_say(root, "not all sequences of the first %d choices: --runs allows no more\n",
                    (int)state->options->depth);
    if (state->deeper)
        hbg_api_say(root, "choices after the first %d go on as the one before them: --depth\n",
                    (int)state->options->depth);
}

hbg_api_report *hbg_api_explore_report(hbg_session *session, const hbg_explore_state *state) {
    hbg_api_report *root = hbg_api_report_new(session);
    put_head(root, state);
    put_instants(root, state);
    put_overall(root, state);
    put_stories(root, state);
    return root;
}
