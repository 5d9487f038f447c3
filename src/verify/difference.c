/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The words of HBG_DIFFERENCE_LIST. */
#include "verify/verify.h"

static const struct {
    const char *code, *paper, *own;
} differences[] = {
#define X(id, paper, own) {#id, paper, own},
    HBG_DIFFERENCE_LIST(X)
#undef X
};

const char *hbg_verify_difference_code(hbg_difference difference) {
    return differences[difference].code;
}

const char *hbg_verify_difference_paper(hbg_difference difference) {
    return differences[difference].paper;
}

const char *hbg_verify_difference_own(hbg_difference difference) {
    return differences[difference].own;
}
