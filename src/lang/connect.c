/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elaboration, second pass: arrows become bonds. An arrow may end at a port; a port has an inside and an
 * outside, each with one arrow, and the two must run the same way. Ports dissolve: from one element to the
 * next, however many ports lie between, there is one bond. */
#include "lang/elaborate_impl.h"

#include <string.h>

typedef struct {
    int32_t port;     /* in model.ports, or HBG_NONE */
    int side;         /* of the port: 0 inside, 1 outside */
    hbg_bond_end end; /* where there is no port */
} arrow_end;

typedef struct {
    arrow_end from, to;
    hbg_identity id; /* name 0 if it has none */
    bool bad;        /* reported, leads nowhere */
} arrow;

typedef struct {
    int32_t arrow[2]; /* by side; HBG_NONE where there is none */
} port_slots;

typedef struct {
    hbg_elaborator *elaborator;
    HBG_VEC(arrow) arrows;
    port_slots *slots; /* by port */
} arrow_set;

/* ---- reading the ends --------------------------------------------------------------------------------- */

static bool report_end(arrow_set *set, const syntax_path *path, const char *what) {
    hbg_elaborator *elaborator = set->elaborator;
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    hbg_base_report(
        diagnostics, HBG_E_BOND, hbg_lang_path_span(path), "`%s` is %s: it cannot take a bond",
        hbg_base_report_wanted(diagnostics, HBG_ERROR) ? hbg_lang_elaborate_path_text(elaborator, path) : "",
        what);
    return false;
}

static bool end_at_element(arrow_set *set, int32_t scope, const syntax_path *path, hbg_resolved found,
                           arrow_end *end) {
    hbg_elaborator *elaborator = set->elaborator;
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    const hbg_element *element = &elaborator->model->elements.items[found.object.index];
    if (element->id.scope != scope) {
        hbg_diagnostic *report = hbg_base_report(diagnostics, HBG_E_BOND, hbg_lang_path_span(path),
                                                 "`%s` is inside a component: a bond cannot reach into it",
                                                 hbg_lang_elaborate_path_text(elaborator, path));
        hbg_base_report_fix(diagnostics, report, "give the component a port and bond to that");
        return false;
    }
    if (element->ports == 0 && found.index != HBG_NONE) {
        hbg_base_report(diagnostics, HBG_E_PORT, hbg_lang_path_span(path),
                        "a junction has no numbered ports");
        return false;
    }
    int32_t port = found.index != HBG_NONE ? found.index : element->ports == 1 ? 1 : 0;
    if (port > element->ports) {
        hbg_base_report(diagnostics, HBG_E_PORT, hbg_lang_path_span(path), "`%s` has %d port%s, not %d",
                        hbg_base_names_get(elaborator->lang->names, element->id.name), element->ports,
                        element->ports == 1 ? "" : "s", port);
        return false;
    }
    bool two_port = element->kind == HBG_KIND_TF || element->kind == HBG_KIND_GY;
    if (port == 0 && element->ports > 1 && !two_port) {
        const char *name = hbg_base_names_get(elaborator->lang->names, element->id.name);
        hbg_diagnostic *report =
            hbg_base_report(diagnostics, HBG_E_PORT, hbg_lang_path_span(path),
                            "`%s` has %d ports: say which one the bond is at", name, element->ports);
        hbg_base_report_fix(diagnostics, report, "write `%s[1]` to `%s[%d]`", name, name, element->ports);
        return false;
    }
    *end = (arrow_end){HBG_NONE, 0, {found.object.index, port, hbg_lang_path_span(path)}};
    return true;
}

static bool end_at_port(arrow_set *set, int32_t scope, const syntax_path *path, int32_t port,
                        arrow_end *end) {
    hbg_elaborator *elaborator = set->elaborator;
    int32_t home = elaborator->model->ports.items[port].id.scope;
    if (home != scope && elaborator->instances.items[home].parent != scope) {
        hbg_diagnostic *report =
            hbg_base_report(elaborator->lang->diagnostics, HBG_E_BOND, hbg_lang_path_span(path),
                            "`%s` is a port of a component inside a component",
                            hbg_lang_elaborate_path_text(elaborator, path));
        hbg_base_report_fix(elaborator->lang->diagnostics, report,
                            "lead it out through a port of the outer component");
        return false;
    }
    *end = (arrow_end){port, home == scope ? 0 : 1, {HBG_NONE, 0, hbg_lang_path_span(path)}};
    return true;
}

