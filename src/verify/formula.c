/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Formulas in Z3: numbers, operators, simplification. The working context is one in which terms live as long
 * as the context, so that running out of memory elsewhere cannot lose any. */
#include <math.h>
#include <stdio.h>

#include "verify/formula_impl.h"

#define SIMPLE_STEPS 200000   /* of one simplification */
#define LINEAR_STEPS 20000000 /* of a linear question: some seconds */

/* ---- life ------------------------------------------------------------------------------------------------ */

void hbg_verify_end_work(hbg_verify_prover *prover) {
    if (!prover->work) return;
    if (prover->solver) Z3_solver_dec_ref(prover->work, prover->solver);
    Z3_del_context(prover->work);
    prover->work = NULL;
    prover->solver = NULL;
}

void hbg_verify_formulas_set_limits(formulas *f, Z3_solver solver) {
    Z3_params params = Z3_mk_params(f->z3);
    if (!hbg_verify_formulas_note(f) || !params) return;
    Z3_params_inc_ref(f->z3, params);
    Z3_params_set_bool(f->z3, params, Z3_mk_string_symbol(f->z3, "ctrl_c"), false);
    if (f->limits.effort > 0)
        Z3_params_set_uint(f->z3, params, Z3_mk_string_symbol(f->z3, "rlimit"), f->limits.effort);
    Z3_solver_set_params(f->z3, solver, params);
    Z3_params_dec_ref(f->z3, params);
}

/* A linear question takes too little time to watch it. */
static void set_steps(formulas *f) {
    Z3_params params = Z3_mk_params(f->z3);
    if (!hbg_verify_formulas_note(f) || !params) return;
    Z3_params_inc_ref(f->z3, params);
    Z3_params_set_bool(f->z3, params, Z3_mk_string_symbol(f->z3, "ctrl_c"), false);
    Z3_params_set_uint(f->z3, params, Z3_mk_string_symbol(f->z3, "rlimit"),
                       f->limits.effort > 0 ? f->limits.effort : LINEAR_STEPS);
    Z3_solver_set_params(f->z3, f->solver, params);
    Z3_params_dec_ref(f->z3, params);
}

static bool make_constants(formulas *f) {
    f->zero = Z3_mk_real(f->z3, 0, 1);
    f->one = Z3_mk_real(f->z3, 1, 1);
    f->yes = Z3_mk_true(f->z3);
    f->no = Z3_mk_false(f->z3);
    f->simple = Z3_mk_params(f->z3);
    if (!f->zero || !f->one || !f->yes || !f->no || !f->simple) return false;
    Z3_params_inc_ref(f->z3, f->simple);
    Z3_params_set_bool(f->z3, f->simple, Z3_mk_string_symbol(f->z3, "som"), true); // sums of monomials
    Z3_params_set_bool(f->z3, f->simple, Z3_mk_string_symbol(f->z3, "hoist_mul"), false);
    // a question that does not end is too large to decide in any time
    Z3_params_set_uint(f->z3, f->simple, Z3_mk_string_symbol(f->z3, "max_steps"), SIMPLE_STEPS);
    return Z3_get_error_code(f->z3) == Z3_OK;
}

bool hbg_verify_formulas_begin(formulas *f, hbg_verify_prover *prover, hbg_arena *arena,
                               const hbg_verify_options *options) {
    memset(f, 0, sizeof *f);
    hbg_verify_end_work(prover);
    f->prover = prover;
    f->arena = arena;
    hbg_base_pair_map_init(&f->memo.simple, arena);
    hbg_base_pair_map_init(&f->memo.linear, arena);
    hbg_base_pair_map_init(&f->memo.linear_of, arena);
    hbg_base_pair_map_init(&f->memo.enclosed, arena);
    hbg_base_pair_map_init(&f->memo.whole, arena);
    hbg_base_pair_map_init(&f->memo.signs, arena);
    hbg_base_pair_map_init(&f->memo.cones, arena);
    hbg_base_pair_map_init(&f->memo.factors, arena);
    f->limits.effort = options->effort;
    f->limits.timeout_ms = options->timeout_ms;
    Z3_config config = Z3_mk_config();
    prover->work = config ? Z3_mk_context(config) : NULL;
    if (config) Z3_del_config(config);
    if (!prover->work) return false;
    f->z3 = prover->work;
    Z3_set_error_handler(f->z3, NULL); // codes, no jumps and no exit
    if (!make_constants(f)) return false;
    f->solver = prover->solver =
        Z3_mk_simple_solver(f->z3); // a question on levels, which no strategy accepts
    if (!f->solver) return false;
    Z3_solver_inc_ref(f->z3, f->solver);
    set_steps(f);
    return Z3_get_error_code(f->z3) == Z3_OK;
}

