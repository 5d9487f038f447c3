/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stride (rt/stride.c) as one C function: stages, guards and moves of calm automata in straight-line code
 * with values in variables of their own, so that the compiler sees what guards and field share. The
 * arithmetic is that of rt, operation by operation. Models with blocks, loops or tables have no such
 * function, nor do very large models. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "code/native_impl.h"

/* ---- guards ------------------------------------------------------------------------------------------- */

/* The comparison of hbg_rt_side_of. */
const char *hbg_code_native_side_of(const hbg_code *code, int32_t relation) {
    int op = code->image.instants.guards.relations[relation].op;
    return op == HBG_OP_LESS || op == HBG_OP_LESS_EQUAL ? "<" : ">";
}

/* Prints the truths of all relations from their differences; relations near equality, or of other automata,
 * are left to a search. */
static void print_truths(stride_text *text) {
    const hbg_code *code = text->code;
    const hbg_rt_calm *plan = &code->image.instants.calm;
    const int32_t *relations = hbg_code_native_calm(code, plan->relations),
                  *others = hbg_code_native_calm(code, plan->others);
    const int32_t *reg = hbg_rt_readout_registers(&code->image, &code->image.code.finals[READ_WATCH]);
    hbg_base_buffer_text(text->out, "        int plain = 1;\n");
    for (int32_t i = 0; i < plan->relations.count; i++) {
        const char *difference = hbg_code_native_operand(text, reg[relations[i]]);
        hbg_base_buffer_print(text->out, "        plain &= __builtin_fabs(%s) > near%d;\n", difference,
                              (int)i);
        hbg_base_buffer_print(text->out, "        const int b%d = %s %s 0;\n", (int)relations[i], difference,
                              hbg_code_native_side_of(code, relations[i]));
    }
    for (int32_t i = 0; i < plan->others.count; i++) {
        const char *difference = hbg_code_native_operand(text, reg[others[i]]);
        hbg_base_buffer_print(
            text->out,
            "        plain &= (a->watched_others[%d] == 0) | ((__builtin_fabs(%s) > a->near_others[%d]) & "
            "((%s %s 0) == a->truth_others[%d]));\n",
            (int)i, difference, (int)i, difference, hbg_code_native_side_of(code, others[i]), (int)i);
    }
    hbg_base_buffer_text(text->out, "        looks++;\n        if (!plain) { end = 1; break; }\n");
}

const hbg_rt_automaton_data *hbg_code_native_calm_automaton(const hbg_code *code, int32_t number) {
    const hbg_rt_instants *instants = &code->image.instants;
    return &instants->switching.automata[hbg_code_native_calm(code, instants->calm.automata)[number]];
}

/* Prints a condition; `pass` names the variables of its steps, `state` those of the automata. */
void hbg_code_native_print_condition(stride_text *text, int32_t transition, const char *pass,
                                     const char *state) {
    const hbg_code *code = text->code;
    const hbg_rt_instants *instants = &code->image.instants;
    hbg_rt_range steps = instants->guards.guards[transition].steps;
    const char **step = HBG_NEW_ARRAY(text->out->arena, const char *, steps.count + 1);
    for (int32_t i = 0; i < steps.count; i++) {
        const hbg_rt_guard_step *at = &instants->guards.steps[steps.first + i];
        instruction step_code = {.op = at->op, .located = HBG_NONE};
        step[i] = hbg_base_arena_print(text->out->arena, "c%s%d_%d", pass, (int)transition, (int)i);
        hbg_base_buffer_print(text->out, "        const %s %s = ", text->type, step[i]);
        if (at->op == HBG_RT_STEP_RELATION) {
            hbg_base_buffer_print(text->out, text->lanes ? "ONE(b%d)" : "b%d", (int)at->a);
        } else if (at->op == HBG_RT_STEP_NUMBER) {
            text->fine = text->fine && isfinite(at->number);
            hbg_base_buffer_print(text->out, text->lanes ? "K(%a)" : "%a", at->number);
        } else if (at->op == HBG_RT_STEP_REGISTER) {
            const char *name = hbg_code_native_operand(text, at->a);
            for (int32_t n = 0; n < instants->calm.automata.count; n++)
                if (hbg_code_native_calm_automaton(code, n)->reg == at->a)
                    name = hbg_base_arena_print(
                        text->out->arena, text->lanes ? "AS_NUMBER(%s%d)" : "(double)%s%d", state, (int)n);
            hbg_base_buffer_text(text->out, name);
        } else if (text->device && hbg_code_native_library_function(at->op)) {
            text->fine = false;
        } else {
            const char *none = text->lanes ? "K(0)" : "0";
            operand_text of = {at->a < 0 ? none : step[at->a], at->b < 0 ? none : step[at->b],
                               at->c < 0 ? none : step[at->c], text->lanes, false};
            text->fine = text->fine && hbg_code_native_expression(&step_code, of, text->out);
        }
        hbg_base_buffer_text(text->out, ";\n");
    }
    hbg_base_buffer_print(text->out,
                          text->lanes ? "        const N g%s%d = IS(%s, !=, K(0));\n"
                                      : "        const int g%s%d = %s != 0;\n",
                          pass, (int)transition, step[steps.count - 1]);
}