static bool read_end(arrow_set *set, int32_t scope, const syntax_path *path, arrow_end *end) {
    hbg_elaborator *elaborator = set->elaborator;
    hbg_resolved found;
    if (!hbg_lang_elaborate_resolve(elaborator, scope, path, &found)) return false;
    if (found.object.kind == HBG_OBJECT_SCOPE) {
        hbg_diagnostic *report =
            hbg_base_report(elaborator->lang->diagnostics, HBG_E_BOND, hbg_lang_path_span(path),
                            "`%s` is a component: a bond goes to one of its ports",
                            hbg_lang_elaborate_path_text(elaborator, path));
        const syntax_definition *definition = elaborator->instances.items[found.object.index].definition;
        for (int32_t i = 0; i < definition->declarations.count; i++)
            if (definition->declarations.items[i].kind == DECLARE_PORT && !report->fix)
                hbg_base_report_fix(
                    elaborator->lang->diagnostics, report, "write `%s.%s`",
                    hbg_lang_elaborate_path_text(elaborator, path),
                    hbg_base_names_get(elaborator->lang->names, definition->declarations.items[i].name));
        return false;
    }
    if (found.used < path->count) return report_end(set, path, "a value");
    switch (found.object.kind) {
    case HBG_OBJECT_ELEMENT: return end_at_element(set, scope, path, found, end);
    case HBG_OBJECT_PORT: return end_at_port(set, scope, path, found.object.index, end);
    case HBG_OBJECT_AUTOMATON: return report_end(set, path, "an automaton");
    case HBG_OBJECT_PARAM: return report_end(set, path, "a parameter");
    case HBG_OBJECT_BOND: return report_end(set, path, "a bond");
    default: return report_end(set, path, "a signal");
    }
}

/* ---- collecting arrows -------------------------------------------------------------------------------- */

/* The junction in which ports of a domain are joined: bodies that are joined have one velocity, all else has one effort. */
char hbg_lang_elaborate_joining(hbg_domain domain) {
    return domain == HBG_DOMAIN_TRANSLATIONAL || domain == HBG_DOMAIN_ROTATIONAL ? '1' : '0';
}

static bool is_at(const arrow_end *end, int32_t port, int side) {
    return end->port == port && end->side == side;
}

static const arrow_end *other_end(const arrow *arrow, const arrow_end *end) {
    return is_at(&arrow->from, end->port, end->side) ? &arrow->to : &arrow->from;
}

/* Whether a bond has to leave through an end: it continues the bond on the other side of its port; without
 * one, it runs as drawn. */
static bool must_leave(const arrow_set *set, const arrow_end *end, bool drawn) {
    if (end->port == HBG_NONE) return drawn;
    int32_t beyond = set->slots[end->port].arrow[1 - end->side];
    return beyond == HBG_NONE ? drawn : is_at(&set->arrows.items[beyond].to, end->port, 1 - end->side);
}

/* The bond between an end and a junction that is inserted before it. */
static const char *bond_to_node(const arrow_set *set, const arrow_end *end, bool drawn, const char *node) {
    const char *text = hbg_lang_elaborate_text(set->elaborator, end->end.span);
    bool leaves = must_leave(set, end, drawn);
    return hbg_base_arena_print(set->elaborator->arena, "%s -> %s;", leaves ? text : node,
                                leaves ? node : text);
}

typedef struct {
    const hbg_elaborator *elaborator;
    int32_t scope;
} name_place;

/* Whether something in the scope, or an array there, has the name. */
static bool is_taken(const void *context, const char *name) {
    const name_place *place = context;
    const syntax_definition *definition = place->elaborator->instances.items[place->scope].definition;
    size_t size = strlen(name);
    for (int32_t i = 0; i < definition->declarations.count; i++) {
        const char *other =
            hbg_base_names_get(place->elaborator->lang->names, definition->declarations.items[i].name);
        if (strncmp(other, name, size) == 0 && (other[size] == 0 || other[size] == '[')) return true;
    }
    return false;
}