bool hbg_verify_formulas_note(formulas *f) {
    Z3_error_code code = Z3_get_error_code(f->z3);
    if (code == Z3_OK) return true;
    const char *text = Z3_get_error_msg(f->z3, code);
    f->account.failed = true;
    f->account.no_memory |= code == Z3_MEMOUT_FAIL || (text && strstr(text, "memory"));
    return false;
}

const char *hbg_verify_formulas_failure(const formulas *f) {
    return f->account.no_memory ? "the prover ran out of memory"
           : f->account.failed  ? "the prover failed"
                                : NULL;
}

void hbg_verify_formulas_end(formulas *f) {
    if (f->simple) Z3_params_dec_ref(f->z3, f->simple);
    f->simple = NULL;
    for (int i = 0; i < FORMULA_MODELS; i++)
        if (f->models[i]) Z3_model_dec_ref(f->z3, f->models[i]);
    memset(f->models, 0, sizeof f->models);
    hbg_verify_end_work(f->prover);
}

/* What Z3 could not make becomes a harmless formula, and no later result counts. */
static formula made(formulas *f, formula a, formula instead) {
    if (hbg_verify_formulas_note(f) && a) return a;
    f->account.failed = true;
    return instead;
}

/* ---- numbers and symbols ----------------------------------------------------------------------------------- */

formula hbg_verify_formula_decimal(formulas *f, hbg_decimal number) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, f->arena);
    if (number.negative) hbg_base_buffer_char(&text, '-');
    hbg_base_buffer_text(&text, number.digits);
    for (int32_t i = 0; i < number.exponent; i++) hbg_base_buffer_char(&text, '0');
    if (number.exponent < 0) hbg_base_buffer_text(&text, "/1");
    for (int32_t i = 0; i > number.exponent; i--) hbg_base_buffer_char(&text, '0');
    formula result = Z3_mk_numeral(f->z3, text.data, Z3_mk_real_sort(f->z3));
    return made(f, result, f->zero);
}

formula hbg_verify_formula_double(formulas *f, double number) {
    if (!isfinite(number)) return f->zero;
    // the double itself, not the decimal it may have come from
    int exponent;
    double fraction = frexp(number, &exponent);
    int64_t digits = (int64_t)ldexp(fraction, 53);
    formula result = hbg_verify_formula_integer(f, digits), power = hbg_verify_formula_integer(f, 2);
    for (int bits = exponent - 53, up = bits > 0; bits != 0; bits += up ? -1 : 1)
        result =
            up ? hbg_verify_formula_multiply(f, result, power) : hbg_verify_formula_divide(f, result, power);
    return result;
}

formula hbg_verify_formula_integer(formulas *f, int64_t number) {
    return made(f, Z3_mk_int64(f->z3, number, Z3_mk_real_sort(f->z3)), f->zero);
}

formula hbg_verify_formula_real(formulas *f, const char *name) {
    Z3_symbol symbol = Z3_mk_string_symbol(f->z3, name);
    return made(f, Z3_mk_const(f->z3, symbol, Z3_mk_real_sort(f->z3)), f->zero);
}

formula hbg_verify_formula_truth(formulas *f, const char *name) {
    Z3_symbol symbol = Z3_mk_string_symbol(f->z3, name);
    return made(f, Z3_mk_const(f->z3, symbol, Z3_mk_bool_sort(f->z3)), f->no);
}

bool hbg_verify_formula_is_number(formulas *f, formula a) {
    return Z3_is_numeral_ast(f->z3, a);
}

Z3_decl_kind hbg_verify_formula_kind(formulas *f, formula a) {
    if (Z3_get_ast_kind(f->z3, a) != Z3_APP_AST) return Z3_OP_UNINTERPRETED; // a number
    return Z3_get_decl_kind(f->z3, Z3_get_app_decl(f->z3, Z3_to_app(f->z3, a)));
}

unsigned hbg_verify_formula_argument_count(formulas *f, formula a) {
    return Z3_get_app_num_args(f->z3, Z3_to_app(f->z3, a));
}

