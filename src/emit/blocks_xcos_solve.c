/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a Scilab script that are functions in Scilab: operators that Xcos has no block for, tables, and
 * constraints. Xcos refuses blocks that read each other in a circle, so coupled constraints are one block,
 * which finds their values by Newton's method from inputs that do not depend on them. */
#include "emit/blocks_xcos_impl.h"

/* ---- coupled constraints ------------------------------------------------------------------------------ */

/* By number in order: whether it depends on the constraint, without another constraint in between. */
static void mark_behind(const hbg_emit_blocks *d, const int32_t *number, int32_t constraint, bool *behind) {
    for (int32_t i = 0; i < d->order_count; i++) {
        const block *of = &d->blocks.items[d->order[i]];
        bool holds = of->kind == BLOCK_INTEGRATOR || of->kind == BLOCK_CONSTRAINT;
        behind[i] = i == constraint;
        for (int32_t k = 0; k < of->in_count && !holds; k++)
            behind[i] |= behind[number[hbg_emit_block_in(d, of)[k]]];
    }
}

static int32_t residual_of(const xcos_script *x, int32_t constraint) {
    const block *of = &x->d->blocks.items[x->d->order[constraint]];
    return x->number[hbg_emit_block_in(x->d, of)[0]];
}

void hbg_emit_xcos_plan_constraints(xcos_script *x) {
    const hbg_emit_blocks *d = x->d;
    int32_map list = {0};
    x->constraint_port = HBG_NEW_ARRAY(d->arena, int32_t, d->order_count + 1);
    x->solver_of = HBG_NEW_ARRAY(d->arena, int32_t, d->order_count + 1);
    for (int32_t i = 0; i < d->order_count; i++)
        if (d->blocks.items[d->order[i]].kind == BLOCK_CONSTRAINT) HBG_PUSH(d->arena, list, i);
    int32_t n = list.count;
    bool *reads = HBG_NEW_ARRAY(d->arena, bool, n *n + 1);
    bool *behind = HBG_NEW_ARRAY(d->arena, bool, d->order_count + 1);
    for (int32_t k = 0; k < n; k++) {
        mark_behind(d, x->number, list.items[k], behind);
        for (int32_t i = 0; i < n; i++) reads[i * n + k] = behind[residual_of(x, list.items[i])] || i == k;
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++) reads[i * n + j] |= reads[i * n + k] && reads[k * n + j];
    for (int32_t i = 0; i < n; i++) {
        int32_t first = 0, port = 1;
        while (!(reads[i * n + first] && reads[first * n + i])) first++;
        for (int32_t k = first; k < i; k++) port += reads[k * n + first] && reads[first * n + k];
        x->solver_of[list.items[i]] = list.items[first];
        x->constraint_port[list.items[i]] = port;
    }
}

/* ---- one group ---------------------------------------------------------------------------------------- */

typedef struct {
    xcos_script *x;
    int32_t first;     /* of the constraints */
    int32_map members; /* numbers in order */
    bool *behind;      /* depends on one of them */
    bool *needed;      /* by their residuals, and depends on them */
    int32_map inputs;  /* other blocks read: block, or -1 - switch for its selector */
} group;

static int32_t input_of(group *g, int32_t what) {
    for (int32_t i = 0; i < g->inputs.count; i++)
        if (g->inputs.items[i] == what) return i + 1;
    HBG_PUSH(g->x->d->arena, g->inputs, what);
    return g->inputs.count;
}

static bool is_guessed(const xcos_script *x, int32_t constraint) {
    return x->d->blocks.items[x->d->order[constraint]].in_count > 1;
}

static group group_of(xcos_script *x, int32_t first) {
    const hbg_emit_blocks *d = x->d;
    group g = {.x = x, .first = first};
    bool *one = HBG_NEW_ARRAY(d->arena, bool, d->order_count + 1);
    g.behind = HBG_NEW_ARRAY(d->arena, bool, d->order_count + 1);
    g.needed = HBG_NEW_ARRAY(d->arena, bool, d->order_count + 1);
    for (int32_t i = first; i < d->order_count; i++) {
        if (d->blocks.items[d->order[i]].kind != BLOCK_CONSTRAINT || x->solver_of[i] != first) continue;
        HBG_PUSH(d->arena, g.members, i);
        mark_behind(d, x->number, i, one);
        for (int32_t k = 0; k < d->order_count; k++) g.behind[k] |= one[k];
        g.needed[residual_of(x, i)] = true;
    }
    for (int32_t i = d->order_count - 1; i >= 0; i--) {
        const block *of = &d->blocks.items[d->order[i]];
        bool holds = of->kind == BLOCK_INTEGRATOR || of->kind == BLOCK_CONSTRAINT;
        g.needed[i] = g.needed[i] && g.behind[i] && !holds;
        for (int32_t k = 0; k < of->in_count && g.needed[i]; k++)
            g.needed[x->number[hbg_emit_block_in(d, of)[k]]] = true;
    }
    for (int32_t i = 0; i < d->order_count; i++) {
        const block *of = &d->blocks.items[d->order[i]];
        if (!g.needed[i]) continue;
        if (of->kind == BLOCK_SWITCH) (void)input_of(&g, -1 - i);
        for (int32_t k = of->kind == BLOCK_SWITCH; k < of->in_count; k++) {
            int32_t read = x->number[hbg_emit_block_in(d, of)[k]];
            if (!g.behind[read]) (void)input_of(&g, read);
        }
    }
    for (int32_t i = 0; i < g.members.count; i++) {
        const block *of = &d->blocks.items[d->order[g.members.items[i]]];
        if (is_guessed(x, g.members.items[i])) (void)input_of(&g, x->number[hbg_emit_block_in(d, of)[1]]);
        if (!g.behind[residual_of(x, g.members.items[i])])
            (void)input_of(&g, residual_of(x, g.members.items[i]));
    }
    return g;
}

