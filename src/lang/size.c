/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How many objects the flat model will have, counted before any is made: components that hold two of the next
 * kind, nested sixty levels deep, are refused at once. The size of a definition is its own declarations and
 * the sizes of its instances; each definition is counted once, after those it uses (depth first, on a stack
 * of our own because the levels may be many). */
#include "lang/elaborate_impl.h"

typedef struct {
    syntax_definition *definition;
    int32_t next; /* declaration to look at */
    int64_t size;
} count_level;

typedef HBG_VEC(count_level) count_stack;

#define COUNTING (-1) /* size of a definition while it is on the stack */

/* The component of an instance, or NULL if there is no such component. */
static syntax_definition *component_of(const hbg_elaborator *elaborator,
                                       const syntax_declaration *declaration) {
    if (declaration->kind != DECLARE_INSTANCE) return NULL;
    int32_t index =
        hbg_base_pair_map_find(&elaborator->definition_names, 0, declaration->instance->component);
    return index < 0 ? NULL : elaborator->definitions.items[index];
}

static int64_t own_size(const syntax_declaration *declaration) {
    if (declaration->kind == DECLARE_CHAIN) return declaration->chain->count - 1;
    return declaration->kind == DECLARE_JUNCTION && declaration->junction->is_switch ? 2 : 1;
}

static void enter(hbg_elaborator *elaborator, count_stack *stack, syntax_definition *definition) {
    count_level level = {definition, 0, 1};
    definition->size = COUNTING;
    HBG_PUSH(elaborator->arena, *stack, level);
}

/* Examines one declaration of the innermost level; an instance not counted yet is entered first. */
static void count_declaration(hbg_elaborator *elaborator, count_stack *stack) {
    count_level *level = &stack->items[stack->count - 1];
    const syntax_declaration *declaration = &level->definition->declarations.items[level->next];
    syntax_definition *component = component_of(elaborator, declaration);
    if (component && component->size == 0) {
        enter(elaborator, stack, component);
        return;
    }
    level->next++;
    level->size += own_size(declaration);
    if (component && component->size > 0) level->size += component->size; // unless it contains itself
}

static bool leave(hbg_elaborator *elaborator, count_stack *stack) {
    count_level level = stack->items[--stack->count];
    level.definition->size = level.size;
    // components make many objects from little text; explicit declarations may be as many as memory allows
    if (level.size - level.definition->declarations.count <= HBG_LANG_OBJECT_LIMIT) return true;
    hbg_diagnostic *report =
        hbg_base_report(elaborator->lang->diagnostics, HBG_E_TOO_LARGE, level.definition->span,
                        "`%s` would have %lld objects, more than %d",
                        hbg_base_names_get(elaborator->lang->names, level.definition->name),
                        (long long)level.size, HBG_LANG_OBJECT_LIMIT);
    hbg_base_report_fix(elaborator->lang->diagnostics, report,
                        "the components inside multiply: use fewer of them, or fewer levels");
    return false;
}

bool hbg_lang_elaborate_fits(hbg_elaborator *elaborator, syntax_definition *model) {
    count_stack stack = {0};
    enter(elaborator, &stack, model);
    while (stack.count > 0) {
        const count_level *level = &stack.items[stack.count - 1];
        if (level->next < level->definition->declarations.count)
            count_declaration(elaborator, &stack);
        else if (!leave(elaborator, &stack))
            return false;
    }
    return true;
}