formula hbg_verify_formula_argument(formulas *f, formula a, unsigned i) {
    return Z3_get_app_arg(f->z3, Z3_to_app(f->z3, a), i);
}

bool hbg_verify_formula_is_same(formulas *f, formula a, formula b) {
    return a == b || Z3_is_eq_ast(f->z3, a, b);
}

#define SMALL 1e-20 /* below it there are too few decimals after the point */

static double read_decimals(formulas *f, formula a) {
    double value;
    const char *text = Z3_get_numeral_decimal_string(f->z3, a, 40);
    size_t size = text ? strlen(text) : 0;
    if (size > 0 && text[size - 1] == '?') size--; // there are more digits
    return size > 0 && hbg_base_double_parse(text, size, &value) ? value : NAN;
}

double hbg_verify_formula_to_double(formulas *f, formula a) {
    if (Z3_is_algebraic_number(f->z3, a)) a = Z3_get_algebraic_number_lower(f->z3, a, 20);
    if (!a || !Z3_is_numeral_ast(f->z3, a)) return NAN;
    double value = read_decimals(f, a), factor = 1;
    if (a == f->zero) return 0;
    formula power = hbg_verify_formula_decimal(f, (hbg_decimal){"1", 40, false});
    for (int i = 0; i < 8 && fabs(value) < SMALL; i++) { // 1e-320 is the smallest double there is
        a = hbg_verify_formula_multiply(f, a, power);
        factor *= 1e-40;
        value = read_decimals(f, a);
    }
    return value * factor;
}

bool hbg_verify_formula_is_name(formulas *f, formula a) {
    return hbg_verify_formula_kind(f, a) == Z3_OP_UNINTERPRETED &&
           hbg_verify_formula_argument_count(f, a) == 0;
}

/* ---- operators --------------------------------------------------------------------------------------------- */

/* Equal formulas are shared, and modes have much in common. Numbers take no parameters, which are slow to
 * read. */
static formula simplify(formulas *f, formula a, bool numbers) {
    int32_t id = (int32_t)Z3_get_ast_id(f->z3, a), found = hbg_base_pair_map_find(&f->memo.simple, id, 0);
    if (found >= 0) return f->memo.simplified.items[found];
    formula simple = made(f, numbers ? Z3_simplify(f->z3, a) : Z3_simplify_ex(f->z3, a, f->simple), a);
    if (f->account.failed) return simple;
    hbg_base_pair_map_add(&f->memo.simple, id, 0, f->memo.simplified.count);
    HBG_PUSH(f->arena, f->memo.simplified, simple);
    return simple;
}

formula hbg_verify_formula_simplify(formulas *f, formula a) {
    return simplify(f, a, false);
}

static formula simplify_two(formulas *f, formula whole, formula a, formula b) {
    return simplify(f, whole, hbg_verify_formula_is_number(f, a) && hbg_verify_formula_is_number(f, b));
}

formula hbg_verify_formula_add(formulas *f, formula a, formula b) {
    if (a == f->zero) return b;
    if (b == f->zero) return a;
    formula sum = made(f, Z3_mk_add(f->z3, 2, (Z3_ast[]){a, b}), f->zero);
    return simplify_two(f, sum, a, b);
}

formula hbg_verify_formula_sum(formulas *f, int32_t count, const formula *items) {
    if (count == 0) return f->zero;
    return hbg_verify_formula_simplify(f, made(f, Z3_mk_add(f->z3, (unsigned)count, items), f->zero));
}

formula hbg_verify_formula_negate(formulas *f, formula a) {
    if (a == f->zero) return a;
    return simplify_two(f, made(f, Z3_mk_unary_minus(f->z3, a), f->zero), a, a);
}

formula hbg_verify_formula_subtract(formulas *f, formula a, formula b) {
    if (b == f->zero) return a;
    formula difference = made(f, Z3_mk_sub(f->z3, 2, (Z3_ast[]){a, b}), f->zero);
    return simplify_two(f, difference, a, b);
}

formula hbg_verify_formula_multiply(formulas *f, formula a, formula b) {
    if (a == f->zero || b == f->zero) return f->zero;
    if (a == f->one) return b;
    if (b == f->one) return a;
    formula product = made(f, Z3_mk_mul(f->z3, 2, (Z3_ast[]){a, b}), f->zero);
    return hbg_verify_formula_reduce(f, simplify_two(f, product, a, b));
}