/* Prints one pass over the guards of all calm automata: `moved` and `next` of each, from `state`. */
static void print_pass(stride_text *text, const char *pass, const char *state, const char *next) {
    const hbg_code *code = text->code;
    const hbg_rt_switching *switching = &code->image.instants.switching;
    for (int32_t n = 0; n < code->image.instants.calm.automata.count; n++) {
        const hbg_rt_automaton_data *of = hbg_code_native_calm_automaton(code, n);
        const hbg_rt_discrete *states = &switching->discretes[of->states.first];
        for (int32_t i = 0; i < of->states.count; i++)
            for (int32_t k = 0; k < states[i].transitions.count; k++)
                hbg_code_native_print_condition(text, states[i].transitions.first + k, pass, state);
        hbg_base_buffer_print(text->out, "        int m%s%d = 0, %s%d = %s%d;\n", pass, (int)n, next, (int)n,
                              state, (int)n);
        for (int32_t i = 0; i < of->states.count; i++)
            for (int32_t k = states[i].transitions.count - 1; k >= 0;
                 k--) { // the first one wins: it comes last
                int32_t number = states[i].transitions.first + k;
                hbg_base_buffer_print(text->out,
                                      "        { const int takes = (%s%d == %d) & g%s%d; m%s%d |= takes; ",
                                      state, (int)n, (int)i, pass, (int)number, pass, (int)n);
                hbg_base_buffer_print(text->out, "%s%d = takes ? %d : %s%d; }\n", next, (int)n,
                                      (int)switching->transitions[number].target, next, (int)n);
            }
    }
}

void hbg_code_native_print_sum(stride_text *text, const char *prefix, const char *between) {
    for (int32_t n = 0; n < text->code->image.instants.calm.automata.count; n++)
        hbg_base_buffer_print(text->out, "%s%s%d", n ? between : "", prefix, (int)n);
}

/* Junctions follow their automata. */
static void print_switch(stride_text *text) {
    const hbg_code *code = text->code;
    const hbg_rt_calm *calm = &code->image.instants.calm;
    int32_t offset = 0;
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t automaton = hbg_code_native_calm(code, calm->automata)[n], count;
        const int32_t *places = hbg_code_native_places(code, automaton, &count);
        hbg_base_buffer_print(text->out, "            s%d = q%d;\n", (int)n, (int)n);
        for (int32_t k = 0; k < count; k++) {
            int32_t reg = hbg_code_native_on_register(code, places[k]);
            if (text->mask[reg] == reg)
                hbg_base_buffer_print(text->out, "            m%d = mask_of(a->on[%d + s%d]);\n", (int)reg,
                                      (int)offset, (int)n);
            offset += hbg_code_native_calm_automaton(code, n)->states.count;
        }
    }
}

static void print_look(stride_text *text) {
    const hbg_rt_calm *plan = &text->code->image.instants.calm;
    if (!text->code->image.instants.has_events) return;
    hbg_code_native_begin_place(text, "x",
                                "t"); // even without guards to evaluate: rates share much of it
    hbg_code_native_print_reading(text, READ_WATCH);
    hbg_base_buffer_text(text->out, "        if (done > 0 || !a->looked) {\n");
    print_truths(text);
    print_pass(text, "", "s", "q");
    if (plan->automata.count > 0) { // no branch on whether one moves: it would often be mispredicted
        print_pass(text, "z", "q", "w");
        hbg_base_buffer_text(text->out, "        if (");
        hbg_code_native_print_sum(text, "mz", " | ");
        hbg_base_buffer_text(text->out, ") { end = 1; break; }\n        const int moved = ");
        hbg_code_native_print_sum(text, "m", " + ");
        hbg_base_buffer_text(text->out, ";\n        commits += moved != 0;\n        moves += moved;\n");
        print_switch(text);
    }
    for (int32_t i = 0; i < plan->relations.count; i++)
        hbg_base_buffer_print(text->out, "        t%d = (uint8_t)b%d;\n", (int)i,
                              (int)hbg_code_native_calm(text->code, plan->relations)[i]);
    hbg_base_buffer_text(text->out, "        }\n");
}

