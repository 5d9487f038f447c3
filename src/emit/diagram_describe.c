/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The text at every element and junction: letters, name, value, control, and the tooltip. */
#include "emit/diagram_impl.h"

#include <string.h>

#define MOST_NAME   170.0 /* pixels; longer texts end in an ellipsis; the tooltip has all */
#define MOST_VALUE  150.0
#define LONG_EXPR   200 /* operators; a longer expression is not printed */
#define DEPENDS_NOT (-1)
#define DEPENDS_ALL (-2) /* on time, signals, automata, or several elements */

/* Facts about every expression, found in one pass: arguments come before their users. */
typedef struct {
    int32_t *depends; /* DEPENDS_NOT, DEPENDS_ALL, or the only element whose variables it reads */
    int32_t *size;    /* nodes if written out, up to LONG_EXPR + 1 */
} expr_facts;

static int32_t leaf_depends(const hbg_expr_node *node) {
    switch (node->op) {
    case HBG_OP_NUMBER:
    case HBG_OP_TRUE:
    case HBG_OP_FALSE:
    case HBG_OP_PI:
    case HBG_OP_PARAM: return DEPENDS_NOT;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_DISPLACEMENT:
    case HBG_OP_MOMENTUM: return node->a;
    default: return DEPENDS_ALL;
    }
}

static int32_t merge_depends(int32_t a, int32_t b) {
    if (a == DEPENDS_NOT || a == b) return b;
    return b == DEPENDS_NOT ? a : DEPENDS_ALL;
}

static expr_facts find_facts(const hbg_diagram *diagram) {
    const hbg_model *model = diagram->model;
    int32_t count = model->exprs.count;
    expr_facts facts = {HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1),
                        HBG_NEW_ARRAY(diagram->arena, int32_t, count + 1)};
    for (int32_t i = 0; i < count; i++) {
        const hbg_expr_node *node = &model->exprs.items[i];
        int arity = hbg_model_expr_arity(node);
        facts.depends[i] = arity == 0 ? leaf_depends(node) : DEPENDS_NOT;
        facts.size[i] = 1;
        for (int k = 0; k < arity && k < 3; k++) {
            hbg_expr part = hbg_model_expr_argument(node, k);
            if (part < 0 || part >= i) continue;
            facts.depends[i] = merge_depends(facts.depends[i], facts.depends[part]);
            facts.size[i] += facts.size[part];
        }
        /* values at an event: the past of an element, or another mode */
        if (node->op == HBG_OP_IN || node->op == HBG_OP_PRE) facts.depends[i] = DEPENDS_ALL;
        if (facts.size[i] > LONG_EXPR) facts.size[i] = LONG_EXPR + 1;
    }
    return facts;
}

/* ---- texts ----------------------------------------------------------------------------------------- */

const char *hbg_emit_diagram_path(const hbg_diagram *diagram, hbg_object object) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, diagram->arena);
    hbg_model_path(diagram->model, object, &buffer);
    return buffer.data;
}

static bool is_name_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

/* The text without `prefix` and the dot after it wherever a path begins with them. */
static const char *without_prefix(hbg_arena *arena, const char *text, const char *prefix) {
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, arena);
    size_t size = strlen(prefix);
    char before = ' ';
    while (*text) {
        bool begins = !is_name_byte(before) && strncmp(text, prefix, size) == 0 && text[size] == '.';
        if (begins) text += size + 1;
        before = *text;
        if (*text) hbg_base_buffer_char(&buffer, *text++);
    }
    return buffer.data;
}

const char *hbg_emit_diagram_expr(const hbg_diagram *diagram, hbg_expr expr, int32_t scope) {
    if (expr < 0) return "";
    if (diagram->expr_size[expr] > LONG_EXPR) return "…";
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, diagram->arena);
    hbg_model_print_expr(diagram->model, expr, &buffer);
    if (scope <= 0) return buffer.data;
    const char *path = hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_SCOPE, scope});
    return without_prefix(diagram->arena, buffer.data, path);
}