static const char *fresh_node(arrow_set *set, int32_t scope) {
    name_place place = {set->elaborator, scope};
    return hbg_lang_elaborate_fresh(set->elaborator->arena, "node", is_taken, &place);
}

/* Whether two bonds with a port end at the same thing beside it: one bond with a junction replaces both. The
 * ends of a transformer need no number, but still are two. */
static bool is_same_end(const arrow_set *set, const arrow_end *a, const arrow_end *b) {
    if (a->port != HBG_NONE || b->port != HBG_NONE) return a->port == b->port && a->side == b->side;
    if (a->end.element != b->end.element || a->end.port != b->end.port) return false;
    return a->end.port != 0 || set->elaborator->model->elements.items[a->end.element].ports == 0;
}

/* The repair for two bonds at a port: a junction beside it, in lines that may be copied. */
static void fix_second(arrow_set *set, hbg_diagnostic *report, const arrow *first, const arrow *second,
                       const arrow_end *end) {
    hbg_elaborator *elaborator = set->elaborator;
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    if (first == second || !hbg_base_report_wanted(diagnostics, HBG_ERROR)) return;
    const arrow_end *one = other_end(first, end), *two = other_end(second, end);
    const char *node = fresh_node(set, second->id.scope);
    char joining = hbg_lang_elaborate_joining(elaborator->model->ports.items[end->port].domain);
    const char *port = bond_to_node(set, end, is_at(&first->from, end->port, end->side), node);
    const char *before = bond_to_node(set, one, one == &first->from, node);
    const char *after = bond_to_node(set, two, two == &second->from, node);
    if (first->from.end.span.start == second->from.end.span.start) // one arrow, unfolded
        hbg_base_report_fix(diagnostics, report,
                            "join several bonds in a junction: `%c %s; %s` before the `for`, `%s` in it",
                            joining, node, port, after);
    else if (is_same_end(set, one, two))
        hbg_base_report_fix(diagnostics, report, "join several bonds in a junction: `%c %s; %s %s`", joining,
                            node, port, before);
    else
        hbg_base_report_fix(diagnostics, report, "join several bonds in a junction: `%c %s; %s %s %s`",
                            joining, node, port, before, after);
}

/* A port has one slot on each side: the first arrow there takes it. */
static void occupy(const arrow_set *set, const arrow_end *end, int32_t index) {
    if (end->port == HBG_NONE) return;
    int32_t *slot = &set->slots[end->port].arrow[end->side];
    if (*slot == HBG_NONE) *slot = index;
}

static void report_second(arrow_set *set, const arrow_end *end, arrow *second) {
    hbg_elaborator *elaborator = set->elaborator;
    const arrow *first = &set->arrows.items[set->slots[end->port].arrow[end->side]];
    hbg_diagnostic *report = hbg_base_report(
        elaborator->lang->diagnostics, HBG_E_PORT, end->end.span, "port `%s` has a second bond %s",
        hbg_lang_elaborate_name_of(elaborator, (hbg_object){HBG_OBJECT_PORT, end->port}),
        end->side ? "outside its component" : "inside its component");
    const arrow_end *taken = is_at(&first->from, end->port, end->side) ? &first->from : &first->to;
    hbg_base_report_note(elaborator->lang->diagnostics, report, taken->end.span, "the first is here");
    fix_second(set, report, first, second, end);
    second->bad = true;
}

/* Each side of a port has one bond. Checked when all are known, since the other side says which way another
 * has to run. */
static void check_slots(arrow_set *set) {
    for (int32_t i = 0; i < set->arrows.count; i++) {
        arrow *arrow = &set->arrows.items[i];
        const arrow_end *from = &arrow->from, *to = &arrow->to;
        if (from->port != HBG_NONE && set->slots[from->port].arrow[from->side] != i)
            report_second(set, from, arrow);
        if (to->port != HBG_NONE &&
            (set->slots[to->port].arrow[to->side] != i || is_at(from, to->port, to->side)))
            report_second(set, to, arrow);
    }
}

