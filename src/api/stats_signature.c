/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The signature matrix of a campaign of faults: which recorded values leave their course without the fault,
 * with which sign and when; and which faults have the same signs, so that the records do not distinguish
 * them. It needs the rows of the runs (`--trace all`). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/stats_impl.h"

#define MIXED 2 /* not the same sign in all runs with the fault */

typedef struct {
    const char *fault;
    int *signs;    /* by column of a trace: -1, 0, 1 or MIXED */
    double *times; /* of the earliest deviation; NAN: none */
    int64_t runs;
} signature;

typedef struct {
    const hbg_stats_view *view;
    const char *folder;
    hbg_sim_table nominal;
    int64_t nominal_row; /* whose rows these are; -1: none yet */
    double *bands;       /* by column: smaller deviations are ignored */
    signature *signatures;
    int32_t count;
} matrix;

/* ---- traces --------------------------------------------------------------------------------------------- */

static const char *default_folder(hbg_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return hbg_base_arena_print(arena, "%.*s-traces", dot ? (int)(dot - path) : (int)strlen(path), path);
}

static hbg_status read_trace(const matrix *m, int64_t row, hbg_sim_table *trace) {
    hbg_session *session = m->view->session;
    long long run = (long long)m->view->of.values[0][row];
    const char *reason, *path = hbg_base_arena_print(&session->scratch, "%s/run-%06lld.csv", m->folder, run);
    if (hbg_sim_table_read(&session->scratch, path, trace, &reason) != HBG_OK)
        return hbg_api_session_fail(session, HBG_CANNOT_READ,
                                    "signatures need the rows of every run, and those of run %lld, `%s`: %s; "
                                    "`hbg sweep … --trace all` keeps them",
                                    run, path, reason);
    bool fits = m->nominal_row < 0 || trace->column_count == m->nominal.column_count;
    for (int32_t k = 1; fits && m->nominal_row >= 0 && k < trace->column_count; k++)
        fits = strcmp(trace->columns[k].name, m->nominal.columns[k].name) == 0;
    if (!fits)
        return hbg_api_session_fail(session, HBG_BAD_ARGUMENT,
                                    "`%s` has other columns than the run without a fault", path);
    return HBG_OK;
}

/* The run without a fault that has the same values. */
static int64_t find_nominal(const hbg_stats_view *view, int64_t row) {
    for (int64_t i = 0; i < view->of.row_count; i++) {
        bool same = !view->of.faults[i] || !view->of.faults[i][0];
        for (int32_t k = 0; k < view->param_count && same; k++)
            same = view->of.values[view->params[k]][i] == view->of.values[view->params[k]][row];
        if (same) return i;
    }
    return -1;
}

static hbg_status take_nominal(matrix *m, int64_t row) {
    int64_t nominal = find_nominal(m->view, row);
    if (nominal < 0)
        return hbg_api_session_fail(m->view->session, HBG_BAD_ARGUMENT,
                                    "no run without a fault has the values of run %lld to compare with: `hbg "
                                    "sweep … --nominal` makes one",
                                    (long long)m->view->of.values[0][row]);
    if (nominal == m->nominal_row) return HBG_OK;
    HBG_TRY(read_trace(m, nominal, &m->nominal));
    m->nominal_row = nominal;
    m->bands = HBG_NEW_ARRAY(&m->view->session->scratch, double, m->nominal.column_count + 1);
    for (int32_t k = 1; k < m->nominal.column_count; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < m->nominal.row_count; i++) {
            low = fmin(low, m->nominal.values[k][i]);
            high = fmax(high, m->nominal.values[k][i]);
        }
        double range = high > low ? high - low : fmax(fabs(low), fabs(high));
        m->bands[k] = m->view->options->threshold * (range > 0 && isfinite(range) ? range : 1);
    }
    return HBG_OK;
}

/* ---- deviations ----------------------------------------------------------------------------------------- */

/* Least and greatest value of the nominal course at a time; `*from` is a row not after it, and advances.
 * False: it ends before. */
static bool course_at(const hbg_sim_table *nominal, int32_t column, double t, int64_t *from, double *low,
                      double *high) {
    HBG_ASSERT(nominal->values); // the reference run was read
    const double *time = nominal->values[0], *value = nominal->values[column];
    int64_t count = nominal->row_count, i = *from;
    while (i < count && time[i] < t) i++;
    *from = i > 0 ? i - 1 : 0;
    if (i == count) return false;
    if (time[i] > t && i > 0) { // between two rows
        double share = (t - time[i - 1]) / (time[i] - time[i - 1]);
        *low = *high = value[i - 1] + share * (value[i] - value[i - 1]);
        return true;
    }
    for (*low = *high = value[i]; i < count && time[i] == t; i++) { // a jump is both its sides
        *low = fmin(*low, value[i]);
        *high = fmax(*high, value[i]);
    }
    return true;
}

