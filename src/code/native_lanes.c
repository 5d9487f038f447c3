/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The stride of native_stride.c for several runs at once: every value is a vector with one number of each
 * run, a condition is a mask. The arithmetic is that of a single run, operation by operation, elementary
 * functions included, so each lane gets the same bits. Lanes advance together. If one meets a special case (a
 * search, a value that is not finite), all stop before the step and that lane is reported: the stride of a
 * single run makes its step, whatever the result. Lanes take no rows and move no parameters. */
#include <stdio.h>

#include "code/native_impl.h"

/* The words in which the text is written, for gcc and clang. */
static const char *const words =
    "typedef double V __attribute__((vector_size(WIDTH * 8)));\n"
    "typedef int64_t N __attribute__((vector_size(WIDTH * 8)));\n"
    "typedef uint64_t U __attribute__((vector_size(WIDTH * 8)));\n"
    "#define EACH for (int k_ = 0; k_ < WIDTH; k_++)\n"
    "#define IS(a, sign, b) ((N)((a) sign (b)))\n"
    "#define ALL ((N){} == 0)\n#define NO ((N){})\n"
    "#define TIMES(a, b) ((a) * (b))\n#define OVER(a, b) ((a) / (b))\n"
    "#define COUNTED(field, value) for (int32_t k_ = 0; k_ < count; k_++) a[k_]->field += (value)[k_];\n"
    "#define EVERY(value) ((N){} + (value))\n"
    "#define ONE(is) lanes_keep(is, K(1))\n"
    "#define keep lanes_keep\n#define drop lanes_drop\n#define join lanes_join\n"
    "SELDOM V lanes_keep(N on, V a) { return (V)(on & (N)a); }\n"
    "SELDOM V lanes_drop(N on, V a) { return (V)(~on & (N)a); }\n"
    "SELDOM V lanes_join(V a, V b) { return (V)((N)a | (N)b); }\n"
    "SELDOM V PICK(N is, V a, V b) { return (V)((is & (N)a) | (~is & (N)b)); }\n"
    "#define MAGNITUDE(a) ((V)((N)(a) & 0x7fffffffffffffff))\n"
    "#define AS_NUMBER(a) __builtin_convertvector(a, V)\n"
    "#define IN(field) ({ V y_; EACH y_[k_] = a[k_]->field; y_; })\n"
    "#define IN_WHOLE(field) ({ N y_; EACH y_[k_] = a[k_]->field; y_; })\n"
    "#define OUT(field, value) { const __typeof__(value) y_ = (value); for (int32_t k_ = 0; k_ < count; "
    "k_++) "
    "a[k_]->field = y_[k_]; }\n"
    "#define CALL(f, x) ({ V y_; const V x_ = (x); EACH y_[k_] = f(x_[k_]); y_; })\n"
    "#define CALL_TWO(f, x, z) ({ V y_; const V x_ = (x), z_ = (z); EACH y_[k_] = f(x_[k_], z_[k_]); y_; })\n"
    "#if WIDTH == 8 && defined(__AVX512DQ__)\n"
    "SELDOM uint32_t bits_of(N is) { return (uint8_t)__builtin_ia32_cvtq2mask512((long long "
    "__attribute__((vector_size(64))))is); }\n"
    "#elif WIDTH == 4 && defined(__AVX__)\n"
    "SELDOM uint32_t bits_of(N is) { return (uint32_t)__builtin_ia32_movmskpd256((V)is); }\n"
    "#else\n"
    "SELDOM uint32_t bits_of(N is) { uint32_t all = 0; EACH all |= (uint32_t)(is[k_] != 0) << k_; return "
    "all; }\n"
    "#endif\n"
    // as in C: the second operand unless the first is the lesser, or greater, one
    "#if WIDTH == 8 && defined(__AVX512F__) && !defined(__clang__)\n"
    "SELDOM V LESSER(V a, V b) { return __builtin_ia32_minpd512_mask(a, b, a, -1, 4); }\n"
    "SELDOM V GREATER(V a, V b) { return __builtin_ia32_maxpd512_mask(a, b, a, -1, 4); }\n"
    "#else\n"
    "SELDOM V LESSER(V a, V b) { return PICK(IS(a, <, b), a, b); }\n"
    "SELDOM V GREATER(V a, V b) { return PICK(IS(a, >, b), a, b); }\n"
    "#endif\n"
    "struct lanes_grid { V step, numerator, denominator, most; };\n"
    "SELDOM V lanes_time(const struct lanes_grid *grid, V number) {\n"
    "    return PICK(IS(number, <=, grid->most), number * grid->numerator / grid->denominator, number * "
    "grid->step);\n"
    "}\n";