static void read_chain(arrow_set *set, int32_t scope, const syntax_declaration *declaration) {
    const syntax_chain *chain = declaration->chain;
    arrow_end previous = {0};
    bool have = read_end(set, scope, &chain->ends[0], &previous);
    for (int32_t i = 1; i < chain->count; i++) {
        arrow_end next = {0};
        bool good = read_end(set, scope, &chain->ends[i], &next);
        if (have && good) {
            hbg_span span = hbg_base_span_join(hbg_lang_path_span(&chain->ends[i - 1]),
                                               hbg_lang_path_span(&chain->ends[i]));
            hbg_identity id = {scope, declaration->name, declaration->name ? declaration->span : span};
            int32_t index = set->arrows.count;
            arrow added = {previous, next, id, false};
            HBG_PUSH(set->elaborator->arena, set->arrows, added);
            occupy(set, &previous, index);
            occupy(set, &next, index);
        }
        previous = next;
        have = good;
        // inside a chain a port would be entered and left on the same side
        if (good && next.port != HBG_NONE && i + 1 < chain->count) {
            hbg_base_report(set->elaborator->lang->diagnostics, HBG_E_PORT,
                            hbg_lang_path_span(&chain->ends[i]),
                            "a chain cannot continue after a port: it has one bond on this side");
            have = false;
        }
    }
}

/* ---- joining ------------------------------------------------------------------------------------------ */

/* The repair. A bond between two ports that both lead inwards, or both outwards, is wrong in either
 * direction. */
static void fix_direction(arrow_set *set, hbg_diagnostic *report, const arrow *outside, int32_t port) {
    hbg_elaborator *elaborator = set->elaborator;
    hbg_diagnostics *diagnostics = elaborator->lang->diagnostics;
    bool arrives = is_at(&outside->to, port, 1);
    const arrow_end *end = arrives ? &outside->to : &outside->from,
                    *other = arrives ? &outside->from : &outside->to;
    bool leaves = must_leave(set, end, !arrives);
    if (must_leave(set, other, !leaves) != leaves) {
        hbg_base_report_fix(diagnostics, report, "turn this bond round");
        return;
    }
    if (!hbg_base_report_wanted(diagnostics, HBG_ERROR)) return;
    const char *node = fresh_node(set, outside->id.scope);
    hbg_base_report_fix(diagnostics, report,
                        "both ports lead %s: put a junction between them, `%c %s; %s %s`",
                        leaves ? "outwards" : "inwards",
                        hbg_lang_elaborate_joining(elaborator->model->ports.items[port].domain), node,
                        bond_to_node(set, end, leaves, node), bond_to_node(set, other, leaves, node));
}

/* Half arrows must run through a port: one in, one out. */
static void check_directions(arrow_set *set) {
    hbg_elaborator *elaborator = set->elaborator;
    for (int32_t port = 0; port < elaborator->model->ports.count; port++) {
        const port_slots *slots = &set->slots[port];
        if (slots->arrow[0] == HBG_NONE || slots->arrow[1] == HBG_NONE) continue;
        HBG_ASSERT(set->arrows.items);
        arrow *inside = &set->arrows.items[slots->arrow[0]];
        arrow *outside = &set->arrows.items[slots->arrow[1]];
        bool inside_leaves = inside->from.port == port && inside->from.side == 0;
        bool outside_arrives = outside->to.port == port && outside->to.side == 1;
        if (inside_leaves == outside_arrives || inside->bad || outside->bad) continue;
        hbg_span here = outside_arrives ? outside->to.end.span : outside->from.end.span;
        hbg_span there = inside_leaves ? inside->from.end.span : inside->to.end.span;
        hbg_diagnostic *report = hbg_base_report(
            elaborator->lang->diagnostics, HBG_E_DIRECTION, here, "the half arrows %s at port `%s`",
            outside_arrives ? "meet head to head" : "part tail to tail",
            hbg_lang_elaborate_name_of(elaborator, (hbg_object){HBG_OBJECT_PORT, port}));
        hbg_base_report_note(elaborator->lang->diagnostics, report, there,
                             "inside the component the bond is drawn %s",
                             inside_leaves ? "from the port inwards" : "towards the port");
        fix_direction(set, report, outside, port);
        inside->bad = outside->bad = true;
    }
}