/* ---- expressions -------------------------------------------------------------------------------------- */

/* The text of a block inside a function: an unknown, a value computed there, or an input. */
static const char *operand(group *g, int32_t place) {
    hbg_arena *arena = g->x->d->arena;
    for (int32_t i = 0; i < g->members.count; i++)
        if (g->members.items[i] == place) return hbg_base_arena_print(arena, "x(%d)", (int)i + 1);
    if (g->needed[place]) return hbg_base_arena_print(arena, "v%d", (int)place + 1);
    return hbg_base_arena_print(arena, "u(%d)", (int)input_of(g, place));
}

// NOLINTBEGIN(clang-analyzer-core.CallAndMessage): a block has an operand for each of its inputs
static void put_call(hbg_buffer *out, int op, const char *const *arguments, int32_t count) {
    const char *form = hbg_emit_scilab_function(op);
    int32_t at = 0;
    for (const char *c = form; c && *c; c++) {
        if (c[0] == '%' && c[1] == 's') {
            hbg_base_buffer_text(out, arguments[at++]);
            c++;
        } else {
            hbg_base_buffer_char(out, *c);
        }
    }
    if (form) return;
    hbg_base_buffer_print(out, "%s(", hbg_rt_operator_text((hbg_operator)op));
    for (int32_t i = 0; i < count; i++) hbg_base_buffer_print(out, "%s%s", i > 0 ? ", " : "", arguments[i]);
    hbg_base_buffer_char(out, ')');
}

static void put_table(const xcos_script *x, const block *of, const char *at) {
    const hbg_table *table = &x->d->of->eqn->model->tables.items[of->of];
    hbg_base_buffer_text(x->out, "hbg_table(");
    hbg_emit_scilab_numbers(x->out, table->x, table->count);
    hbg_base_buffer_text(x->out, ", ");
    hbg_emit_scilab_numbers(x->out, table->y, table->count);
    hbg_base_buffer_print(x->out, ", %s)", at);
}

static void put_value(const xcos_script *x, const block *of, const char *const *a, const char *selector) {
    const int32_t *data = hbg_emit_block_data(x->d, of);
    hbg_buffer *out = x->out;
    switch ((int)of->kind) {
    case BLOCK_GAIN:
        hbg_emit_put_double(out, of->number);
        hbg_base_buffer_print(out, " * %s", a[0]);
        break;
    case BLOCK_SUM:
        for (int32_t i = 0; i < of->in_count; i++)
            hbg_base_buffer_print(out, " %c %s", data[i] > 0 ? '+' : '-', a[i]);
        break;
    case BLOCK_PRODUCT: hbg_base_buffer_print(out, "%s %c %s", a[0], data[1] > 0 ? '*' : '/', a[1]); break;
    case BLOCK_TABLE: put_table(x, of, a[0]); break;
    case BLOCK_SWITCH:
        hbg_base_buffer_print(out, "hbg_pick(%s", selector);
        for (int32_t i = 1; i < of->in_count; i++) hbg_base_buffer_print(out, ", %s", a[i]);
        hbg_base_buffer_char(out, ')');
        break;
    default: put_call(out, of->of, a, of->in_count); break;
    }
}
// NOLINTEND(clang-analyzer-core.CallAndMessage)

static void put_residual(group *g) {
    xcos_script *x = g->x;
    const hbg_emit_blocks *d = x->d;
    hbg_base_buffer_print(x->out, "function r = %s_r%d(x, u)\n", d->of->name, (int)g->first + 1);
    for (int32_t i = 0; i < d->order_count; i++) {
        const block *of = &d->blocks.items[d->order[i]];
        if (!g->needed[i]) continue;
        const char **a = HBG_NEW_ARRAY(d->arena, const char *, of->in_count + 1), *selector = "";
        bool picks = of->kind == BLOCK_SWITCH;
        for (int32_t k = picks; k < of->in_count; k++)
            a[k] = operand(g, x->number[hbg_emit_block_in(d, of)[k]]);
        if (picks) selector = hbg_base_arena_print(d->arena, "u(%d)", (int)input_of(g, -1 - i));
        hbg_base_buffer_print(x->out, "    v%d = ", (int)i + 1);
        put_value(x, of, a, selector);
        hbg_base_buffer_text(x->out, ";\n");
    }
    hbg_base_buffer_text(x->out, "    r = [");
    for (int32_t i = 0; i < g->members.count; i++)
        hbg_base_buffer_print(x->out, "%s%s", i > 0 ? "; " : "",
                              operand(g, residual_of(x, g->members.items[i])));
    hbg_base_buffer_text(x->out, "];\nendfunction\n");
}

