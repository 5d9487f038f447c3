/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models put side by side that nothing connects give, each, what they give alone, to the last bit: every row at the times asked for,
 * every instant and every mode in it, wherever both are on their way. Pairs of random hybrid graphs with inputs in common. */
#include "api/api_impl.h"
#include "api/run_allocation_impl.h"
#include "api/run_fixture_impl.h"
#include "eqn/hybrid_text_impl.h"
#include "support/soak.h"

#define EVERY "0.0625"

/* ---- two graphs as one text --------------------------------------------------------------------------------- */

typedef struct {
    char data[1 << 18];
    size_t size;
} long_text;

static void add(long_text *to, const char *text, size_t size) {
    assert_true(to->size + size + 1 < sizeof to->data);
    memcpy(to->data + to->size, text, size);
    to->size += size;
    to->data[to->size] = '\0';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Nodes, automata, bonds and the integrator get names that say whose they are. */
static void add_named(long_text *to, const char *text, size_t size, char whose) {
    for (size_t i = 0; i < size; i++) {
        bool begins = (i == 0 || !is_word(text[i - 1])) && i + 1 < size;
        bool numbered = begins && strchr("nab", text[i]) && text[i + 1] >= '0' && text[i + 1] <= '9';
        if (numbered || (begins && strncmp(text + i, "total", 5) == 0)) add(to, &whose, 1);
        add(to, text + i, 1);
    }
}

static char room[1 << 17];

/* What a graph is made of; and what of it is recorded. */
static void add_graph(long_text *to, const hybrid *h, char whose) {
    graph_text text = {.text = room, .capacity = sizeof room};
    for (int i = 0; i < h->n.node_count; i++) text_hybrid_node(&text, h, i);
    for (int i = 0; i < h->n.bond_count; i++) text_net_bond(&text, &h->n, i);
    for (int i = 0; i < h->automaton_count; i++) text_hybrid_automaton(&text, h, i);
    text_integrator(&text, h);
    add_named(to, room, text.size, whose);
}

static void add_records(long_text *to, const hybrid *h, char whose) {
    graph_text text = {.text = room, .capacity = sizeof room};
    text_records(&text, h);
    char *begin = strstr(room, "record ") + 7, *end = strstr(begin, "; }");
    add_named(to, begin, (size_t)(end - begin), whose);
}

static void add_action(long_text *to, const hybrid_action *of) {
    char text[100];
    if (of->input == INPUT_KICK)
        (void)snprintf(text, sizeof text, "; at %.17g: kick", of->time);
    else if (of->input == INPUT_LEVEL)
        (void)snprintf(text, sizeof text, "; at %.17g: level = %.17g", of->time, of->value);
    else
        (void)snprintf(text, sizeof text, "; at %.17g: %s = %s", of->time, hybrid_input_names[of->input],
                       of->value != 0 ? "true" : "false");
    add(to, text, strlen(text));
}

static bool reads(const hybrid *h, int input) {
    const char *name = hybrid_input_names[input];
    size_t size = strlen(name);
    static long_text text;
    text.size = 0;
    add_graph(&text, h, 'x');
    for (const char *at = text.data; (at = strstr(at, name)) != NULL; at += size)
        if (!is_word(at[-1]) && !is_word(at[size])) return true;
    return false;
}

/* An action on an input ends a step of those that read it; where nobody does, of the first. */
static bool concerns(const hybrid *graphs, const bool *wanted, int input) {
    if (wanted[0] && wanted[1]) return true;
    return wanted[0] ? reads(&graphs[0], input) || !reads(&graphs[1], input) : reads(&graphs[1], input);
}

/* An automaton that drives nothing may have no state beside it, and is then with the first part, whosever it is. */
static bool is_loose(const hybrid *h) {
    for (int i = 0; i < h->automaton_count; i++) {
        bool drives = false;
        for (int k = 0; k < h->n.node_count; k++) drives |= h->automaton[k] == i;
        if (!drives) return true;
    }
    return false;
}

/* The graphs that are wanted, of two, with the inputs and actions of the first. */
static const char *write_model(const hybrid *graphs, bool first, bool second) {
    static long_text made;
    const bool wanted[] = {first, second};
    graph_text inputs = {.text = room, .capacity = sizeof room};
    made.size = 0;
    add(&made, "model M {\n", 10);
    text_inputs(&inputs, &graphs[0]);
    add(&made, room, inputs.size);
    for (int i = 0; i < 2; i++)
        if (wanted[i]) add_graph(&made, &graphs[i], (char)('x' + i));
    add(&made, "experiment all { stop 1.5; record ", 34);
    for (int i = 0; i < 2; i++) {
        if (i > 0 && wanted[0] && wanted[1]) add(&made, ", ", 2);
        if (wanted[i]) add_records(&made, &graphs[i], (char)('x' + i));
    }
    for (int i = 0; i < graphs[0].action_count; i++)
        if (concerns(graphs, wanted, graphs[0].actions[i].input)) add_action(&made, &graphs[0].actions[i]);
    add(&made, "; }\n}\n", 6);
    return made.data;
}

/* ---- runs ------------------------------------------------------------------------------------------------------ */

typedef struct {
    hbg_status status;
    hbg_run_end end;
    double time;
    bool split;
    char *rows;     /* the file */
    json_t *events; /* a list */
} side;

static char *partial_text(const char *path, bool finished) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s%s", path, finished ? "" : ".partial");
    return file_text(name);
}