/* The words of rt/elementary_impl.h for lanes. */
static const char *const elementary =
    "#undef FUNCTION\n#define FUNCTION static inline __attribute__((unused, const))\n" // equal calls merge
    "#define SHARED static inline __attribute__((unused, always_inline))\n" // sine and cosine of one argument
    "union places { U all; uint64_t each[WIDTH]; };\n"
    "#define PLACE union places\n#define PLACE_OF(a) {a}\n"
    "#define NUMBER V\n#define WORD U\n#define WHOLE N\n#define NAME(function) lanes_##function\n"
    "#define SPREAD(a) _Generic((a), V: (a), default: (V){} + (a))\n"
    "#define FMA(a, b, c) lanes_fma(SPREAD(a), SPREAD(b), SPREAD(c))\n"
    "#define NOT(a) (~(N)(a))\n#define BITS(a) ((U)(a))\n#define VALUE(a) ((V)(a))\n"
    "#define PICKED(is, a, b) PICK(-(N)(is), a, b)\n"
    "#define SPECIAL(is, ...) const N special = (N)(is);\n"
    "#define MENDED(value, function, x) lanes_mended(value, special, function, x)\n"
    "#define MENDED_BY_TWO(value, function, x, y) lanes_mended_by_two(value, special, function, x, y)\n"
    "#if defined(__clang__)\n"
    "SELDOM V lanes_fma(V a, V b, V c) { return __builtin_elementwise_fma(a, b, c); }\n"
    "#elif WIDTH == 8 && defined(__AVX512F__)\n"
    "SELDOM V lanes_fma(V a, V b, V c) { return __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4); }\n"
    "#elif WIDTH == 4 && defined(__FMA__)\n"
    "SELDOM V lanes_fma(V a, V b, V c) { return __builtin_ia32_vfmaddpd256(a, b, c); }\n"
    "#else\n"
    "SELDOM V lanes_fma(V a, V b, V c) { V y; EACH y[k_] = __builtin_fma(a[k_], b[k_], c[k_]); return y; }\n"
    "#endif\n"
    "RARE __attribute__((const)) V lanes_mend(V value, N special, double (*f)(double), V x) {\n"
    "    EACH if (special[k_]) value[k_] = f(x[k_]);\n    return value;\n}\n"
    "SELDOM V lanes_mended(V value, N special, double (*f)(double), V x) {\n"
    "    return __builtin_expect(bits_of(special) != 0, 0) ? lanes_mend(value, special, f, x) : value;\n}\n"
    "RARE __attribute__((const)) V lanes_mend_by_two(V value, N special, double (*f)(double, double), V x, V "
    "y) {\n"
    "    EACH if (special[k_]) value[k_] = f(x[k_], y[k_]);\n    return value;\n}\n"
    "SELDOM V lanes_mended_by_two(V value, N special, double (*f)(double, double), V x, V y) {\n"
    "    return __builtin_expect(bits_of(special) != 0, 0) ? lanes_mend_by_two(value, special, f, x, y) : "
    "value;\n}\n";

static void print_words(const stride_text *text, int32_t width, hbg_buffer *out) {
    hbg_base_buffer_print(out, "#define WIDTH %d\n#define K(c) ((V){", (int)width);
    for (int32_t i = 0; i < width; i++) hbg_base_buffer_text(out, i ? ", (c)" : "(c)");
    hbg_base_buffer_text(out, "})\n");
    hbg_base_buffer_text(out, words);
    if (text->calls == 0) return;
    hbg_base_buffer_text(out, elementary);
    hbg_base_buffer_text(
        out, "#define LOOK(table, place, field) ((__typeof__(_Generic((table)[0].field, double: (V){}, "
             "default: (U){}))){");
    for (int32_t i = 0; i < width; i++)
        hbg_base_buffer_print(out, "%s(table)[(place).each[%d]].field", i ? ", " : "", (int)i);
    hbg_base_buffer_text(out, "})\n");
    hbg_base_buffer_text(out, hbg_rt_elementary_words());
}

