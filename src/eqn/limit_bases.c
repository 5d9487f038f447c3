/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whether a value depends on the ratio of parasites (semantics, section 3a). With parasites η·r, one r > 0
 * for each controlled junction, the closing rows are Nᵀ·R·p = 0: the variables that N leaves open are a
 * weighted least squares solution, and as R varies it takes all values inside the convex hull of its basic
 * solutions, in which as many parameters p as N has dimensions are 0 (Ben-Tal and Teboulle, 1990). So a line
 * has one value if it is the same for all bases, and one sign if its values there are nonnegative multiples
 * of one another. They are compared as forms, see limit_forms.c. */
#include <math.h>

#include "eqn/limit_impl.h"
#include "rt/bands.h"

enum { MOST_BASES = 2000 };

/* ---- equations ----------------------------------------------------------------------------------------- */

/* Solves equations with their right sides as the last column; returns false if there is no unique
 * solution. */
static bool eliminate(double *m, int32_t n, double *x) {
    int32_t w = n + 1;
    for (int32_t c = 0; c < n; c++) {
        int32_t pivot = c;
        for (int32_t i = c; i < n; i++)
            if (fabs(m[i * w + c]) > fabs(m[pivot * w + c])) pivot = i;
        if (fabs(m[pivot * w + c]) < HBG_RT_FORM) return false;
        for (int32_t k = 0; k <= n; k++) {
            double kept = m[c * w + k];
            m[c * w + k] = m[pivot * w + k];
            m[pivot * w + k] = kept;
        }
        for (int32_t i = 0; i < n; i++) {
            double factor = i == c ? 0 : m[i * w + c] / m[c * w + c];
            for (int32_t k = c; k <= n && factor != 0; k++) m[i * w + k] -= factor * m[c * w + k];
        }
    }
    for (int32_t i = 0; i < n; i++) x[i] = m[i * w + n] / m[i * w + i];
    return true;
}

/* ---- bases --------------------------------------------------------------------------------------------- */

typedef struct {
    shared_mode *of;
    const double *line;      /* the line as a form */
    const double *along;     /* by reversed place: the line in the null space */
    int32_t *chosen;         /* places of the basis */
    double *matrix;          /* scratch: its rows of the null space, and the line */
    const double *reference; /* the first form that is not 0, or NULL */
    double *first;           /* the first form, or NULL */
    int32_t tried;
    bool varies, turns; /* forms differ; they differ in sign, too */
} bases;

/* Writes the line as a sum of the rows of the chosen places; returns false if these are not a basis. */
static bool solve(bases *b, double *factors) {
    int32_t n = b->of->mode->reversed_count, places = b->of->of->variables.count;
    for (int32_t i = 0; i < n; i++) // transposed, with the line as its last column
        for (int32_t k = 0; k <= n; k++)
            b->matrix[i * (n + 1) + k] =
                k < n ? b->of->null_space[(places + b->chosen[k]) * n + i] : b->along[i];
    return eliminate(b->matrix, n, factors);
}

/* Whether a is a positive multiple of b. */
static bool is_multiple(const shared_mode *of, const double *a, const double *b) {
    int32_t largest = 0;
    for (int32_t k = 1; k < of->width; k++)
        if (fabs(b[k]) > fabs(b[largest])) largest = k;
    double factor = a[largest] / b[largest], size = hbg_eqn_form_size(of, a);
    for (int32_t k = 0; k < of->width; k++)
        if (fabs(a[k] - factor * b[k]) > HBG_RT_FORM * size) return false;
    return factor > 0;
}

static void take_basis(bases *b) {
    shared_mode *of = b->of;
    int32_t n = of->mode->reversed_count;
    double *factors = HBG_NEW_ARRAY(&of->eqn->scratch, double, n + 1), *form = hbg_eqn_form_new(of);
    if (!solve(b, factors)) return;
    for (int32_t k = 0; k < of->width; k++) {
        form[k] = b->line[k];
        for (int32_t i = 0; i < n; i++) form[k] -= factors[i] * of->forms[b->chosen[i] * of->width + k];
    }
    double scale = hbg_eqn_form_size(of, b->line) + HBG_RT_FORM;
    for (int32_t k = 0; k < of->width; k++) form[k] = fabs(form[k]) < HBG_RT_FORM * scale ? 0 : form[k];
    if (!b->first) b->first = form;
    for (int32_t k = 0; k < of->width; k++) b->varies |= fabs(form[k] - b->first[k]) > HBG_RT_FORM * scale;
    if (hbg_eqn_form_size(of, form) == 0) return;
    if (!b->reference) b->reference = form;
    b->turns |= !is_multiple(of, form, b->reference);
}

/* Tries all bases that extend the chosen places. */
static void try_all(bases *b, int32_t chosen, int32_t from) {
    int32_t n = b->of->mode->reversed_count, places = b->of->of->places.count;
    if (chosen == n) {
        b->tried++;
        take_basis(b);
        return;
    }
    for (int32_t i = from; i < places && b->tried < MOST_BASES; i++) {
        b->chosen[chosen] = i;
        try_all(b, chosen + 1, i + 1);
    }
}

