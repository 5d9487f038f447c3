/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Small models in which something happens, with every number known by hand. */
#ifndef HBG_TESTS_API_RUN_EVENTS_FIXTURE_IMPL_H
#define HBG_TESTS_API_RUN_EVENTS_FIXTURE_IMPL_H

#include "api/run_fixture_impl.h"

/* A coil of 2 H charged with 6 A; at 1 s the switch opens and a diode of 4 V takes over: i falls by 2 A/s and is 0 at 4 s.
 * Where the diode needs 9 A to hold there is no mode to be in. */
#define FREEWHEELING                                                                                         \
    "model Coil { param hold = 0 [A]; input bool sw = true; input event tap;\n"                              \
    "  Se drop(-4 [V]); I coil(2 [H], p = 12 [Wb]); Se short(0 [V]);\n"                                      \
    "  1 j_sw when manual; 0 node; 1 j_d when diode; short -> j_sw -> node -> coil; j_d -> node; drop -> "   \
    "j_d;\n"                                                                                                 \
    "  automaton manual { on closed -> open when !sw; off open -> closed when sw; }\n"                       \
    "  automaton diode { off blocking -> conducting when node.e <= -4 [V];\n"                                \
    "                    on conducting -> blocking when j_d.f < hold; }\n"                                   \
    "  output i = coil.f;\n"                                                                                 \
    "  experiment opening { stop 5 [s]; at 1 [s]: sw = false; at 2 [s]: tap; record i; plot i, coil.p; }\n"  \
    "  experiment nowhere { stop 5 [s]; set hold = 9 [A]; at 1 [s]: sw = false; record i; } }\n"

/* A ball of 2 kg falls 1.25 m at 10 m/s²: 0.5 s, 5 m/s. It goes up with half of that, and is back after 0.5 s more. */
#define BOUNCING                                                                                             \
    "model Ball { 1 ball; I mass(2 [kg]); Se gravity(-20 [N]); Sf floor(0 [m/s]);\n"                         \
    "  0 contact when touch restitution 0.5; gravity -> ball -> mass; floor -> contact -> ball;\n"           \
    "  state x = 1.25 [m] : der = ball.f;\n"                                                                 \
    "  automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when "      \
    "mass.p > 0; }\n"                                                                                        \
    "  output height = x, momentum = mass.p, speed = ball.f;\n"                                              \
    "  experiment once { stop 0.75 [s]; plot height, momentum, speed; }\n"                                   \
    "  experiment always { stop 3 [s]; plot height; } }\n"

/* Three bodies of 1 kg in a row, the last two at rest and touching: the first hits at t = 1 s, its speed goes to the last. */
#define CHAIN                                                                                                \
    "model Chain { 1 a; 1 b; 1 c; I m_1(1 [kg], f = 1 [m/s]); I m_2(1 [kg]); I m_3(1 [kg]);\n"               \
    "  0 ab when hit_ab restitution 1; 0 bc when hit_bc restitution 1;\n"                                    \
    "  a -> m_1; b -> m_2; c -> m_3; a -> ab -> b -> bc -> c;\n"                                             \
    "  state gap_ab = 1 [m] : der = b.f - a.f; state gap_bc = 0 [m] : der = c.f - b.f;\n"                    \
    "  automaton hit_ab { off no -> yes when gap_ab <= 0 && a.f > b.f; on yes -> no when a.f < b.f; }\n"     \
    "  automaton hit_bc { off no -> yes when gap_bc <= 0 && b.f > c.f; on yes -> no when b.f < c.f; }\n"     \
    "  output v_1 = a.f, v_2 = b.f, v_3 = c.f;\n"                                                            \
    "  experiment elastic { stop 2 [s]; record v_1, v_2, v_3, hit_ab.yes, hit_bc.yes; plot v_1, v_2, v_3; "  \
    "} }\n"

/* The lines of the log; at most 64. */
typedef struct {
    json_t *lines[64];
    int count;
} event_log;

static inline event_log read_log(const char *path) {
    event_log log = {.count = 0};
    char *text = file_text(path), *rest = text;
    for (char *line = strsep(&rest, "\n"); line && line[0]; line = strsep(&rest, "\n")) {
        json_error_t error;
        assert_true(log.count < 64);
        log.lines[log.count] = json_loads(line, 0, &error);
        if (!log.lines[log.count++]) fail_msg("%s: %s", line, error.text);
    }
    free(text);
    return log;
}

static inline void free_log(event_log *log) {
    for (int i = 0; i < log->count; i++) json_decref(log->lines[i]);
}

static inline const json_t *mode_of(const event_log *log, int line, size_t mode) {
    assert_true(line < log->count);
    const json_t *trace = json_object_get(log->lines[line], "trace");
    if (mode >= json_array_size(trace)) fail_msg("line %d has %zu modes", line, json_array_size(trace));
    return json_array_get(trace, mode);
}

static inline void assert_kind(const event_log *log, int line, size_t mode, const char *kind) {
    assert_string_equal(json_string_value(json_object_get(mode_of(log, line, mode), "kind")), kind);
}

/* The automaton came to be in the state. */
static inline void assert_changed(const event_log *log, int line, size_t mode, const char *automaton,
                                  const char *to) {
    const json_t *changed = json_object_get(mode_of(log, line, mode), "changed");
    const char *found = json_string_value(json_object_get(changed, automaton));
    if (!found) fail_msg("%s did not change", automaton);
    assert_string_equal(found, to);
}

/* What the run says, in words. */
static inline hbg_text run_words(run_fixture *fixture, hbg_run_options options, hbg_run_end expected) {
    hbg_text text;
    hbg_run_end end;
    hbg_status status = hbg_run(fixture->session, fixture->model, &options, &end, &text);
    if (status != HBG_OK || end != expected) fail_msg("%d: %s", end, hbg_session_reason(fixture->session));
    return text;
}

static inline void assert_says(const char *text, const char *words) {
    if (!strstr(text, words)) fail_msg("no \"%s\" in:\n%s", words, text);
}

static inline void assert_says_not(const char *text, const char *words) {
    if (strstr(text, words)) fail_msg("\"%s\" in:\n%s", words, text);
}

#endif
