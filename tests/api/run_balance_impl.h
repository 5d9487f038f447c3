/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The laws of the junction structure on the areas of pulses, read off the event log and the list of a model alone (semantics, sections 1
 * and 4): at a 0-junction efforts are the same and flows sum to 0, at a 1-junction the other way round; where one is controlled
 * the common area may be 0 instead, or all areas of the other kind. TF and GY obey their constants. Where no source, resistor or
 * transformer takes part, what storages gain sums to 0 over the model: momentum is conserved, and charge. */
#ifndef HBG_TESTS_API_RUN_BALANCE_IMPL_H
#define HBG_TESTS_API_RUN_BALANCE_IMPL_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int junctions, moduli, totals; /* looked at, with pulses */
} balance_sums;

typedef struct {
    const char *where;
    double t;
    const json_t *elements, *bonds; /* of the model, as `list` tells them */
    const json_t *impulses;
    double largest[2]; /* area of effort, of flow, in this mode */
    balance_sums *all;
} balance;

static inline const char *balance_text(const json_t *of, const char *key) {
    const char *text = json_string_value(json_object_get(of, key));
    return text ? text : "";
}

/* "drum[2]" is at drum. */
static inline bool is_at(const char *end, const char *element) {
    size_t size = strcspn(end, "[");
    return strlen(element) == size && strncmp(end, element, size) == 0;
}

static inline const json_t *balance_element(const balance *of, const char *end) {
    size_t i;
    json_t *element;
    json_array_foreach(of->elements, i,
                       element) if (is_at(end, balance_text(element, "name"))) return element;
    return NULL;
}

/* The log calls a bond after the storage at it, or after another one-port if it has no name itself; with the signs of that. */
static inline const char *named_end(const balance *of, const json_t *bond) {
    const char *found = NULL, *ends[] = {balance_text(bond, "from"), balance_text(bond, "to")};
    bool named = strchr(balance_text(bond, "name"), '>') == NULL;
    for (int pass = 0; pass < 2 && !found; pass++)
        for (int i = 0; i < 2 && !found; i++) {
            const json_t *element = balance_element(of, ends[i]);
            const char *kind = balance_text(element, "kind");
            bool storage = strcmp(kind, "C") == 0 || strcmp(kind, "I") == 0;
            bool one_port = json_integer_value(json_object_get(element, "ports")) == 1 && !named;
            if (pass == 0 ? storage : one_port) found = ends[i];
        }
    return found;
}

/* What the end of a bond sums: 0 efforts, 1 flows. */
static inline int summed_at(const balance *of, const char *end) {
    return strcmp(balance_text(balance_element(of, end), "kind"), "1") == 0 ? 0 : 1;
}

/* Area of effort (0) or flow (1) of a bond, as its half arrow has it. */
static inline double area_of_bond(const balance *of, const json_t *bond, int side) {
    const char *end = named_end(of, bond), *to = balance_text(bond, "to");
    const json_t *areas = json_object_get(of->impulses, end ? end : balance_text(bond, "name"));
    double area = json_number_value(json_object_get(areas, side ? "f" : "e"));
    if (!end) return area;
    const char *kind = balance_text(balance_element(of, end), "kind");
    bool source = strcmp(kind, "Se") == 0 || strcmp(kind, "Sf") == 0, into = strcmp(end, to) == 0;
    const char *other = into ? balance_text(bond, "from") : to;
    return into != source || summed_at(of, other) != side ? area : -area;
}

/* ---- junctions ---------------------------------------------------------------------------------------- */

static inline void look_at_junction(const balance *of, const json_t *junction) {
    const char *name = balance_text(junction, "name");
    int common = strcmp(balance_text(junction, "kind"), "1") == 0 ? 1 : 0, count = 0;
    double sum = 0, low = INFINITY, high = -INFINITY, summed = 0;
    size_t i;
    json_t *bond;
    json_array_foreach(of->bonds, i, bond) {
        bool in = is_at(balance_text(bond, "to"), name), out = is_at(balance_text(bond, "from"), name);
        if (!in && !out) continue;
        double shared = area_of_bond(of, bond, common), part = area_of_bond(of, bond, 1 - common);
        low = fmin(low, shared);
        high = fmax(high, shared);
        sum += in ? part : -part;
        summed = fmax(summed, fabs(part));
        count++;
    }
    double rounding[] = {1e-9 * of->largest[common], 1e-9 * of->largest[1 - common]};
    bool controlled = json_object_get(junction, "when") != NULL;
    bool same = high - low <= rounding[0], balanced = fabs(sum) <= rounding[1];
    bool nothing = fmax(fabs(low), fabs(high)) <= rounding[0], cut = summed <= rounding[1];
    if (count == 0 || (nothing && cut)) return;
    if (!(same && balanced) && !(controlled && (nothing || cut)))
        fail_msg("%s, t = %.15g: areas at junction `%s` do not fit: %s from %.15g to %.15g, the others sum "
                 "to %.15g",
                 of->where, of->t, name, common ? "flows" : "efforts", low, high, sum);
    of->all->junctions++;
}

/* ---- transformers and gyrators ------------------------------------------------------------------------- */