/* Follows the arrow through ports to the element it leads to; HBG_NONE if it ends at an open port. */
static int32_t last_arrow(const arrow_set *set, int32_t index) {
    for (;;) {
        const arrow *current = &set->arrows.items[index];
        if (current->bad) return HBG_NONE;
        if (current->to.port == HBG_NONE) return index;
        index = set->slots[current->to.port].arrow[1 - current->to.side];
        if (index == HBG_NONE) return HBG_NONE;
    }
}

/* The arrow after the port this one leads to. */
static int32_t next_arrow(const arrow_set *set, int32_t index) {
    const arrow_end *to = &set->arrows.items[index].to;
    return set->slots[to->port].arrow[1 - to->side];
}

/* The bond gets the first name along its arrows; the other names lead to it as well. */
static void make_bond(arrow_set *set, int32_t first) {
    hbg_model *model = set->elaborator->model;
    int32_t last = last_arrow(set, first);
    if (last == HBG_NONE) return;
    const arrow *arrows = set->arrows.items;
    int32_t named = first;
    while (named != last && arrows[named].id.name == 0) named = next_arrow(set, named);
    if (arrows[named].id.name == 0) named = first;
    int32_t bond = hbg_model_add_bond(model, arrows[named].id, arrows[first].from.end, arrows[last].to.end);
    for (int32_t i = first; i != last; i = next_arrow(set, i)) {
        model->ports.items[arrows[i].to.port].bond = bond;
        int32_t next = next_arrow(set, i);
        if (next != named && arrows[next].id.name != 0)
            hbg_model_add_alias(model, arrows[next].id, (hbg_object){HBG_OBJECT_BOND, bond});
    }
}

/* A switch is a junction; its source has a separate bond. */
static void connect_switches(hbg_elaborator *elaborator, int32_t scope) {
    const hbg_instance *instance = &elaborator->instances.items[scope];
    int32_t element = instance->first_object[DECLARE_ELEMENT];
    for (int32_t i = 0; i < instance->definition->declarations.count; i++) {
        const syntax_declaration *declaration = &instance->definition->declarations.items[i];
        bool junction = declaration->kind == DECLARE_JUNCTION;
        if (junction && declaration->junction->is_switch) {
            hbg_bond_end from = {element + 1, 1, declaration->span}, to = {element, 0, declaration->span};
            hbg_model_add_bond(elaborator->model, (hbg_identity){scope, 0, declaration->span}, from, to);
            element++;
        }
        if (junction || declaration->kind == DECLARE_ELEMENT) element++;
    }
}

void hbg_lang_elaborate_connect(hbg_elaborator *elaborator) {
    arrow_set set = {.elaborator = elaborator};
    set.slots = HBG_NEW_ARRAY(elaborator->arena, port_slots, elaborator->model->ports.count + 1);
    for (int32_t i = 0; i < elaborator->model->ports.count; i++)
        set.slots[i] = (port_slots){{HBG_NONE, HBG_NONE}};
    for (int32_t scope = 0; scope < elaborator->instances.count; scope++) {
        const syntax_definition *definition = elaborator->instances.items[scope].definition;
        for (int32_t i = 0; i < definition->declarations.count; i++)
            if (definition->declarations.items[i].kind == DECLARE_CHAIN)
                read_chain(&set, scope, &definition->declarations.items[i]);
    }
    check_slots(&set);
    check_directions(&set);
    elaborator->bonds_made = true;
    for (int32_t i = 0; i < set.arrows.count; i++)
        if (set.arrows.items[i].from.port == HBG_NONE) make_bond(&set, i);
    hbg_base_arena_release(elaborator->arena, set.arrows.items,
                           (size_t)set.arrows.capacity * sizeof *set.arrows.items);
    for (int32_t scope = 0; scope < elaborator->instances.count; scope++) connect_switches(elaborator, scope);
}
