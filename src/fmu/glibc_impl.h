/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Included before all else in what is linked into a binary: functions that newer versions of the GNU C library have under another symbol, too,
 * are taken by the old one, which computes the same, so that the binary loads where the library is older than here. */
#ifndef HBG_FMU_GLIBC_IMPL_H
#define HBG_FMU_GLIBC_IMPL_H

#include <stddef.h>

#if defined __GNUC__ && defined __x86_64__ && defined __linux__
#include <features.h>
#ifdef __GLIBC__
__asm__(".symver exp,exp@GLIBC_2.2.5\n"
        ".symver exp2,exp2@GLIBC_2.2.5\n"
        ".symver log,log@GLIBC_2.2.5\n"
        ".symver log2,log2@GLIBC_2.2.5\n"
        ".symver pow,pow@GLIBC_2.2.5\n"
        ".symver fmod,fmod@GLIBC_2.2.5\n"
        ".symver hypot,hypot@GLIBC_2.2.5\n");
#endif
#endif

#endif
