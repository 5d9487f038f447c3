/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Texts of the status codes. */
#include "hbg/status.h"

const char *hbg_status_text(hbg_status status) {
    switch (status) {
#define HBG_STATUS_CASE(name, value, text)                                                                   \
    case HBG_##name: return text;
        HBG_STATUS_LIST(HBG_STATUS_CASE)
#undef HBG_STATUS_CASE
    }
    return "unknown status";
}