/* ---- a step ------------------------------------------------------------------------------------------- */

/* Prints rates, and powers if work is booked, at a place: from the state `from`, rates into
 * k<stage>_<state>. */
static void print_stage(stride_text *text, int stage, const char *from, const char *time) {
    const hbg_code *code = text->code;
    const hbg_rt_readout *field = &code->image.code.finals[READ_FIELD],
                         *powers = &code->image.code.finals[READ_POWERS];
    hbg_code_native_begin_place(text, from, time);
    hbg_code_native_print_reading(text, READ_FIELD);
    for (int32_t i = 0; i < field->reg.count; i++)
        hbg_base_buffer_print(text->out, "        const %s k%d_%d = %s;\n", text->type, stage, (int)i,
                              hbg_code_native_coarse(text, field, i));
    if (!text->options->books) return;
    hbg_code_native_begin_place(text, from, time);
    hbg_code_native_print_reading(text, READ_POWERS);
    for (int32_t i = 0; i < powers->reg.count; i++)
        hbg_base_buffer_print(text->out, "        e%d += weight%d * %s;\n", (int)i, stage,
                              hbg_code_native_coarse(text, powers, i));
}

void hbg_code_native_print_step(stride_text *text) {
    const hbg_rt_tableau *method = hbg_rt_method_tableau(text->options->method);
    int32_t states = text->code->image.layout.state.count,
            powers = text->options->books ? text->code->system.power_count : 0;
    hbg_buffer *out = text->out;
    for (int32_t k = 0; k < powers; k++)
        hbg_base_buffer_print(out, "        %s e%d = %s;\n", text->type, (int)k, text->lanes ? "K(0)" : "0");
    for (int stage = 0; stage < method->stage_count; stage++) {
        double through = method->through[stage];
        char place[24] = "x", time[24] = "t";
        hbg_base_buffer_print(out, "        const %s weight%d = h * %a;\n", text->type, stage,
                              method->weight[stage]);
        if (stage > 0) {
            snprintf(place, sizeof place, "y%d_", stage);
            snprintf(time, sizeof time, "when%d", stage);
            hbg_base_buffer_print(
                out, "        const %s through%d = h * %a, when%d = %s;\n", text->type, stage, through, stage,
                through == 1 ? "t_end" : hbg_base_arena_print(out->arena, "t + through%d", stage));
        }
        for (int32_t i = 0; i < states && stage > 0; i++)
            hbg_base_buffer_print(out, "        const %s y%d_%d = x%d + through%d * k%d_%d;\n", text->type,
                                  stage, (int)i, (int)i, stage, stage - 1, (int)i);
        for (int32_t i = 0; i < states && stage > 0 && text->device; i++)
            hbg_base_buffer_print(out, "        noted(y%d_%d);\n", stage, (int)i);
        print_stage(text, stage, place, hbg_base_arena_print(out->arena, "%s", time));
        if (stage == 0 && text->outputs && !text->lanes) hbg_code_native_print_rows_begin(text);
        for (int32_t i = 0; i < states; i++)
            hbg_base_buffer_print(out, "        const %s z%d_%d = %s + weight%d * k%d_%d;\n", text->type,
                                  stage, (int)i,
                                  stage == 0 ? hbg_base_arena_print(out->arena, "x%d", (int)i)
                                             : hbg_base_arena_print(out->arena, "z%d_%d", stage - 1, (int)i),
                                  stage, stage, (int)i);
    }
}

void hbg_code_native_print_sum_of_all(stride_text *text, const char *state, const char *work) {
    int32_t powers = text->options->books ? text->code->system.power_count : 0;
    hbg_code_native_print_tree(text->out, state, 0, text->code->image.layout.state.count);
    if (powers > 0) hbg_base_buffer_text(text->out, " + ");
    if (powers > 0) hbg_code_native_print_tree(text->out, work, 0, powers);
}

/* Checks that all are finite. If a sum is finite, so are its terms; if it is not, it may only be too large,
 * and each is checked: its difference with itself is 0 if it is finite. */
static void print_finite(stride_text *text, int last) {
    char state[32], difference[64];
    snprintf(state, sizeof state, "z%d_%%d", last);
    snprintf(difference, sizeof difference, "(z%d_%%d - z%d_%%d)", last, last);
    hbg_base_buffer_text(text->out, "        const double all = ");
    hbg_code_native_print_sum_of_all(text, state, "e%d");
    hbg_base_buffer_text(text->out, ";\n        if (__builtin_expect(!(all - all == 0), 0) && !(");
    hbg_code_native_print_sum_of_all(text, difference, "(e%d - e%d)");
    hbg_base_buffer_text(text->out, " == 0)) { end = 2; break; }\n");
}

