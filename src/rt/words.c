/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages of a run in words of the model: names, terms as written, paths. Runs compute with numbers; the
 * provider knows the text. */
#include "rt/run_impl.h"

void hbg_rt_tell(const hbg_rt_instance *run, hbg_rt_word word, int32_t id, char *text, size_t size) {
    if (size > 0) text[0] = 0;
    if (id != HBG_RT_NONE) run->provider.tell(run->provider.context, word, id, text, size);
}

static int32_t name_among(const hbg_rt_image *image, hbg_rt_range names, int32_t reg) {
    const int32_t *pair = hbg_rt_ints(image, names.first);
    for (int32_t i = 0; i < names.count; i += 2)
        if (pair[i + 1] == reg) return pair[i];
    return HBG_RT_NONE;
}

int32_t hbg_rt_name_in(const hbg_rt_instance *run, int32_t reg) {
    int32_t found = name_among(run->image, run->image->layout.names, reg);
    for (int32_t i = 0; i < run->variants.segment_count && found == HBG_RT_NONE; i++)
        if (run->variants.variant[i]) found = name_among(run->image, run->variants.variant[i]->names, reg);
    return found;
}
