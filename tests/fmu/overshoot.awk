# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# How many modes become real in four examples, by forward Euler whose steps go past a switching: worked out from the equations of their readmes,
# without hbg. At the end of a step that went past it a current or a velocity is not 0 but has the other sign, and so another diode takes it, or the
# body flies off; that brings it back past 0 a few steps later, again and again, where a run that ends its steps at 0 has a mode with nothing in it.
#   awk -v what=EXAMPLE -v steps=N -f overshoot.awk
# Where the rate is -a above 0 and b below, the part b/(a + b) of the steps is above. The faster side takes single steps, so that modes
# change 2*min(a, b)/(a + b) times a step.

# the end of the next step of the grid, or the next planned instant before it
function step_end(t, at, i, end) {
    if ((grid + 1) * h <= t) grid++
    end = (grid + 1) * h
    for (i = 1; i <= plans; i++) if (at[i] > t && at[i] < end) end = at[i]
    return end
}

# the coils of the MOSFET and of the IGBT before their gates fire: 1 mH, -1 A, 10.7 V and 10.9 V across them through one diode, 0 V and -0.5 V through the
# other. At the start, at 100, 200, 300 and 320 us a mode begins in any case, and one more where a gate finds the current below 0.
function lossy_switches(i, j, t, end, above, beyond, count, turned) {
    h = 390e-6 / steps; plans = split("100e-6 200e-6", at); i = j = -1; count = 5
    for (t = 0; t < 200e-6 && (end = step_end(t, at)); t = end) {
        i += (end - t) * (above ? -0.5 : 10.9) / 1e-3
        j += (end - t) * (beyond ? 0 : 10.7) / 1e-3
        turned = above ? i < 0 : i > 0
        if (turned) above = !above
        if (!beyond && j > 0) turned = beyond = 1
        count += turned && end != 200e-6 && end != 100e-6
    }
    return count + !above
}

# 48 V or 0 V on coil and capacitor in series, 9 V of the battery against the current; while both switches are open, the diodes beside them decide which
function resonant_charger(i, v, t, end, above, count, rate, k, planned, turned) {
    h = 20e-6 / steps; plans = split("5e-6 10e-6 15e-6 20e-6", at); above = 1; count = 1
    for (t = 0; t < 20e-6 && (end = step_end(t, at)); t = end) {
        rate = ((t < 5e-6 ? 48 : t >= 10e-6 && t < 15e-6 ? 0 : above ? 0 : 48) - v - (above ? 9 : -9)) / 10e-6
        v += (end - t) * i / 0.1e-6
        i += (end - t) * rate
        planned = 0
        for (k = 1; k <= plans; k++) planned += at[k] == end
        turned = above ? i < 0 : i > 0
        if (turned) above = !above
        count += planned || turned
    }
    return count
}

function phase(k, t) { return 325 * cos(2 * pi * 50 * t - pi / 6 - 2 * pi * k / 3) }

# side[k]: 1 where line k is joined to plus, -1 to minus, 0 to neither. Two that are joined to one side share 20 A, and what goes past 0 in a line is shared
# by the two it is joined to next, as equal inductances share momentum.
function six_pulse_overlap(k, l, t, end, count) {
    h = 0.02 / steps; plans = 0; pi = atan2(0, -1)
    side[0] = 1; side[1] = -1; side[2] = 0; i[0] = 20; i[1] = -20; i[2] = 0
    for (t = 0; t < 0.02 * (1 - 1e-9) && (end = step_end(t, at)); t = end) {
        for (k = 0; k < 3; k++) for (l = 0; l < 3; l++)
            if (k != l && side[k] && side[k] == side[l]) rate[k] = (phase(k, t) - phase(l, t)) / 2 / 2e-3
        for (k = 0; k < 3; k++) { i[k] += (end - t) * rate[k]; rate[k] = 0 }
        for (k = 0; k < 3; k++) {
            if (side[k] == 0 && phase(k, end) < phase(1, end)) { side[k] = -1; count++ }
            if (side[k] * i[k] >= 0) continue
            side[k] = -side[k]; count++
            for (l = 0; l < 3; l++) if (l != k) i[l] = side[l] == side[k] ? 20 * side[l] - i[k] / 2 : 20 * side[l]
            i[k] /= 2
        }
    }
    return count
}

# hammer and pile: they collide where the gap is closed, together below 0.5 m/s; the soil lets the pile go at a blow and holds it as soon as it moves up,
# and the hammer on it flies off with what upward velocity the step has left it
function pile(v, u, gap, t, end, together, sliding, count, dv, du, approach) {
    h = 0.6 / steps; plans = 0; gap = 12.5 / 9.81 # v of the hammer, u of the pile
    for (t = 0; t < 0.6 * (1 - 1e-9) && (end = step_end(t, at)); t = end) {
        dv = -9.81; du = sliding ? 60000 / 300 - 9.81 : 0
        if (together) dv = du = sliding ? 60000 / 800 - 9.81 : 0
        gap += (end - t) * (v - u); v += (end - t) * dv; u += (end - t) * du
        approach = u - v
        if (!together && gap <= 0 && approach > 0) {
            sliding = 1; count++
            u = (500 * v + 300 * u) / 800; v = u
            if (approach > 0.5) { u -= 500 / 800 * 0.2 * approach; v += 300 / 800 * 0.2 * approach; count++ } else together = 1
        } else if (sliding && u > 0) { sliding = together = 0; u = 0; count++ }
    }
    return count
}

BEGIN { print what == "pile" ? pile() : what == "lossy-switches" ? lossy_switches() : what == "resonant-charger" ? resonant_charger() : six_pulse_overlap() }