const char *hbg_emit_diagram_caption(const hbg_diagram *diagram, int32_t scope) {
    const hbg_scope *item = &diagram->model->scopes.items[scope];
    const char *name = hbg_base_names_get(diagram->model->names, item->id.name);
    const char *type = hbg_base_names_get(diagram->model->names, item->component);
    const char *caption = hbg_base_arena_print(diagram->arena, *type ? "%s : %s" : "%s", name, type);
    return hbg_draw_text_fit(diagram->arena, caption, HBG_DIAGRAM_TEXT, false, 2 * MOST_NAME);
}

/* ---- units ----------------------------------------------------------------------------------------- */

/* The unit of a value: by element and domain, which distinguish a torque from an energy and give the values
 * of forms a short name; else as computed. */
static const char *value_unit(const hbg_diagram *diagram, const hbg_element *element, hbg_expr value) {
    const hbg_model *model = diagram->model;
    hbg_domain domain = element->net >= 0 ? model->net_domain[element->net] : HBG_DOMAIN_ANY;
    hbg_dimension dimension = model->expr_dimension[value];
    if (domain != HBG_DOMAIN_ANY) {
        hbg_quantity quantity = hbg_model_element_info_get(element->form)->quantity;
        bool source = element->kind == HBG_KIND_SE || element->kind == HBG_KIND_SF;
        const char *unit =
            source || element->form != element->kind ? hbg_model_domain_unit(domain, quantity) : NULL;
        if (unit) return unit;
        if (quantity != HBG_QUANTITY_NONE) dimension = hbg_model_domain_quantity(domain, quantity);
    }
    bool pure = dimension.known;
    for (int i = 0; i < HBG_BASE_UNITS; i++) pure = pure && dimension.exponent[i] == 0;
    if (!dimension.known || pure) return "";
    hbg_buffer buffer;
    hbg_base_buffer_init(&buffer, diagram->arena);
    hbg_model_dimension_print(&buffer, dimension);
    return buffer.data;
}

/* ---- elements -------------------------------------------------------------------------------------- */

/* Whether value or law reads anything but the element's own variables. */
static bool is_modulated(const hbg_diagram *diagram, const expr_facts *facts, int32_t index) {
    const hbg_model *model = diagram->model;
    const hbg_element *element = &model->elements.items[index];
    int32_t depends = DEPENDS_NOT;
    for (int32_t i = 0; i < element->value_count; i++) {
        hbg_expr value = model->entries.items[element->first_value + i];
        if (value >= 0) depends = merge_depends(depends, facts->depends[value]);
    }
    for (int32_t i = 0; i < element->law_count; i++) {
        hbg_expr law = model->bindings.items[element->first_law + i].value;
        if (law >= 0) depends = merge_depends(depends, facts->depends[law]);
    }
    return depends != DEPENDS_NOT && depends != index;
}

static const char *binding_text(const hbg_diagram *diagram, int32_t index, const hbg_binding *binding) {
    static const char *const letters[] = {
#define X(id, text) text,
        HBG_VARIABLE_LIST(X)
#undef X
    };
    const hbg_element *element = &diagram->model->elements.items[index];
    const char *own = hbg_base_names_get(diagram->model->names, element->id.name);
    const char *text = hbg_emit_diagram_expr(diagram, binding->value, element->id.scope);
    text = without_prefix(diagram->arena, text, own);
    if (element->ports > 1)
        return hbg_base_arena_print(diagram->arena, "%s[%d] = %s", letters[binding->variable],
                                    (int)binding->port, text);
    return hbg_base_arena_print(diagram->arena, "%s = %s", letters[binding->variable], text);
}

/* The second line: a number with unit, an expression, a law, or the size of a matrix. */
static const char *value_text(const hbg_diagram *diagram, int32_t index) {
    const hbg_model *model = diagram->model;
    const hbg_element *element = &model->elements.items[index];
    if (element->law_count > 0)
        return binding_text(diagram, index, &model->bindings.items[element->first_law]);
    if (element->value_count == 0) return NULL;
    if (element->value_count > 1)
        return hbg_base_arena_print(diagram->arena, "%d × %d", (int)element->ports, (int)element->ports);
    hbg_expr value = model->entries.items[element->first_value];
    double number;
    if (value < 0) return NULL;
    if (hbg_model_constant(model, value, &number))
        return hbg_emit_diagram_quantity(diagram->arena, number, value_unit(diagram, element, value));
    return hbg_emit_diagram_expr(diagram, value, element->id.scope);
}

