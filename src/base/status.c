/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Texts and exit codes of the list in hbg/status.h. */
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

#define TEXT_ENTRY(name, text, code) text,
#define CODE_ENTRY(name, text, code) code,

const char *hbg_answer_text(hbg_answer answer) {
    static const char *const texts[] = {HBG_ANSWER_LIST(TEXT_ENTRY)};
    return texts[answer];
}

int hbg_answer_exit(hbg_answer answer) {
    static const int codes[] = {HBG_ANSWER_LIST(CODE_ENTRY)};
    return codes[answer];
}

const char *hbg_run_end_text(hbg_run_end end) {
    static const char *const texts[] = {HBG_RUN_END_LIST(TEXT_ENTRY)};
    return texts[end];
}

int hbg_run_end_exit(hbg_run_end end) {
    static const int codes[] = {HBG_RUN_END_LIST(CODE_ENTRY)};
    return codes[end];
}
