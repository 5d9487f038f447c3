/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Included first in everything that is linked into a binary. It selects the old symbol of functions for which
 * newer versions of the GNU C library have another one with the same results, so the binary loads with older
 * versions of the library. */
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
