/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block diagram as a MATLAB script of add_block and add_line calls, as the tools of 001, section 7.2 made
 * them. Block bN is block N of the diagram. An automaton is an S-function that the script writes to a file
 * next to it; it makes at most one transition at the end of each step. */
#include <math.h>

#include "emit/blocks_print_impl.h"

typedef struct {
    const hbg_emit_blocks *d;
    hbg_buffer *out;
    const int32_t *number;
} matlab_script;

/* ---- texts -------------------------------------------------------------------------------------------- */

/* Inside quotes, or after a percent sign. */
static void put_text(hbg_buffer *out, const char *text, bool quoted) {
    for (const char *c = text; *c; c++) {
        if (*c == '\'' && quoted) hbg_base_buffer_char(out, '\'');
        hbg_base_buffer_char(out, (unsigned char)*c < ' ' ? '?' : *c);
    }
}

static void put_numbers(hbg_buffer *out, const double *items, int32_t count) {
    hbg_base_buffer_char(out, '[');
    for (int32_t i = 0; i < count; i++) {
        if (i > 0) hbg_base_buffer_char(out, ' ');
        hbg_emit_put_double(out, items[i]);
    }
    hbg_base_buffer_char(out, ']');
}

static void put_parameter(hbg_buffer *out, const char *name, double value) {
    hbg_base_buffer_print(out, ", '%s', '", name);
    hbg_emit_put_double(out, value);
    hbg_base_buffer_char(out, '\'');
}

/* ---- blocks in Simulink ------------------------------------------------------------------------------- */

typedef struct {
    int op;
    const char *library, *parameters;
} matlab_function;

static const matlab_function functions[] = {
    {HBG_OP_EQUAL, "Logic and Bit Operations/Relational Operator", "'Operator', '=='"},
    {HBG_OP_NOT_EQUAL, "Logic and Bit Operations/Relational Operator", "'Operator', '~='"},
    {HBG_OP_LESS, "Logic and Bit Operations/Relational Operator", "'Operator', '<'"},
    {HBG_OP_LESS_EQUAL, "Logic and Bit Operations/Relational Operator", "'Operator', '<='"},
    {HBG_OP_GREATER, "Logic and Bit Operations/Relational Operator", "'Operator', '>'"},
    {HBG_OP_GREATER_EQUAL, "Logic and Bit Operations/Relational Operator", "'Operator', '>='"},
    {HBG_OP_OR, "Logic and Bit Operations/Logical Operator", "'Operator', 'OR', 'Inputs', '2'"},
    {HBG_OP_AND, "Logic and Bit Operations/Logical Operator", "'Operator', 'AND', 'Inputs', '2'"},
    {HBG_OP_NOT, "Logic and Bit Operations/Logical Operator", "'Operator', 'NOT'"},
    {HBG_OP_SELECT, "Signal Routing/Switch", "'Criteria', 'u2 ~= 0'"},
    {HBG_OP_SIN, "Math Operations/Trigonometric Function", "'Operator', 'sin'"},
    {HBG_OP_COS, "Math Operations/Trigonometric Function", "'Operator', 'cos'"},
    {HBG_OP_TAN, "Math Operations/Trigonometric Function", "'Operator', 'tan'"},
    {HBG_OP_ASIN, "Math Operations/Trigonometric Function", "'Operator', 'asin'"},
    {HBG_OP_ACOS, "Math Operations/Trigonometric Function", "'Operator', 'acos'"},
    {HBG_OP_ATAN, "Math Operations/Trigonometric Function", "'Operator', 'atan'"},
    {HBG_OP_ATAN2, "Math Operations/Trigonometric Function", "'Operator', 'atan2'"},
    {HBG_OP_SINH, "Math Operations/Trigonometric Function", "'Operator', 'sinh'"},
    {HBG_OP_COSH, "Math Operations/Trigonometric Function", "'Operator', 'cosh'"},
    {HBG_OP_TANH, "Math Operations/Trigonometric Function", "'Operator', 'tanh'"},
    {HBG_OP_EXP, "Math Operations/Math Function", "'Operator', 'exp'"},
    {HBG_OP_LOG, "Math Operations/Math Function", "'Operator', 'log'"},
    {HBG_OP_LOG10, "Math Operations/Math Function", "'Operator', 'log10'"},
    {HBG_OP_POW, "Math Operations/Math Function", "'Operator', 'pow'"},
    {HBG_OP_HYPOT, "Math Operations/Math Function", "'Operator', 'hypot'"},
    {HBG_OP_REMAINDER, "Math Operations/Math Function", "'Operator', 'rem'"},
    {HBG_OP_SQRT, "Math Operations/Sqrt", "'Operator', 'sqrt'"},
    {HBG_OP_CBRT, "User-Defined Functions/Fcn", "'Expr', 'sign(u)*abs(u)^(1/3)'"},
    {HBG_OP_ABS, "Math Operations/Abs", "'ZeroCross', 'off'"},
    {HBG_OP_SIGN, "Math Operations/Sign", "'ZeroCross', 'off'"},
    {HBG_OP_FLOOR, "Math Operations/Rounding Function", "'Operator', 'floor'"},
    {HBG_OP_CEIL, "Math Operations/Rounding Function", "'Operator', 'ceil'"},
    {HBG_OP_MIN, "Math Operations/MinMax", "'Function', 'min', 'Inputs', '2'"},
    {HBG_OP_MAX, "Math Operations/MinMax", "'Function', 'max', 'Inputs', '2'"}};

