/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The implementation of the public header, include/hbg/hbg.h. */
#ifndef HBG_API_H
#define HBG_API_H

#include "hbg/hbg.h"

#endif
