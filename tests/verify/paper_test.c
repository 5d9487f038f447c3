/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The composition of 003's constitutive processes: the rows of every element, and what comes out of the examples of the paper. Counts and
 * jumps are derived by hand from the laws of pulses; a row that is changed changes one of them. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "emit/emit.h"
#include "verify/composed_impl.h"
#include "verify/process_check_impl.h"

/* Predicates as text, "; " between them. */
static const char *text_of(fixture *t, const hbg_paper *of, const hbg_process_all *all) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, &t->m.arena);
    for (int32_t i = 0; i < all->count; i++) {
        if (i > 0) hbg_base_buffer_text(&text, "; ");
        hbg_emit_process_term(&of->process, all->items[i], &text);
    }
    return text.data ? text.data : "";
}

static void is(fixture *t, const hbg_paper *of, const hbg_process_all *all, const char *expected) {
    assert_string_equal(text_of(t, of, all), expected);
}

static const hbg_paper_part *part(const hbg_paper *of, const char *name) {
    for (int32_t i = 0; i < of->parts.count; i++)
        if (strcmp(of->parts.items[i].name, name) == 0) return &of->parts.items[i];
    for (int32_t i = 0; i < of->others.count; i++)
        if (strcmp(of->others.items[i].name, name) == 0) return &of->others.items[i];
    fail_msg("there is no part %s", name);
    return NULL;
}

static int32_t clause(const hbg_paper *of, const char *mode) {
    for (int32_t i = 0; i < of->clauses.count; i++)
        if (strcmp(of->clauses.items[i].mode, mode) == 0) return i;
    fail_msg("there is no clause for %s", mode);
    return HBG_NONE;
}

static const hbg_paper_alternative *between(const hbg_paper *of, const char *before, const char *after) {
    for (int32_t i = 0; i < of->alternatives.count; i++)
        if (of->alternatives.items[i].before == clause(of, before) &&
            of->alternatives.items[i].after == clause(of, after))
            return &of->alternatives.items[i];
    fail_msg("there is no alternative from %s to %s", before, after);
    return NULL;
}

static bool jumps(const hbg_paper *of, const char *from, const char *to) {
    bool any = false;
    for (int32_t i = 0; i < of->edges.count; i++) {
        const hbg_paper_edge *at = &of->edges.items[i];
        bool own =
            at->from == clause(of, from) && of->alternatives.items[at->alternative].after == clause(of, to);
        any = any || (own && at->jumps == HBG_PROVED);
    }
    return any;
}

static int32_t jumping_edges(const hbg_paper *of) {
    int32_t count = 0;
    for (int32_t i = 0; i < of->edges.count; i++) count += of->edges.items[i].jumps != HBG_VIOLATED;
    return count;
}

static bool has_note(const hbg_paper *of, const char *words) {
    for (int32_t i = 0; i < of->notes.count; i++)
        if (strstr(of->notes.items[i], words)) return true;
    return false;
}

/* ---- rows of elements ------------------------------------------------------------------------------------------------------ */

static const char elements[] = "Se e(2); Sf f(3); R r(5); C c(7); I i(11); TF n(13); GY g(17); 1 a; 0 b;\n"
                               "be: e -> a; br: a -> r; bi: a -> i; bn: a -> n; bm: n -> b; bc: b -> c; bf: "
                               "f -> b; bg: b -> g; bh: g -> k;\n"
                               "0 k; C d(1); bd: k -> d; state s = 0 : der = 2*bi.f - s;\n";

static void element_rows_are_those_of_the_table(void **state) {
    (void)state;
    static const struct {
        const char *name, *jump, *clause;
    } rows[] = {
        {"e", "impulse(be.e) == 0; work(be) == 2*impulse(be.f)", "be.e == 2"},
        {"f", "impulse(bf.f) == 0; work(bf) == 3*impulse(bf.e)", "bf.f == 3"},
        {"r", "impulse(br.e) == 0; impulse(br.f) == 0; work(br) == 0", "br.e == 5*br.f"},
        {"c",
         "impulse(bc.f) == new(c.q) - old(c.q); impulse(bc.e) == 0; work(bc) == (new(c.q)^2 - "
         "old(c.q)^2)/(2*7)",
         "der(c.q) == bc.f; c.q == 7*bc.e"},
        {"i",
         "impulse(bi.e) == new(i.p) - old(i.p); impulse(bi.f) == 0; work(bi) == (new(i.p)^2 - "
         "old(i.p)^2)/(2*11)",
         "der(i.p) == bi.e; i.p == 11*bi.f"},
        {"n", "impulse(bn.e) == 13*impulse(bm.e); impulse(bm.f) == 13*impulse(bn.f); work(bn) == work(bm)",
         "bn.e == 13*bm.e; bm.f == 13*bn.f"},
        {"g", "impulse(bg.e) == 17*impulse(bh.f); impulse(bh.e) == 17*impulse(bg.f); work(bg) == work(bh)",
         "bg.e == 17*bh.f; bh.e == 17*bg.f"},
        {"a",
         "impulse(be.e) - impulse(bi.e) - impulse(bn.e) - impulse(br.e) == 0; impulse(bi.f) == "
         "impulse(be.f); impulse(bn.f) == "
         "impulse(be.f); impulse(br.f) == impulse(be.f); work(be) - work(bi) - work(bn) - work(br) == 0",
         "be.e - bi.e - bn.e - br.e == 0; bi.f == be.f; bn.f == be.f; br.f == be.f"},
        {"b",
         "impulse(bf.f) + impulse(bm.f) - impulse(bc.f) - impulse(bg.f) == 0; impulse(bf.e) == "
         "impulse(bc.e); impulse(bg.e) == "
         "impulse(bc.e); impulse(bm.e) == impulse(bc.e); work(bf) + work(bm) - work(bc) - work(bg) == 0",
         "bf.f + bm.f - bc.f - bg.f == 0; bf.e == bc.e; bg.e == bc.e; bm.e == bc.e"},
        {"s", "new(s) - old(s) == 2*impulse(bi.f)", "der(s) == 2*bi.f - s"},
    };
    fixture t;
    hbg_paper of = composed(&t, elements, HBG_PAPER_SETTLED);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hbg_paper_part *at = part(&of, rows[i].name);
        assert_int_equal(at->rows.count, 1);
        is(&t, &of, &at->rows.items[0].before, "");
        is(&t, &of, &at->rows.items[0].jump, rows[i].jump);
        is(&t, &of, &at->rows.items[0].clause, rows[i].clause);
    }
    assert_int_equal(part(&of, "d")->like, 2); // after a and b, the third part is c
    end(&t);
}