static const matlab_function *find_function(int op) {
    size_t i = 0;
    while (i + 1 < sizeof functions / sizeof *functions && functions[i].op != op) i++;
    return &functions[i];
}

static const char *library_of(const block *of) {
    switch ((int)of->kind) {
    case BLOCK_CONSTANT: return "Sources/Constant";
    case BLOCK_TIME: return "Sources/Clock";
    case BLOCK_SOURCE: return "Sources/From Workspace";
    case BLOCK_AUTOMATON: return "User-Defined Functions/Level-2 MATLAB S-Function";
    case BLOCK_INTEGRATOR: return "Continuous/Integrator";
    case BLOCK_GAIN: return "Math Operations/Gain";
    case BLOCK_SUM: return "Math Operations/Add";
    case BLOCK_PRODUCT: return "Math Operations/Product";
    case BLOCK_FUNCTION: return find_function(of->of)->library;
    case BLOCK_TABLE: return "Lookup Tables/1-D Lookup Table";
    case BLOCK_LOOKUP: return "Lookup Tables/Direct Lookup Table (n-D)";
    case BLOCK_SWITCH: return "Signal Routing/Multiport Switch";
    default: return "Math Operations/Algebraic Constraint";
    }
}

/* ---- parameters --------------------------------------------------------------------------------------- */

/* An event is true for one step. */
static void put_source(const matlab_script *m, const block *of) {
    source_course course = hbg_emit_blocks_course(m->d, of);
    hbg_base_buffer_text(m->out, ", 'VariableName', '[0 0");
    for (int32_t i = 0; i < course.count; i++) {
        hbg_base_buffer_text(m->out, "; ");
        hbg_emit_put_double(m->out, course.times[i]);
        hbg_base_buffer_char(m->out, ' ');
        hbg_emit_put_double(m->out, course.values[i]);
        if (!course.event) continue;
        hbg_base_buffer_text(m->out, "; ");
        hbg_emit_put_double(m->out, course.times[i] + m->d->of->step);
        hbg_base_buffer_text(m->out, " 0");
    }
    hbg_base_buffer_text(m->out, "]', 'Interpolate', 'off', 'OutputAfterFinalValue', 'Holding final value'");
}

static void put_signs(const matlab_script *m, const block *of, char plus, char minus) {
    hbg_base_buffer_text(m->out, ", 'Inputs', '");
    for (int32_t i = 0; i < of->in_count; i++)
        hbg_base_buffer_char(m->out, hbg_emit_block_data(m->d, of)[i] > 0 ? plus : minus);
    hbg_base_buffer_char(m->out, '\'');
}

static void put_lookup(const matlab_script *m, const block *of) {
    const hbg_emit_blocks *d = m->d;
    hbg_base_buffer_print(m->out, ", 'NumberOfTableDimensions', '%d', 'Table', 'reshape([",
                          (int)of->in_count);
    for (int32_t i = 0; i < of->data_count; i++)
        hbg_base_buffer_print(m->out, "%s%d", i > 0 ? " " : "", (int)hbg_emit_block_data(d, of)[i]);
    hbg_base_buffer_text(m->out, "], [");
    for (int32_t i = 0; i < of->in_count; i++) {
        int32_t automaton = d->blocks.items[hbg_emit_block_in(d, of)[i]].of;
        hbg_base_buffer_print(m->out, "%d ", (int)d->of->eqn->model->automata.items[automaton].state_count);
    }
    hbg_base_buffer_text(m->out, "1])', 'DiagnosticForOutOfRangeInput', 'Error'");
}

