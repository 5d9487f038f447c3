/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file in SpaceEx's format, read strictly: base components of real variables and labels with locations and transitions, and one network that
 * binds each of them. Expressions are sums of numbers times variables. It knows nothing of how hbg writes such a file, but for the table of
 * names in the comment at its head. What is wrong with a file is told in words. */
#ifndef HBG_TEST_SPACEEX_FILE_H
#define HBG_TEST_SPACEEX_FILE_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/xml.h"

enum {
    MOST_VARIABLES = 12,
    MOST_BOUNDS = 40,
    MOST_LOCATIONS = 64,
    MOST_TRANSITIONS = 1000,
    MOST_COMPONENTS = 4,
    NAME = 128,
    LINE = 2048
};

typedef struct { /* constant + factors times variables */
    double constant, factors[MOST_VARIABLES];
} file_sum;

typedef struct { /* sum <= 0, or == 0 */
    file_sum sum;
    bool equal;
} file_bound;

typedef struct {
    file_bound items[MOST_BOUNDS];
    int count;
} file_region;

typedef struct {
    int id;
    char name[NAME];
    char mode[LINE]; /* of the table: "a=open,b=shut" */
    file_region invariant;
    file_sum flow[MOST_VARIABLES];
} file_location;

typedef struct {
    int source, target; /* places among the locations */
    file_region guard;
    bool changes[MOST_VARIABLES];
    file_sum reset[MOST_VARIABLES];
} file_transition;

typedef struct {
    char name[NAME], instance[NAME];
    char variables[MOST_VARIABLES][NAME], originals[MOST_VARIABLES][NAME];
    int variable_count;
    char labels[2][NAME];
    int label_count;
    file_location locations[MOST_LOCATIONS];
    int location_count;
    file_transition transitions[MOST_TRANSITIONS];
    int transition_count;
    int bound; /* how often the network has it */
} file_component;

typedef struct {
    file_component components[MOST_COMPONENTS];
    int component_count;
    bool has_network;
    char fault[LINE];
    /* what has ended and belongs to what is still open */
    char invariant[4096], flow[4096], guard[4096], assignment[4096], label[NAME];
    bool has_invariant, has_flow, has_guard, has_assignment, has_label;
    char keys[2 * MOST_VARIABLES][NAME];
    int key_count, bind_count;
    file_component *open; /* the component under way */
} file_automaton;

