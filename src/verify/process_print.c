/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms of a process for people: a jump has variables before and after it. */
#include "verify/verify.h"

static void put_name(const void *owner, int32_t variable, hbg_buffer *out) {
    const hbg_process *of = owner;
    const hbg_process_variable *at = &of->variables.items[hbg_process_variable_of(variable)];
    static const char *const views[] = {"%s", "old(%s)", "new(%s)"};
    bool plain = hbg_process_is_plain(at->role);
    hbg_base_buffer_print(out, plain ? "%s" : views[hbg_process_view_of(variable)], at->name);
}

void hbg_verify_process_print(const hbg_process *of, hbg_term term, bool whole, hbg_buffer *out) {
    hbg_term_print(&of->terms, term, (hbg_term_names){put_name, of, whole}, out);
}
