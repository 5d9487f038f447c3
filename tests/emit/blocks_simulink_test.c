/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The netlist of MATLAB scripts: each has the blocks of the diagram in JSON, with their parameters, and exactly its lines. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbg/export.h"

/* ---- texts -------------------------------------------------------------------------------------------- */

static char *export_as(const char *name, const char *to) {
    static const char *const library = HBG_SOURCE_DIR "/lib";
    hbg_session_options with = {.search = &library, .search_count = 1};
    hbg_load_options load = {.step = "10 [us]", .stop = "1 [ms]"};
    hbg_export_blocks_options how = {.file = "-", .to = to, .name = "diagram"};
    hbg_run_options options = hbg_run_options_default();
    char path[512], *copy;
    hbg_session *session;
    hbg_model *model;
    hbg_text text;
    options.solver = "rk4";
    snprintf(path, sizeof path, "%s/examples/%s/%s.hbg", HBG_SOURCE_DIR, name, name);
    assert_int_equal(hbg_session_new(&with, &session), HBG_OK);
    assert_int_equal(hbg_load_file(session, path, &load, &model), HBG_OK);
    if (hbg_export_blocks(session, model, &options, &how, &text) != HBG_OK)
        fail_msg("%s: %s", name, hbg_session_reason(session));
    copy = calloc(1, text.size + 1);
    memcpy(copy, text.data, text.size);
    hbg_text_free(session, &text);
    hbg_session_free(session);
    return copy;
}

/* How often the script has this line, or one that begins so. */
static int count_of(const char *script, const char *line) {
    int count = 0;
    for (const char *at = script; (at = strstr(at, line)); at += strlen(line))
        count += at == script || at[-1] == '\n';
    return count;
}

static const char *text_of(const json_t *block, const char *key) {
    const char *text = json_string_value(json_object_get(block, key));
    return text ? text : "";
}

static int int_at(const json_t *list, size_t i) {
    return (int)json_integer_value(json_array_get(list, i));
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

static const char *library_of(const json_t *block) {
    static const struct {
        const char *kind, *library;
    } known[] = {{"constant", "Sources/Constant"},
                 {"time", "Sources/Clock"},
                 {"source", "Sources/From Workspace"},
                 {"automaton", "User-Defined Functions/Level-2 MATLAB S-Function"},
                 {"integrator", "Continuous/Integrator"},
                 {"gain", "Math Operations/Gain"},
                 {"sum", "Math Operations/Add"},
                 {"product", "Math Operations/Product"},
                 {"table", "Lookup Tables/1-D Lookup Table"},
                 {"lookup", "Lookup Tables/Direct Lookup Table (n-D)"},
                 {"switch", "Signal Routing/Multiport Switch"},
                 {"constraint", "Math Operations/Algebraic Constraint"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text_of(block, "kind"), known[i].kind) == 0) return known[i].library;
    return ""; // a function: any library but these
}

/* The line that adds the block has the number or the signs that the diagram says. */
static void check_parameters(const json_t *block, const char *line) {
    static const char *const keys[][2] = {
        {"value", "'Value', '"}, {"factor", "'Gain', '"}, {"initial", "'InitialCondition', '"}};
    char wanted[200], end[4000];
    sscanf(line, "%3999[^\n]", end);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *number = json_object_get(block, keys[i][0]);
        const char *at = number ? strstr(end, keys[i][1]) : NULL;
        if (number && (!at || strtod(at + strlen(keys[i][1]), NULL) != json_number_value(number)))
            fail_msg("another number than %g: %s", json_number_value(number), end);
    }
    snprintf(wanted, sizeof wanted, "'Inputs', '%s%s'", text_of(block, "signs"), text_of(block, "powers"));
    if (text_of(block, "signs")[0] || text_of(block, "powers")[0]) assert_non_null(strstr(end, wanted));
    const json_t *cases = json_object_get(block, "cases");
    size_t used = (size_t)snprintf(wanted, sizeof wanted, "'DataPortIndices', '{");
    for (size_t i = 0; i < json_array_size(cases); i++)
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%d", i ? "," : "", int_at(cases, i));
    if (cases) assert_non_null(strstr(end, wanted));
}