static int find_deviation(const matrix *m, const hbg_sim_table *trace, int32_t column, double *time) {
    int64_t from = 0;
    double low, high;
    for (int64_t i = 0; i < trace->row_count; i++) {
        double t = trace->values[0][i], value = trace->values[column][i];
        if (!course_at(&m->nominal, column, t, &from, &low, &high)) break;
        int sign = value > high + m->bands[column] ? 1 : value < low - m->bands[column] ? -1 : 0;
        *time = t;
        if (sign != 0) return sign;
    }
    *time = NAN;
    return 0;
}

static signature *find_signature(matrix *m, const char *fault) {
    hbg_arena *arena = &m->view->session->scratch;
    for (int32_t i = 0; i < m->count; i++)
        if (strcmp(m->signatures[i].fault, fault) == 0) return &m->signatures[i];
    signature *made = &m->signatures[m->count++];
    *made = (signature){.fault = fault};
    made->signs = HBG_NEW_ARRAY(arena, int, m->nominal.column_count + 1);
    made->times = HBG_NEW_ARRAY(arena, double, m->nominal.column_count + 1);
    return made;
}

static hbg_status add_run(matrix *m, int64_t row) {
    hbg_sim_table trace;
    HBG_TRY(take_nominal(m, row));
    HBG_TRY(read_trace(m, row, &trace));
    signature *of = find_signature(m, m->view->of.faults[row]);
    for (int32_t k = 1; k < trace.column_count; k++) {
        double time;
        int sign = find_deviation(m, &trace, k, &time);
        bool first = of->runs == 0;
        of->signs[k] = first || of->signs[k] == sign ? sign : MIXED;
        of->times[k] = first ? time : fmin(of->times[k], time);
    }
    of->runs++;
    return HBG_OK;
}

/* ---- telling -------------------------------------------------------------------------------------------- */

static const char *const sign_words[] = {"-", "0", "+", "±"};

static void tell_one(hbg_api_report *report, hbg_api_report *list, const matrix *m, const signature *of) {
    hbg_api_report *entry = hbg_api_object(list, NULL);
    hbg_api_text(entry, "fault", of->fault);
    hbg_api_report *sensors = hbg_api_list(entry, "sensors");
    bool any = false;
    hbg_api_say(report, "  %s:", of->fault);
    for (int32_t k = 1; k < m->nominal.column_count; k++) {
        const char *name = m->nominal.columns[k].name, *sign = sign_words[of->signs[k] + 1];
        hbg_api_report *one = hbg_api_object(sensors, NULL);
        hbg_api_text(one, "name", name);
        hbg_api_text(one, "sign", sign);
        hbg_api_number(one, "time", of->times[k]);
        if (of->signs[k] == 0) continue;
        hbg_api_say(report, "%s %s %s at %.6g s", any ? "," : "", name, sign, of->times[k]);
        any = true;
    }
    hbg_api_say(report, "%s\n", any ? "" : " nothing deviates");
}

/* Whether the records distinguish them: signs that are the same in all runs, and differ. */
static bool are_alike(const matrix *m, const signature *a, const signature *b) {
    for (int32_t k = 1; k < m->nominal.column_count; k++)
        if (a->signs[k] != b->signs[k] && a->signs[k] != MIXED && b->signs[k] != MIXED) return false;
    return true;
}

static void tell_alike(hbg_api_report *report, const matrix *m) {
    hbg_api_report *list = hbg_api_list(report, "alike");
    bool any = false;
    for (int32_t i = 0; i < m->count; i++)
        for (int32_t k = i + 1; k < m->count; k++) {
            if (!are_alike(m, &m->signatures[i], &m->signatures[k])) continue;
            const char *pair[] = {m->signatures[i].fault, m->signatures[k].fault};
            if (!any) hbg_api_say(report, "cannot be told apart by their signs:\n");
            hbg_api_say(report, "  %s | %s\n", pair[0], pair[1]);
            hbg_api_texts(list, NULL, pair, 2);
            any = true;
        }
    if (!any) hbg_api_say(report, "all of them can be told apart by their signs\n");
}

hbg_status hbg_api_stats_signatures(hbg_api_report *report, const hbg_stats_view *view) {
    hbg_arena *arena = &view->session->scratch;
    matrix m = {.view = view, .folder = view->options->traces, .nominal_row = -1};
    if (!m.folder) m.folder = default_folder(arena, view->path);
    m.signatures = HBG_NEW_ARRAY(arena, signature, view->of.row_count + 1);
    for (int64_t i = 0; i < view->of.row_count; i++)
        if (view->of.faults[i] && view->of.faults[i][0]) HBG_TRY(add_run(&m, i));
    if (m.count == 0)
        return hbg_api_session_fail(
            view->session, HBG_BAD_ARGUMENT,
            "no run has a fault: `hbg sweep … --faults FILE` makes a campaign of them");
    hbg_api_report *list = hbg_api_list(report, "signatures");
    hbg_api_say(report, "signatures, beyond %.3g %% of the range without the fault:\n",
                100 * view->options->threshold);
    for (int32_t i = 0; i < m.count; i++) tell_one(report, list, &m, &m.signatures[i]);
    tell_alike(report, &m);
    return HBG_OK;
}
