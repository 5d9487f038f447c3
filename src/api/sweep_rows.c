/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the table of a sweep, as CSV. A row is written into its slot, which has room for any: nothing here
 * allocates during the runs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/sweep_impl.h"

static void put(hbg_sweep_slot *slot, const char *text, size_t size) {
    if (size > slot->capacity - slot->size) size = slot->capacity - slot->size;
    memcpy(slot->row + slot->size, text, size);
    slot->size += size;
}

static void put_number(hbg_sweep_slot *slot, double value) {
    char text[HBG_DOUBLE_TEXT];
    if (slot->size > 0) put(slot, ",", 1);
    if (!isnan(value)) put(slot, text, (size_t)hbg_base_double_print(text, value));
}

static bool needs_quotes(const char *text) {
    return strpbrk(text, ",;\"\r\n") != NULL || text[0] == '#' || text[0] == ' ';
}

/* A cell of one line. */
static void put_words(hbg_sweep_slot *slot, const char *text) {
    bool quotes = needs_quotes(text);
    put(slot, quotes ? ",\"" : ",", quotes ? 2 : 1);
    for (; *text; text++) {
        if (*text == '"') put(slot, "\"", 1);
        put(slot, *text == '\n' || *text == '\r' ? " " : text, 1);
    }
    if (quotes) put(slot, "\"", 1);
}

static void put_name(hbg_buffer *out, const char *name, const char *ending, const char *unit) {
    bool quotes = needs_quotes(name) || (unit && needs_quotes(unit));
    hbg_base_buffer_text(out, quotes ? ",\"" : ",");
    for (; *name; name++) {
        if (*name == '"') hbg_base_buffer_char(out, '"');
        hbg_base_buffer_char(out, *name);
    }
    hbg_base_buffer_text(out, ending);
    if (unit) hbg_base_buffer_print(out, " [%s]", unit);
    if (quotes) hbg_base_buffer_char(out, '"');
}

void hbg_api_sweep_put_head(const hbg_sweep_worker *worker, hbg_buffer *out) {
    static const char *const endings[] = {" final", " min", " max", " mean"};
    const hbg_run_state *state = &worker->state;
    hbg_base_buffer_text(out, "run");
    for (int32_t i = 0; i < worker->list->axis_count; i++)
        put_name(out, worker->list->axes[i].name, "", worker->list->axes[i].unit);
    if (worker->list->has_table) hbg_base_buffer_text(out, ",fault");
    hbg_base_buffer_text(out, ",seed");
    for (int32_t i = 0; i < state->record_count; i++)
        for (int k = 0; k < 4; k++)
            put_name(out, state->system->outputs[i].name, endings[k], state->outputs[i].unit);
    hbg_base_buffer_text(out, ",end,mode changes");
    for (int i = 0; i < HBG_RUN_ENERGY_COUNT; i++)
        hbg_base_buffer_print(out, ",%s", hbg_api_run_energy_names[i]);
    hbg_base_buffer_text(out, ",verdict,reason\n");
}

size_t hbg_api_sweep_row_limit(const hbg_sweep_worker *worker) {
    const hbg_run_state *state = &worker->state;
    size_t longest = 0, numbers = (size_t)worker->list->axis_count + 4 * (size_t)state->record_count + 8;
    numbers += HBG_RUN_ENERGY_COUNT;
    for (int32_t i = 0; i < worker->list->case_count; i++) {
        size_t size = strlen(worker->list->fault_texts[i]);
        longest = size > longest ? size : longest;
    }
    longest += 2 * (size_t)HBG_DOUBLE_TEXT; // its times may differ in a run
    hbg_sim_result *none = NULL;
    return numbers * (HBG_DOUBLE_TEXT + 1) + 2 * (longest + sizeof none->failure) + 256;
}

void hbg_api_sweep_put_row(const hbg_sweep_worker *worker, int64_t run, const hbg_sweep_outcome *of,
                           hbg_sweep_slot *slot) {
    char number[32];
    const hbg_rt_summary *summary = &worker->summary;
    const hbg_sweep_list *list = worker->list;
    slot->size = 0;
    put(slot, number, (size_t)snprintf(number, sizeof number, "%lld", (long long)run));
    for (int32_t i = 0; i < list->axis_count; i++) put_number(slot, worker->values[i]);
    if (list->has_table) put_words(slot, of->fault);
    put(slot, number, (size_t)snprintf(number, sizeof number, ",%" PRIu64, list->seed + (uint64_t)run));
    for (int32_t i = 0; i < summary->count; i++) {
        put_number(slot, summary->final[i]);
        put_number(slot, summary->low[i]);
        put_number(slot, summary->high[i]);
        put_number(slot, summary->mean[i]);
    }
    put_number(slot, of->end);
    put_number(slot, (double)of->changes);
    for (int i = 0; i < HBG_RUN_ENERGY_COUNT; i++) put_number(slot, of->energy.line[i]);
    put_words(slot, of->verdict);
    put_words(slot, of->reason);
    put(slot, "\n", 1);
}