static json_t *list_events(char *text) {
    json_t *list = json_array();
    for (char *line = text, *end; *line && (end = strchr(line, '\n')) != NULL; line = end + 1)
        json_array_append_new(list, json_loadb(line, (size_t)(end - line), 0, NULL));
    free(text);
    return list;
}

/* False: there is nothing to compare. */
static bool run_side(side *to, const char *text, const char *solver) {
    static const char *const files[] = {"side.csv"};
    hbg_load_options load = {.every = EVERY};
    hbg_run_options options = hbg_run_options_default();
    hbg_session *session;
    hbg_model *model;
    hbg_text told;
    *to = (side){.end = HBG_RUN_NOT_FINISHED};
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    to->status = hbg_load_text(session, "side.hbg", text, strlen(text), &load, &model);
    options.files = files;
    options.file_count = 1;
    options.events = "side.jsonl";
    options.json = true;
    options.solver = solver;
    if (to->status == HBG_OK) to->status = hbg_run(session, model, &options, &to->end, &told);
    if (to->status == HBG_OK) {
        json_t *json = json_loads(told.data, 0, NULL);
        to->time = number_of(json, "time");
        to->split = strstr(told.data, "2 independent parts") != NULL;
        to->rows = partial_text("side.csv", to->end == HBG_RUN_FINISHED);
        to->events = list_events(partial_text("side.jsonl", to->end == HBG_RUN_FINISHED));
        json_decref(json);
        hbg_text_free(session, &told);
    }
    hbg_session_free(session);
    return to->status == HBG_OK;
}

static void free_side(side *of) {
    free(of->rows);
    json_decref(of->events);
    *of = (side){0};
}

/* ---- comparing ----------------------------------------------------------------------------------------------------- */

static void differ(const hybrid *graphs, const char *what, int part, const char *alone, const char *beside) {
    fputs(write_model(graphs, true, true), stderr);
    fail_msg("%s, part %d\n  alone:  %.300s\n  beside: %.300s", what, part, alone, beside);
}

/* The time of a line and its columns from one to another, as text. */
static const char *columns(const char *line, int first, int count, char *text, size_t size) {
    const char *end = strchr(line, '\n'), *at = line, *from = NULL;
    for (int i = 0; at && at < end; i++) {
        if (i == first) from = at;
        if (i == first + count) break;
        const char *comma = strchr(at, ',');
        at = comma && comma < end ? comma + 1 : end + 1;
    }
    assert_non_null(from);
    (void)snprintf(text, size, "%.*s", (int)(at - from - 1), from);
    return text;
}

static int count_columns(const char *line) {
    int count = 1;
    for (; *line && *line != '\n'; line++) count += *line == ',';
    return count;
}

static const char *next_line(const char *line) {
    return strchr(line, '\n') + 1;
}