/* One line for every value, law and initial value. */
static void add_equations(const hbg_diagram *diagram, int32_t index, hbg_buffer *tooltip) {
    const hbg_model *model = diagram->model;
    const hbg_element *element = &model->elements.items[index];
    for (int32_t i = 0; i < element->value_count; i++) {
        const char *text = hbg_emit_diagram_expr(diagram, model->entries.items[element->first_value + i], 0);
        if (element->value_count == 1)
            hbg_base_buffer_print(tooltip, "\nvalue: %s", text);
        else
            hbg_base_buffer_print(tooltip, "\n[%d, %d]: %s", (int)(i / element->ports) + 1,
                                  (int)(i % element->ports) + 1, text);
    }
    for (int32_t i = 0; i < element->law_count; i++)
        hbg_base_buffer_print(tooltip, "\nlaw: %s",
                              binding_text(diagram, index, &model->bindings.items[element->first_law + i]));
    for (int32_t i = 0; i < element->initial_count; i++)
        hbg_base_buffer_print(
            tooltip, "\nat the start: %s",
            binding_text(diagram, index, &model->bindings.items[element->first_initial + i]));
}

static void describe_element(hbg_diagram *diagram, const expr_facts *facts, int32_t thing) {
    const hbg_model *model = diagram->model;
    int32_t index = diagram->things[thing].object.index;
    const hbg_element *element = &model->elements.items[index];
    hbg_diagram_symbol *symbol = &diagram->symbols[thing];
    const hbg_element_info *info = hbg_model_element_info_get(element->form);
    bool modulated = is_modulated(diagram, facts, index);
    symbol->letters = hbg_base_arena_print(diagram->arena, modulated ? "M%s" : "%s", info->text);
    const char *name = hbg_base_names_get(model->names, element->id.name);
    symbol->name = hbg_draw_text_fit(diagram->arena, hbg_base_arena_print(diagram->arena, " : %s", name),
                                     HBG_DIAGRAM_LETTERS, false, MOST_NAME);
    bool values = diagram->options->values && !diagram->things[thing].outside;
    const char *value = values ? value_text(diagram, index) : NULL;
    if (value && *value)
        symbol->value = hbg_draw_text_fit(diagram->arena, value, HBG_DIAGRAM_SMALL, false, MOST_VALUE);

    hbg_buffer tooltip;
    hbg_base_buffer_init(&tooltip, diagram->arena);
    hbg_base_buffer_print(&tooltip, "%s: %s%s",
                          hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_ELEMENT, index}),
                          modulated ? "modulated " : "", info->name);
    if (value && *value) hbg_base_buffer_print(&tooltip, ", %s", value);
    if (hbg_emit_diagram_marked(diagram->options->dependent, index))
        hbg_base_buffer_text(&tooltip, "\ndependent: in derivative causality");
    add_equations(diagram, index, &tooltip);
    symbol->tooltip = tooltip.data;
}

/* ---- junctions ------------------------------------------------------------------------------------- */

static void add_line(hbg_diagram *diagram, hbg_diagram_symbol *symbol, const char *text) {
    symbol->lines[symbol->line_count++] =
        hbg_draw_text_fit(diagram->arena, text, HBG_DIAGRAM_SMALL, false, MOST_NAME);
}

/* If it is left open, its range. */
static const char *restitution_text(hbg_diagram *diagram, int32_t index) {
    const hbg_element *of = &diagram->model->elements.items[index];
    const hbg_choice *choice = hbg_model_choice_of(diagram->model, (hbg_object){HBG_OBJECT_ELEMENT, index});
    if (!choice) return hbg_emit_diagram_expr(diagram, of->restitution, of->id.scope);
    return hbg_base_arena_print(diagram->arena, "%s%s .. %s", choice->loss ? "loss " : "",
                                hbg_emit_diagram_expr(diagram, choice->low, of->id.scope),
                                hbg_emit_diagram_expr(diagram, choice->high, of->id.scope));
}

