/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * "Did you mean" for callers that see only the public header. */
#include "api/api_impl.h"

const char *hbg_nearest_word(const char *misspelt, const char *const *words, int count) {
    hbg_nearest nearest;
    hbg_base_nearest_init(&nearest, misspelt);
    for (int i = 0; i < count; i++) hbg_base_nearest_offer(&nearest, words[i]);
    return nearest.best;
}
