/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "verify/paper_impl.h"
void hbg_verify_paper_differ(paper_linear *linear) {
    (void)linear;
}
