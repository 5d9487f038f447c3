/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bond graph as Graphviz text: nodes named by their paths, components as clusters, half arrows and causal
 * strokes as arrow heads. Written for people who want to arrange or style it themselves. */
#include "emit/diagram_impl.h"

#define MOST_INDENTED 40

/* A string of the DOT language; `\n` in the text becomes a line break. */
static void quote(hbg_buffer *out, const char *text) {
    hbg_base_buffer_char(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') hbg_base_buffer_char(out, '\\');
        if (c == '\n')
            hbg_base_buffer_text(out, "\\n");
        else
            hbg_base_buffer_char(out, c < ' ' ? ' ' : (char)c);
    }
    hbg_base_buffer_char(out, '"');
}

static void indent(hbg_buffer *out, int32_t depth) {
    for (int32_t i = 0; i < depth && i < MOST_INDENTED; i++) hbg_base_buffer_text(out, "  ");
}

static void attribute(hbg_buffer *out, const char *name, const char *text) {
    hbg_base_buffer_text(out, name);
    quote(out, text);
}

static void write_node(const hbg_diagram *diagram, hbg_buffer *out, int32_t index, int32_t depth) {
    const hbg_diagram_symbol *symbol = &diagram->symbols[index];
    const hbg_diagram_thing *thing = &diagram->things[index];
    int32_t element = symbol->is_box ? HBG_NONE : thing->object.index;
    hbg_buffer label;
    hbg_base_buffer_init(&label, diagram->arena);
    hbg_base_buffer_text(&label, symbol->letters);
    if (symbol->name) hbg_base_buffer_text(&label, symbol->name);
    if (symbol->value) hbg_base_buffer_print(&label, "\n%s", symbol->value);
    for (int32_t i = 0; i < symbol->line_count; i++)
        hbg_base_buffer_print(&label, i == 0 ? " %s" : "\n%s", symbol->lines[i]);
    indent(out, depth);
    quote(out, hbg_emit_diagram_path(diagram, thing->object));
    attribute(out, " [label=", label.data);
    if (symbol->is_box) hbg_base_buffer_text(out, ", shape=box, style=rounded");
    if (symbol->controlled && hbg_emit_diagram_marked(diagram->options->off, element))
        hbg_base_buffer_text(out, ", shape=box, style=\"rounded,dashed\", fontcolor=\"#8a8a8a\"");
    else if (symbol->controlled)
        hbg_base_buffer_text(out, ", shape=box, style=\"rounded,filled\", fillcolor=\"#ffe7ad\"");
    if (element >= 0 && hbg_emit_diagram_marked(diagram->options->dependent, element))
        hbg_base_buffer_text(out, ", shape=box, style=filled, fillcolor=\"#e6daf5\"");
    if (element >= 0 && hbg_emit_diagram_marked(diagram->options->changed_element, element))
        hbg_base_buffer_text(out, ", shape=box, color=\"#d6336c\"");
    attribute(out, ", tooltip=", symbol->tooltip);
    hbg_base_buffer_text(out, "];\n");
}

/* Children and things of every component, as lists. */
typedef struct {
    int32_t *first_child, *next_sibling; /* by scope, HBG_NONE at the end */
    int32_t *first_element, *next_element;
} tree;

/* The component around another one; the one in focus has none. */
static int32_t parent_of(const hbg_diagram *diagram, int32_t scope) {
    return scope == diagram->options->focus ? 0 : diagram->model->scopes.items[scope].id.scope;
}

static tree make_tree(const hbg_diagram *diagram) {
    const hbg_model *model = diagram->model;
    int32_t scopes = model->scopes.count;
    tree tree = {HBG_NEW_ARRAY(diagram->arena, int32_t, scopes + 1),
                 HBG_NEW_ARRAY(diagram->arena, int32_t, scopes + 1),
                 HBG_NEW_ARRAY(diagram->arena, int32_t, scopes + 1),
                 HBG_NEW_ARRAY(diagram->arena, int32_t, diagram->thing_count + 1)};
    for (int32_t i = 0; i < scopes; i++)
        tree.first_child[i] = tree.next_sibling[i] = tree.first_element[i] = HBG_NONE;
    for (int32_t i = scopes - 1; i > 0; i--) {
        if (!diagram->shown[i]) continue;
        int32_t parent = parent_of(diagram, i);
        tree.next_sibling[i] = tree.first_child[parent];
        tree.first_child[parent] = i;
    }
    for (int32_t i = diagram->thing_count - 1; i >= 0; i--) {
        int32_t scope = diagram->things[i].outside ? 0 : diagram->things[i].scope;
        tree.next_element[i] = tree.first_element[scope];
        tree.first_element[scope] = i;
    }
    return tree;
}