static void put_switch(const matlab_script *m, const block *of) {
    hbg_base_buffer_text(m->out, ", 'DataPortOrder', 'Specify indices', 'DataPortIndices', '{");
    for (int32_t i = 0; i < of->data_count; i++)
        hbg_base_buffer_print(m->out, "%s%d", i > 0 ? "," : "", (int)hbg_emit_block_data(m->d, of)[i]);
    hbg_base_buffer_text(m->out, "}', 'DiagnosticForDefault', 'Error'");
}

/* By transition of the automaton: from, to, input with its guard (0: none), wait in s. */
static void put_automaton(const matlab_script *m, const block *of) {
    const hbg_emit_blocks *d = m->d;
    const hbg_model *model = d->of->eqn->model;
    const hbg_automaton *automaton = &model->automata.items[of->of];
    int32_t input = 0;
    hbg_base_buffer_print(m->out, ", 'FunctionName', '%s_automaton', 'Parameters', '[", d->of->name);
    for (int32_t s = 0; s < automaton->state_count; s++) {
        const hbg_automaton_state *state = &model->states.items[automaton->first_state + s];
        for (int32_t i = 0; i < state->transition_count; i++) {
            int32_t t = state->first_transition + i;
            bool guarded = d->guards[t] != HBG_NONE;
            input += guarded;
            hbg_base_buffer_print(m->out, "%d %d %d ", (int)s, (int)model->transitions.items[t].target,
                                  guarded ? (int)input : 0);
            double after = d->of->eqn->guards[t].after;
            hbg_emit_put_double(m->out, isnan(after) ? 0 : after);
            hbg_base_buffer_text(m->out, "; ");
        }
    }
    hbg_base_buffer_print(m->out, "], %d, ", (int)d->of->system->start_states[of->of]);
    hbg_emit_put_double(m->out, d->of->step);
    hbg_base_buffer_char(m->out, '\'');
}

static void put_parameters(const matlab_script *m, const block *of) {
    hbg_buffer *out = m->out;
    const hbg_model *model = m->d->of->eqn->model;
    switch ((int)of->kind) {
    case BLOCK_CONSTANT: put_parameter(out, "Value", of->number); break;
    case BLOCK_GAIN: put_parameter(out, "Gain", of->number); break;
    case BLOCK_INTEGRATOR: put_parameter(out, "InitialCondition", of->number); break;
    case BLOCK_SOURCE: put_source(m, of); break;
    case BLOCK_AUTOMATON: put_automaton(m, of); break;
    case BLOCK_SUM: put_signs(m, of, '+', '-'); break;
    case BLOCK_PRODUCT: put_signs(m, of, '*', '/'); break;
    case BLOCK_FUNCTION: hbg_base_buffer_print(out, ", %s", find_function(of->of)->parameters); break;
    case BLOCK_TABLE:
        hbg_base_buffer_text(out, ", 'BreakpointsForDimension1', '");
        put_numbers(out, model->tables.items[of->of].x, model->tables.items[of->of].count);
        hbg_base_buffer_text(out, "', 'Table', '");
        put_numbers(out, model->tables.items[of->of].y, model->tables.items[of->of].count);
        hbg_base_buffer_text(out, "', 'ExtrapMethod', 'Clip'");
        break;
    case BLOCK_LOOKUP: put_lookup(m, of); break;
    case BLOCK_SWITCH: put_switch(m, of); break;
    default: break;
    }
}

/* ---- the script --------------------------------------------------------------------------------------- */

enum { COLUMN = 16 }; /* blocks of a column of the picture */