shared_answer hbg_eqn_shared_line(shared_mode *of, const shared_line *line) {
    int32_t n = of->mode->reversed_count;
    double *along = HBG_NEW_ARRAY(&of->eqn->scratch, double, n + 1), size = 0;
    bases b = {.of = of, .line = hbg_eqn_form_of(of, line, along), .along = along};
    for (int32_t k = 0; k < n; k++) size = fmax(size, fabs(along[k]));
    if (size < HBG_RT_FORM) return SHARED_NOT;
    b.chosen = HBG_NEW_ARRAY(&of->eqn->scratch, int32_t, n + 1);
    b.matrix = HBG_NEW_ARRAY(&of->eqn->scratch, double, n *(n + 1) + 1);
    try_all(&b, 0, 0);
    if (b.tried >= MOST_BASES) return SHARED_NOT; // too many to decide
    return b.turns ? SHARED_SIGN : b.varies ? SHARED_VALUE : SHARED_NOT;
}

/* ---- guards -------------------------------------------------------------------------------------------- */

/* The form of a line with equal parasites: minus a multiple of the closing rows Nᵀ·p = 0 that leaves nothing
 * open. */
static double *closed_form(shared_mode *of, const shared_line *line) {
    int32_t n = of->mode->reversed_count, places = of->of->places.count, first = of->of->variables.count;
    double *along = HBG_NEW_ARRAY(&of->eqn->scratch, double, n + 1), *form = hbg_eqn_form_of(of, line, along);
    double *m = HBG_NEW_ARRAY(&of->eqn->scratch, double, n *(n + 1) + 1);
    double *share = HBG_NEW_ARRAY(&of->eqn->scratch, double, n + 1);
    for (int32_t p = 0; p < places; p++)
        for (int32_t i = 0; i < n; i++)
            for (int32_t k = 0; k < n; k++)
                m[i * (n + 1) + k] +=
                    of->null_space[(first + p) * n + i] * of->null_space[(first + p) * n + k];
    for (int32_t i = 0; i < n; i++) m[i * (n + 1) + n] = along[i];
    if (!eliminate(m, n, share)) return NULL;
    for (int32_t p = 0; p < places; p++)
        for (int32_t i = 0; i < n; i++)
            for (int32_t k = 0; k < of->width; k++)
                form[k] -= share[i] * of->null_space[(first + p) * n + i] * of->forms[p * of->width + k];
    hbg_eqn_form_reduce(of, form);
    for (int32_t k = 0; k < of->width; k++) form[k] = fabs(form[k]) < HBG_RT_FORM ? 0 : form[k];
    return form;
}

static bool is_constant(const shared_mode *of, const double *form) {
    for (int32_t k = 0; k < of->width - 1; k++)
        if (form[k] != 0) return false;
    return true;
}

/* A form bounded by 0 from both sides is 0. Returns whether one was found. */
static bool settle_bounds(shared_mode *of, double *const *forms, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < i; k++) {
            double *turned = hbg_eqn_form_new(of);
            hbg_eqn_form_reduce(of, forms[i]);
            hbg_eqn_form_reduce(of, forms[k]);
            if (hbg_eqn_form_size(of, forms[i]) < HBG_RT_FORM ||
                hbg_eqn_form_size(of, forms[k]) < HBG_RT_FORM)
                continue;
            for (int32_t c = 0; c < of->width; c++) turned[c] = -forms[i][c];
            if (is_constant(of, turned) || !is_multiple(of, turned, forms[k])) continue;
            hbg_eqn_form_law(of, turned);
            return true;
        }
    return false;
}

bool hbg_eqn_shared_bounds(shared_mode *of, const shared_bound *bounds, int32_t count) {
    double **forms = HBG_NEW_ARRAY(&of->eqn->scratch, double *, count + 1);
    for (int32_t i = 0; i < count; i++) {
        forms[i] = closed_form(of, bounds[i].line);
        if (!forms[i]) return true;
        for (int32_t k = 0; k < of->width && bounds[i].turned; k++) forms[i][k] = -forms[i][k];
    }
    while (settle_bounds(of, forms, count)) hbg_eqn_form_settle(of);
    for (int32_t i = 0; i < count; i++) {
        hbg_eqn_form_reduce(of, forms[i]);
        if (is_constant(of, forms[i]) && forms[i][of->width - 1] > HBG_RT_FORM) return false;
    }
    for (int32_t i = 0; i < of->of->places.count; i++) hbg_eqn_form_reduce(of, &of->forms[i * of->width]);
    return true;
}

bool hbg_eqn_shared_is_own(shared_mode *of, const shared_line *line, int32_t automaton) {
    double *form = hbg_eqn_form_of(of, line, NULL), *turned = hbg_eqn_form_new(of);
    for (int32_t k = 0; k < of->width; k++) turned[k] = -form[k];
    for (int32_t i = 0; i < of->of->places.count; i++) {
        int32_t place = of->of->places.items[i];
        hbg_expr control = of->eqn->model->elements.items[of->eqn->structure->place_element[place]].control;
        const hbg_expr_node *node = &of->eqn->model->exprs.items[control];
        bool alone = node->op == HBG_OP_ACTIVE || node->op == HBG_OP_AUTOMATON;
        const double *own = &of->forms[i * of->width];
        if (!alone || node->a != automaton || hbg_eqn_form_size(of, own) < HBG_RT_FORM) continue;
        if (is_multiple(of, form, own) || is_multiple(of, turned, own)) return true;
    }
    return false;
}
