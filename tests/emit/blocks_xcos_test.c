/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Scilab scripts: texts are escaped, and every input of every block has one link. That they compute what hbg computes is for
 * tests/examples/blocks_soak.sh, which has Scilab. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/blocks_xcos_impl.h"
#include "hbg/export.h"

enum { MOST = 2000, PORTS = 64 };

static void quotes_are_doubled_and_control_characters_go(void **state) {
    (void)state;
    hbg_memory memory = {0};
    hbg_arena arena;
    hbg_buffer out;
    hbg_base_arena_init(&arena, &memory);
    hbg_base_buffer_init(&out, &arena);
    hbg_emit_scilab_string(&out, "a\"b'c\nd");
    assert_string_equal(out.data, "\"a\"\"b''c?d\"");
    hbg_base_buffer_init(&out, &arena);
    hbg_emit_scilab_comment(&out, "x\n// exit(0)");
    assert_string_equal(out.data, "x?// exit(0)");
    hbg_base_arena_fini(&arena);
}

static char *script_of(const char *name) {
    static const char *const library = HBG_SOURCE_DIR "/lib";
    hbg_session_options with = {.search = &library, .search_count = 1};
    hbg_load_options load = {.step = "10 [us]", .stop = "1 [ms]"};
    hbg_export_blocks_options how = {.file = "-", .to = "xcos", .name = "diagram"};
    hbg_run_options options = hbg_run_options_default();
    char path[512], *copy;
    hbg_session *session;
    hbg_model *model;
    hbg_text text;
    options.solver = "rk4";
    snprintf(path, sizeof path, "%s/examples/%s/%s.hbg", HBG_SOURCE_DIR, name, name);
    assert_int_equal(hbg_session_new(&with, &session), HBG_OK);
    assert_int_equal(hbg_load_file(session, path, &load, &model), HBG_OK);
    assert_int_equal(hbg_export_blocks(session, model, &options, &how, &text), HBG_OK);
    copy = calloc(1, text.size + 1);
    memcpy(copy, text.data, text.size);
    hbg_text_free(session, &text);
    hbg_session_free(session);
    return copy;
}

/* Inputs of a block by the call that makes it. */
static int inputs_of(const char *call) {
    int count = 1, first;
    if (strncmp(call, "constant", 8) == 0 || strncmp(call, "time", 4) == 0) return 0;
    if (strncmp(call, "gain", 4) == 0 || strncmp(call, "integrator(", 11) == 0) return 1;
    if (strncmp(call, "integrator_with_reset", 21) == 0) return 2;
    if (sscanf(call, "expression(%d", &count) == 1) return count;
    if (sscanf(call, "switch(%d", &count) == 1) return count + 1;
    if (sscanf(call, "scilab(\"%*[^\"]\", %d", &count) == 1) return count;
    if (sscanf(call, "machine(\"%*[^\"]\", %d", &count) == 1) return count;
    first = strncmp(call, "sum([", 5) == 0 || strncmp(call, "product([", 9) == 0;
    if (!first) fail_msg("what is this: %.40s", call);
    for (const char *c = call; *c != ']'; c++) count += *c == ',';
    return count;
}

static void check_links(const char *name) {
    static int wanted[MOST], found[MOST][PORTS];
    char *script = script_of(name), *at;
    int number, from, output, to, port;
    memset(wanted, 0, sizeof wanted);
    memset(found, 0, sizeof found);
    for (at = strstr(script, "\nb(1) = "); at && sscanf(at, "\nb(%d) = hbg_", &number) == 1;
         at = strchr(at + 1, '\n')) {
        assert_true(number < MOST);
        wanted[number] = inputs_of(strstr(at, "hbg_") + 4);
    }
    at = strchr(strstr(script, "links = ["), '\n');
    for (; sscanf(at, "\n %d %d %d %d", &from, &output, &to, &port) == 4; at = strchr(at + 1, '\n')) {
        assert_true(from >= 1 && from < MOST && output >= 1 && to >= 1 && to < MOST && port >= 1 &&
                    port < PORTS);
        found[to][port]++;
    }
    for (int i = 0; i < MOST; i++)
        for (int k = 1; k < PORTS; k++)
            if (found[i][k] != (k <= wanted[i]))
                fail_msg("%s: input %d of block %d has %d links", name, k, i, found[i][k]);
    free(script);
}

static void every_input_has_one_link(void **state) {
    (void)state;
    static const char *const examples[] = {
        "running-circuit",         "thermostat-oven", "boost-buck-inverter",      "adapt-experiment-1",
        "construct-signals",       "diode-resistor",  "nonlinear-charge-sharing", "pendulum-rod",
        "construct-inputs-events", "resistor-bridge"};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) check_links(examples[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quotes_are_doubled_and_control_characters_go),
                                       cmocka_unit_test(every_input_has_one_link)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