/* Areas at a port, its flow with the sign of power into port 1 and out of port 2. */
static inline bool areas_at_port(const balance *of, const char *name, int port, double area[2]) {
    char end[200];
    size_t i;
    json_t *bond;
    snprintf(end, sizeof end, "%s[%d]", name, port);
    json_array_foreach(of->bonds, i, bond) {
        bool in = strcmp(balance_text(bond, "to"), end) == 0,
             out = strcmp(balance_text(bond, "from"), end) == 0;
        if (!in && !out) continue;
        area[0] = area_of_bond(of, bond, 0);
        area[1] = area_of_bond(of, bond, 1) * (in == (port == 1) ? 1 : -1);
        return true;
    }
    return false;
}

static inline void look_at_modulus(const balance *of, const json_t *element) {
    const json_t *number = json_array_get(json_object_get(element, "numbers"), 0);
    const char *name = balance_text(element, "name");
    bool gyrator = strcmp(balance_text(element, "kind"), "GY") == 0;
    double one[2], two[2], n = json_number_value(number);
    if (!json_is_number(number) || !areas_at_port(of, name, 1, one) || !areas_at_port(of, name, 2, two))
        return;
    double size = fmax(fmax(fabs(one[0]), fabs(one[1])), fmax(fabs(two[0]), fabs(two[1])));
    if (size == 0) return;
    double wrong[] = {one[0] - n * two[gyrator ? 1 : 0], gyrator ? two[0] - n * one[1] : two[1] - n * one[1]};
    for (int i = 0; i < 2; i++)
        if (fabs(wrong[i]) > 1e-9 * (1 + fabs(n)) * size)
            fail_msg("%s, t = %.15g: areas at the ports of `%s` are off by %.15g", of->where, of->t, name,
                     wrong[i]);
    of->all->moduli++;
}

/* ---- totals --------------------------------------------------------------------------------------------- */

/* Whether only storages pulse on this side, and every junction with a common pulse hands it on from one bond to one other: then what
 * one gains the other loses. */
static inline bool is_closed(const balance *of, int side) {
    size_t i, k;
    json_t *element, *bond;
    json_array_foreach(of->elements, i, element) {
        const char *kind = balance_text(element, "kind"), *name = balance_text(element, "name");
        bool junction = strcmp(kind, "0") == 0 || strcmp(kind, "1") == 0;
        bool storage = strcmp(kind, "C") == 0 || strcmp(kind, "I") == 0;
        int in = 0, out = 0;
        double sum = 0;
        json_array_foreach(of->bonds, k, bond) {
            bool to = is_at(balance_text(bond, "to"), name), from = is_at(balance_text(bond, "from"), name);
            if ((!to && !from) || area_of_bond(of, bond, side) == 0) continue;
            if (!junction && (!storage || from)) return false;
            in += to;
            out += from;
            sum += area_of_bond(of, bond, side) * (to ? 1 : -1);
        }
        bool common = junction && (strcmp(kind, "1") == 0) == (side == 1);
        if (common && (in != out || in > 1)) return false;
        if (junction && !common && fabs(sum) > 1e-9 * of->largest[side])
            return false; // one that is off takes it
    }
    return true;
}

static inline void look_at_total(const balance *of, const json_t *jumps, char letter) {
    const char *state;
    json_t *pair;
    double sum = 0, size = 0;
    json_object_foreach((json_t *)jumps, state, pair) {
        size_t length = strlen(state);
        if (length < 3 || state[length - 2] != '.' || state[length - 1] != letter) continue;
        double gain = json_number_value(json_array_get(pair, 1)) - json_number_value(json_array_get(pair, 0));
        sum += gain;
        size += fabs(gain);
    }
    if (size == 0 || !is_closed(of, letter == 'q')) return;
    if (fabs(sum) > 1e-9 * size)
        fail_msg("%s, t = %.15g: %s is not conserved, %.15g more than before", of->where, of->t,
                 letter == 'p' ? "momentum" : "charge", sum);
    of->all->totals++;
}

/* All of it, for one mode of an instant. */
static inline void look_at_balance(const char *where, double t, const json_t *model, const json_t *visit,
                                   balance_sums *all) {
    balance of = {.where = where, .t = t, .all = all};
    size_t i;
    json_t *item;
    of.elements = json_object_get(model, "elements");
    of.bonds = json_object_get(model, "bonds");
    of.impulses = json_object_get(visit, "impulses");
    if (json_object_size(of.impulses) == 0) return;
    json_array_foreach(of.bonds, i, item) for (int side = 0; side < 2; side++) of.largest[side] =
        fmax(of.largest[side], fabs(area_of_bond(&of, item, side)));
    json_array_foreach(of.elements, i, item) {
        const char *kind = balance_text(item, "kind");
        if (strcmp(kind, "0") == 0 || strcmp(kind, "1") == 0) look_at_junction(&of, item);
        if (strcmp(kind, "TF") == 0 || strcmp(kind, "GY") == 0) look_at_modulus(&of, item);
    }
    look_at_total(&of, json_object_get(visit, "jump"), 'p');
    look_at_total(&of, json_object_get(visit, "jump"), 'q');
}

#endif