/* ---- a look ------------------------------------------------------------------------------------------- */

static void print_truths(stride_text *text) {
    const hbg_code *code = text->code;
    const hbg_rt_calm *plan = &code->image.instants.calm;
    const int32_t *relations = hbg_code_native_calm(code, plan->relations),
                  *others = hbg_code_native_calm(code, plan->others);
    const int32_t *reg = hbg_rt_readout_registers(&code->image, &code->image.code.finals[READ_WATCH]);
    hbg_base_buffer_text(text->out, "        N plain = ALL;\n");
    for (int32_t i = 0; i < plan->relations.count; i++) {
        const char *difference = hbg_code_native_operand(text, reg[relations[i]]);
        hbg_base_buffer_print(text->out, "        plain &= IS(MAGNITUDE(%s), >, near%d);\n", difference,
                              (int)i);
        hbg_base_buffer_print(text->out, "        const N b%d = IS(%s, %s, 0);\n", (int)relations[i],
                              difference, hbg_code_native_side_of(code, relations[i]));
    }
    for (int32_t i = 0; i < plan->others.count; i++) {
        const char *difference = hbg_code_native_operand(text, reg[others[i]]);
        hbg_base_buffer_print(
            text->out,
            "        plain &= free%d | (IS(MAGNITUDE(%s), >, far%d) & ~(IS(%s, %s, 0) ^ side%d));\n", (int)i,
            difference, (int)i, difference, hbg_code_native_side_of(code, others[i]), (int)i);
    }
}

/* One pass over the guards of all calm automata, as in a stride. */
static void print_pass(stride_text *text, const char *pass, const char *state, const char *next) {
    const hbg_code *code = text->code;
    const hbg_rt_switching *switching = &code->image.instants.switching;
    for (int32_t n = 0; n < code->image.instants.calm.automata.count; n++) {
        const hbg_rt_automaton_data *of = hbg_code_native_calm_automaton(code, n);
        const hbg_rt_discrete *states = &switching->discretes[of->states.first];
        for (int32_t i = 0; i < of->states.count; i++)
            for (int32_t k = 0; k < states[i].transitions.count; k++)
                hbg_code_native_print_condition(text, states[i].transitions.first + k, pass, state);
        hbg_base_buffer_print(text->out, "        N m%s%d = NO, %s%d = %s%d;\n", pass, (int)n, next, (int)n,
                              state, (int)n);
        for (int32_t i = 0; i < of->states.count; i++)
            for (int32_t k = states[i].transitions.count - 1; k >= 0;
                 k--) { // the first one wins: it comes last
                int32_t number = states[i].transitions.first + k;
                hbg_base_buffer_print(text->out,
                                      "        { const N takes = IS(%s%d, ==, %d) & g%s%d; m%s%d |= takes; "
                                      "%s%d = (takes & %d) | "
                                      "(~takes & %s%d); }\n",
                                      state, (int)n, (int)i, pass, (int)number, pass, (int)n, next, (int)n,
                                      (int)switching->transitions[number].target, next, (int)n);
            }
    }
}

/* Junctions follow their automata, by tables of the states in which they are on; `first`: masks are new. */
static void print_switch(stride_text *text, bool first) {
    const hbg_code *code = text->code;
    const hbg_rt_calm *calm = &code->image.instants.calm;
    int32_t offset = 0;
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t automaton = hbg_code_native_calm(code, calm->automata)[n], count;
        const int32_t *places = hbg_code_native_places(code, automaton, &count);
        int32_t states = hbg_code_native_calm_automaton(code, n)->states.count;
        if (!first) hbg_base_buffer_print(text->out, "        s%d = q%d;\n", (int)n, (int)n);
        for (int32_t k = 0; k < count; k++, offset += states) {
            int32_t reg = hbg_code_native_on_register(code, places[k]);
            if (text->mask[reg] != reg) continue;
            hbg_base_buffer_print(text->out, first ? "    N m%d = " : "        m%d = ", (int)reg);
            for (int32_t s = 0; s < states; s++)
                hbg_base_buffer_print(text->out, "%s(IS(s%d, ==, %d) & on%d)", s ? " | " : "", (int)n, (int)s,
                                      (int)(offset + s));
            hbg_base_buffer_text(text->out, ";\n");
        }
    }
}