static void print_end_of_step(stride_text *text) {
    const hbg_rt_tableau *method = hbg_rt_method_tableau(text->options->method);
    int32_t states = text->code->image.layout.state.count,
            powers = text->options->books ? text->code->system.power_count : 0;
    int last = method->stage_count - 1;
    print_finite(text, last);
    if (text->outputs) hbg_code_native_print_extent(text, last);
    if (text->outputs) hbg_code_native_print_rows(text, last);
    if (text->outputs) hbg_code_native_print_extent_taken(text);
    for (int32_t i = 0; i < states; i++)
        hbg_base_buffer_print(text->out, "        x%d = z%d_%d;\n", (int)i, last, (int)i);
    for (int32_t k = 0; k < powers; k++)
        hbg_base_buffer_print(text->out, "        e_%d += e%d;\n", (int)k, (int)k);
}

/* ---- the function ------------------------------------------------------------------------------------- */

/* Copies a variable that is kept from step to step in from the run, or back. */
static void exchange(stride_text *text, bool in, const char *type, const char *name, const char *array,
                     int32_t i) {
    if (in)
        hbg_base_buffer_print(text->out, "    %s %s%d = a->%s[%d];\n", type, name, (int)i, array, (int)i);
    else
        hbg_base_buffer_print(text->out, "    a->%s[%d] = (%s)%s%d;\n", array, (int)i, type, name, (int)i);
}

static void print_mask(stride_text *text, int32_t reg) {
    hbg_base_buffer_print(text->out, "    mask m%d = mask_of(-(int64_t)(r[%d] != 0));\n", (int)reg, (int)reg);
}

static void print_exchange(stride_text *text, bool in) {
    const hbg_code *code = text->code;
    const hbg_rt_calm *calm = &code->image.instants.calm;
    int32_t powers = text->options->books ? code->system.power_count : 0, offset = 0;
    for (int32_t i = 0; i < code->image.layout.state.count; i++) exchange(text, in, "double", "x", "x", i);
    for (int32_t k = 0; k < powers; k++) exchange(text, in, "double", "e_", "work", k);
    if (text->outputs) hbg_code_native_print_extent_exchange(text, in);
    if (!code->image.instants.has_events) return;
    for (int32_t n = 0; n < calm->automata.count; n++) {
        int32_t count, states = hbg_code_native_calm_automaton(code, n)->states.count;
        const int32_t *places =
            hbg_code_native_places(code, hbg_code_native_calm(code, calm->automata)[n], &count);
        exchange(text, in, "int32_t", "s", "states", n);
        for (int32_t k = 0; k < count && in; k++, offset += states) {
            int32_t reg = hbg_code_native_on_register(code, places[k]);
            if (text->mask[reg] == reg)
                hbg_base_buffer_print(text->out, "    mask m%d = mask_of(a->on[%d + s%d]);\n", (int)reg,
                                      (int)offset, (int)n);
        }
    }
    for (int32_t i = 0; i < calm->relations.count; i++) {
        exchange(text, in, "uint8_t", "t", "truth", i);
        if (in) exchange(text, in, "const double", "near", "near", i);
    }
}

enum { LONGEST_STEP = 10000 }; /* instructions: compilers take more than proportional time for one function */

static int64_t count_stage(const hbg_code *code, reading_kind reading) {
    int64_t count = hbg_rt_program_at(&code->image, code->image.code.finals[reading].code).count;
    for (int32_t i = 0; i < code->image.pool.blocks.count; i++)
        count += hbg_rt_program_at(&code->image, HBG_RT_AT(code->image.pool.blocks, i)->code[reading]).count;
    return count;
}

static int64_t count_step(const hbg_code *code, const hbg_rt_native_options *options) {
    int64_t stage = count_stage(code, READ_FIELD) + (options->books ? count_stage(code, READ_POWERS) : 0);
    int stages = hbg_rt_method_tableau(options->method)->stage_count;
    return stage * stages + count_stage(code, READ_FIELD) + count_stage(code, READ_WATCH) +
           2 * count_stage(code, READ_OUTPUTS);
}

/* Whether every junction of a calm automaton follows it alone. */
static bool follow_alone(const hbg_code *code, hbg_arena *scratch) {
    const hbg_rt_instants *instants = &code->image.instants;
    bool *seen = HBG_NEW_ARRAY(scratch, bool, instants->places.count + 1);
    for (int32_t n = 0; n < instants->calm.automata.count; n++) {
        int32_t count;
        const int32_t *places =
            hbg_code_native_places(code, hbg_code_native_calm(code, instants->calm.automata)[n], &count);
        for (int32_t k = 0; k < count; k++) {
            if (seen[places[k]]) return false;
            seen[places[k]] = true;
        }
    }
    return true;
}