formula hbg_verify_formula_divide(formulas *f, formula a, formula b) {
    if (b == f->one || a == f->zero) return a;
    return simplify_two(f, made(f, Z3_mk_div(f->z3, a, b), f->zero), a, b);
}

formula hbg_verify_formula_whole(formulas *f, formula a) {
    return made(f, Z3_simplify(f->z3, Z3_mk_int2real(f->z3, Z3_mk_real2int(f->z3, a))), f->zero);
}

static bool is_real(formulas *f, formula a) {
    return Z3_get_sort_kind(f->z3, Z3_get_sort(f->z3, a)) == Z3_REAL_SORT;
}

formula hbg_verify_formula_less(formulas *f, formula a, formula b) {
    if (hbg_verify_formula_wants_care(f, a, b)) return hbg_verify_formula_relate(f, RELATION_LESS, a, b);
    return simplify_two(f, made(f, Z3_mk_lt(f->z3, a, b), f->no), a, b);
}

formula hbg_verify_formula_less_equal(formulas *f, formula a, formula b) {
    if (hbg_verify_formula_wants_care(f, a, b))
        return hbg_verify_formula_relate(f, RELATION_LESS_EQUAL, a, b);
    return simplify_two(f, made(f, Z3_mk_le(f->z3, a, b), f->no), a, b);
}

formula hbg_verify_formula_equal(formulas *f, formula a, formula b) {
    if (is_real(f, a) && hbg_verify_formula_wants_care(f, a, b))
        return hbg_verify_formula_relate(f, RELATION_EQUAL, a, b);
    return simplify_two(f, made(f, Z3_mk_eq(f->z3, a, b), f->no), a, b);
}

formula hbg_verify_formula_not(formulas *f, formula a) {
    if (a == f->yes) return f->no;
    if (a == f->no) return f->yes;
    return hbg_verify_formula_simplify(f, made(f, Z3_mk_not(f->z3, a), f->no));
}

formula hbg_verify_formula_and(formulas *f, formula a, formula b) {
    if (a == f->no || b == f->no) return f->no;
    if (a == f->yes || a == b) return b;
    if (b == f->yes) return a;
    return made(f, Z3_mk_and(f->z3, 2, (Z3_ast[]){a, b}), f->no);
}

formula hbg_verify_formula_or(formulas *f, formula a, formula b) {
    if (a == f->yes || b == f->yes) return f->yes;
    if (a == f->no || a == b) return b;
    if (b == f->no) return a;
    return made(f, Z3_mk_or(f->z3, 2, (Z3_ast[]){a, b}), f->no);
}

formula hbg_verify_formula_choose(formulas *f, formula condition, formula a, formula b) {
    if (condition == f->yes || a == b) return a;
    if (condition == f->no) return b;
    return made(f, Z3_mk_ite(f->z3, condition, a, b), a);
}

formula hbg_verify_formula_replace(formulas *f, formula a, int32_t count, const formula *from,
                                   const formula *to) {
    if (count == 0) return a;
    return hbg_verify_formula_simplify(f, made(f, Z3_substitute(f->z3, a, (unsigned)count, from, to), a));
}

/* Looks at every part once. */
bool hbg_verify_formula_reads(formulas *f, formula a, const formula *symbols, int32_t count) {
    hbg_pair_map seen;
    HBG_VEC(formula) stack = {0};
    hbg_base_pair_map_init(&seen, f->arena);
    HBG_PUSH(f->arena, stack, a);
    while (stack.count > 0) {
        formula at = stack.items[--stack.count];
        for (int32_t i = 0; i < count; i++)
            if (at == symbols[i]) return true;
        if (Z3_get_ast_kind(f->z3, at) != Z3_APP_AST) continue;
        int32_t id = (int32_t)Z3_get_ast_id(f->z3, at);
        if (hbg_base_pair_map_find(&seen, id, 0) >= 0) continue;
        hbg_base_pair_map_add(&seen, id, 0, 1);
        Z3_app app = Z3_to_app(f->z3, at);
        for (unsigned i = 0; i < Z3_get_app_num_args(f->z3, app); i++)
            HBG_PUSH(f->arena, stack, Z3_get_app_arg(f->z3, app, i));
    }
    return false;
}
