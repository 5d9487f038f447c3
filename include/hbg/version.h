/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The version of this header set. The one place where the number stands: CMake reads it from here. */
#ifndef HBG_VERSION_H
#define HBG_VERSION_H

#define HBG_VERSION_MAJOR 0
#define HBG_VERSION_MINOR 1
#define HBG_VERSION_PATCH 0

#endif
