/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the pictures of `hbg verify` show is what runs do. The areas are read back from the SVG; at points all over them the event
 * iteration of src/rt looks at its guards and searches: grey is what is left at once, red and pale red where no search or chain
 * of modes ends, and an arrow leads where the first real mode leaves the energies. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "draw/draw.h"
#include "eqn/hybrid_trial_impl.h"
#include "hbg/hbg.h"

enum { MOST_AREAS = 400, MOST_POINTS = 4000, MOST_MAPS = 20, ACROSS = 21, UP = 17 };

/* ---- the picture, read back ------------------------------------------------------------------------------- */

typedef struct {
    char class_name[32];
    int first, count; /* points */
} area;

typedef struct {
    char name[200];
    hbg_draw_box frame;
    area areas[MOST_AREAS];
    int area_count;
} map;

typedef struct {
    map maps[MOST_MAPS];
    int map_count;
    hbg_draw_point points[MOST_POINTS];
    int point_count;
    hbg_draw_point from[64], to[64]; /* arrows with heads */
    int arrow_count;
    bool in_map; /* and not in the legend */
    double low[2], high[2];
    char axes[2][40];
} picture;

static double attribute(const char *line, const char *name) {
    char wanted[24];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *at = strstr(line, wanted);
    assert_non_null(at);
    return strtod(at + strlen(wanted), NULL);
}

static int read_points(picture *p, const char *line) {
    const char *at = strstr(line, " d=\"") + 4;
    int count = 0;
    while (*at == 'M' || *at == 'L') {
        char *end;
        assert_true(p->point_count < MOST_POINTS);
        hbg_draw_point *point = &p->points[p->point_count++];
        point->x = strtod(at + 1, &end);
        point->y = strtod(end, &end);
        at = end;
        count++;
    }
    return count;
}

static void read_area(picture *p, const char *line) {
    map *m = &p->maps[p->map_count - 1];
    assert_true(m->area_count < MOST_AREAS);
    area *made = &m->areas[m->area_count++];
    assert_int_equal(sscanf(line, "<path class=\"area %31[a-z]", made->class_name), 1);
    made->first = p->point_count;
    made->count = read_points(p, line);
}

static void read_line(picture *p, const char *line) {
    static hbg_draw_point dot;
    map *m = p->map_count > 0 ? &p->maps[p->map_count - 1] : NULL;
    if (strncmp(line, "<g class=\"map\"", 14) == 0) {
        assert_true(p->map_count < MOST_MAPS);
        p->map_count++;
        p->in_map = true;
    } else if (strncmp(line, "</g>", 4) == 0) {
        p->in_map = false;
    } else if (strncmp(line, "<title>", 7) == 0 && m) {
        assert_int_equal(sscanf(line, "<title>%199[^<]", m->name), 1);
    } else if (strncmp(line, "<path class=\"area ", 18) == 0) {
        read_area(p, line);
    } else if (strncmp(line, "<rect class=\"frame\"", 19) == 0) {
        m->frame.left = attribute(line, "x");
        m->frame.top = attribute(line, "y");
        m->frame.right = m->frame.left + attribute(line, "width");
        m->frame.bottom = m->frame.top + attribute(line, "height");
    } else if (strncmp(line, "<circle class=\"head\"", 20) == 0 && p->in_map) {
        dot = (hbg_draw_point){attribute(line, "cx"), attribute(line, "cy")};
    } else if (strncmp(line, "<path class=\"head\"", 18) == 0 && !isnan(dot.x)) {
        int first = p->point_count;
        read_points(p, line);
        p->from[p->arrow_count] = dot;
        p->to[p->arrow_count++] = p->points[first]; // its tip
        dot.x = NAN;                                // the second head is of the same arrow
    } else if (strncmp(line, "<desc>", 6) == 0) {
        const char *up = strstr(line, "; up ");
        assert_int_equal(
            sscanf(line, "<desc>across %39s from %lf to %lf", p->axes[0], &p->low[0], &p->high[0]), 3);
        assert_non_null(up);
        assert_int_equal(sscanf(up, "; up %39s from %lf to %lf", p->axes[1], &p->low[1], &p->high[1]), 3);
    }
}

