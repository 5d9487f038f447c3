/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The public promise is include/hbg/hbg.h; this folder keeps it. */
#ifndef HBG_API_H
#define HBG_API_H

#include "hbg/hbg.h"

#endif