/* All code is the same in every mode. */
const char *hbg_code_native_no_stride(const hbg_code *code, hbg_arena *scratch,
                                      const hbg_rt_native_options *options) {
    const hbg_rt_instants *instants = &code->image.instants;
    int32_t states = code->image.layout.state.count;
    if (states == 0) return "it has no states";
    if (states > LONGEST_STRIDE || count_step(code, options) > LONGEST_STEP)
        return "a step has too many operations";
    if (instants->has_events && !instants->calm.possible) return "its events have to be searched";
    for (int32_t i = 0; i < code->image.pool.blocks.count; i++)
        if (HBG_RT_AT(code->image.pool.blocks, i)->choice >= 0)
            return "some of its equations depend on the mode";
    return follow_alone(code, scratch) ? NULL : "a junction follows several automata";
}

/* Prints the loop over steps. */
static void print_loop(stride_text *text) {
    text->at = NULL;
    hbg_base_buffer_text(
        text->out, "    double now = grid_time(&grid, first);\n"
                   "    for (; done < a->count; done++) {\n"
                   "        const double number = first + (double)done;\n"
                   "        const double t = now, t_end = grid_time(&grid, number + 1), h = t_end - t;\n");
    print_look(text);
    hbg_code_native_print_step(text);
    print_end_of_step(text);
    hbg_base_buffer_text(text->out, "        now = t_end;\n    }\n");
}

void hbg_code_native_begin_text(stride_text *text, hbg_arena *scratch) {
    const hbg_code *code = text->code;
    int32_t registers = code->image.code.mark.registers;
    if (!text->name) {
        text->name = HBG_NEW_ARRAY(scratch, const char *, registers + 1);
        text->mask = HBG_NEW_ARRAY(scratch, int32_t, registers + 1);
        text->kept = HBG_NEW_ARRAY(scratch, int32_t, registers + 1);
        text->grain = HBG_NEW_ARRAY(scratch, int32_t, registers + 1);
        text->read_at = HBG_NEW_ARRAY(scratch, int32_t, registers + 1);
    }
    hbg_base_buffer_init(text->out, scratch);
    text->fine = true;
    text->why = NULL;
    text->values = text->calls = text->held.count = 0;
    for (int32_t i = 0; i < registers; i++) text->mask[i] = text->kept[i] = HBG_NONE;
    if (code->image.instants.has_events) hbg_code_native_name_masks(text, scratch);
}

/* Prints the loop, which also finds the masks that are needed. */
static void print_body(stride_text *text, hbg_arena *scratch) {
    hbg_code_native_begin_text(text, scratch);
    print_loop(text);
}

bool hbg_code_native_print_stride(hbg_code *code, hbg_arena *scratch, const hbg_rt_native_options *options,
                                  hbg_buffer *out, bool *outputs) {
    hbg_buffer loop;
    stride_text text = {.code = code, .out = &loop, .options = options, .type = "double", .outputs = true};
    if (hbg_code_native_no_stride(code, scratch, options)) return false;
    print_body(&text, scratch);
    text.outputs = text.fine;
    if (!text.fine) print_body(&text, scratch); // if only outputs read tables or loops, it goes without them
    if (!text.fine) return false;
    *outputs = text.outputs;
    const char *alone = options->lines ? "" : "restrict "; // moving parameters writes there, too
    text.out = out;
    hbg_base_buffer_print(
        out,
        "%sstatic void stride(const double *%sr, stride_call *%sa) {\n"
        "    int64_t done = 0, commits = 0, moves = 0, looks = 0;\n    int end = 0;\n"
        "    const time_grid grid = a->grid;\n    const double first = a->first;\n    int32_t "
        "row = a->row;\n"
        "    int64_t drawn = row < a->row_count ? a->rows[row].step - a->base : -1;\n"
        "    (void)drawn;\n",
        text.calls <= MOST_INLINE ? "__attribute__((flatten)) " : "", alone, alone);
    print_exchange(&text, true);
    for (int32_t i = 0; i < text.held.count; i++) print_mask(&text, text.held.items[i]);
    hbg_base_buffer_add(out, loop.data, loop.size);
    print_exchange(&text, false);
    hbg_base_buffer_text(out,
                         "    a->done = done, a->commits = commits, a->moves = moves, a->looks = looks;\n"
                         "    a->end = end, a->row = row;\n}\n");
    return true;
}