static bool is_inside(const picture *p, const area *of, double x, double y) {
    bool inside = false;
    for (int i = 0; i + 1 < of->count; i++) {
        hbg_draw_point a = p->points[of->first + i], b = p->points[of->first + i + 1];
        if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return inside;
}

static const char *class_at(const picture *p, const map *m, double x, double y) {
    for (int i = 0; i < m->area_count; i++)
        if (is_inside(p, &m->areas[i], x, y)) return m->areas[i].class_name;
    return "";
}

/* The class around a place; NULL next to a border. */
static const char *clear_class_at(const picture *p, const map *m, double x, double y) {
    const char *found = class_at(p, m, x, y);
    for (int i = 0; i < 8; i++)
        if (strcmp(class_at(p, m, x + 0.7 * cos(i), y + 0.7 * sin(i)), found) != 0) return NULL;
    return found;
}

/* ---- what runs do ----------------------------------------------------------------------------------------- */

typedef struct {
    const char *text, *axes;
    const char *at[4];  /* the slice, as asked for; ends with NULL */
    const char *kinds;  /* classes that have to occur in the conjunction */
    int arrows;         /* at least */
    int32_t timeout_ms; /* for proofs, which the picture does not need; 0: as usual */
} scene;

typedef struct {
    hybrid_model m;
    picture p;
    double x[16], inputs[16];
    int32_t states[8];
    double first[16]; /* energies the first real mode left */
    int first_order;
    int looked, grey, red;
} trial;

static void set_states(trial *t, const char *name) {
    const hbg_rt_description *system = t->m.system;
    for (int32_t i = 0; i < system->automaton_count; i++) {
        char wanted[100];
        bool found = false;
        for (int32_t k = 0; k < system->automata[i].state_count; k++) {
            snprintf(wanted, sizeof wanted, "%s=%s", system->automata[i].name, system->automata[i].states[k]);
            const char *at = strstr(name, wanted);
            if (!at || (at > name && at[-1] != ' ') || isalnum((unsigned char)at[strlen(wanted)])) continue;
            t->states[i] = k;
            found = true;
        }
        assert_true(found);
    }
}

static void set_quantity(trial *t, const char *name, double value) {
    const hbg_rt_description *system = t->m.system;
    for (int32_t i = 0; i < system->state_count; i++)
        if (strcmp(system->states[i].name, name) == 0) t->x[i] = value;
    for (int32_t i = 0; i < system->input_count; i++)
        if (strcmp(system->inputs[i].name, name) == 0) t->inputs[i] = value;
}

static void set_slice(trial *t, const scene *s) {
    memset(t->x, 0, sizeof t->x);
    memset(t->inputs, 0, sizeof t->inputs);
    for (int i = 0; s->at[i]; i++) {
        char name[40];
        size_t size = strcspn(s->at[i], "=");
        snprintf(name, sizeof name, "%.*s", (int)size, s->at[i]);
        const char *value = s->at[i] + size + 1;
        set_quantity(t, name, strcmp(value, "true") == 0 ? 1 : strtod(value, NULL));
    }
}

static hbg_rt_instance *make_run(trial *t) {
    const hbg_rt_description *system = t->m.system;
    hbg_rt_instance *run = hbg_code_run(t->m.code);
    assert_non_null(run);
    for (int32_t i = 0; i < system->input_count; i++)
        assert_int_equal(hbg_rt_set_input(run, i, t->inputs[i]), HBG_RT_OK);
    return run;
}

/* Whether a run that begins in these states leaves them in its first pass. */
static bool leaves(trial *t) {
    const hbg_rt_description *system = t->m.system;
    hbg_rt_instance *run = make_run(t);
    double x_plus[16];
    int32_t next[8];
    bool a_priori;
    assert_int_equal(hbg_rt_enter(run, t->states), HBG_RT_OK);
    assert_int_equal(hbg_rt_open(run, 0, t->x, true, NULL, 0), HBG_RT_OK);
    hbg_rt_open_search(run);
    assert_int_equal(hbg_rt_consider(run, t->states, 0, t->x, x_plus, &a_priori), HBG_RT_OK);
    assert_int_equal(hbg_rt_move(run, t->states, next, NULL), HBG_RT_OK);
    hbg_rt_free(run);
    return memcmp(t->states, next, (size_t)system->automaton_count * sizeof *next) != 0;
}

static void note_visit(void *context, const hbg_rt_visit *visit) {
    trial *t = context;
    if (visit->kind == HBG_RT_MYTHICAL || (t->first_order >= 0 && visit->order >= t->first_order)) return;
    t->first_order = visit->order;
    memcpy(t->first, visit->x_plus, (size_t)t->m.system->state_count * sizeof *t->first);
}

static hbg_rt_verdict search(trial *t) {
    static double memory[1 << 16];
    const hbg_rt_description *system = t->m.system;
    hbg_rt_instance *run = make_run(t);
    double x[16];
    int32_t states[8];
    memcpy(x, t->x, sizeof x);
    memcpy(states, t->states, sizeof states);
    hbg_rt_search now = {.system = system,
                         .instance = run,
                         .states = states,
                         .x = x,
                         .scratch = memory,
                         .visit = note_visit,
                         .context = t};
    t->first_order = -1;
    assert_int_equal(hbg_rt_enter(run, states), HBG_RT_OK);
    hbg_rt_status status = hbg_rt_instant(&now, 0, true, NULL, 0);
    assert_true(status == HBG_RT_OK || status == HBG_RT_VERDICT);
    hbg_rt_free(run);
    return now.verdict;
}

/* ---- one against the other -------------------------------------------------------------------------------- */

static void go_to(trial *t, const map *m, double x, double y) {
    const picture *p = &t->p;
    double across = (x - m->frame.left) / (m->frame.right - m->frame.left);
    double up = (m->frame.bottom - y) / (m->frame.bottom - m->frame.top);
    set_quantity(t, p->axes[0], p->low[0] + across * (p->high[0] - p->low[0]));
    set_quantity(t, p->axes[1], p->low[1] + up * (p->high[1] - p->low[1]));
}

static void compare_state(trial *t, const map *m, double x, double y) {
    const char *shown = clear_class_at(&t->p, m, x, y);
    if (!shown) return;
    set_states(t, m->name);
    go_to(t, m, x, y);
    bool left = leaves(t);
    t->looked++;
    t->grey += left;
    if (left != (strcmp(shown, "departed") == 0))
        fail_msg("%s at (%g, %g): shown as \"%s\", a run %s it", m->name, t->x[0], t->x[1], shown,
                 left ? "leaves" : "stays in");
}

static void compare_conjunction(trial *t, double x, double y) {
    const map *m = &t->p.maps[t->p.map_count - 1];
    const char *shown = clear_class_at(&t->p, m, x, y);
    bool endless = false;
    if (!shown) return;
    go_to(t, m, x, y);
    for (int i = 0; i + 1 < t->p.map_count; i++) {
        set_states(t, t->p.maps[i].name);
        endless |= search(t) == HBG_RT_DIVERGENCE;
    }
    t->red += endless;
    if (endless != (strcmp(shown, "endless") == 0 || strcmp(shown, "later") == 0))
        fail_msg("at (%g, %g): shown as \"%s\", a run %s", t->x[0], t->x[1], shown,
                 endless ? "does not end" : "ends");
}

/* Some search that begins at the dot has its first real mode at the tip. */
static void compare_arrow(trial *t, int arrow) {
    const picture *p = &t->p;
    const map *m = &p->maps[p->map_count - 1];
    const hbg_rt_description *system = t->m.system;
    double nearest = INFINITY;
    for (int i = 0; i + 1 < p->map_count; i++) {
        double to[2] = {NAN, NAN};
        set_states(t, p->maps[i].name);
        go_to(t, m, p->from[arrow].x, p->from[arrow].y);
        search(t);
        if (t->first_order < 0) continue;
        for (int32_t k = 0; k < system->state_count; k++)
            for (int axis = 0; axis < 2; axis++)
                if (strcmp(system->states[k].name, p->axes[axis]) == 0) to[axis] = t->first[k];
        double x =
            m->frame.left + (to[0] - p->low[0]) / (p->high[0] - p->low[0]) * (m->frame.right - m->frame.left);
        double y = m->frame.bottom -
                   (to[1] - p->low[1]) / (p->high[1] - p->low[1]) * (m->frame.bottom - m->frame.top);
        nearest = fmin(nearest, hypot(x - p->to[arrow].x, y - p->to[arrow].y));
    }
    if (nearest > 0.1) fail_msg("an arrow ends %g px from where any run goes", nearest);
}

static void draw(trial *t, const scene *s) {
    hbg_session *session;
    hbg_model *model;
    hbg_text svg;
    hbg_answer answer;
    hbg_verify_plot_options options = {
        .axes = s->axes, .format = HBG_DRAW_SVG, .at = s->at, .timeout_ms = s->timeout_ms};
    while (s->at[options.at_count]) options.at_count++;
    assert_int_equal(hbg_session_new(NULL, &session), HBG_OK);
    assert_int_equal(hbg_load_text(session, "t.hbg", s->text, strlen(s->text), NULL, &model), HBG_OK);
    if (hbg_verify_plot(session, model, &options, &answer, &svg) != HBG_OK)
        fail_msg("%s", hbg_session_reason(session));
    memset(&t->p, 0, sizeof t->p);
    for (const char *line = svg.data; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        read_line(&t->p, line);
    }
    hbg_text_free(session, &svg);
    hbg_session_free(session);
}

static void compare(const scene *s) {
    static trial t;
    t.looked = t.grey = t.red = 0;
    draw(&t, s);
    model_open(&t.m, s->text);
    set_slice(&t, s);
    assert_true(t.p.map_count > 1);
    for (int i = 0; i < ACROSS * UP; i++)
        for (int k = 0; k < t.p.map_count; k++) {
            const map *m = &t.p.maps[k];
            double x = m->frame.left + (i % ACROSS + 0.43) / ACROSS * (m->frame.right - m->frame.left);
            double y = m->frame.top + (i / ACROSS + 0.47) / UP * (m->frame.bottom - m->frame.top);
            if (k + 1 < t.p.map_count)
                compare_state(&t, m, x, y);
            else
                compare_conjunction(&t, x, y);
        }
    for (int i = 0; i < t.p.arrow_count; i++) compare_arrow(&t, i);
    model_close(&t.m);
    print_message("%d points, %d left at once, %d without end, %d arrows\n", t.looked, t.grey, t.red,
                  t.p.arrow_count);
    assert_true(t.looked > ACROSS * UP && t.grey > 0 && t.grey < t.looked);
    assert_true((t.red > 0) == (strstr(s->kinds, "red") != NULL));
    assert_true(t.p.arrow_count >= s->arrows);
}

/* ---- models ------------------------------------------------------------------------------------------------ */

#define END "experiment e { stop 0; } }\n"

/* 002, Fig. 6: Figs 7 and 8 */
#define DIODE_RELAY(hold)                                                                                    \
    "model M { param Ith = " hold                                                                            \
    "; I coil(0.01); C store(1e-4); R branch(10); Se drop(-0.6); 1 j_d when diode;\n"                        \
    "0 node_l; 0 node_c; 1 j_r; 0 contacts when !relay; drop -> j_d -> node_l -> coil;\n"                    \
    "j_d -> node_c -> store; node_c -> j_r -> branch; j_r -> contacts;\n"                                    \
    "automaton diode { off blocking -> conducting when node_l.e + node_c.e <= -0.6;\n"                       \
    "on conducting -> blocking when j_d.f < Ith; }\n"                                                        \
    "automaton relay { off open -> closed when store.e > 5; on closed -> open when store.e < 2; }\n" END

static void the_diode_and_the_relay_have_red_only_with_a_holding_current(void **state) {
    (void)state;
    compare(&(scene){DIODE_RELAY("0"), "coil.p,store.q", {NULL}, "", 3, 0});
    compare(&(scene){DIODE_RELAY("0.3"), "coil.p,store.q", {NULL}, "red", 3, 0});
}

/* 000, Fig. 18 with the guards as printed, and with those of Fig. 21 */
#define BALL(extra_on, extra_off)                                                                            \
    "model M { param m = 0.2, g = 9.8, p_th = 0.1; 1 ball; I mass(m); Se gravity(-m*g); Sf floor(0);\n"      \
    "Sf rebound(-pre(ball.f)); 0 contact when touch; 1 elastic when fast; gravity -> ball -> mass;\n"        \
    "floor -> contact -> ball; rebound -> elastic -> contact; state x = 1 : der = ball.f;\n"                 \
    "automaton touch { off away -> there when x <= 0" extra_on                                               \
    "; on there -> away when contact.e <= 0" extra_off "; }\n"                                               \
    "automaton fast { off no -> yes when pre(mass.p) < -p_th; on yes -> no when pre(mass.p) >= -p_th; "      \
    "}\n" END

static void the_ball_is_drawn_as_it_moves(void **state) {
    (void)state;
    compare(&(scene){BALL("", ""), "mass.p,x", {NULL}, "red", 3, 0});
}

static void the_repaired_ball_has_no_red(void **state) {
    (void)state;
    compare(&(scene){BALL(" && pre(mass.p) < 0", " || pre(mass.p) > 0"), "mass.p,x", {NULL}, "", 3, 0});
}

/* Two bodies: the slice is where they touch, and where they do not. */
#define BODIES                                                                                               \
    "model M { 1 b1; 1 b2; I m1(1); I m2(2); 0 contact when touch restitution 0.5; b1 -> m1;\n"              \
    "b1 -> contact -> b2 -> m2; state x1 = 0 : der = b1.f; state x2 = 1 : der = b2.f;\n"                     \
    "automaton touch { off free -> collide when x1 >= x2; on collide -> free when b1.f < b2.f; }\n" END

static void bodies_that_collide_again_and_again_are_red(void **state) {
    (void)state;
    compare(&(scene){BODIES, "m1.p,m2.p", {"x1=0", "x2=0", NULL}, "red", 3, 0});
}

/* The input moves a border; it can be an axis too. */
#define INPUT                                                                                                \
    "model M { input real u = 2; input bool sw = false; C c(1); R r(1); 0 n; 1 j when a; n -> c;\n"          \
    "n -> j -> r; automaton a { off lo -> hi when c.e > u || sw; on hi -> lo when c.e < u + 1 && !sw; }\n"   \
    "state y = 0 : der = c.f;\n" END

static void inputs_are_where_the_slice_is(void **state) {
    (void)state;
    compare(&(scene){INPUT, "c.q,y", {"u=5", NULL}, "red", 0, 0});
    compare(&(scene){INPUT, "c.q,y", {"u=-3", "sw=true", NULL}, "", 0, 0});
    compare(&(scene){INPUT, "c.q,u", {NULL}, "red", 0, 0});
}

/* A loop that is not linear: the resistor's, and that of two capacitors that share their charge. */
#define CUBIC                                                                                                \
    "model M { C c(1); C h(1); 0 n; 0 m; n -> c; m -> h; R r : e = f + f^3; 1 j when d; n -> j -> m; j -> "  \
    "r;\n"                                                                                                   \
    "automaton d { off b -> x when n.e > m.e; on x -> b when j.f < 0.5; }\n" END
#define SHARED                                                                                               \
    "model M { C c(1); C h : e = q + q^3; 0 n; 0 m; n -> c; m -> h; 1 j when k; n -> j -> m;\n"              \
    "automaton k { off o -> x when n.e > m.e + 0.5; on x -> o when n.e < 0.2 && pre(c.e) == pre(h.e); "      \
    "}\n" END

static void loops_that_are_not_linear_are_solved_for_pictures(void **state) {
    (void)state;
    compare(&(scene){CUBIC, "c.q,h.q", {NULL}, "red", 0, 0});
    compare(&(scene){SHARED, "c.q,h.q", {NULL}, "red", 3, 1000});
}

/* What comes again with every turn: without a range the axis is some turns wide, and with one of many turns every stripe is drawn. */
#define ANGLE(range)                                                                                         \
    "model M { I rotor(1); R brake(1); 1 w; w -> rotor; 1 w2 when br; 0 k; w -> k -> w2 -> brake;\n"         \
    "state th = 0 : der = w.f; " range "\n"                                                                  \
    "automaton br { off f -> o when sin(th) > -0.1; on o -> f when cos(th) > -0.1; }\n" END

static void an_angle_comes_again_with_every_turn(void **state) {
    (void)state;
    static trial t;
    compare(&(scene){ANGLE(""), "th,rotor.p", {NULL}, "red", 0, 0});
    compare(&(scene){ANGLE("verify { range th in [-125, 125]; }"), "th,rotor.p", {NULL}, "red", 0, 0});
    draw(&t, &(scene){ANGLE(""), "th,rotor.p", {NULL}, "red", 0, 0});
    assert_true(t.p.low[0] < -6.28 && t.p.low[0] > -13 && t.p.high[0] > 6.28 && t.p.high[0] < 13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_diode_and_the_relay_have_red_only_with_a_holding_current),
        cmocka_unit_test(the_ball_is_drawn_as_it_moves),
        cmocka_unit_test(the_repaired_ball_has_no_red),
        cmocka_unit_test(bodies_that_collide_again_and_again_are_red),
        cmocka_unit_test(inputs_are_where_the_slice_is),
        cmocka_unit_test(loops_that_are_not_linear_are_solved_for_pictures),
        cmocka_unit_test(an_angle_comes_again_with_every_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