/* Values changed by an evaluation of guards, kept until the step is made: `to` is a format with the kind and
 * number of each. */
static void print_looked(stride_text *text, const char *format) {
    const hbg_code *code = text->code;
    const hbg_rt_calm *calm = &code->image.instants.calm;
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t count, automaton = hbg_code_native_calm(code, calm->automata)[n];
        const int32_t *places = hbg_code_native_places(code, automaton, &count);
        hbg_base_buffer_print(text->out, format, "s", (int)n);
        for (int32_t k = 0; k < count; k++)
            if (text->mask[hbg_code_native_on_register(code, places[k])] ==
                hbg_code_native_on_register(code, places[k]))
                hbg_base_buffer_print(text->out, format, "m",
                                      (int)hbg_code_native_on_register(code, places[k]));
    }
    for (int32_t i = 0; i < calm->relations.count; i++) hbg_base_buffer_print(text->out, format, "t", (int)i);
    if (calm->automata.count > 0) hbg_base_buffer_print(text->out, format, "moves_", 0);
    if (calm->automata.count > 0) hbg_base_buffer_print(text->out, format, "commits_", 0);
}

static void print_look(stride_text *text) {
    const hbg_rt_calm *plan = &text->code->image.instants.calm;
    if (!text->code->image.instants.has_events) return;
    hbg_code_native_begin_place(text, "x", "t");
    hbg_code_native_print_reading(text, READ_WATCH);
    print_truths(text);
    print_looked(text, "        const N before_%1$s%2$d = %1$s%2$d;\n");
    print_pass(text, "", "s", "q");
    if (plan->automata.count > 0) {
        print_pass(text, "z", "q", "w");
        hbg_base_buffer_text(text->out, "        plain &= ~(");
        hbg_code_native_print_sum(text, "mz", " | ");
        hbg_base_buffer_text(text->out, ");\n");
    }
    hbg_base_buffer_text(
        text->out, "        odd = bits_of(~plain);\n        if (__builtin_expect(odd != 0, 0)) break;\n");
    if (plan->automata.count > 0) {
        hbg_base_buffer_text(text->out, "        commits_0 -= ");
        hbg_code_native_print_sum(text, "m", " | ");
        hbg_base_buffer_text(text->out, ";\n        moves_0 -= ");
        hbg_code_native_print_sum(text, "m", " + ");
        hbg_base_buffer_text(text->out, ";\n");
        print_switch(text, false);
    }
    for (int32_t i = 0; i < plan->relations.count; i++)
        hbg_base_buffer_print(text->out, "        t%d = b%d;\n", (int)i,
                              (int)hbg_code_native_calm(text->code, plan->relations)[i]);
}

/* ---- the end of a step --------------------------------------------------------------------------------- */

static void print_extent(const stride_text *text) {
    for (int32_t i = 0; i < text->options->extent && text->outputs; i++) {
        int n = (int)i;
        hbg_base_buffer_print(text->out, "        area%d += strip%d, last%d = o%d;\n", n, n, n, n);
        hbg_base_buffer_print(text->out,
                              "        low%d = LESSER(o%d, low%d), high%d = GREATER(o%d, high%d);\n", n, n, n,
                              n, n, n);
    }
}

/* Prints the sums over a step; on a device the new state is checked. */
static void print_strips(const stride_text *text) {
    int last = hbg_rt_method_tableau(text->options->method)->stage_count - 1;
    for (int32_t i = 0; i < text->options->extent && text->outputs; i++)
        hbg_base_buffer_print(text->out, "        const V strip%d = h * (last%d + o%d) / 2;\n", (int)i,
                              (int)i, (int)i);
    if (!text->device) return;
    for (int32_t i = 0; i < text->code->image.layout.state.count; i++)
        hbg_base_buffer_print(text->out, "        noted(z%d_%d);\n", last, (int)i);
    hbg_base_buffer_text(text->out, "        good &= USUAL;\n");
}

