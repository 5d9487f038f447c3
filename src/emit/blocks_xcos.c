/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block diagram as a Scilab script: blocks of Xcos and their links, compiled and run by its simulator
 * without a display. States of automata, inputs and the selectors of switches, which change only at instants,
 * come from one block, the machine (blocks_xcos_machine.c). */
#include "emit/blocks_xcos_impl.h"

/* ---- texts -------------------------------------------------------------------------------------------- */

void hbg_emit_scilab_string(hbg_buffer *out, const char *text) {
    hbg_base_buffer_char(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\'') hbg_base_buffer_char(out, *c);
        hbg_base_buffer_char(out, (unsigned char)*c < ' ' ? '?' : *c);
    }
    hbg_base_buffer_char(out, '"');
}

void hbg_emit_scilab_comment(hbg_buffer *out, const char *text) {
    for (const char *c = text; *c; c++) hbg_base_buffer_char(out, (unsigned char)*c < ' ' ? '?' : *c);
}

void hbg_emit_scilab_numbers(hbg_buffer *out, const double *items, int32_t count) {
    hbg_base_buffer_char(out, '[');
    for (int32_t i = 0; i < count; i++) {
        if (i > 0) hbg_base_buffer_text(out, i % 16 == 0 ? ", ..\n    " : ", ");
        hbg_emit_put_double(out, items[i]);
    }
    hbg_base_buffer_char(out, ']');
}

void hbg_emit_scilab_ints(hbg_buffer *out, const int32_t *items, int32_t count) {
    hbg_base_buffer_char(out, '[');
    for (int32_t i = 0; i < count; i++) {
        if (i > 0) hbg_base_buffer_text(out, i % 32 == 0 ? ", ..\n    " : ", ");
        hbg_base_buffer_print(out, "%d", (int)items[i]);
    }
    hbg_base_buffer_char(out, ']');
}

/* ---- functions ---------------------------------------------------------------------------------------- */

/* The operation of the block EXPRESSION for an operator; 0: it has none. */
int hbg_emit_xcos_code(int op) {
    static const struct {
        int op, code;
    } codes[] = {
        {HBG_OP_EQUAL, 16},         {HBG_OP_LESS, 17},      {HBG_OP_GREATER, 18}, {HBG_OP_LESS_EQUAL, 19},
        {HBG_OP_GREATER_EQUAL, 20}, {HBG_OP_NOT_EQUAL, 21}, {HBG_OP_OR, 28},      {HBG_OP_AND, 29},
        {HBG_OP_NOT, 30},           {HBG_OP_SIN, 101},      {HBG_OP_COS, 102},    {HBG_OP_TAN, 103},
        {HBG_OP_EXP, 104},          {HBG_OP_LOG, 105},      {HBG_OP_SINH, 106},   {HBG_OP_COSH, 107},
        {HBG_OP_TANH, 108},         {HBG_OP_CEIL, 111},     {HBG_OP_FLOOR, 112},  {HBG_OP_SIGN, 113},
        {HBG_OP_ABS, 114},          {HBG_OP_MAX, 115},      {HBG_OP_MIN, 116},    {HBG_OP_ASIN, 117},
        {HBG_OP_ACOS, 118},         {HBG_OP_ATAN, 119}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].op == op) return codes[i].code;
    return 0;
}