static void put_block(const matlab_script *m, int32_t place) {
    const block *of = &m->d->blocks.items[m->d->order[place]];
    int x = 40 + 110 * (place / COLUMN), y = 40 + 60 * (place % COLUMN);
    hbg_base_buffer_print(m->out, "add_block('simulink/%s', [sys '/b%d'], 'Position', [%d %d %d %d]",
                          library_of(of), (int)place, x, y, x + 40, y + 30);
    put_parameters(m, of);
    hbg_base_buffer_text(m->out, ");");
    if (of->name) hbg_base_buffer_text(m->out, " % ");
    if (of->name) put_text(m->out, of->name, false);
    hbg_base_buffer_char(m->out, '\n');
}

static void put_line(const matlab_script *m, int32_t from, const char *to, int32_t number, int32_t port) {
    hbg_base_buffer_print(m->out, "add_line(sys, 'b%d/1', '%s%d/%d');\n", (int)from, to, (int)number,
                          (int)port);
}

static void put_guard_lines(const matlab_script *m, int32_t place, int32_t number) {
    const hbg_emit_blocks *d = m->d;
    const hbg_automaton *of = &d->of->eqn->model->automata.items[number];
    int32_t port = 0;
    for (int32_t s = 0; s < of->state_count; s++) {
        const hbg_automaton_state *state = &d->of->eqn->model->states.items[of->first_state + s];
        for (int32_t i = 0; i < state->transition_count; i++) {
            int32_t guard = d->guards[state->first_transition + i];
            if (guard != HBG_NONE) put_line(m, m->number[guard], "b", place, ++port);
        }
    }
}

/* A Switch has its condition in the middle. */
static void put_lines(const matlab_script *m, int32_t place) {
    const block *of = &m->d->blocks.items[m->d->order[place]];
    int32_t count = of->kind == BLOCK_INTEGRATOR || of->kind == BLOCK_CONSTRAINT ? 1 : of->in_count;
    bool select = of->kind == BLOCK_FUNCTION && of->of == HBG_OP_SELECT;
    static const int ports[] = {2, 1, 3};
    if (of->kind == BLOCK_AUTOMATON) put_guard_lines(m, place, of->of);
    for (int32_t i = 0; i < count; i++)
        put_line(m, m->number[hbg_emit_block_in(m->d, of)[i]], "b", place, select ? ports[i] : i + 1);
}

static void put_outputs(const matlab_script *m) {
    const hbg_emit_blocks_of *of = m->d->of;
    int x = 40 + 110 * (m->d->order_count / COLUMN + 1);
    for (int32_t i = 0; i < of->columns; i++) {
        hbg_base_buffer_print(
            m->out,
            "add_block('simulink/Sinks/Out1', [sys '/o%d'], 'Position', [%d %d %d %d], 'Description', '",
            (int)i + 1, x, 40 + 60 * (int)i, x + 40, 70 + 60 * (int)i);
        put_text(m->out, of->system->outputs[i].name, true);
        hbg_base_buffer_text(m->out, "');\n");
        put_line(m, m->number[m->d->outputs[i]], "o", i + 1, 1);
    }
}

static const char *const automaton_text =
    "file = fopen([sys '_automaton.m'], 'w');\n"
    "fprintf(file, '%s\\n', ['function ' sys '_automaton(block)'], ...\n"
    "    '% Parameters: transitions (from, to, input with the guard or 0, wait), start state, step', ...\n"
    "    '    block.NumDialogPrms = 3;', ...\n"
    "    '    block.NumInputPorts = max([0; block.DialogPrm(1).Data(:, 3)]);', ...\n"
    "    '    block.NumOutputPorts = 1;', ...\n"
    "    '    for k = 1:block.NumInputPorts', ...\n"
    "    '        block.InputPort(k).Dimensions = 1;', ...\n"
    "    '        block.InputPort(k).DirectFeedthrough = false;', ...\n"
    "    '    end', ...\n"
    "    '    block.OutputPort(1).Dimensions = 1;', ...\n"
    "    '    block.SampleTimes = [block.DialogPrm(3).Data 0];', ...\n"
    "    '    block.RegBlockMethod(''PostPropagationSetup'', @setup);', ...\n"
    "    '    block.RegBlockMethod(''InitializeConditions'', @start);', ...\n"
    "    '    block.RegBlockMethod(''Outputs'', @give);', ...\n"
    "    '    block.RegBlockMethod(''Update'', @move);', ...\n"
    "    'end', ...\n"
    "    'function setup(block)', ...\n"
    "    '    block.NumDworks = 1;', ...\n"
    "    '    block.Dwork(1).Name = ''state'';', ...\n"
    "    '    block.Dwork(1).Dimensions = 2;', ...\n"
    "    '    block.Dwork(1).DatatypeID = 0;', ...\n"
    "    '    block.Dwork(1).Complexity = ''Real'';', ...\n"
    "    'end', ...\n"
    "    'function start(block)', ...\n"
    "    '    block.Dwork(1).Data = [block.DialogPrm(2).Data; 0];', ...\n"
    "    'end', ...\n"
    "    'function give(block)', ...\n"
    "    '    block.OutputPort(1).Data = block.Dwork(1).Data(1);', ...\n"
    "    'end', ...\n"
    "    'function move(block)', ...\n"
    "    '    state = block.Dwork(1).Data;', ...\n"
    "    '    for w = block.DialogPrm(1).Data''', ...\n"
    "    '        waited = block.CurrentTime - state(2) >= w(4) - 1e-9 * block.DialogPrm(3).Data;', ...\n"
    "    '        if w(1) ~= state(1) || ~waited, continue; end', ...\n"
    "    '        if w(3) > 0 && block.InputPort(w(3)).Data == 0, continue; end', ...\n"
    "    '        block.Dwork(1).Data = [w(2); block.CurrentTime];', ...\n"
    "    '        return;', ...\n"
    "    '    end', ...\n"
    "    'end');\n"
    "fclose(file);\n";

