/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Quantities in readable form. */
#include <math.h>
#include <string.h>

#include "api/run_events_impl.h"

/* Only for these units a prefix has its usual meaning. */
static bool takes_prefix(const char *unit) {
    static const char *const units[] = {"s", "m",  "A",  "V",   "W",   "J",   "N",   "Pa",
                                        "C", "Wb", "Hz", "N·s", "V·s", "A·s", "N·m", "Pa·s"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i], unit) == 0) return true;
    return false;
}

void hbg_api_run_put_quantity(hbg_buffer *out, double value, const char *unit) {
    static const struct {
        double factor;
        const char *text;
    } prefixes[] = {{1e-12, "p"}, {1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}, // exact: of the SI
                    {1, ""},      {1e3, "k"},  {1e6, "M"}};
    double size = fabs(value);
    int prefix = 4;
    if (!unit) unit = "";
    bool seconds = strcmp(unit, "s") == 0; // kiloseconds are not in use
    if (takes_prefix(unit) && isfinite(value) && (size < 0.1 || (size >= 1e4 && !seconds)))
        for (prefix = 6; prefix > 0 && size < 0.9999995 * prefixes[prefix].factor; prefix--) {
        }
    if (size < 0.9999995 * prefixes[0].factor) prefix = 4;
    hbg_base_buffer_print(out, "%.6g", value / prefixes[prefix].factor);
    if (unit[0]) hbg_base_buffer_print(out, " %s%s", prefixes[prefix].text, unit);
}