static void open_scope(const hbg_diagram *diagram, hbg_buffer *out, const tree *tree, int32_t scope,
                       int32_t depth) {
    if (scope > 0) {
        indent(out, depth);
        hbg_base_buffer_text(out, "subgraph ");
        quote(out,
              hbg_base_arena_print(diagram->arena, "cluster_%s",
                                   hbg_emit_diagram_path(diagram, (hbg_object){HBG_OBJECT_SCOPE, scope})));
        hbg_base_buffer_text(out, " {\n");
        indent(out, depth + 1);
        attribute(out, "label=", hbg_emit_diagram_caption(diagram, scope));
        hbg_base_buffer_text(out, ";\n");
    }
    for (int32_t i = tree->first_element[scope]; i >= 0; i = tree->next_element[i])
        write_node(diagram, out, i, depth + 1);
}

/* All components, without recursion: down to the first child, along the siblings, up again. */
static void write_scopes(const hbg_diagram *diagram, hbg_buffer *out) {
    tree tree = make_tree(diagram);
    int32_t at = 0, depth = 0;
    open_scope(diagram, out, &tree, 0, 0);
    while (true) {
        if (tree.first_child[at] >= 0) {
            at = tree.first_child[at];
            open_scope(diagram, out, &tree, at, ++depth);
            continue;
        }
        while (at > 0 && tree.next_sibling[at] < 0) {
            at = parent_of(diagram, at);
            indent(out, depth--);
            hbg_base_buffer_text(out, "}\n");
        }
        if (at == 0) return;
        indent(out, depth);
        hbg_base_buffer_text(out, "}\n");
        at = tree.next_sibling[at];
        open_scope(diagram, out, &tree, at, depth);
    }
}

static void write_bond(const hbg_diagram *diagram, hbg_buffer *out, int32_t link) {
    int32_t index = diagram->links[link].bond;
    const hbg_bond *bond = &diagram->model->bonds.items[index];
    const hbg_diagram_bond *drawn = &diagram->bonds[link];
    int8_t stroke = diagram->options->stroke ? diagram->options->stroke[index] : -1;
    indent(out, 1);
    quote(out, hbg_emit_diagram_path(diagram, diagram->things[diagram->links[link].from].object));
    hbg_base_buffer_text(out, " -> ");
    quote(out, hbg_emit_diagram_path(diagram, diagram->things[diagram->links[link].to].object));
    hbg_base_buffer_text(out, stroke == 1 ? " [arrowhead=teelvee" : " [arrowhead=lvee");
    if (stroke == 0) hbg_base_buffer_text(out, ", dir=both, arrowtail=tee");
    if (drawn->name) attribute(out, ", label=", drawn->name);
    if (hbg_emit_diagram_marked(diagram->options->conflict, index))
        hbg_base_buffer_text(out, ", color=\"#d6336c\", penwidth=3");
    else if (hbg_emit_diagram_marked(diagram->options->changed, index))
        hbg_base_buffer_text(out, ", color=\"#d6336c\"");
    else if (hbg_emit_diagram_marked(diagram->options->loose, index))
        hbg_base_buffer_text(out, ", color=\"#b36b00\", style=dashed");
    if (diagram->domain_count > 1 && bond->net >= 0)
        attribute(out, ", class=", hbg_model_domain_name(diagram->model->net_domain[bond->net]));
    hbg_base_buffer_text(out, "];\n");
}

hbg_status hbg_emit_dot(const hbg_model *model, const hbg_diagram_options *options, hbg_buffer *out,
                        const char **reason) {
    hbg_diagram diagram;
    HBG_TRY(hbg_emit_diagram_init(&diagram, model, options, out->arena, reason));
    const char *name = hbg_base_names_get(model->names, model->name);
    const char *title = hbg_base_arena_print(out->arena, model->doc && *model->doc ? "%s\n%s" : "%s", name,
                                             model->doc ? model->doc : "");
    if (options->note) title = hbg_base_arena_print(out->arena, "%s\n%s", title, options->note);
    hbg_base_buffer_text(out, "digraph ");
    quote(out, name);
    attribute(out, " {\n  graph [rankdir=LR, labelloc=t, label=", title);
    hbg_base_buffer_text(out, "];\n  node [shape=plaintext];\n");
    write_scopes(&diagram, out);
    for (int32_t i = 0; i < diagram.link_count; i++) write_bond(&diagram, out, i);
    hbg_base_buffer_text(out, "}\n");
    return HBG_OK;
}
