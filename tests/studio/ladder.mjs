// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A model of any size: a ladder of resistors and capacitors behind a source.
export function ladder(elements) {
    const sections = Math.floor((elements - 1) / 4), lines = ['model Ladder {', '    Se source(1 [V]);', '    1 j0;', '    source -> j0;'];
    for (let i = 0; i < sections; i++)
        lines.push(`    R r${i}(1 [Ohm]);`, `    C c${i}(1 [mF]);`, `    0 n${i};`, `    j${i} -> r${i};`, `    j${i} -> n${i} -> c${i};`, `    1 j${i + 1};`, `    n${i} -> j${i + 1};`);
    lines.push('    R last(1 [Ohm]);', `    j${sections} -> last;`, '    experiment charge { stop 1 [ms]; record n0.e; }', '}', '');
    return lines.join('\n');
}