static void check_blocks(const json_t *blocks, const char *script) {
    assert_int_equal(count_of(script, "add_block("),
                     (int)json_array_size(blocks) + count_of(script, "add_block('simulink/Sinks/Out1'"));
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        const json_t *block = json_array_get(blocks, i);
        char line[200], place[40];
        const char *library = library_of(block);
        snprintf(place, sizeof place, "[sys '/b%zu'],", i);
        const char *at = strstr(script, place);
        if (!at) fail_msg("there is no block %zu", i);
        while (at > script && at[-1] != '\n') at--;
        snprintf(line, sizeof line, "add_block('simulink/%s', %s", library, place);
        if (library[0] && strncmp(at, line, strlen(line)) != 0) fail_msg("block %zu is of another kind", i);
        check_parameters(block, at);
    }
}

/* ---- lines -------------------------------------------------------------------------------------------- */

static void check_line(const char *script, int from, const char *to, int number, int port) {
    char line[100];
    snprintf(line, sizeof line, "add_line(sys, 'b%d/1', '%s%d/%d');\n", from, to, number, port);
    if (count_of(script, line) != 1) fail_msg("not there once: %s", line);
}

static int check_inputs(const json_t *block, const char *script, int number) {
    const json_t *in = json_object_get(block, "in");
    const char *kind = text_of(block, "kind");
    bool one = strcmp(kind, "integrator") == 0 || strcmp(kind, "constraint") == 0;
    bool select = strcmp(text_of(block, "function"), "?:") == 0;
    static const int ports[] = {2, 1, 3}; // of a Switch: the condition is in the middle
    int count = one ? 1 : (int)json_array_size(in);
    for (int i = 0; i < count; i++)
        check_line(script, int_at(in, (size_t)i), "b", number, select ? ports[i] : i + 1);
    return count;
}

static int check_guards(const json_t *automaton, const char *script, int number) {
    const json_t *list = json_object_get(automaton, "transitions");
    int port = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *guard = json_object_get(json_array_get(list, i), "guard");
        if (guard) check_line(script, (int)json_integer_value(guard), "b", number, ++port);
    }
    return port;
}

static void check_netlist(const char *name) {
    char *text = export_as(name, "json"), *script = export_as(name, "simulink");
    json_t *json = json_loads(text, 0, NULL);
    const json_t *blocks = json_object_get(json, "blocks"), *outputs = json_object_get(json, "outputs");
    const json_t *automata = json_object_get(json, "automata");
    int lines = 0;
    check_blocks(blocks, script);
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        const json_t *block = json_array_get(blocks, i);
        lines += check_inputs(block, script, (int)i);
        const json_t *automaton = json_object_get(block, "automaton");
        if (automaton)
            lines +=
                check_guards(json_array_get(automata, (size_t)json_integer_value(automaton)), script, (int)i);
    }
    for (size_t i = 0; i < json_array_size(outputs); i++, lines++)
        check_line(script, (int)json_integer_value(json_object_get(json_array_get(outputs, i), "block")), "o",
                   (int)i + 1, 1);
    assert_int_equal(count_of(script, "add_line("), lines);
    json_decref(json);
    free(text);
    free(script);
}

static void scripts_have_the_blocks_and_lines_of_the_diagram(void **state) {
    (void)state;
    static const char *const examples[] = {
        "thermostat-oven", "boost-buck-inverter", "adapt-experiment-1", "rlc",
        "construct-after", "nonlinear-spring",    "resistor-bridge",    "water-tower",
        "diode-resistor",  "construct-law"};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) check_netlist(examples[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scripts_have_the_blocks_and_lines_of_the_diagram)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