/* Every row that a part writes alone is there in the same order, before the end of the shorter run. */
static int compare_rows(const hybrid *graphs, const side *alone, const side *beside, int part, int first,
                        double end) {
    static char one[1 << 14], other[1 << 14];
    int count = count_columns(alone->rows) - 1, compared = 0;
    const char *next = next_line(beside->rows);
    for (const char *line = next_line(alone->rows); *line; line = next_line(line)) {
        double t = strtod(line, NULL);
        if (t >= end) break;
        columns(line, 1, count, one, sizeof one);
        while (*next && strtod(next, NULL) < t) next = next_line(next);
        const char *found = NULL;
        for (const char *at = next; *at && strtod(at, NULL) == t && !found; at = next_line(at))
            if (strcmp(columns(at, first, count, other, sizeof other), one) == 0) found = at;
        if (!found) differ(graphs, "another row", part, line, next);
        compared++;
    }
    return compared;
}

/* What of the modes of an instant concerns the automata of one letter: those that moved, one map for each mode in which any did. */
static json_t *own_moves(const json_t *event, char whose) {
    json_t *list = json_array(), *visit, *state;
    size_t i;
    const char *name;
    json_array_foreach(json_object_get(event, "trace"), i, visit) {
        json_t *own = json_object();
        json_object_foreach(json_object_get(visit, "changed"), name, state) if (name[0] == whose)
            json_object_set(own, name, state);
        if (json_object_size(own) > 0) json_array_append(list, own);
        json_decref(own);
    }
    return list;
}

static int compare_events(const hybrid *graphs, const side *alone, const side *beside, int part, double end) {
    size_t i = 0, k = 0;
    int compared = 0;
    char whose = (char)('x' + part);
    for (;; i++, k++) {
        json_t *own = NULL, *other = NULL;
        for (; i < json_array_size(alone->events); i++) { // that moved something
            own = own_moves(json_array_get(alone->events, i), whose);
            if (json_array_size(own) > 0) break;
            json_decref(own);
            own = NULL;
        }
        for (; k < json_array_size(beside->events); k++) {
            other = own_moves(json_array_get(beside->events, k), whose);
            if (json_array_size(other) > 0) break;
            json_decref(other);
            other = NULL;
        }
        double t = own ? number_of(json_array_get(alone->events, i), "t") : INFINITY;
        double s = other ? number_of(json_array_get(beside->events, k), "t") : INFINITY;
        bool over = fmin(t, s) >= end, same = fabs(t - s) <= 1e-14 * t && own && json_equal(own, other);
        if (!over && !same) {
            char *one = own ? json_dumps(json_array_get(alone->events, i), 0) : strdup("none");
            char *two = other ? json_dumps(json_array_get(beside->events, k), 0) : strdup("none");
            differ(graphs, "another instant", part, one, two);
        }
        json_decref(own);
        json_decref(other);
        if (over) return compared;
        compared++;
    }
}

