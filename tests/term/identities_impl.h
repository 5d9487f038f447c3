/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What holds of any values y and z with pulses (semantics, section 2), each written as a guard that never does. Guards of runs and
 * guards in proofs are held against the same list. */
#ifndef HBG_TESTS_TERM_IDENTITIES_IMPL_H
#define HBG_TESTS_TERM_IDENTITIES_IMPL_H

static const char *const never[] = {
    "abs(y) != max(y, -y)",
    "min(y, z) != -max(-y, -z)",
    "max(y, z) != (y > z ? y : z)",
    "(y > 3 ? 1 : 0) != (impulse(y) > 0 || impulse(y) == 0 && finite(y) > 3 ? 1 : 0)",
    "(y <= z ? 1 : 0) != (impulse(y) < impulse(z) || impulse(y) == impulse(z) && finite(y) <= finite(z) ? 1 "
    ": 0)",
    "sign(y) != (impulse(y) != 0 ? sign(impulse(y)) : sign(finite(y)))",
    "impulse(abs(y)) != abs(impulse(y))",
    "impulse(max(y, z)) != max(impulse(y), impulse(z))",
    "impulse(2*y - z/4 + 1) != 2*impulse(y) - impulse(z)/4",
    "impulse(finite(y)) != 0",
    "finite(3*y - z/2 + 1) != 3*finite(y) - finite(z)/2 + 1",
    "finite(abs(y)) != (impulse(y) > 0 ? finite(y) : impulse(y) < 0 ? -finite(y) : abs(finite(y)))",
    "finite(min(y, z)) != (impulse(y) < impulse(z) ? finite(y) : impulse(y) > impulse(z) ? finite(z) : "
    "min(finite(y), finite(z)))",
};
enum { IDENTITIES = sizeof never / sizeof *never };

#endif
