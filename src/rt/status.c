/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The texts of the status codes, from the list that also makes the enum. */
#include "rt/search.h"

const char *hbg_rt_status_text(hbg_rt_status status) {
    static const char *const texts[] = {
#define X(id, text) text,
        HBG_RT_STATUS_LIST(X)
#undef X
    };
    if ((int)status < 0 || status >= HBG_RT_STATUS_COUNT) return "unknown status";
    return texts[status];
}

const char *hbg_rt_verdict_name(hbg_rt_verdict verdict) {
    static const char *const names[] = {
#define X(id, name) name,
        HBG_RT_VERDICT_LIST(X)
#undef X
    };
    return (unsigned)verdict < HBG_RT_VERDICT_COUNT ? names[verdict] : "none";
}