static void models_side_by_side_give_what_each_gives_alone(void **state) {
    static const hybrid_plan plans[] = {
        {.junctions = 3,
         .sources = 25,
         .cubes = 20,
         .sampled = 30,
         .fields = 10,
         .collisions = 70,
         .duals = 10},
        {.junctions = 4, .sources = 30, .fields = 20, .collisions = 10, .duals = 10, .modulated = 10},
    };
    static hybrid graphs[2];
    int pairs = trials(60, 180), split = 0, rows = 0, events = 0, ended = 0;
    (void)state;
    for (int i = 0; i < pairs; i++) {
        test_random random = {(uint64_t)(i + 1) * 9000011};
        side alone[2], beside;
        for (int k = 0; k < 2; k++) random_hybrid(&graphs[k], &random, &plans[(i >> k) & 1]);
        if (first_storage(&graphs[0]) < 0 || first_storage(&graphs[1]) < 0) continue;
        if (is_loose(&graphs[0]) || is_loose(&graphs[1])) continue;
        const char *solver = i % 3 == 2 ? "bdf" : "erk";
        if (!run_side(&alone[0], write_model(graphs, true, false), solver)) continue;
        if (!run_side(&alone[1], write_model(graphs, false, true), solver)) {
            free_side(&alone[0]);
            continue;
        }
        bool fine = run_side(&beside, write_model(graphs, true, true), solver);
        if (!fine) differ(graphs, "side by side it is refused", 0, "", "");
        if (beside.split) {
            double end = fmin(alone[0].time, alone[1].time);
            if (fabs(beside.time - end) > 1e-14) differ(graphs, "another end", 0, "", "");
            int first = 1;
            for (int k = 0; k < 2; k++) {
                rows += compare_rows(graphs, &alone[k], &beside, k, first, end);
                events += compare_events(graphs, &alone[k], &beside, k, end);
                first += count_columns(alone[k].rows) - 1;
            }
            split++;
            ended += beside.end != HBG_RUN_FINISHED;
        }
        free_side(&alone[0]);
        free_side(&alone[1]);
        free_side(&beside);
    }
    print_message("%d of %d pairs in parts, %d with a verdict: %d rows and %d instants are the same\n", split,
                  pairs, ended, rows, events);
    assert_true(split > pairs / 4 && ended > 0 && events > split);
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

/* Switched storages with a loop and a law, whose Jacobian changes with the mode; twice, beside a ramp, with collisions. */
#define SWITCHED(x)                                                                                          \
    "Se s_" x "(1); R r_" x "(2); R l_" x " : e = f + f^3; C c_" x "(1, q = 1); C d_" x "(2); I i_" x        \
    "(0.1); 1 j_" x "; 0 n_" x "; 1 k_" x " when w_" x "; s_" x " -> j_" x " -> r_" x "; j_" x " -> n_" x    \
    "; n_" x " -> c_" x "; n_" x " -> k_" x " -> d_" x "; k_" x " -> i_" x "; k_" x " -> l_" x ";\n"         \
    "automaton w_" x " { off a -> b when c_" x ".e > 1.005; on b -> a after 0.02; }\n"

static const char three[] = "model Three {\n" SWITCHED("a")
    SWITCHED("b") "input real u = 1; input event go; state x = 0 : der = u;\n"
                  "automaton y { off low -> high when x > 0.05; on high -> low when go; }\n"
                  "experiment e { stop 0.2; at 0.1: u = 2; at 0.1: go; record c_a.e, d_b.q, x; plot x;\n"
                  "  fault at 0.05 until 0.15: w_b stuck a; } }\n";

static int take(hbg_session *session, hbg_status status, hbg_text *text) {
    bool out = status == HBG_NO_MEMORY || status == HBG_CANNOT_WRITE;
    if (!out && status != HBG_OK) fail_msg("%d: %s", status, hbg_session_reason(session));
    if (status == HBG_OK) assert_non_null(strstr(text->data, "3 independent parts"));
    if (status == HBG_OK) hbg_text_free(session, text);
    return out;
}

static int use_parts(hbg_session *session) {
    static const char *const files[] = {"parts.csv"};
    hbg_run_options options = hbg_run_options_default();
    hbg_model *model;
    hbg_run_end end;
    hbg_text text;
    int failed = 0;
    hbg_status status = hbg_load_text(session, "three.hbg", three, strlen(three), NULL, &model);
    if (status == HBG_NO_MEMORY) return 1;
    assert_int_equal(status, HBG_OK);
    options.json = true;
    options.files = files;
    options.file_count = 1;
    options.events = "parts.jsonl";
    options.solver = "bdf";
    options.plot = "parts.svg";
    failed += take(session, hbg_run(session, model, &options, &end, &text), &text);
    options.solver = "erk";
    options.plot = NULL;
    return failed + take(session, hbg_run(session, model, &options, &end, &text), &text);
}

static void runs_in_parts_survive_every_failure_of_memory(void **state) {
    (void)state;
    survives_every_failure(use_parts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_side_by_side_give_what_each_gives_alone),
        cmocka_unit_test(runs_in_parts_survive_every_failure_of_memory),
    };
    cmocka_set_test_filter(getenv("HBG_TEST_CASES")); // one claim at a time, for mutations
    return cmocka_run_group_tests(tests, NULL, NULL);
}