static void print_end_of_step(stride_text *text) {
    int32_t states = text->code->image.layout.state.count,
            powers = text->options->books ? text->code->system.power_count : 0;
    int last = hbg_rt_method_tableau(text->options->method)->stage_count - 1;
    char state[32], place[24];
    snprintf(state, sizeof state, "z%d_%%d", last);
    snprintf(place, sizeof place, "z%d_", last);
    hbg_base_buffer_text(text->out, "        const V all = ");
    hbg_code_native_print_sum_of_all(text, state, "e%d");
    hbg_base_buffer_text(text->out, ";\n        N good = IS(all - all, ==, K(0));\n");
    if (text->outputs && text->options->extent > 0) hbg_code_native_print_outputs(text, "o", place, "t_end");
    print_strips(text);
    hbg_base_buffer_text(text->out,
                         "        odd = bits_of(~good);\n        if (__builtin_expect(odd != 0, 0)) {\n");
    if (text->code->image.instants.has_events) print_looked(text, "        %1$s%2$d = before_%1$s%2$d;\n");
    hbg_base_buffer_text(text->out, "        break;\n        }\n");
    print_extent(text);
    for (int32_t i = 0; i < states; i++)
        hbg_base_buffer_print(text->out, "        x%d = z%d_%d;\n", (int)i, last, (int)i);
    for (int32_t k = 0; k < powers; k++)
        hbg_base_buffer_print(text->out, "        e_%d += e%d;\n", (int)k, (int)k);
}

/* ---- the function ------------------------------------------------------------------------------------- */

static void exchange(stride_text *text, bool in, const char *name, const char *array, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (in)
            hbg_base_buffer_print(text->out, "    V %s%d = IN(%s[%d]);\n", name, (int)i, array, (int)i);
        else
            hbg_base_buffer_print(text->out, "    OUT(%s[%d], %s%d)\n", array, (int)i, name, (int)i);
}

void hbg_code_native_print_lanes_exchange(stride_text *text, bool in) {
    static const char *const extent[] = {"last", "low", "high", "area"};
    const hbg_code *code = text->code;
    exchange(text, in, "x", "x", code->image.layout.state.count);
    exchange(text, in, "e_", "work", text->options->books ? code->system.power_count : 0);
    for (int k = 0; k < 4 && text->outputs; k++)
        exchange(text, in, extent[k], extent[k], text->options->extent);
}

/* Prints masks of constant registers that select: they are read like any others. */
void hbg_code_native_print_lanes_masks(stride_text *text) {
    for (int32_t i = 0; i < text->held.count; i++) {
        int reg = (int)text->held.items[i];
        text->name[reg] = NULL;
        hbg_base_buffer_print(text->out, "    N m%d = IS(%s, !=, K(0));\n", reg,
                              hbg_code_native_operand(text, reg));
    }
}

int32_t hbg_code_native_mode_count(const hbg_code *code) {
    const hbg_rt_calm *calm = &code->image.instants.calm;
    int32_t modes = 0;
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t count;
        (void)hbg_code_native_places(code, hbg_code_native_calm(code, calm->automata)[n], &count);
        modes += count * hbg_code_native_calm_automaton(code, n)->states.count;
    }
    return modes;
}

static void print_events_in(stride_text *text) {
    const hbg_code *code = text->code;
    const hbg_rt_calm *calm = &code->image.instants.calm;
    int32_t modes = hbg_code_native_mode_count(code);
    hbg_base_buffer_text(text->out, "    N commits_0 = NO, moves_0 = NO;\n");
    for (int32_t n = 0; n < calm->automata.count; n++)
        hbg_base_buffer_print(text->out, "    N s%d = IN_WHOLE(states[%d]);\n", (int)n, (int)n);
    for (int32_t k = 0; k < modes; k++)
        hbg_base_buffer_print(text->out, "    const N on%d = IN_WHOLE(on[%d]);\n", (int)k, (int)k);
    print_switch(text, true);
    for (int32_t i = 0; i < calm->relations.count; i++)
        hbg_base_buffer_print(text->out,
                              "    N t%d = -IN_WHOLE(truth[%d]);\n    const V near%d = IN(near[%d]);\n",
                              (int)i, (int)i, (int)i, (int)i);
    for (int32_t i = 0; i < calm->others.count; i++)
        hbg_base_buffer_print(
            text->out,
            "    const V far%d = IN(near_others[%d]);\n    const N free%d = IS(IN_WHOLE("
            "watched_others[%d]), ==, 0), side%d = IS(IN_WHOLE(truth_others[%d]), !=, 0);\n",
            (int)i, (int)i, (int)i, (int)i, (int)i, (int)i);
}