/* Fields have vectors of pulses and one work; heat is energy by itself; a ratio that moves, and the value of an input, count as they are behind
 * the jump; a Sw is a source of effort 0 behind a 1/F junction. */
static void rows_of_what_is_no_plain_element(void **state) {
    (void)state;
    static const struct {
        const char *model, *name, *jump, *clause;
    } rows[] = {
        {"I w[2]([[2, 1], [1, 3]]); 1 a; 1 b; Se e(1); R r(1); e -> a; b1: a -> w[1]; b2: b -> w[2]; b -> "
         "r;\n",
         "w",
         "impulse(b1.e) == new(w[1].p) - old(w[1].p); impulse(b1.f) == 0; impulse(b2.e) == new(w[2].p) - "
         "old(w[2].p); "
         "impulse(b2.f) == 0; work(b1) + work(b2) == new(w.energy) - old(w.energy)",
         "der(w[1].p) == b1.e; der(w[2].p) == b2.e; w[1].p == 2*b1.f + b2.f; w[2].p == b1.f + 3*b2.f"},
        {"Se hot(300 [K]); C room(5 [J/K]); R wall(2 [K/W]); 1 link; 0 air; h: hot -> link; link -> wall; "
         "link -> air; b: air -> room;\n",
         "room",
         "impulse(b.f) == new(room.q) - old(room.q); impulse(b.e) == 0; work(b) == new(room.q) - old(room.q)",
         "der(room.q) == b.f; room.q == 5*b.e"},
        {"Se hot(300 [K]); C room(5 [J/K]); R wall(2 [K/W]); 1 link; 0 air; h: hot -> link; link -> wall; "
         "link -> air; b: air -> room;\n",
         "hot", "impulse(h.e) == 0; work(h) == impulse(h.f)", "h.e == 300"},
        {"input real u = 1; Se e(2); I m(3); 1 a; 1 b; TF t(2 + s); Se w(u); e -> a; a -> m; b1: a -> t; b2: "
         "t -> b; R r(1); b -> r; c: w "
         "-> b; state s = 0 : der = 1;\n",
         "t",
         "impulse(b1.e) == (2 + new(s))*impulse(b2.e); impulse(b2.f) == (2 + new(s))*impulse(b1.f); work(b1) "
         "== work(b2)",
         "b1.e == (2 + s)*b2.e; b2.f == (2 + s)*b1.f"},
        {"input real u = 1; Se w(u); 1 b; R r(1); c: w -> b; b -> r;\n", "w",
         "impulse(c.e) == 0; work(c) == new(u)*impulse(c.f)", "c.e == u"},
        {"input bool u = false; Sf i(1); C c(1); 0 n; Sw s when a; i -> n; n -> c; n -> s; automaton a { off "
         "no -> yes when u; on yes -> no when "
         "!u; }\n",
         "s.zero", "impulse(s.zero.e) == 0; work(s.zero) == 0", "s.zero.e == 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture t;
        hbg_paper of = composed_by(&t, rows[i].model, (hbg_paper_request){.composition_only = true});
        const hbg_paper_part *at = part(&of, rows[i].name);
        assert_int_equal(at->rows.count, 1);
        is(&t, &of, &at->rows.items[0].jump, rows[i].jump);
        is(&t, &of, &at->rows.items[0].clause, rows[i].clause);
        if (strcmp(rows[i].name, "s.zero") == 0) assert_string_equal(part(&of, "s")->kind, "1/F junction");
        end(&t);
    }
}

static void printed_sources_have_no_pulses(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed_by(&t, elements,
                               (hbg_paper_request){.reading = HBG_PAPER_PRINTED, .composition_only = true});
    is(&t, &of, &part(&of, "e")->rows.items[0].jump, "impulse(be.e) == 0; impulse(be.f) == 0; work(be) == 0");
    is(&t, &of, &part(&of, "f")->rows.items[0].jump, "impulse(bf.f) == 0; impulse(bf.e) == 0; work(bf) == 0");
    assert_int_equal(of.clauses.count, 0);
    end(&t);
}

#define SWITCHED(junction)                                                                                   \
    "input bool u = false; Se e(2); R r(5); " junction "; be: e -> j; br: j -> r;\n"                         \
    "automaton a { on yes -> no when !u; off no -> yes when u; }\n"

/* Five rows: before, after, pulses, work, clause. */
static void controlled_junctions_have_five_rows(void **state) {
    (void)state;
    static const struct {
        const char *junction, *kind, *on, *on_clause, *off, *off_clause;
    } kinds[] = {
        {"0 j when a", "0/E junction", "impulse(be.f) - impulse(br.f) == 0; impulse(br.e) == impulse(be.e)",
         "be.f - br.f == 0; br.e == be.e", "impulse(be.e) == 0; impulse(br.e) == 0", "be.e == 0; br.e == 0"},
        {"0 j when a off flow", "0/F junction",
         "impulse(be.f) - impulse(br.f) == 0; impulse(br.e) == impulse(be.e)",
         "be.f - br.f == 0; br.e == be.e", "impulse(be.f) == 0; impulse(br.f) == 0", "be.f == 0; br.f == 0"},
        {"1 j when a", "1/F junction", "impulse(be.e) - impulse(br.e) == 0; impulse(br.f) == impulse(be.f)",
         "be.e - br.e == 0; br.f == be.f", "impulse(be.f) == 0; impulse(br.f) == 0", "be.f == 0; br.f == 0"},
        {"1 j when a off effort", "1/E junction",
         "impulse(be.e) - impulse(br.e) == 0; impulse(br.f) == impulse(be.f)",
         "be.e - br.e == 0; br.f == be.f", "impulse(be.e) == 0; impulse(br.e) == 0", "be.e == 0; br.e == 0"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char text[400], expected[400];
        fixture t;
        snprintf(text, sizeof text,
                 "input bool u = false; Se e(2); R r(5); %s; be: e -> j; br: j -> r;\n"
                 "automaton a { on yes -> no when !u; off no -> yes when u; }\n",
                 kinds[i].junction);
        hbg_paper of = composed_by(&t, text, (hbg_paper_request){.composition_only = true});
        const hbg_paper_part *at = part(&of, "j");
        const hbg_paper_row *rows = at->rows.items;
        assert_string_equal(at->kind, kinds[i].kind);
        assert_int_equal(at->rows.count, 5);
        static const char *const before[] = {"old(u)", "!old(u)", "!old(u)", "old(u)", "old(u)"};
        for (int k = 0; k < 5; k++) {
            bool on = k == 0 || k == 2;
            is(&t, &of, &rows[k].before, before[k]);
            snprintf(expected, sizeof expected, on ? "u; %s" : "!u; %s",
                     on ? kinds[i].on_clause : kinds[i].off_clause);
            is(&t, &of, &rows[k].clause, expected);
            const char *none = "impulse(be.e) == 0; impulse(be.f) == 0; impulse(br.e) == 0; impulse(br.f) == "
                               "0; work(be) == 0; work(br) == 0";
            snprintf(expected, sizeof expected, "%s; work(be) - work(br) %s 0",
                     k == 4 ? kinds[i].off : kinds[i].on, k == 0 ? "==" : ">=");
            is(&t, &of, &rows[k].jump, k == 1 ? none : expected);
        }
        end(&t);
    }
}

static void as_printed_a_junction_has_four_rows(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed_by(&t, SWITCHED("1 j when a"),
                               (hbg_paper_request){.reading = HBG_PAPER_PRINTED, .composition_only = true});
    assert_int_equal(part(&of, "j")->rows.count, 4);
    end(&t);
    of = composed_by(&t, SWITCHED("1 j when a"),
                     (hbg_paper_request){.reading = HBG_PAPER_LOOSE, .composition_only = true});
    is(&t, &of, &part(&of, "j")->rows.items[0].jump,
       "impulse(br.f) == impulse(be.f); work(be) - work(br) == 0");
    end(&t);
}

static const char ball[] =
    "1 ball; I mass(1); Se gravity(-10); Sf floor(0); 0 contact when touch restitution %s;\n"
    "bg: gravity -> ball; bm: ball -> mass; bf: floor -> contact; bc: contact -> ball; state x = 1.25 : der "
    "= ball.f;\n"
    "automaton touch { off flying -> bouncing when x <= 0 && mass.p < 0; on bouncing -> flying when mass.p > "
    "0; }\n";

/* Stay, and impact: v+ = -eps v-; the floor stands still, so that the energy of the ball does not grow. */
static void restitution_has_two_rows(void **state) {
    (void)state;
    char text[600];
    fixture t;
    snprintf(text, sizeof text, ball, "0.8");
    hbg_paper of = composed(&t, text, HBG_PAPER_SETTLED);
    const hbg_paper_part *at = part(&of, "contact");
    assert_int_equal(at->rows.count, 2);
    is(&t, &of, &at->rows.items[1].before, "old(x) >= 0 || old(mass.p) >= 0; old(x) <= 0; old(mass.p) <= 0");
    is(&t, &of, &at->rows.items[1].jump,
       "impulse(bf.f) - impulse(bc.f) == 0; impulse(bf.e) == impulse(bc.e); work(bf) - work(bc) >= 0; "
       "new(bf.f) - new(bc.f) == -(0.8*(old(bf.f) - old(bc.f)))");
    assert_int_equal(of.clauses.count, 1);
    assert_int_equal(of.alternatives.count, 2);
    assert_int_equal(of.jumps.count, 2);
    assert_non_null(strstr(text_of(&t, &of, &of.jumps.items[1].cases.items[0].equations),
                           "new(mass.p) == -(0.8*old(mass.p))"));
    assert_true(jumps(&of, "touch=flying", "touch=flying"));
    assert_true(differs(&of, HBG_DIFFERENCE_D12, "contact"));
    end(&t);
}

static void a_chosen_restitution_is_a_variable_of_the_jump(void **state) {
    (void)state;
    char text[600];
    fixture t;
    snprintf(text, sizeof text, ball, "0.5 .. 0.9");
    hbg_paper of = composed(&t, text, HBG_PAPER_SETTLED);
    const char *jump = text_of(&t, &of, &part(&of, "contact")->rows.items[1].jump);
    assert_non_null(strstr(jump, "eps(contact) >= 0.5; eps(contact) <= 0.9; new(bf.f) - new(bc.f) == "
                                 "-(eps(contact)*(old(bf.f) - old(bc.f)))"));
    assert_int_equal(of.alternatives.count, 2);
    assert_true(jumps(&of, "touch=flying", "touch=flying"));
    end(&t);
}

/* ---- 003, section 6.1 ------------------------------------------------------------------------------------------------------- */

static const char module[] =
    "1 head; 1 board; I mass_s(0.05); I mass_p(0.1); Se push(5); C support(0.0005); R losses(1); 1 contact "
    "when touch off effort;\n"
    "b1: head -> mass_s; b2: push -> head; b3: head -> contact; b4: contact -> board; b5: board -> mass_p; "
    "b6: board -> support;\n"
    "b7: board -> losses; state q_1 = 0 : der = head.f; state q_5 = 0.001 : der = board.f;\n"
    "signal a_s = (b1.e + b3.e)/0.05; signal a_p = (b5.e - b4.e)/0.1;\n"
    "automaton touch { off apart -> together when q_1 >= q_5 && (head.f > board.f || head.f >= board.f && "
    "a_s > a_p);\n"
    "on together -> apart when a_s < a_p; }\n";

static void the_impact_module_comes_out(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed(&t, module, HBG_PAPER_SETTLED);
    assert_null(of.reason);
    assert_int_equal(of.parts.count, 8);
    assert_int_equal(of.clauses.count, 2);
    assert_int_equal(of.composed, 5);
    assert_int_equal(of.alternatives.count, 4);
    assert_int_equal(of.jumps.count, 3);
    const hbg_paper_clause *together = &of.clauses.items[clause(&of, "touch=together")];
    assert_int_equal(together->order, 4);
    is(&t, &of, &together->constraints, "mass_s.p == 0.5*mass_p.p"); // p1/m_s = p5/m_p
    assert_int_equal(of.clauses.items[clause(&of, "touch=apart")].order, 5);
    assert_int_equal(of.included.count, 0);
    end(&t);
}

/* p1 + p5 is kept; p1²/2m_s + p5²/2m_p is kept, or has not grown. */
static void the_module_exchanges_momentum_with_and_without_loss(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed_by(&t, module, (hbg_paper_request){.keep = "none"});
    int32_t on = between(&of, "touch=together", "touch=together")->jump,
            none = between(&of, "touch=apart", "touch=apart")->jump;
    int32_t closes = between(&of, "touch=apart", "touch=together")->jump,
            opens = between(&of, "touch=together", "touch=apart")->jump;
    const char *kept =
        "new(mass_p.p) == old(mass_s.p) - new(mass_s.p) + old(mass_p.p); new(support.q) == old(support.q); "
        "new(q_1) == old(q_1); new(q_5) == old(q_5)";
    char with[400];
    assert_int_equal(closes, opens);
    assert_int_not_equal(closes, on);
    snprintf(with, sizeof with,
             "%s; old(mass_s.p)^2 + 0.5*old(mass_p.p)^2 == new(mass_s.p)^2 + 0.5*new(mass_p.p)^2", kept);
    is(&t, &of, &of.jumps.items[on].cases.items[0].equations, with);
    assert_int_equal(of.jumps.items[closes].cases.count, 1);
    is(&t, &of, &of.jumps.items[closes].cases.items[0].equations, kept);
    is(&t, &of, &of.jumps.items[closes].cases.items[0].inequalities,
       "new(mass_s.p)^2 + 0.5*new(mass_p.p)^2 <= old(mass_s.p)^2 + 0.5*old(mass_p.p)^2");
    assert_false(of.jumps.items[none].moves);
    end(&t);
}

/* Apart to together, and a rebound: nothing jumps that is together, since the velocities are equal there and no energy is left to lose. */
static void the_module_jumps_only_from_apart(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed(&t, module, HBG_PAPER_SETTLED);
    assert_true(jumps(&of, "touch=apart", "touch=together"));
    assert_true(jumps(&of, "touch=apart", "touch=apart"));
    assert_int_equal(jumping_edges(&of), 2);
    end(&t);
}

/* Numbers for variables of the module, 0 for all others: what the flow of head and board is they read from the momenta. */
typedef struct {
    const char *name;
    double from, to;
} module_value;

static void put_values(const hbg_paper *of, const module_value *values, double *old, double *now) {
    for (int32_t i = 0; i < of->process.variables.count; i++) {
        old[i] = now[i] = 0;
        for (const module_value *at = values; at->name; at++)
            if (strcmp(of->process.variables.items[i].name, at->name) == 0) {
                old[i] = at->from;
                now[i] = at->to;
            }
    }
}

static bool all_hold(process_scope *scope, const hbg_process_all *all) {
    bool hold = true;
    for (int32_t i = 0; i < all->count; i++)
        hold = hold && hbg_verify_check_term(scope, all->items[i]).by < 1e-9;
    return hold;
}

/* Whether time flows in a clause behind these values: its constraints hold there, and its invariants a moment later. */
static bool flows_behind(process_scope *scope, const hbg_paper *of, const hbg_paper_clause *clause,
                         double *now) {
    const double moment = 1e-5;
    hbg_verify_check_begin(scope, now, now);
    bool fine = all_hold(scope, &clause->constraints);
    double *later = HBG_NEW_ARRAY(scope->arena, double, of->process.variables.count);
    memcpy(later, now, (size_t)of->process.variables.count * sizeof *later);
    for (int32_t i = 0; i < clause->equations.count; i++) {
        const term_node *law = &of->process.terms.nodes.items[clause->equations.items[i]];
        const char *rate =
            of->process.variables.items[hbg_process_variable_of(of->process.terms.nodes.items[law->a].a)]
                .name;
        for (int32_t k = 0; k < of->process.variables.count; k++) {
            const char *name = of->process.variables.items[k].name;
            if (strncmp(rate, "der(", 4) == 0 && strncmp(rate + 4, name, strlen(name)) == 0 &&
                rate[4 + strlen(name)] == ')')
                later[k] += moment * hbg_verify_check_value(scope, law->b).value;
        }
    }
    hbg_verify_check_begin(scope, later, later);
    return fine && hbg_verify_check_any(scope, &clause->invariants).by == 0;
}

/* Whether some alternative leads to this mode with these values before and behind it: what it asks for before decides which may. */
static bool allows(fixture *t, const hbg_paper *of, const char *to, const module_value *values) {
    process_scope scope = {0};
    int32_t count = of->process.variables.count;
    double *old = HBG_NEW_ARRAY(&t->m.arena, double, count), *now = HBG_NEW_ARRAY(&t->m.arena, double, count);
    bool any = false;
    hbg_verify_check_init(&scope, &t->m.arena, &of->process);
    for (int32_t i = 0; i < count; i++) scope.sizes[i] = 1e-3;
    put_values(of, values, old, now);
    hbg_verify_check_begin(&scope, old, now);
    for (int32_t i = 0; i < of->alternatives.count; i++) {
        const hbg_paper_alternative *by = &of->alternatives.items[i];
        const hbg_paper_jump *jump = &of->jumps.items[by->jump];
        if (by->after != clause(of, to) || !all_hold(&scope, &by->when)) continue;
        for (int32_t k = 0; k < jump->cases.count; k++)
            any = any || (all_hold(&scope, &jump->cases.items[k].equations) &&
                          all_hold(&scope, &jump->cases.items[k].inequalities));
    }
    return any && flows_behind(&scope, of, &of->clauses.items[clause(of, to)], now);
}

/* Ten traces of 003, section 6.1. The head comes with u = sqrt(0.2) m/s; with a restitution of eps it leaves with u/3·(1 - 2·eps), the
 * board with u/3·(1 + eps). */
static void ten_impacts_are_judged_as_the_paper_has_it(void **state) {
    (void)state;
    static const struct {
        const char *what, *to;
        double gap, head, board; /* m; m/s behind it, in u */
        bool allowed;
    } traces[] = {
        {"they stay together", "touch=together", 0, 1 / 3.0, 1 / 3.0, true},
        {"elastic rebound", "touch=apart", 0, -1 / 3.0, 2 / 3.0, true},
        {"half of it", "touch=apart", 0, 0, 0.5, true},
        {"1.1 times", "touch=apart", 0, (1 - 2.2) / 3, 2.1 / 3, false},
        {"momentum is lost, together", "touch=together", 0, 0.3, 0.3, false},
        {"momentum is lost, apart", "touch=apart", 0, -0.3, 0.6, false},
        {"nothing happens, through the board", "touch=apart", 0, 1, 0, false},
        {"slower, through the board", "touch=apart", 0, 0.5, 0.25, false},
        {"they stick at a distance", "touch=together", 0.1e-3, 1 / 3.0, 1 / 3.0, false},
        {"nothing happens at a distance", "touch=apart", 0.1e-3, 1, 0, true},
    };
    const double u = sqrt(0.2), m_s = 0.05, m_p = 0.1;
    fixture t;
    hbg_paper of = composed_by(&t, module, (hbg_paper_request){.keep = "none"});
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        const module_value values[] = {{"mass_s.p", m_s * u, m_s * u * traces[i].head},
                                       {"mass_p.p", 0, m_p * u * traces[i].board},
                                       {"q_1", 1e-3 - traces[i].gap, 1e-3 - traces[i].gap},
                                       {"q_5", 1e-3, 1e-3},
                                       {"b1.e", 5, 5}, // the push, as long as they are apart
                                       {"b1.f", u, u * traces[i].head},
                                       {"b4.f", 0, u * traces[i].board},
                                       {0}};
        if (allows(&t, &of, traces[i].to, values) != traces[i].allowed)
            fail_msg("%s: %s", traces[i].what, traces[i].allowed ? "refused" : "accepted");
    }
    end(&t);
}

/* ---- 003, section 6.2 ---------------------------------------------------------------------------------------------------------- */

#define CIRCUIT(volts, blocks, carries)                                                                      \
    "input bool closed = false; Se source(" volts                                                            \
    "); R series(330); I coil(0.005); 1 loop when switch; 0 node when "                                      \
    "diode;\n b1: source -> loop; b2: loop -> series; b3: loop -> node; b4: node -> coil;\n"                 \
    "automaton switch { off open -> shut when closed; on shut -> open when !closed; }\n"                     \
    "automaton diode { on blocking -> conducting when " blocks "; off conducting -> blocking when " carries  \
    "; }\n"

static const char circuit[] = CIRCUIT("10", "node.e < 0", "b4.f - b3.f < 0");
static const char mirror[] = CIRCUIT("-10", "node.e > 0", "b3.f < b4.f");

#define BC "diode=blocking,switch=shut"
#define BO "diode=blocking,switch=open"
#define CC "diode=conducting,switch=shut"
#define CO "diode=conducting,switch=open"
static const char *const modes[] = {BC, BO, CC, CO}; // c1 to c4

/* d1 everywhere, d3 where the switch opens with the diode blocking, d4 where it opens and the diode changes. */
static void circuit_has_three_jumps(const char *declarations) {
    fixture t;
    hbg_paper of = composed(&t, declarations, HBG_PAPER_SETTLED);
    assert_int_equal(of.clauses.count, 4);
    assert_int_equal(of.composed, 25);
    assert_int_equal(of.alternatives.count, 16);
    assert_int_equal(of.jumps.count, 3);
    assert_int_equal(of.distinct_on_energies, 2);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            const hbg_paper_alternative *at = between(&of, modes[i], modes[k]);
            bool opens = i % 2 == 0 && k % 2 == 1;
            int32_t expected = opens && i / 2 != k / 2 ? 2 : opens && i / 2 == 0 ? 1 : 0;
            assert_int_equal(at->jump, expected);
            assert_int_equal(at->feasible, HBG_PROVED);
        }
    assert_false(of.jumps.items[0].moves);
    is(&t, &of, &of.jumps.items[1].cases.items[0].inequalities, "new(coil.p)^2 <= old(coil.p)^2");
    is(&t, &of, &of.jumps.items[2].cases.items[0].inequalities,
       "100*new(coil.p)^2 <= work(b3) + 100*old(coil.p)^2; work(b3) <= 0"); // d4: energy of the coil <= W3 <= 0
    for (int i = 0; i < 4; i++) {
        assert_string_equal(of.clauses.items[i].mode, modes[i]);
        assert_int_equal(of.clauses.items[i].order, i != 1);
        for (int k = 0; k < 4; k++)
            assert_int_equal(jumps(&of, modes[i], modes[k]), i % 2 == 0 && k % 2 == 1);
    }
    end(&t);
}

