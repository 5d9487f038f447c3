/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which junctions the states of the automata switch on. A condition is a chain of tests, each of which leads
 * to one with a smaller number or to the result. */
#include "rt/run_impl.h"

bool hbg_rt_place_on(const hbg_rt_instance *run, int32_t place, const int32_t *states) {
    return hbg_rt_place_is_on(run->image, place, states);
}

bool hbg_rt_place_is_on(const hbg_rt_image *image, int32_t place, const int32_t *states) {
    const hbg_rt_places *places = &image->instants.places;
    const hbg_rt_switching *switching = &image->instants.switching;
    int32_t at = places->places[place].control;
    while (at >= 0) {
        const hbg_rt_test *test = &places->tests[at];
        int32_t state = states[test->automaton], first = switching->automata[test->automaton].states.first;
        bool holds = test->state < 0 ? switching->discretes[first + state].on : state == test->state;
        at = holds ? test->yes : test->no;
    }
    return at == HBG_RT_PLACE_ON;
}

bool hbg_rt_is_on(const hbg_rt_instance *run, int32_t place) {
    return run->on && hbg_rt_bit(run->on, place);
}