static void print_events_out(stride_text *text) {
    const hbg_rt_calm *calm = &text->code->image.instants.calm;
    for (int32_t n = 0; n < calm->automata.count; n++)
        hbg_base_buffer_print(text->out, "    OUT(states[%d], s%d)\n", (int)n, (int)n);
    for (int32_t i = 0; i < calm->relations.count; i++)
        hbg_base_buffer_print(text->out, "    OUT(truth[%d], -t%d)\n", (int)i, (int)i);
    hbg_base_buffer_text(text->out, "    COUNTED(commits, commits_0)\n    COUNTED(moves, moves_0)\n"
                                    "    COUNTED(looks, EVERY(done))\n");
}

void hbg_code_native_print_lanes_events(stride_text *text, bool in) {
    if (!text->code->image.instants.has_events) return;
    if (in)
        print_events_in(text);
    else
        print_events_out(text);
}

void hbg_code_native_print_lanes_loop(stride_text *text) {
    hbg_base_buffer_text(text->out,
                         "    V now = lanes_time(&grid, first);\n"
                         "    for (; done < steps; done++) {\n"
                         "        const V number = first + (double)done;\n"
                         "        const V t = now, t_end = lanes_time(&grid, number + 1), h = t_end - t;\n");
    print_look(text);
    hbg_code_native_print_step(text);
    print_end_of_step(text);
    hbg_base_buffer_text(text->out, "        now = t_end;\n    }\n");
}

/* Prints the list of constant registers, in the order of reading. */
static void print_registers(const stride_text *text) {
    hbg_base_buffer_text(text->out, "    static const int32_t read[] = {");
    for (int32_t i = 0; i < text->read.count; i++)
        hbg_base_buffer_print(text->out, "%d, ", (int)text->read.items[i]);
    hbg_base_buffer_print(
        text->out, "0};\n    V R[%d];\n    for (int i = 0; i < %d; i++) EACH R[i][k_] = r[k_][read[i]];\n",
        (int)text->read.count + 1, (int)text->read.count);
}

bool hbg_code_native_print_lanes(hbg_code *code, hbg_arena *scratch, const hbg_rt_native_options *options,
                                 bool outputs, hbg_buffer *out) {
    hbg_buffer loop, masks;
    hbg_rt_native_options own = *options;
    own.lines = false; // a run whose parameters move is made alone meanwhile
    stride_text text = {
        .code = code, .out = &loop, .options = &own, .lanes = true, .type = "V", .outputs = outputs};
    hbg_code_native_begin_text(&text, scratch);
    hbg_code_native_print_lanes_loop(&text);
    if (!text.fine) return false;
    print_words(&text, options->lanes, out);
    text.out = out;
    hbg_base_buffer_text(out,
                         "static uint32_t lanes(int32_t count, const double *const *r, stride_call *const "
                         "*a, int64_t steps, int64_t *made) {\n"
                         "    int64_t done = 0;\n    uint32_t odd = 0;\n"
                         "    const struct lanes_grid grid = {IN(grid.step), IN(grid.numerator), "
                         "IN(grid.denominator), IN(grid.most)};\n"
                         "    const V first = IN(first) + AS_NUMBER(IN_WHOLE(done));\n");
    hbg_code_native_print_lanes_exchange(&text, true);
    hbg_code_native_print_lanes_events(&text, true);
    hbg_base_buffer_init(&masks, scratch);
    text.out = &masks;
    hbg_code_native_print_lanes_masks(&text); // masks read registers
    text.out = out;
    print_registers(&text);
    hbg_base_buffer_add(out, masks.data, masks.size);
    hbg_base_buffer_add(out, loop.data, loop.size);
    hbg_code_native_print_lanes_exchange(&text, false);
    hbg_code_native_print_lanes_events(&text, false);
    hbg_base_buffer_text(out, "    COUNTED(done, EVERY(done))\n    *made = done;\n    return odd;\n}\n");
    return true;
}
