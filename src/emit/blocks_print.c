/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the printers of a block diagram: numbers of blocks, and the course of a source. */
#include "emit/blocks_print_impl.h"

void hbg_emit_put_double(hbg_buffer *out, double number) {
    char text[HBG_DOUBLE_TEXT];
    hbg_base_buffer_add(out, text, (size_t)hbg_base_double_print(text, number));
}

const int32_t *hbg_emit_blocks_numbers(const hbg_emit_blocks *d) {
    int32_t *number = HBG_NEW_ARRAY(d->arena, int32_t, d->blocks.count + 1);
    for (int32_t i = 0; i < d->blocks.count; i++) number[i] = HBG_NONE;
    for (int32_t i = 0; i < d->order_count; i++) number[d->order[i]] = i;
    return number;
}

static hbg_type type_of_input(const hbg_model *model, int32_t input) {
    for (int32_t i = 0; i < model->signals.count; i++)
        if (model->signals.items[i].kind == HBG_SIGNAL_INPUT && input-- == 0)
            return model->signals.items[i].type;
    return HBG_TYPE_UNKNOWN;
}

source_course hbg_emit_blocks_course(const hbg_emit_blocks *d, const block *of) {
    const hbg_emit_blocks_of *from = d->of;
    int32_t input = of->of / 2;
    source_course made = {.name = from->system->inputs[input].name, .given = of->of % 2 == 1};
    double *times = HBG_NEW_ARRAY(d->arena, double, from->action_count + 1);
    double *values = HBG_NEW_ARRAY(d->arena, double, from->action_count + 1);
    made.event = type_of_input(from->eqn->model, input) == HBG_TYPE_EVENT && !made.given;
    for (int32_t i = 0; i < from->action_count; i++) {
        if (from->actions[i].input != input) continue;
        times[made.count] = from->actions[i].time;
        values[made.count++] = made.given ? 1 : from->actions[i].value;
    }
    made.times = times;
    made.values = values;
    return made;
}
