/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Drawings, read back from their SVG: what stands where. */
#include "emit/drawing_impl.h"

/* Se — 1 — 0 — I with a resistor at each junction. */
static void build_chain(fixture *f) {
    graph_init(&f->graph, "Chain", "a source and its load");
    int32_t source = add(f, SE, "V", 12), a = junction(f, ONE, "a"), b = junction(f, ZERO, "b");
    int32_t coil = add(f, I, "L", 0.01), r1 = add(f, R, "R1", 47), r2 = add(f, R, "R2", 1000);
    graph_domain(&f->graph, bond(f, source, a), HBG_DOMAIN_ELECTRICAL);
    bond(f, a, b);
    bond(f, b, coil);
    bond(f, a, r1);
    bond(f, b, r2);
}

/* ---- places ---------------------------------------------------------------------------------------- */

static void chain_is_one_row_with_resistors_above_and_below(void **state) {
    fixture *f = *state;
    build_chain(f);
    draw(f);
    hbg_draw_point source = middle_of(f, "Se : V"), one = middle_of(f, "1"), zero = middle_of(f, "0");
    hbg_draw_point coil = middle_of(f, "I : L"), r1 = middle_of(f, "R : R1"), r2 = middle_of(f, "R : R2");
    assert_true(source.x < one.x && one.x < zero.x && zero.x < coil.x);
    assert_true(fabs(one.y - zero.y) < 0.1 && fabs(source.y - one.y) < 2 && fabs(coil.y - zero.y) < 2);
    assert_true(fabs(r1.x - one.x) < 0.1 && r1.y < one.y - 20);
    assert_true(fabs(r2.x - zero.x) < 0.1 && r2.y > zero.y + 20);
    /* all five bonds are straight: tail, tip, barb */
    assert_int_equal(f->picture.path_count, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(f->picture.paths[i].count, 3);
}

static void ladder_of_twelve_junctions_is_one_row(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Ladder", NULL);
    int32_t before = add(f, SE, "source", 1);
    for (int k = 0; k < 12; k++) {
        char name[32];
        snprintf(name, sizeof name, "j%d", k);
        int32_t next = junction(f, k % 2 ? ZERO : ONE, name);
        bond(f, before, next);
        snprintf(name, sizeof name, "x%d", k);
        bond(f, next, add(f, k % 2 ? C : I, name, 1e-3));
        before = next;
    }
    draw(f);
    double y = -1;
    for (int i = 0; i < f->picture.text_count; i++) {
        if (strcmp(f->picture.texts[i].class_name, "digit") != 0) continue;
        if (y >= 0) assert_true(fabs(f->picture.texts[i].box.top - y) < 0.1);
        y = f->picture.texts[i].box.top;
    }
}

/* ---- bonds ----------------------------------------------------------------------------------------- */

static double gap(hbg_draw_point a, hbg_draw_point b) {
    return hypot(a.x - b.x, a.y - b.y);
}

static void half_arrow_points_at_its_target(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Arrow", NULL);
    int32_t one = junction(f, ONE, "j"), zero = junction(f, ZERO, "k");
    bond(f, zero, one);
    bond(f, add(f, SE, "s", 1), one);
    bond(f, zero, add(f, C, "c", 1));
    draw(f);
    const picture_path *path = &f->picture.paths[0];
    hbg_draw_point tip = path->points[path->count - 2];
    assert_true(gap(tip, middle_of(f, "1")) < gap(tip, middle_of(f, "0")));
    assert_true(gap(path->points[0], middle_of(f, "0")) < gap(path->points[0], middle_of(f, "1")));
}

/* Below a bond that lies, right of one that stands, whichever way it points. */
static void barbs_stand_on_the_side_of_the_flow(void **state) {
    fixture *f = *state;
    build_chain(f);
    int32_t extra = add(f, SE, "back", 1), far = junction(f, ONE, "far");
    bond(f, far, 2);
    bond(f, extra, far);
    draw(f);
    int lying = 0, standing = 0;
    for (int i = 0; i < f->picture.path_count; i++) {
        const picture_path *path = &f->picture.paths[i];
        hbg_draw_point before = path->points[path->count - 3], tip = path->points[path->count - 2];
        hbg_draw_point barb = path->points[path->count - 1];
        assert_true(gap(tip, barb) > 8 && gap(tip, barb) < 12);
        assert_true(gap(before, barb) < gap(before, tip));
        if (fabs(before.y - tip.y) < 0.1) {
            assert_true(barb.y > tip.y + 3);
            lying++;
        }
        if (fabs(before.x - tip.x) < 0.1) {
            assert_true(barb.x > tip.x + 3);
            standing++;
        }
    }
    assert_true(lying >= 3 && standing >= 2);
}

/* Bond 0 goes from the source on the left to the junction. */
static void causal_stroke_stands_across_the_end_it_was_asked_for(void **state) {
    fixture *f = *state;
    build_chain(f);
    for (int end = 0; end < 2; end++) {
        int8_t strokes[5] = {(int8_t)end, -1, -1, -1, -1};
        f->options.stroke = strokes;
        draw(f);
        const picture_path *bond_path = &f->picture.paths[0], *bar = &f->picture.paths[1];
        /* and two in the legend */
        assert_int_equal(f->picture.path_count, 8);
        assert_non_null(strstr(bar->class_name, "stroke"));
        assert_true(fabs(bar->points[0].x - bar->points[1].x) < 0.1);
        assert_true(fabs(bar->points[0].y + bar->points[1].y - 2 * bond_path->points[0].y) < 0.1);
        assert_true(gap(bar->points[0], bar->points[1]) > 10);
        assert_true(fabs(bar->points[0].x - bond_path->points[end].x) < 3);
    }
    f->options.stroke = NULL;
    draw(f);
    assert_int_equal(f->picture.path_count, 5);
}

static void names_of_bonds_stand_beside_them(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Names", NULL);
    int32_t loop = junction(f, ONE, "loop");
    graph_bond(&f->graph, "b1", add(f, SE, "V", 1), loop);
    graph_bond(&f->graph, "b2", loop, add(f, R, "R", 1));
    graph_bond(&f->graph, "b3", loop, add(f, C, "C", 1));
    graph_bond(&f->graph, "a_long_name", loop, add(f, I, "L", 1));
    draw(f);
    static const char *const names[] = {"b1", "b2", "b3", "a_long_name"};
    for (int i = 0; i < 4; i++) {
        const picture_path *path = &f->picture.paths[i];
        hbg_draw_point middle = {(path->points[0].x + path->points[1].x) / 2,
                                 (path->points[0].y + path->points[1].y) / 2};
        assert_true(gap(middle_of(f, names[i]), middle) < 20);
    }
}

static void parallel_bonds_lie_side_by_side(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Parallel", NULL);
    int32_t one = junction(f, ONE, "a"), zero = junction(f, ZERO, "b");
    bond(f, one, zero);
    bond(f, one, zero);
    bond(f, zero, one);
    bond(f, add(f, SE, "s", 1), one);
    draw(f);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            assert_true(fabs(f->picture.paths[i].points[0].y - f->picture.paths[k].points[0].y) > 8);
}

static void ports_of_a_field_are_numbered(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Field", NULL);
    hbg_model *model = f->graph.model;
    int32_t field = hbg_model_add_element(model, graph_id(&f->graph, 0, "winding"), I, 2);
    hbg_expr entries[4];
    for (int i = 0; i < 4; i++) entries[i] = graph_number(&f->graph, i % 3 == 0 ? 1 : 0.5);
    model->elements.items[field].first_value = model->entries.count;
    model->elements.items[field].value_count = 4;
    for (int i = 0; i < 4; i++) HBG_PUSH(&f->graph.arena, model->entries, entries[i]);
    int32_t p = junction(f, ONE, "p"), s = junction(f, ONE, "s");
    bond(f, add(f, SE, "mains", 325), p);
    graph_bond_at(&f->graph, "", p, 0, field, 1);
    graph_bond_at(&f->graph, "", s, 0, field, 2);
    bond(f, s, add(f, R, "load", 10));
    draw(f);
    assert_true(has(f, "2") && has(f, "2 × 2"));
    hbg_draw_point winding = middle_of(f, "I : winding");
    assert_true(gap(middle_of(f, "2"), winding) < gap(middle_of(f, "2"), middle_of(f, "R : load")));
}

/* ---- texts ----------------------------------------------------------------------------------------- */

static void values_have_units_of_their_domain(void **state) {
    fixture *f = *state;
    build_chain(f);
    draw(f);
    assert_true(has(f, "12 V") && has(f, "47 Ω") && has(f, "1 kΩ") && has(f, "10 mH"));
    f->options.values = false;
    draw(f);
    assert_false(has(f, "12 V"));
    assert_true(has(f, "Se : V"));
}

static void element_that_reads_time_is_modulated_and_one_with_a_law_of_its_own_is_not(void **state) {
    fixture *f = *state;
    graph *g = &f->graph;
    graph_init(g, "Modulated", NULL);
    hbg_model *model = g->model;
    int32_t loop = junction(f, ONE, "loop");
    int32_t time = graph_op(g, HBG_OP_TIME, HBG_NONE, HBG_NONE);
    int32_t source = graph_element(g, 0, SE, "wave", graph_op(g, HBG_OP_SIN, time, HBG_NONE));
    int32_t cubic = graph_element(g, 0, R, "cubic", HBG_NONE);
    hbg_expr flow = graph_op(g, HBG_OP_FLOW, cubic, 1);
    hbg_expr law = graph_op(g, HBG_OP_POWER_OF, flow, graph_number(g, 3));
    model->elements.items[cubic].first_law = model->bindings.count;
    model->elements.items[cubic].law_count = 1;
    HBG_PUSH(&g->arena, model->bindings, (hbg_binding){HBG_VARIABLE_EFFORT, 1, law, NOWHERE});
    int32_t foreign = graph_element(g, 0, R, "foreign", graph_op(g, HBG_OP_EFFORT, cubic, 1));
    bond(f, source, loop);
    bond(f, loop, cubic);
    bond(f, loop, foreign);
    draw(f);
    assert_true(has(f, "MSe : wave") && has(f, "sin(time)"));
    assert_true(has(f, "R : cubic") && has(f, "e = f^3"));
    assert_true(has(f, "MR : foreign") && has(f, "cubic.e"));
}

static void controlled_junction_is_marked_with_its_condition(void **state) {
    fixture *f = *state;
    graph *g = &f->graph;
    graph_init(g, "Contact", NULL);
    int32_t touch = junction(f, ZERO, "touch"), ball = junction(f, ONE, "ball");
    bond(f, ball, touch);
    bond(f, ball, add(f, I, "m", 1));
    bond(f, touch, add(f, C, "k", 1));
    hbg_expr speed = graph_op(g, HBG_OP_FLOW, ball, 0);
    hbg_expr falling = graph_op(g, HBG_OP_LESS, speed, graph_number(g, 0));
    hbg_expr rising = graph_op(g, HBG_OP_GREATER, speed, graph_number(g, 0));
    int32_t automaton = graph_automaton(g, 0, "hit", "free", "contact", falling, rising);
    graph_control(g, touch, automaton);
    g->model->elements.items[touch].dual_off = true;
    g->model->elements.items[touch].restitution = graph_number(g, 0.8);
    draw(f);
    assert_non_null(strstr(f->svg.data, "<circle class=\"control\""));
    assert_true(has(f, "when hit") && has(f, "off flow") && has(f, "restitution 0.8"));
    assert_true(has(f, "hit") && has(f, "contact") && has(f, "→ contact when ball.f < 0"));
    f->options.automata = false;
    draw(f);
    assert_true(has(f, "when hit"));
    assert_false(has(f, "contact"));
}

static void title_and_description_are_escaped_and_wrapped(void **state) {
    fixture *f = *state;
    build_chain(f);
    f->graph.model->doc =
        "if a < b && \"c\" > 'd' then </svg><script>alert(1)</script> and so on, with many more words "
        "than fit on one line of this small drawing \xff\x01.\nA second sentence";
    draw(f);
    assert_null(strstr(f->svg.data, "<script>"));
    int lines = 0;
    for (int i = 0; i < f->picture.text_count; i++)
        lines += strcmp(f->picture.texts[i].class_name, "caption") == 0;
    assert_true(lines >= 3);
    assert_true(has(f, "Chain"));
    assert_non_null(strstr(f->svg.data, "A second sentence"));
}

static void description_of_a_megabyte_takes_eight_lines(void **state) {
    fixture *f = *state;
    build_chain(f);
    char *doc = malloc(1000001);
    for (int i = 0; i < 1000000; i++) doc[i] = i % 7 ? 'x' : ' ';
    doc[1000000] = '\0';
    f->graph.model->doc = doc;
    draw(f);
    free(doc);
    int lines = 0;
    const char *last = "";
    for (int i = 0; i < f->picture.text_count; i++) {
        if (strcmp(f->picture.texts[i].class_name, "caption") != 0) continue;
        lines++;
        last = f->picture.texts[i].text;
    }
    assert_int_equal(lines, 8);
    assert_string_equal(last + strlen(last) - strlen("…"), "…");
}

/* ---- components and domains ------------------------------------------------------------------------ */

/* A battery, and a motor with two parts inside. */
static void build_drive(fixture *f) {
    graph *g = &f->graph;
    graph_init(g, "Drive", NULL);
    int32_t battery = graph_scope(g, 0, "battery", "Battery"), motor = graph_scope(g, 0, "motor", "Motor");
    int32_t coil = graph_scope(g, motor, "coil", "Coil"), rotor = graph_scope(g, motor, "rotor", "Rotor");
    graph_scope(g, motor, "idle", "Controller");
    int32_t cell = graph_element(g, battery, SE, "cell", graph_number(g, 24));
    int32_t jb = graph_junction(g, battery, ONE, "jb"), ja = graph_junction(g, coil, ONE, "ja");
    int32_t inductance = graph_element(g, coil, I, "La", graph_number(g, 2e-3));
    int32_t gyrator = graph_element(g, motor, HBG_KIND_GY, "km", graph_number(g, 0.05));
    int32_t jr = graph_junction(g, rotor, ONE, "jr");
    int32_t mass = graph_element(g, rotor, I, "J", graph_number(g, 1e-4));
    graph_domain(g, bond(f, cell, jb), HBG_DOMAIN_ELECTRICAL);
    bond(f, jb, ja);
    bond(f, ja, inductance);
    bond(f, ja, gyrator);
    graph_domain(g, bond(f, gyrator, jr), HBG_DOMAIN_ROTATIONAL);
    bond(f, jr, mass);
}

/* The box whose caption this is. */
static hbg_draw_box component(const fixture *f, const char *caption) {
    hbg_draw_point at = middle_of(f, caption);
    hbg_draw_box found = {0, 0, f->picture.width, f->picture.height};
    for (int i = 0; i < f->picture.rect_count; i++) {
        hbg_draw_box box = f->picture.rects[i];
        bool holds = box.left < at.x && at.x < box.right && box.top < at.y && at.y < box.bottom;
        if (holds && box.right - box.left < found.right - found.left) found = box;
    }
    return found;
}

static bool inside(hbg_draw_point point, hbg_draw_box box) {
    return point.x > box.left && point.x < box.right && point.y > box.top && point.y < box.bottom;
}

static void components_are_boxes_around_their_own_elements(void **state) {
    fixture *f = *state;
    build_drive(f);
    draw(f);
    hbg_draw_box battery = component(f, "battery : Battery"), motor = component(f, "motor : Motor");
    hbg_draw_box coil = component(f, "coil : Coil"), rotor = component(f, "rotor : Rotor");
    assert_true(inside(middle_of(f, "Se : cell"), battery) && !inside(middle_of(f, "Se : cell"), motor));
    assert_true(inside(middle_of(f, "I : La"), coil) && inside(middle_of(f, "I : La"), motor));
    assert_true(inside(middle_of(f, "I : J"), rotor) && !inside(middle_of(f, "I : J"), coil));
    hbg_draw_point gyrator = middle_of(f, "GY : km");
    assert_true(inside(gyrator, motor) && !inside(gyrator, coil) && !inside(gyrator, rotor));
    assert_false(hbg_draw_box_overlap(battery, motor));
    assert_false(hbg_draw_box_overlap(coil, rotor));
    /* a component without elements is not drawn */
    assert_false(has(f, "idle : Controller"));
}

static void domains_have_colours_and_a_legend_if_there_are_several(void **state) {
    fixture *f = *state;
    build_drive(f);
    draw(f);
    assert_true(has(f, "electrical") && has(f, "rotational"));
    assert_non_null(strstr(f->picture.paths[0].class_name, "electrical"));
    assert_non_null(strstr(f->picture.paths[5].class_name, "rotational"));
    graph_fini(&f->graph);
    build_chain(f);
    draw(f);
    assert_false(has(f, "electrical"));
    assert_string_equal(f->picture.paths[0].class_name, "bond");
}

static void control_is_named_as_seen_from_its_component(void **state) {
    fixture *f = *state;
    build_drive(f);
    hbg_expr time = graph_op(&f->graph, HBG_OP_TIME, HBG_NONE, HBG_NONE);
    hbg_expr guard = graph_op(&f->graph, HBG_OP_GREATER, time, graph_number(&f->graph, 1));
    hbg_expr back = graph_op(&f->graph, HBG_OP_NOT, guard, HBG_NONE);
    int32_t rotor = 4, jr = 5;
    assert_int_equal(f->graph.model->elements.items[jr].id.scope, rotor);
    graph_control(&f->graph, jr, graph_automaton(&f->graph, rotor, "brake", "held", "loose", guard, back));
    draw(f);
    assert_true(has(f, "when brake") && has(f, "motor.rotor.brake"));
}

static void components_nested_a_hundred_deep_are_drawn(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Deep", NULL);
    int32_t scope = 0, before = graph_element(&f->graph, 0, SE, "s", graph_number(&f->graph, 1));
    for (int i = 0; i < 100; i++) {
        char name[32];
        snprintf(name, sizeof name, "level%d", i);
        scope = graph_scope(&f->graph, scope, name, "Level");
        int32_t next = graph_junction(&f->graph, scope, i % 2 ? ZERO : ONE, "j");
        bond(f, before, next);
        before = next;
    }
    draw(f);
    assert_true(has(f, "level0 : Level"));
}

/* ---- failures --------------------------------------------------------------------------------------- */

static void model_without_elements_is_a_page_with_a_title(void **state) {
    fixture *f = *state;
    graph_init(&f->graph, "Nothing", NULL);
    draw(f);
    assert_true(has(f, "Nothing"));
    assert_int_equal(f->picture.text_count, 1);
}

static void missing_layout_program_is_named_and_nothing_is_written(void **state) {
    fixture *f = *state;
    build_chain(f);
    hbg_model_check(f->graph.model);
    hbg_base_buffer_init(&f->svg, &f->graph.arena);
    hbg_base_buffer_text(&f->svg, "before");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    hbg_status status = hbg_emit_diagram(f->graph.model, &f->options, &f->svg, &f->graph.reason);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, HBG_NO_PROGRAM);
    assert_string_equal(f->graph.reason, "the program `dot` is missing: install the package graphviz");
    assert_string_equal(f->svg.data, "before");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(chain_is_one_row_with_resistors_above_and_below),
        TEST(ladder_of_twelve_junctions_is_one_row),
        TEST(half_arrow_points_at_its_target),
        TEST(barbs_stand_on_the_side_of_the_flow),
        TEST(causal_stroke_stands_across_the_end_it_was_asked_for),
        TEST(names_of_bonds_stand_beside_them),
        TEST(parallel_bonds_lie_side_by_side),
        TEST(ports_of_a_field_are_numbered),
        TEST(values_have_units_of_their_domain),
        TEST(element_that_reads_time_is_modulated_and_one_with_a_law_of_its_own_is_not),
        TEST(controlled_junction_is_marked_with_its_condition),
        TEST(title_and_description_are_escaped_and_wrapped),
        TEST(description_of_a_megabyte_takes_eight_lines),
        TEST(components_are_boxes_around_their_own_elements),
        TEST(domains_have_colours_and_a_legend_if_there_are_several),
        TEST(control_is_named_as_seen_from_its_component),
        TEST(components_nested_a_hundred_deep_are_drawn),
        TEST(model_without_elements_is_a_page_with_a_title),
        TEST(missing_layout_program_is_named_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