static void describe_junction(hbg_diagram *diagram, int32_t thing) {
    const hbg_model *model = diagram->model;
    int32_t index = diagram->things[thing].object.index;
    const hbg_element *element = &model->elements.items[index];
    hbg_diagram_symbol *symbol = &diagram->symbols[thing];
    const hbg_element_info *info = hbg_model_element_info_get(element->form);
    symbol->letters = info->text;
    symbol->controlled = element->control >= 0;
    add_line(diagram, symbol, hbg_base_names_get(model->names, element->id.name));

    hbg_buffer tooltip;
    hbg_base_buffer_init(&tooltip, diagram->arena);
    hbg_base_buffer_print(&tooltip, "%s: %s%s",
                          hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_ELEMENT, index}),
                          symbol->controlled ? "controlled " : "", info->name);
    if (symbol->controlled && diagram->options->off)
        hbg_base_buffer_text(&tooltip, diagram->options->off[index] ? ", off" : ", on");
    if (symbol->controlled) {
        const char *control = hbg_emit_diagram_expr(diagram, element->control, element->id.scope);
        add_line(diagram, symbol, hbg_base_arena_print(diagram->arena, "when %s", control));
        hbg_base_buffer_print(&tooltip, "\non when %s", hbg_emit_diagram_expr(diagram, element->control, 0));
        const char *off =
            element->dual_off ? (element->kind == HBG_KIND_ZERO ? "off flow" : "off effort") : NULL;
        if (off) add_line(diagram, symbol, off);
        bool no_flow = (element->kind == HBG_KIND_ONE) != element->dual_off;
        hbg_base_buffer_print(&tooltip, "\noff: no %s", no_flow ? "flow" : "effort");
    }
    if (element->restitution >= 0) {
        const char *text = restitution_text(diagram, index);
        text = hbg_base_arena_print(diagram->arena, "restitution %s", text);
        add_line(diagram, symbol, text);
        hbg_base_buffer_print(&tooltip, "\n%s", text);
    }
    symbol->tooltip = tooltip.data;
}

void hbg_emit_diagram_describe(hbg_diagram *diagram) {
    const hbg_model *model = diagram->model;
    expr_facts facts = find_facts(diagram);
    diagram->expr_size = facts.size;
    for (int32_t i = 0; i < diagram->thing_count; i++) {
        hbg_diagram_symbol *symbol = &diagram->symbols[i];
        if (!hbg_emit_diagram_element(diagram, i))
            hbg_emit_diagram_describe_box(diagram, i);
        else if (hbg_emit_diagram_is_junction(diagram, i))
            describe_junction(diagram, i);
        else
            describe_element(diagram, &facts, i);
        if (symbol->value) symbol->value_width = hbg_draw_text_width(symbol->value, HBG_DIAGRAM_SMALL, false);
        for (int32_t k = 0; k < symbol->line_count; k++) {
            double width = hbg_draw_text_width(symbol->lines[k], HBG_DIAGRAM_SMALL, false);
            if (width > symbol->line_width) symbol->line_width = width;
        }
        symbol->name_width = symbol->name ? hbg_draw_text_width(symbol->name, HBG_DIAGRAM_LETTERS, false) : 0;
    }
    for (int32_t i = 0; i < diagram->link_count; i++) {
        const hbg_bond *bond = hbg_emit_diagram_bond_of(diagram, i);
        if (bond->id.name == 0) continue;
        const char *name = hbg_base_names_get(model->names, bond->id.name);
        name = hbg_draw_text_fit(diagram->arena, name, HBG_DIAGRAM_SMALL, false, MOST_NAME);
        diagram->bonds[i].name = name;
        diagram->bonds[i].name_width = hbg_draw_text_width(name, HBG_DIAGRAM_SMALL, false);
    }
}