static void the_circuit_comes_out(void **state) {
    (void)state;
    circuit_has_three_jumps(circuit);
}

static void the_mirrored_circuit_is_the_same(void **state) {
    (void)state;
    circuit_has_three_jumps(mirror);
}

/* c2 is part of c4 where p = 0: without it 3 clauses, and 3 alternatives from each of the four predicates before. */
static void blocking_and_open_is_conducting_without_current(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed(&t, circuit, HBG_PAPER_SETTLED);
    assert_int_equal(of.included.count, 1);
    assert_int_equal(of.included.items[0].clause, 1);
    assert_int_equal(of.included.items[0].in, 3);
    is(&t, &of, &of.included.items[0].where, "coil.p == 0");
    is(&t, &of, &of.included.items[0].behind, "new(coil.p) == 0");
    assert_int_equal(of.merged_clauses, 3);
    assert_int_equal(of.merged.count, 12);
    for (int32_t i = 0; i < of.merged.count; i++)
        assert_int_equal(of.merged.items[i].alternatives.count, of.merged.items[i].after == 3 ? 2 : 1);
    end(&t);
}

/* As printed no flux can jump; without the sum of pulses the five jumps of the paper come out, and on energies p unchanged but for its sign
 * (d2), unchanged (d1) or less (d3, d4, d5). */
