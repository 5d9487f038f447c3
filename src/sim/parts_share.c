/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Actions and overrides of a run in parts: each part gets those on its own variables, with its own indices.
 * An input or a parameter may be in many parts, an automaton or a clock is in one. */
#include "sim/parts_impl.h"

typedef struct { /* by variable of the whole: its part, and the index there */
    int32_t *start, *part, *own;
} owner_list;

static int32_t count_of(const hbg_rt_description *system, hbg_sim_override_kind kind, bool input) {
    if (input) return system->input_count;
    return kind == HBG_RT_SET_PARAM ? system->param_count
           : kind == HBG_RT_HOLD    ? system->automaton_count
                                    : system->clock_count;
}

static const int32_t *map_of(const hbg_sim_part *part, hbg_sim_override_kind kind, bool input) {
    if (input) return part->inputs;
    return kind == HBG_RT_SET_PARAM ? part->params : kind == HBG_RT_HOLD ? part->automata : part->clocks;
}

static owner_list list_owners(const hbg_sim_schedule *schedule, hbg_sim_override_kind kind, bool input) {
    hbg_arena *arena = schedule->arena;
    int32_t count = count_of(schedule->system, kind, input), total = 0;
    for (int32_t i = 0; i < schedule->count; i++)
        total += count_of(schedule->parts[i].map->system, kind, input);
    owner_list list = {.start = HBG_NEW_ARRAY(arena, int32_t, count + 2)};
    list.part = HBG_NEW_ARRAY(arena, int32_t, total + 1);
    list.own = HBG_NEW_ARRAY(arena, int32_t, total + 1);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < schedule->count; i++) {
            const hbg_sim_part *part = schedule->parts[i].map;
            const int32_t *map = map_of(part, kind, input);
            for (int32_t k = 0; k < count_of(part->system, kind, input); k++) {
                if (pass == 0) {
                    list.start[map[k] + 2]++;
                    continue;
                }
                int32_t place = list.start[map[k] + 1]++;
                list.part[place] = i;
                list.own[place] = k;
            }
        }
        for (int32_t i = 0; i < count && pass == 0; i++) list.start[i + 2] += list.start[i + 1];
    }
    return list;
}

static void share_actions(hbg_sim_schedule *schedule, const hbg_sim_options *options) {
    if (options->action_count == 0) return;
    owner_list owners = list_owners(schedule, HBG_RT_SET_PARAM, true);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < options->action_count; i++) {
            const hbg_sim_action *action = &options->actions[i];
            for (int32_t k = owners.start[action->input]; k < owners.start[action->input + 1]; k++) {
                hbg_sim_options *own = &schedule->parts[owners.part[k]].options;
                if (pass == 1)
                    ((hbg_sim_action *)own->actions)[own->action_count] =
                        (hbg_sim_action){action->time, owners.own[k], action->value};
                own->action_count++;
            }
        }
        for (int32_t i = 0; i < schedule->count && pass == 0; i++) {
            hbg_sim_options *own = &schedule->parts[i].options;
            own->actions = HBG_NEW_ARRAY(schedule->arena, hbg_sim_action, own->action_count + 1);
            own->action_count = 0;
        }
    }
}

static void share_overrides(hbg_sim_schedule *schedule, const hbg_sim_options *options) {
    owner_list owners[3];
    if (options->override_count == 0) return;
    for (int kind = 0; kind < 3; kind++)
        owners[kind] = list_owners(schedule, (hbg_sim_override_kind)kind, false);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < options->override_count; i++) {
            const hbg_sim_override *override = &options->overrides[i];
            const owner_list *of = &owners[override->kind];
            for (int32_t k = of->start[override->index]; k < of->start[override->index + 1]; k++) {
                hbg_sim_options *own = &schedule->parts[of->part[k]].options;
                int32_t place = own->override_count++;
                if (pass == 0) continue;
                hbg_sim_override *made = (hbg_sim_override *)own->overrides + place;
                *made = *override;
                made->index = of->own[k];
            }
        }
        for (int32_t i = 0; i < schedule->count && pass == 0; i++) {
            hbg_sim_options *own = &schedule->parts[i].options;
            own->overrides = HBG_NEW_ARRAY(schedule->arena, hbg_sim_override, own->override_count + 1);
            own->override_count = 0;
        }
    }
}

void hbg_sim_share_options(hbg_sim_schedule *schedule, const hbg_sim_options *options) {
    for (int32_t i = 0; i < schedule->count; i++) {
        hbg_sim_options *own = &schedule->parts[i].options;
        *own = *options;
        own->actions = NULL;
        own->overrides = NULL;
        own->action_count = own->override_count = 0;
        own->progress = NULL;
        own->step_end = NULL;
        own->summary = NULL;
        own->row = NULL; // the whole writes them
        own->look = NULL;
        own->context = schedule;
        own->event = NULL; // reported to the merger
    }
    share_actions(schedule, options);
    share_overrides(schedule, options);
}
