/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The causal paths of a mode as a list. A chain of n storages has n² of them with up to n bonds each, so the
 * list is bounded. */
#include "api/mode_impl.h"

#define MOST_STEPS 100000

const char *hbg_api_mode_port_text(hbg_session *session, const hbg_model *model, int32_t element,
                                   int32_t port) {
    const char *name = hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_ELEMENT, element});
    if (model->elements.items[element].ports <= 1) return name;
    return hbg_base_arena_print(&session->scratch, "%s[%d]", name, port);
}

const char *hbg_api_mode_step_text(hbg_session *session, const hbg_model *model, hbg_mode_path_step step) {
    return hbg_base_arena_print(&session->scratch, "%s.%c",
                                hbg_api_text_path(session, model, (hbg_object){HBG_OBJECT_BOND, step.bond}),
                                step.effort ? 'e' : 'f');
}

/* The steps from the start of the tree to one of its ends; false if there is no room for them. */
static bool add_steps(hbg_arena *arena, hbg_mode_path_list *list, const hbg_causal_path_tree *tree,
                      int32_t last) {
    int32_t count = 0, first = list->steps.count;
    for (int32_t i = last; i != HBG_NONE; i = tree->steps[i].before) count++;
    if (count > MOST_STEPS - first) return false;
    for (int32_t i = 0; i < count; i++) HBG_PUSH(arena, list->steps, (hbg_mode_path_step){0});
    for (int32_t i = last, k = first + count; i != HBG_NONE; i = tree->steps[i].before)
        list->steps.items[--k] = (hbg_mode_path_step){tree->steps[i].bond, tree->steps[i].effort};
    return true;
}

static void add_tree(hbg_arena *arena, hbg_mode_path_list *list, const hbg_causal_path_tree *tree,
                     hbg_mode_path path) {
    for (int32_t i = 0; i < tree->count && list->complete; i++) {
        const hbg_causal_step *step = &tree->steps[i];
        if (step->element == HBG_NONE) continue;
        path.to = step->element;
        path.to_port = step->port;
        path.first_step = list->steps.count;
        list->complete = add_steps(arena, list, tree, i);
        path.step_count = list->steps.count - path.first_step;
        if (list->complete) HBG_PUSH(arena, list->items, path);
    }
}

hbg_mode_path_list hbg_api_mode_paths(hbg_session *session, const hbg_mode_causality *causality) {
    hbg_mode_path_list list = {.complete = true};
    for (int32_t i = 0; i < causality->model->elements.count; i++)
        for (int32_t port = 1; port <= causality->model->elements.items[i].ports && list.complete; port++) {
            hbg_causal_path_tree tree = hbg_causal_paths(&session->scratch, causality->assignment, i, port);
            add_tree(&session->scratch, &list, &tree, (hbg_mode_path){.from = i, .from_port = port});
        }
    return list;
}