static void readings_of_the_circuit_differ(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed(&t, circuit, HBG_PAPER_PRINTED);
    assert_int_equal(of.composed, 16);
    assert_int_equal(of.jumps.count, 1);
    assert_int_equal(jumping_edges(&of), 0);
    assert_true(differs(&of, HBG_DIFFERENCE_D1, "source"));
    assert_true(differs(&of, HBG_DIFFERENCE_D2, "loop"));
    end(&t);
    of = composed(&t, circuit, HBG_PAPER_LOOSE);
    assert_int_equal(of.jumps.count, 5);
    assert_int_equal(of.distinct_on_energies, 3);
    assert_int_equal(between(&of, BC, BC)->jump, 0); // d2: (p+)² = (p-)²
    const hbg_paper_case *turned = &of.jumps.items[0].cases.items[0];
    assert_non_null(strstr(text_of(&t, &of, &turned->equations), "old(coil.p)^2"));
    assert_int_equal(turned->inequalities.count, 0);
    end(&t);
}

/* ---- other models of 003 ------------------------------------------------------------------------------------------ */

static const char collision[] =
    "1 body_1; 1 body_2; I mass_1(3, f = 1); I mass_2(1); 0 contact when touch; 1 pad; C spring(1e-4); R "
    "damper(44);\n"
    "body_1 -> mass_1; body_1 -> contact -> body_2 -> mass_2; contact -> pad -> spring; pad -> damper;\n"
    "state x_1 = 0 : der = body_1.f; state x_2 = 1 : der = body_2.f;\n"
    "automaton touch { off apart -> pressed when x_2 - x_1 <= 0 && body_1.f > body_2.f; on pressed -> apart "
    "when contact.e < 0; }\n";