static inline void file_wrong(file_automaton *a, const char *what, const char *which) {
    if (!a->fault[0]) snprintf(a->fault, sizeof a->fault, "%s: %.200s", what, which);
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

static inline void file_skip(const char **p) {
    while (isspace((unsigned char)**p)) (*p)++;
}

static inline bool file_name(const char **p, char name[NAME]) {
    int size = 0;
    file_skip(p);
    if (!isalpha((unsigned char)**p) && **p != '_') return false;
    while ((isalnum((unsigned char)**p) || **p == '_') && size + 1 < NAME) name[size++] = *(*p)++;
    name[size] = '\0';
    return true;
}

static inline int file_find(const file_component *c, const char *name) {
    for (int i = 0; i < c->variable_count; i++)
        if (strcmp(c->variables[i], name) == 0) return i;
    return -1;
}

/* [-] number | [-] [number *] variable, joined by + and - */
static inline bool file_read_sum(const file_component *c, const char **p, double sign, file_sum *sum) {
    for (bool first = true;; first = false) {
        double factor = sign;
        char name[NAME], *end;
        file_skip(p);
        if (**p == '-' || (!first && **p == '+'))
            factor *= *(*p)++ == '-' ? -1 : 1;
        else if (!first)
            return true;
        file_skip(p);
        bool number = isdigit((unsigned char)**p);
        if (number) {
            factor *= strtod(*p, &end);
            *p = end;
            file_skip(p);
            if (**p != '*') {
                sum->constant += factor;
                continue;
            }
            (*p)++;
        }
        if (!file_name(p, name) || file_find(c, name) < 0) return false;
        sum->factors[file_find(c, name)] += factor;
    }
}

static inline bool file_read_bound(const file_component *c, const char **p, file_bound *bound) {
    memset(bound, 0, sizeof *bound);
    file_sum left = {0}, right = {0};
    if (!file_read_sum(c, p, 1, &left)) return false;
    file_skip(p);
    bool above = strncmp(*p, ">=", 2) == 0, below = strncmp(*p, "<=", 2) == 0;
    bound->equal = strncmp(*p, "==", 2) == 0;
    if (!above && !below && !bound->equal) return false;
    *p += 2;
    if (!file_read_sum(c, p, 1, &right)) return false;
    double sign = above ? -1 : 1;
    bound->sum.constant = sign * (left.constant - right.constant);
    for (int i = 0; i < MOST_VARIABLES; i++)
        bound->sum.factors[i] = sign * (left.factors[i] - right.factors[i]);
    return true;
}

/* True where a further part follows; *whole becomes false where something else does. */
static inline bool file_more(const char **p, bool *whole) {
    file_skip(p);
    if (**p == '&') {
        (*p)++;
        return true;
    }
    *whole = **p == '\0';
    return false;
}

static inline void file_read_region(file_automaton *a, const char *text, file_region *region) {
    const char *p = text;
    bool whole = true, good = true;
    region->count = 0;
    do {
        good = region->count < MOST_BOUNDS && file_read_bound(a->open, &p, &region->items[region->count++]);
    } while (good && file_more(&p, &whole));
    if (!good || !whole) file_wrong(a, "no conjunction of affine relations", text);
}

/* x' == sum & … of every variable; or x := sum & … of some. */
static inline void file_read_equations(file_automaton *a, const char *text, const char *sign, bool *seen,
                                       file_sum *sums) {
    const char *p = text;
    bool whole = true, good = true;
    char name[NAME];
    do {
        int variable = file_name(&p, name) ? file_find(a->open, name) : -1;
        good = variable >= 0 && !seen[variable];
        if (sign[0] == '\'') good = good && *p == '\'';
        if (sign[0] == '\'') p++;
        file_skip(&p);
        const char *relation = sign[0] == '\'' ? "==" : ":=";
        good = good && strncmp(p, relation, 2) == 0;
        if (!good) break;
        p += 2;
        seen[variable] = true;
        memset(&sums[variable], 0, sizeof sums[variable]);
        good = file_read_sum(a->open, &p, 1, &sums[variable]);
    } while (good && file_more(&p, &whole));
    if (!good || !whole) file_wrong(a, "no equations of variables", text);
}

/* ---- elements ---------------------------------------------------------------------------------------------- */

static inline const char *file_get(file_automaton *a, const hbg_test_xml_element *e, const char *name) {
    const char *value = hbg_test_xml_get(e, name);
    if (!value) file_wrong(a, "an attribute is missing", name);
    return value ? value : "";
}

static inline void file_legal(file_automaton *a, const char *name) {
    const char *p = name;
    char copy[NAME];
    if (!file_name(&p, copy) || *p) file_wrong(a, "no name for SpaceEx", name);
}

static inline void file_keep(file_automaton *a, const hbg_test_xml_element *e, char *to, size_t room,
                             bool *has) {
    if (*has) file_wrong(a, "it is there twice", e->tag);
    if (strlen(e->text) + 1 >= room) file_wrong(a, "it is too long", e->tag);
    snprintf(to, room, "%.*s", (int)room - 1, e->text);
    *has = true;
}

static inline file_component *file_component_under_way(file_automaton *a) {
    if (a->open) return a->open;
    if (a->component_count == MOST_COMPONENTS) file_wrong(a, "too many components", "");
    a->open = &a->components[a->component_count % MOST_COMPONENTS];
    memset(a->open, 0, sizeof *a->open);
    return a->open;
}

static inline void file_param(file_automaton *a, const hbg_test_xml_element *e) {
    file_component *c = file_component_under_way(a);
    const char *name = file_get(a, e, "name"), *type = file_get(a, e, "type");
    file_legal(a, name);
    if (strcmp(file_get(a, e, "local"), "false") != 0) file_wrong(a, "a local parameter", name);
    if (file_find(c, name) >= 0) file_wrong(a, "a name is there twice", name);
    if (strcmp(type, "label") == 0 && c->label_count < 2) {
        snprintf(c->labels[c->label_count++], NAME, "%s", name);
        return;
    }
    bool real = strcmp(type, "real") == 0 && strcmp(file_get(a, e, "dynamics"), "any") == 0 &&
                strcmp(file_get(a, e, "controlled"), "true") == 0 && strcmp(file_get(a, e, "d1"), "1") == 0 &&
                strcmp(file_get(a, e, "d2"), "1") == 0;
    if (!real || c->variable_count == MOST_VARIABLES)
        file_wrong(a, "no variable that changes by itself", name);
    if (real && c->variable_count < MOST_VARIABLES)
        snprintf(c->variables[c->variable_count++], NAME, "%s", name);
}

static inline int file_location_at(const file_component *c, int id) {
    for (int i = 0; i < c->location_count; i++)
        if (c->locations[i].id == id) return i;
    return -1;
}

static inline void file_end_location(file_automaton *a, const hbg_test_xml_element *e) {
    file_component *c = file_component_under_way(a);
    if (c->location_count == MOST_LOCATIONS) {
        file_wrong(a, "too many locations", c->name);
        return;
    }
    file_location *made = &c->locations[c->location_count];
    bool seen[MOST_VARIABLES] = {false};
    memset(made, 0, sizeof *made);
    made->id = atoi(file_get(a, e, "id"));
    snprintf(made->name, NAME, "%s", file_get(a, e, "name"));
    file_legal(a, made->name);
    if (made->id < 1 || file_location_at(c, made->id) >= 0) file_wrong(a, "a location's id", made->name);
    for (int i = 0; i < c->location_count; i++)
        if (strcmp(c->locations[i].name, made->name) == 0)
            file_wrong(a, "a location is there twice", made->name);
    if (a->has_guard || a->has_assignment || a->has_label || !a->has_flow)
        file_wrong(a, "a location has an invariant and a flow", made->name);
    if (a->has_invariant) file_read_region(a, a->invariant, &made->invariant);
    file_read_equations(a, a->flow, "'", seen, made->flow);
    for (int i = 0; i < c->variable_count; i++)
        if (!seen[i]) file_wrong(a, "a variable does not flow", c->variables[i]);
    a->has_invariant = a->has_flow = false;
    c->location_count++;
}

static inline void file_end_transition(file_automaton *a, const hbg_test_xml_element *e) {
    file_component *c = file_component_under_way(a);
    if (c->transition_count == MOST_TRANSITIONS) {
        file_wrong(a, "too many transitions", c->name);
        return;
    }
    file_transition *made = &c->transitions[c->transition_count];
    memset(made, 0, sizeof *made);
    made->source = file_location_at(c, atoi(file_get(a, e, "source")));
    made->target = file_location_at(c, atoi(file_get(a, e, "target")));
    if (made->source < 0 || made->target < 0) file_wrong(a, "a transition from or to nowhere", e->text);
    if (a->has_invariant || a->has_flow) file_wrong(a, "a transition has no flow", e->text);
    if (!a->has_label || c->label_count == 0 || strcmp(a->label, c->labels[0]) != 0)
        file_wrong(a, "a transition without a label that is declared", a->label);
    if (a->has_guard) file_read_region(a, a->guard, &made->guard);
    if (a->has_assignment) file_read_equations(a, a->assignment, ":", made->changes, made->reset);
    a->has_guard = a->has_assignment = a->has_label = false;
    c->transition_count++;
}

static inline void file_end_bind(file_automaton *a, const hbg_test_xml_element *e) {
    const char *name = file_get(a, e, "component");
    file_component *c = NULL;
    file_component_under_way(a);
    for (int i = 0; i < a->component_count; i++)
        if (strcmp(a->components[i].name, name) == 0) c = &a->components[i];
    if (!c) {
        file_wrong(a, "no such component to bind", name);
        return;
    }
    snprintf(c->instance, NAME, "%s", file_get(a, e, "as"));
    file_legal(a, c->instance);
    if (a->key_count != c->variable_count + c->label_count)
        file_wrong(a, "not every parameter is bound", name);
    c->bound++;
    a->bind_count++;
    a->key_count = 0;
}

static inline void file_map(file_automaton *a, const hbg_test_xml_element *e) {
    const char *key = file_get(a, e, "key");
    const file_component *network = file_component_under_way(a);
    bool label = false;
    for (int i = 0; i < network->label_count; i++) label |= strcmp(network->labels[i], e->text) == 0;
    if (!label && file_find(network, e->text) < 0)
        file_wrong(a, "a map to what the network has not", e->text);
    if (a->key_count == 2 * MOST_VARIABLES) file_wrong(a, "too many maps", key);
    for (int i = 0; i < a->key_count; i++)
        if (strcmp(a->keys[i], key) == 0) file_wrong(a, "a key is bound twice", key);
    if (a->key_count < 2 * MOST_VARIABLES) snprintf(a->keys[a->key_count++], NAME, "%s", key);
}

static inline void file_end_component(file_automaton *a, const hbg_test_xml_element *e) {
    file_component *c = file_component_under_way(a);
    snprintf(c->name, NAME, "%s", file_get(a, e, "id"));
    file_legal(a, c->name);
    a->open = NULL;
    if (a->bind_count > 0) {
        if (a->has_network || c->location_count > 0)
            file_wrong(a, "a network has binds and nothing else", c->name);
        a->has_network = true;
        return;
    }
    if (a->has_network || c->location_count == 0) file_wrong(a, "a component without a location", c->name);
    a->component_count++;
}

static inline void file_visit(void *user, const hbg_test_xml_element *e) {
    file_automaton *a = user;
    static const struct {
        const char *tag;
        void (*end)(file_automaton *a, const hbg_test_xml_element *e);
    } tags[] = {{"param", file_param},
                {"location", file_end_location},
                {"transition", file_end_transition},
                {"bind", file_end_bind},
                {"map", file_map},
                {"component", file_end_component}};
    if (strcmp(e->tag, "invariant") == 0)
        file_keep(a, e, a->invariant, sizeof a->invariant, &a->has_invariant);
    else if (strcmp(e->tag, "flow") == 0)
        file_keep(a, e, a->flow, sizeof a->flow, &a->has_flow);
    else if (strcmp(e->tag, "guard") == 0)
        file_keep(a, e, a->guard, sizeof a->guard, &a->has_guard);
    else if (strcmp(e->tag, "assignment") == 0)
        file_keep(a, e, a->assignment, sizeof a->assignment, &a->has_assignment);
    else if (strcmp(e->tag, "label") == 0)
        file_keep(a, e, a->label, sizeof a->label, &a->has_label);
    else if (strcmp(e->tag, "sspaceex") == 0) {
        if (strcmp(file_get(a, e, "version"), "0.2") != 0 || strcmp(file_get(a, e, "math"), "SpaceEx") != 0)
            file_wrong(a, "another version of the format", "");
    } else {
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
            if (strcmp(tags[i].tag, e->tag) == 0) {
                tags[i].end(a, e);
                return;
            }
        file_wrong(a, "no element of the format", e->tag);
    }
}

/* ---- the table of names -------------------------------------------------------------------------------------- */

static inline void file_table_line(file_automaton *a, int *at, const char *line) {
    char name[NAME], text[LINE] = "";
    int id, used = 0;
    if (sscanf(line, "component %127s", name) == 1) {
        *at = -1;
        for (int i = 0; i < a->component_count; i++)
            if (strcmp(a->components[i].name, name) == 0) *at = i;
    } else if (*at >= 0 && sscanf(line, " variable %127[A-Za-z0-9_]: %511[^\n]", name, text) == 2) {
        char *unit = strstr(text, " [");
        int variable = file_find(&a->components[*at], name);
        if (unit) *unit = '\0';
        if (variable >= 0) snprintf(a->components[*at].originals[variable], NAME, "%.127s", text);
    } else if (*at >= 0 && sscanf(line, "  location %d:%n", &id, &used) == 1) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line + used + 1, "\n"), line + used + 1);
        int place = file_location_at(&a->components[*at], id);
        if (place >= 0) snprintf(a->components[*at].locations[place].mode, LINE, "%s", text);
    }
}

/* What is wrong with the text; NULL: nothing. */
static inline const char *file_read(file_automaton *a, const char *text) {
    memset(a, 0, sizeof *a);
    const char *comment = strstr(text, "<!--"), *end = comment ? strstr(comment, "-->") : NULL;
    const char *body = end ? end + 3 : text;
    while (isspace((unsigned char)*body)) body++;
    const char *fault = hbg_test_xml_parse(body, file_visit, a);
    if (fault) return fault;
    int at = -1;
    for (const char *line = comment; line && line < end; line = strchr(line + 1, '\n'))
        file_table_line(a, &at, *line == '\n' ? line + 1 : line);
    if (!a->has_network) file_wrong(a, "no network", "");
    for (int i = 0; i < a->component_count; i++)
        if (a->components[i].bound != 1)
            file_wrong(a, "a component that is not bound once", a->components[i].name);
    return a->fault[0] ? a->fault : NULL;
}

#endif
