/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms of equations as text, with the names of the model. */
#include "eqn/eqn_impl.h"

static void put_name(const void *owner, int32_t variable, hbg_buffer *out) {
    hbg_eqn_variable_name(owner, variable, out);
}

void hbg_eqn_print_term(const hbg_eqn *eqn, hbg_term term, hbg_buffer *out) {
    hbg_term_print(&eqn->terms, term, (hbg_term_names){.put = put_name, .owner = eqn}, out);
}