static void a_collision_with_a_spring_never_jumps(void **state) {
    (void)state;
    for (int reading = 0; reading < HBG_PAPER_READINGS; reading++) {
        fixture t;
        hbg_paper of = composed(&t, collision, (hbg_paper_reading)reading);
        assert_int_equal(of.clauses.count, 2);
        assert_int_equal(of.clauses.items[0].order, 5);
        assert_int_equal(of.clauses.items[1].order, 5);
        assert_int_equal(of.alternatives.count, 4);
        assert_int_equal(jumping_edges(&of), 0);
        end(&t);
    }
}

#define LOOP(junction) "Se e(10); R r(2); I l(3); " junction "; be: e -> j; br: j -> r; bl: j -> l;\n"

/* (1/E)(true, false) and a 1-junction: the same clauses and jumps, and the tool says so. */
static void a_junction_that_is_never_off_is_a_plain_one(void **state) {
    (void)state;
    fixture plain, controlled;
    hbg_paper a = composed(&plain, LOOP("1 j"), HBG_PAPER_SETTLED);
    hbg_paper b = composed(&controlled, LOOP("1 j when always off effort; automaton always { on yes; }"),
                           HBG_PAPER_SETTLED);
    assert_true(has_note(&b, "j is never off: the same process as a 1-junction that nothing controls"));
    assert_int_equal(a.clauses.count, 1);
    assert_int_equal(b.clauses.count, 1);
    assert_int_equal(a.jumps.count, 1);
    assert_int_equal(b.jumps.count, 1);
    const hbg_process_all *lists[][2] = {
        {&a.clauses.items[0].equations, &b.clauses.items[0].equations},
        {&a.clauses.items[0].constraints, &b.clauses.items[0].constraints},
        {&a.jumps.items[0].cases.items[0].equations, &b.jumps.items[0].cases.items[0].equations}};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(text_of(&plain, &a, lists[i][0]), text_of(&controlled, &b, lists[i][1]));
        assert_int_equal(lists[i][0]->count > 0, i != 1);
    }
    end(&plain);
    end(&controlled);
}