/* Scilab's text for an operator, with u1 and u2 for its arguments. */
const char *hbg_emit_scilab_function(int op) {
    static const struct {
        int op;
        const char *text;
    } texts[] = {{HBG_OP_EQUAL, "bool2s(%s == %s)"},
                 {HBG_OP_LESS, "bool2s(%s < %s)"},
                 {HBG_OP_GREATER, "bool2s(%s > %s)"},
                 {HBG_OP_LESS_EQUAL, "bool2s(%s <= %s)"},
                 {HBG_OP_GREATER_EQUAL, "bool2s(%s >= %s)"},
                 {HBG_OP_NOT_EQUAL, "bool2s(%s <> %s)"},
                 {HBG_OP_OR, "bool2s(%s <> 0 | %s <> 0)"},
                 {HBG_OP_AND, "bool2s(%s <> 0 & %s <> 0)"},
                 {HBG_OP_NOT, "bool2s(%s == 0)"},
                 {HBG_OP_POW, "%s ^ %s"},
                 {HBG_OP_REMAINDER, "hbg_remainder(%s, %s)"},
                 {HBG_OP_ATAN2, "atan(%s, %s)"},
                 {HBG_OP_HYPOT, "hbg_hypot(%s, %s)"},
                 {HBG_OP_CBRT, "nthroot(%s, 3)"},
                 {HBG_OP_SELECT, "hbg_select(%s, %s, %s)"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].op == op) return texts[i].text;
    return NULL;
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

static void put_function(xcos_script *x, const block *of, int32_t place) {
    hbg_buffer *out = x->out;
    int code = hbg_emit_xcos_code(of->of);
    if (of->of == HBG_OP_SELECT)
        hbg_base_buffer_text(out, "hbg_switch(2, 0)");
    else if (of->of == HBG_OP_SQRT)
        hbg_base_buffer_text(out, "hbg_expression(1, [2; 1; 6; 1; 5; 15], 0.5)");
    else if (code > 0 && of->in_count == 1)
        hbg_base_buffer_print(out, "hbg_expression(1, [2; 1; 5; %d], [])", code);
    else if (code > 0)
        hbg_base_buffer_print(out, "hbg_expression(2, [2; 1; 2; 2; 5; %d], [])", code);
    else
        hbg_base_buffer_print(out, "hbg_scilab(\"%s_f%d\", %d, 1)", x->d->of->name, (int)place + 1,
                              (int)of->in_count);
}

static void put_sum(xcos_script *x, const block *of) {
    const int32_t *signs = hbg_emit_block_data(x->d, of);
    if (of->in_count == 1) {
        hbg_base_buffer_text(x->out, "hbg_gain(-1)");
        return;
    }
    hbg_base_buffer_text(x->out, of->kind == BLOCK_SUM ? "hbg_sum(" : "hbg_product(");
    hbg_emit_scilab_ints(x->out, signs, of->in_count);
    hbg_base_buffer_char(x->out, ')');
}

/* False: it is an output of the machine. */
static bool put_block(xcos_script *x, int32_t place) {
    const hbg_emit_blocks *d = x->d;
    const block *of = &d->blocks.items[d->order[place]];
    hbg_buffer *out = x->out;
    bool resets = of->kind == BLOCK_INTEGRATOR && d->projected[of->of] != d->order[place];
    if (x->port_of[place] > 0) return false;
    hbg_base_buffer_print(out, "b(%d) = ", (int)place + 1);
    switch ((int)of->kind) {
    case BLOCK_CONSTANT:
    case BLOCK_GAIN:
        hbg_base_buffer_text(out, of->kind == BLOCK_GAIN ? "hbg_gain(" : "hbg_constant(");
        hbg_emit_put_double(out, of->number);
        hbg_base_buffer_char(out, ')');
        break;
    case BLOCK_TIME: hbg_base_buffer_text(out, "hbg_time()"); break;
    case BLOCK_INTEGRATOR:
        hbg_base_buffer_print(out, "hbg_integrator%s(", resets ? "_with_reset" : "");
        hbg_emit_put_double(out, of->number);
        hbg_base_buffer_char(out, ')');
        break;
    case BLOCK_SUM:
    case BLOCK_PRODUCT: put_sum(x, of); break;
    case BLOCK_FUNCTION: put_function(x, of, place); break;
    case BLOCK_TABLE:
        hbg_base_buffer_print(out, "hbg_scilab(\"%s_f%d\", 1, 1)", d->of->name, (int)place + 1);
        break;
    case BLOCK_SWITCH: hbg_base_buffer_print(out, "hbg_switch(%d, 1)", (int)of->in_count - 1); break;
    default: hbg_emit_xcos_constraint(x, place); break;
    }
    hbg_base_buffer_char(out, ';');
    if (of->name) hbg_base_buffer_text(out, " // ");
    if (of->name) hbg_emit_scilab_comment(out, of->name);
    hbg_base_buffer_char(out, '\n');
    return true;
}

/* Blocks that the machine replaces are left empty, and removed from the list: their numbers are those of the
 * diagram. */
static void put_blocks(xcos_script *x) {
    hbg_base_buffer_text(x->out, "\n// ---- blocks, by their numbers in the diagram, plus 1\nb = list();\n");
    for (int32_t i = 0; i < x->d->order_count; i++)
        if (!put_block(x, i)) hbg_base_buffer_print(x->out, "b(%d) = hbg_constant(0);\n", (int)i + 1);
    hbg_base_buffer_print(x->out, "b(%d) = hbg_machine(\"%s_machine\", %d, %d);\n",
                          (int)x->d->order_count + 1, x->d->of->name, (int)x->machine_inputs,
                          (int)x->port_count);
}

/* ---- links -------------------------------------------------------------------------------------------- */

static void put_link(xcos_script *x, int32_t from, int32_t to, int32_t port) {
    int32_t machine = x->d->order_count;
    int32_t giver = from, output = 1;
    if (x->port_of[from] > 0) {
        giver = machine;
        output = x->port_of[from];
    } else if (x->constraint_port[from] > 0) {
        giver = x->solver_of[from];
        output = x->constraint_port[from];
    }
    hbg_base_buffer_print(x->out, "    %d %d %d %d\n", (int)giver + 1, (int)output, (int)to + 1, (int)port);
}

static void put_links_of(xcos_script *x, int32_t place) {
    const hbg_emit_blocks *d = x->d;
    const block *of = &d->blocks.items[d->order[place]];
    const int32_t *in = hbg_emit_block_in(d, of);
    int32_t first = 0, count = of->in_count;
    if (x->port_of[place] > 0 || of->kind == BLOCK_CONSTRAINT) return; // the machine; blocks_xcos_solve.c
    if (of->kind == BLOCK_INTEGRATOR && d->projected[of->of] == d->order[place]) count = 1;
    if (of->kind == BLOCK_SWITCH) {
        hbg_base_buffer_print(x->out, "    %d %d %d 1\n", (int)d->order_count + 1,
                              (int)x->selector_port[place], (int)place + 1);
        first = 1;
    }
    for (int32_t i = first; i < count; i++) {
        int32_t port = i + 1;
        if (of->kind == BLOCK_FUNCTION && of->of == HBG_OP_SELECT && i > 0) port = i == 1 ? 3 : 2;
        put_link(x, x->number[in[i]], place, port);
    }
}

static void put_links(xcos_script *x) {
    const hbg_emit_blocks *d = x->d;
    hbg_base_buffer_text(x->out, "\n// ---- links: block and output, block and input\nlinks = [\n");
    for (int32_t i = 0; i < d->order_count; i++) put_links_of(x, i);
    hbg_emit_xcos_constraint_links(x, put_link);
    for (int32_t i = 0; i < x->machine_inputs; i++) put_link(x, x->machine_in[i], d->order_count, i + 1);
    hbg_base_buffer_text(x->out, "];\n\n// ---- events: of the machine, to itself and to what it resets\n");
    int32_t machine = d->order_count + 1;
    hbg_base_buffer_print(x->out, "events = [\n    %d 1 %d 1\n    %d 2 %d 2\n", (int)machine, (int)machine,
                          (int)machine, (int)machine);
    for (int32_t i = 0; i < d->of->system->state_count; i++)
        if (d->projected[i] != d->integrators[i])
            hbg_base_buffer_print(x->out, "    %d 2 %d 1\n", (int)machine,
                                  (int)x->number[d->integrators[i]] + 1);
    hbg_base_buffer_text(x->out, "];\n");
}

/* ---- the script --------------------------------------------------------------------------------------- */

static void put_head(xcos_script *x) {
    const hbg_emit_blocks_of *of = x->d->of;
    hbg_base_buffer_text(x->out, "// Block diagram of the model ");
    hbg_emit_scilab_comment(x->out, of->model);
    if (of->experiment) hbg_base_buffer_text(x->out, ", experiment ");
    if (of->experiment) hbg_emit_scilab_comment(x->out, of->experiment);
    hbg_base_buffer_print(
        x->out,
        ", made by hbg %s.\n"
        "// Builds the diagram of Xcos blocks and runs it, without a display: scilab-cli -nb -f FILE\n"
        "// Rows go to %s, or to what the variable hbg_csv says; hbg_tolerance may be set too.\n"
        "mode(-1); lines(0); ieee(2); funcprot(0);\nloadXcosLibs();\n",
        of->version, of->rows);
    hbg_base_buffer_print(x->out, "if ~isdef(\"hbg_csv\") then hbg_csv = \"%s\"; end\n", of->rows);
    hbg_base_buffer_text(x->out, "if ~isdef(\"hbg_tolerance\") then hbg_tolerance = 1e-9; end\n");
}

void hbg_emit_blocks_xcos(const hbg_emit_blocks *d, hbg_buffer *out) {
    xcos_script *x = HBG_NEW(d->arena, xcos_script);
    *x = (xcos_script){.d = d, .out = out, .number = hbg_emit_blocks_numbers(d)};
    hbg_emit_xcos_plan_machine(x);
    hbg_emit_xcos_plan_constraints(x);
    put_head(x);
    hbg_emit_xcos_library(x);
    hbg_emit_xcos_functions(x);
    hbg_emit_xcos_machine(x);
    put_blocks(x);
    put_links(x);
    hbg_emit_xcos_run(x);
}
