/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Servers over the public headers: the language server for editors, which keeps the promise of hbg/lsp.h. */
#ifndef HBG_STUDIO_H
#define HBG_STUDIO_H

#include "hbg/lsp.h"

#endif