/* Fig. 7: a source of effort 0 behind 1/F, and one of flow 0 behind 0/E that is on while the switch is open. */
static void two_switches_of_figure_7_are_the_same(void **state) {
    (void)state;
    fixture one, other;
    hbg_paper a =
        composed(&one,
                 "input bool u = false; Se e(10); R r(2); I l(3); 1 j; e -> j; j -> r; j -> l; 1 s when k; "
                 "Se zero(0);\n"
                 "j -> s; zero -> s; automaton k { off open -> shut when u; on shut -> open when !u; }\n",
                 HBG_PAPER_SETTLED);
    hbg_paper b =
        composed(&other,
                 "input bool u = false; Se e(10); R r(2); I l(3); 1 j; e -> j; j -> r; j -> l; 0 s when k; "
                 "Sf zero(0);\n"
                 "j -> s; zero -> s; automaton k { on open -> shut when u; off shut -> open when !u; }\n",
                 HBG_PAPER_SETTLED);
    static const char *const states[] = {"k=open", "k=shut"};
    for (int i = 0; i < 2; i++) {
        const hbg_paper_clause *own = &a.clauses.items[clause(&a, states[i])],
                               *twin = &b.clauses.items[clause(&b, states[i])];
        assert_int_equal(own->order, i);
        assert_int_equal(twin->order, i);
        assert_int_equal(own->flows, twin->flows);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(between(&a, states[i], states[k])->feasible,
                             between(&b, states[i], states[k])->feasible);
            assert_int_equal(jumps(&a, states[i], states[k]),
                             i == 1 && k == 0); // the current is lost where it opens
            assert_int_equal(jumps(&b, states[i], states[k]), i == 1 && k == 0);
        }
    }
    assert_int_equal(a.edges.count, b.edges.count);
    end(&one);
    end(&other);
}