static void put_head(const matlab_script *m) {
    const hbg_emit_blocks_of *of = m->d->of;
    hbg_base_buffer_text(m->out, "% Block diagram of the model ");
    put_text(m->out, of->model, false);
    if (of->experiment) hbg_base_buffer_text(m->out, ", experiment ");
    if (of->experiment) put_text(m->out, of->experiment, false);
    hbg_base_buffer_print(m->out,
                          ", made by hbg %s.\n"
                          "%% Builds a Simulink model. Block bN is block N of the diagram, oN is output N.\n"
                          "sys = '%s';\nnew_system(sys);\n",
                          of->version, of->name);
    if (of->system->automaton_count > 0) hbg_base_buffer_text(m->out, automaton_text);
}

/* The method of the same order; Heun's is Simulink's ode2. */
static const char *solver_of(const char *name) {
    return name[0] == 'e' ? "ode1" : name[0] == 'h' ? "ode2" : name[0] == 'o' ? "ode3" : "ode4";
}

void hbg_emit_blocks_simulink(const hbg_emit_blocks *d, hbg_buffer *out) {
    matlab_script m = {.d = d, .out = out, .number = hbg_emit_blocks_numbers(d)};
    put_head(&m);
    for (int32_t i = 0; i < d->order_count; i++) put_block(&m, i);
    for (int32_t i = 0; i < d->order_count; i++) put_lines(&m, i);
    put_outputs(&m);
    hbg_base_buffer_print(
        out,
        "set_param(sys, 'BooleanDataType', 'off', 'SolverType', 'Fixed-step', 'Solver', '%s', 'FixedStep', '",
        solver_of(d->of->solver));
    hbg_emit_put_double(out, d->of->step);
    hbg_base_buffer_text(out, "', 'StopTime', '");
    hbg_emit_put_double(out, d->of->stop);
    hbg_base_buffer_text(out, "');\nsave_system(sys);\n");
}

const char *hbg_emit_blocks_simulink_refuses(const hbg_emit_blocks *d) {
    const hbg_model *model = d->of->eqn->model;
    for (int32_t i = 0; i < d->of->system->state_count; i++)
        if (d->projected[i] != d->integrators[i])
            return hbg_base_arena_print(d->arena,
                                        "`%s` jumps, and a Simulink integrator cannot be reset to what "
                                        "depends on itself within a step; "
                                        "`--to xcos` can",
                                        d->of->system->states[i].name);
    for (int32_t i = 0; i < d->order_count; i++) {
        const block *of = &d->blocks.items[d->order[i]];
        for (int32_t k = 1; of->kind == BLOCK_TABLE && k < model->tables.items[of->of].count; k++)
            if (model->tables.items[of->of].x[k] == model->tables.items[of->of].x[k - 1])
                return "a table has a jump, and a table of Simulink has one value at each point";
    }
    return NULL;
}