static void put_solver(group *g) {
    xcos_script *x = g->x;
    const hbg_emit_blocks *d = x->d;
    const char *name = d->of->name;
    int32_t id = g->first + 1, n = g->members.count;
    hbg_base_buffer_print(x->out,
                          "function block = %s_s%d(block, flag)\n"
                          "    global %s_g%d;\n"
                          "    if flag <> 1 then return; end\n"
                          "    u = zeros(%d, 1); for k = 1:%d, u(k) = block.inptr(k); end\n"
                          "    if size(%s_g%d, \"*\") <> %d then %s_g%d = zeros(%d, 1); end\n"
                          "    x = %s_g%d;\n",
                          name, (int)id, name, (int)id, (int)g->inputs.count, (int)g->inputs.count, name,
                          (int)id, (int)n, name, (int)id, (int)n, name, (int)id);
    for (int32_t i = 0; i < n; i++) {
        const block *of = &d->blocks.items[d->order[g->members.items[i]]];
        if (!is_guessed(x, g->members.items[i])) continue;
        hbg_base_buffer_print(x->out, "    x(%d) = u(%d);\n", (int)i + 1,
                              (int)input_of(g, x->number[hbg_emit_block_in(d, of)[1]]));
    }
    hbg_base_buffer_print(x->out,
                          "    x = hbg_newton(%s_r%d, x, u);\n"
                          "    if ~or(isnan(x)) then %s_g%d = x; end\n"
                          "    for k = 1:%d, block.outptr(k) = x(k); end\n"
                          "endfunction\n",
                          name, (int)id, name, (int)id, (int)n);
}

/* ---- functions of a script ---------------------------------------------------------------------------- */

static void put_function(xcos_script *x, int32_t place) {
    static const char *const arguments[] = {"block.inptr(1)", "block.inptr(2)", "block.inptr(3)"};
    const block *of = &x->d->blocks.items[x->d->order[place]];
    hbg_base_buffer_print(x->out,
                          "function block = %s_f%d(block, flag)\n    if flag == 1 then block.outptr(1) = ",
                          x->d->of->name, (int)place + 1);
    put_value(x, of, arguments, "");
    hbg_base_buffer_text(x->out, "; end\nendfunction\n");
}

void hbg_emit_xcos_functions(xcos_script *x) {
    const hbg_emit_blocks *d = x->d;
    hbg_base_buffer_text(x->out, "// ---- functions of this diagram\n");
    for (int32_t i = 0; i < d->order_count; i++) {
        const block *of = &d->blocks.items[d->order[i]];
        bool scilab = of->kind == BLOCK_FUNCTION && of->of != HBG_OP_SELECT && of->of != HBG_OP_SQRT &&
                      hbg_emit_xcos_code(of->of) == 0;
        if (of->kind == BLOCK_TABLE || scilab) put_function(x, i);
        if (of->kind != BLOCK_CONSTRAINT || x->solver_of[i] != i) continue;
        group g = group_of(x, i);
        put_residual(&g);
        put_solver(&g);
    }
    hbg_base_buffer_char(x->out, '\n');
}

void hbg_emit_xcos_constraint(xcos_script *x, int32_t place) {
    if (x->solver_of[place] != place) {
        hbg_base_buffer_text(x->out, "hbg_constant(0)"); // solved together with another
        return;
    }
    group g = group_of(x, place);
    hbg_base_buffer_print(x->out, "hbg_scilab(\"%s_s%d\", %d, %d)", x->d->of->name, (int)place + 1,
                          (int)g.inputs.count, (int)g.members.count);
}

void hbg_emit_xcos_constraint_links(xcos_script *x,
                                    void (*link)(xcos_script *x, int32_t from, int32_t to, int32_t port)) {
    const hbg_emit_blocks *d = x->d;
    for (int32_t i = 0; i < d->order_count; i++) {
        if (d->blocks.items[d->order[i]].kind != BLOCK_CONSTRAINT || x->solver_of[i] != i) continue;
        group g = group_of(x, i);
        for (int32_t k = 0; k < g.inputs.count; k++) {
            int32_t what = g.inputs.items[k];
            if (what >= 0) link(x, what, i, k + 1);
            if (what < 0)
                hbg_base_buffer_print(x->out, "    %d %d %d %d\n", (int)d->order_count + 1,
                                      (int)x->selector_port[-1 - what], (int)i + 1, (int)k + 1);
        }
    }
}