/* ---- automata that are processes ------------------------------------------------------------------------------------------------ */

static void a_waiting_automaton_is_a_process_of_its_own(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed(&t,
                            "Se e(10); R r(2); C c(3); 1 j when k; e -> j; j -> r; j -> c;\n"
                            "automaton k { off idle -> charging when c.q < 1; on charging -> full when c.q > "
                            "20; off full -> idle after 2; }\n",
                            HBG_PAPER_SETTLED);
    const hbg_paper_part *automaton = part(&of, "k");
    assert_int_equal(automaton->rows.count, 6); // three stays and three transitions
    is(&t, &of, &automaton->rows.items[1].before,
       "old(k.idle)"); // q may jump: what it is asked for is weakened
    is(&t, &of, &automaton->rows.items[1].clause, "k.charging; c.q <= 20");
    is(&t, &of, &automaton->rows.items[4].before, "old(k.full)"); // it has waited
    assert_true(has_note(&of, "guards of k wait"));
    assert_int_equal(of.clauses.count, 3);
    assert_int_equal(of.alternatives.count, 6);
    end(&t);
}

/* Beyond the limit there is what the start mode leads to. */
static void beyond_the_limit_it_begins_with_the_start_mode(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed_by(&t, circuit, (hbg_paper_request){.limit = 5});
    assert_false(of.is_whole);
    assert_int_equal(of.alternatives.count, 5);
    for (int32_t i = 0; i < 4; i++) assert_int_equal(of.alternatives.items[i].before, 0);
    assert_string_equal(of.clauses.items[0].mode, BO);
    end(&t);
}

/* D4: a source of effort at a junction that is off without effort has no clause unless it is 0. D13 likewise. */
static void a_cut_source_contradicts(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed(&t, SWITCHED("0 j when a"), HBG_PAPER_SETTLED);
    assert_true(of.clauses.items[clause(&of, "a=no")].contradicts);
    assert_int_equal(of.clauses.items[clause(&of, "a=no")].flows, HBG_VIOLATED);
    assert_int_equal(between(&of, "a=yes", "a=no")->feasible, HBG_VIOLATED);
    assert_true(differs(&of, HBG_DIFFERENCE_D4, "e"));
    assert_true(differs(&of, HBG_DIFFERENCE_D13, "a=no"));
    end(&t);
    of = composed(&t, SWITCHED("1 j when a"), HBG_PAPER_SETTLED);
    assert_false(differs(&of, HBG_DIFFERENCE_D4, NULL));
    end(&t);
}

/* The coil keeps any pulse of flow from the resistor; sources agree with hbg as settled. */
static void the_circuit_is_told_how_hbg_differs(void **state) {
    (void)state;
    fixture t;
    hbg_paper of = composed(&t, circuit, HBG_PAPER_SETTLED);
    assert_false(differs(&of, HBG_DIFFERENCE_D9, NULL)); // the coil has no pulse of flow
    assert_true(differs(&of, HBG_DIFFERENCE_D5, "switch"));
    assert_true(differs(&of, HBG_DIFFERENCE_D8, "loop"));
    assert_true(differs(&of, HBG_DIFFERENCE_D10, "diode"));
    assert_false(differs(&of, HBG_DIFFERENCE_D1, NULL));
    assert_false(differs(&of, HBG_DIFFERENCE_D2, NULL));
    end(&t);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------------------------- */

static void what_hbg_does_is_allowed(void **state) {
    (void)state;
    static const char *const models[] = {module, circuit, mirror, collision};
    static const int counts[] = {2, 7, 7, 2};
    for (int i = 0; i < 4; i++) {
        fixture t;
        hbg_paper_comparison of = compared(&t, models[i], HBG_PAPER_SETTLED);
        assert_int_equal(of.jumps.count, counts[i]);
        for (int32_t k = 0; k < of.jumps.count; k++) assert_int_equal(of.jumps.items[k].answer, HBG_PROVED);
        end(&t);
    }
}

/* As printed the current that the diode cannot carry has nowhere to go: p- < 0 is lost in hbg, and cannot jump in the paper. */
static void the_printed_rule_refuses_the_loss(void **state) {
    (void)state;
    fixture t;
    hbg_paper_comparison of = compared(&t, circuit, HBG_PAPER_PRINTED);
    int32_t refused = 0;
    for (int32_t i = 0; i < of.jumps.count; i++) {
        const hbg_paper_compared *at = &of.jumps.items[i];
        if (at->answer == HBG_PROVED) continue;
        refused++;
        assert_string_equal(at->from, BC);
        assert_string_equal(at->to, BO);
        assert_int_equal(at->values.count, 1);
        assert_true(at->values.items[0].value < 0);
        assert_non_null(strstr(at->why, "D2 (loop)"));
    }
    assert_int_equal(refused, 1);
    end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(element_rows_are_those_of_the_table),
        cmocka_unit_test(rows_of_what_is_no_plain_element),
        cmocka_unit_test(printed_sources_have_no_pulses),
        cmocka_unit_test(controlled_junctions_have_five_rows),
        cmocka_unit_test(as_printed_a_junction_has_four_rows),
        cmocka_unit_test(restitution_has_two_rows),
        cmocka_unit_test(a_chosen_restitution_is_a_variable_of_the_jump),
        cmocka_unit_test(the_impact_module_comes_out),
        cmocka_unit_test(the_module_exchanges_momentum_with_and_without_loss),
        cmocka_unit_test(the_module_jumps_only_from_apart),
        cmocka_unit_test(ten_impacts_are_judged_as_the_paper_has_it),
        cmocka_unit_test(the_circuit_comes_out),
        cmocka_unit_test(the_mirrored_circuit_is_the_same),
        cmocka_unit_test(blocking_and_open_is_conducting_without_current),
        cmocka_unit_test(readings_of_the_circuit_differ),
        cmocka_unit_test(a_collision_with_a_spring_never_jumps),
        cmocka_unit_test(a_junction_that_is_never_off_is_a_plain_one),
        cmocka_unit_test(two_switches_of_figure_7_are_the_same),
        cmocka_unit_test(a_waiting_automaton_is_a_process_of_its_own),
        cmocka_unit_test(beyond_the_limit_it_begins_with_the_start_mode),
        cmocka_unit_test(a_cut_source_contradicts),
        cmocka_unit_test(the_circuit_is_told_how_hbg_differs),
        cmocka_unit_test(what_hbg_does_is_allowed),
        cmocka_unit_test(the_printed_rule_refuses_the_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
