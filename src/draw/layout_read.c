/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Layout by `dot`: the answer. A reader of as much of the DOT language as dot itself prints: statements of
 * identifiers with attribute lists, subgraphs in braces, quoted and HTML strings. Only positions of requested
 * objects are taken; an answer that lacks one is refused. */
#include "draw/layout_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TOKEN_END, TOKEN_WORD, TOKEN_SIGN, TOKEN_BAD } token_kind;

typedef struct {
    token_kind kind;
    const char *text; /* of words without their quotes */
    size_t size;
    char sign; /* of signs; '>' stands for -> */
} token;

typedef struct {
    hbg_arena *arena;
    hbg_draw_layout *layout;
    const char *next;
    token token;
    int32_t *cluster_stack; /* open subgraphs: cluster number, or -1 */
    int32_t depth;
    bool *node_found, *edge_found;
    bool size_found;
    bool routed; /* edges must have routes */
} reader;

/* ---- tokens ---------------------------------------------------------------------------------------- */

static bool is_word_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-' || c == '+' || (unsigned char)c >= 0x80;
}

/* The end of an HTML string that begins at '<': where the brackets balance; NULL if nowhere. */
static const char *html_end(const char *p) {
    int64_t open = 0;
    for (; *p; p++) {
        if (*p == '<') open++;
        if (*p == '>' && --open == 0) return p;
    }
    return NULL;
}

static const char *quoted_end(const char *p) {
    for (; *p && *p != '"'; p++)
        if (*p == '\\' && p[1]) p++;
    return *p ? p : NULL;
}

static token make_bad(reader *reader) {
    reader->next += strlen(reader->next);
    return (token){.kind = TOKEN_BAD};
}

static token read_token(reader *reader) {
    const char *p = reader->next;
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') p++;
    reader->next = p;
    if (!*p) return (token){.kind = TOKEN_END};
    if (*p == '"' || *p == '<') {
        const char *end = *p == '"' ? quoted_end(p + 1) : html_end(p);
        if (!end) return make_bad(reader);
        reader->next = end + 1;
        return (token){.kind = TOKEN_WORD, .text = p + 1, .size = (size_t)(end - p - 1)};
    }
    if (p[0] == '-' && p[1] == '>') {
        reader->next = p + 2;
        return (token){.kind = TOKEN_SIGN, .sign = '>'};
    }
    if (strchr("{}[]=,;:", *p)) {
        reader->next = p + 1;
        return (token){.kind = TOKEN_SIGN, .sign = *p};
    }
    while (is_word_byte(*p)) p++;
    if (p == reader->next) return make_bad(reader);
    token word = {.kind = TOKEN_WORD, .text = reader->next, .size = (size_t)(p - reader->next)};
    reader->next = p;
    return word;
}

static void advance(reader *reader) {
    reader->token = read_token(reader);
}

static bool take_sign(reader *reader, char sign) {
    if (reader->token.kind != TOKEN_SIGN || reader->token.sign != sign) return false;
    advance(reader);
    return true;
}

static bool word_is(const token *token, const char *text) {
    return token->kind == TOKEN_WORD && token->size == strlen(text) &&
           memcmp(token->text, text, token->size) == 0;
}

/* The number in `prefix` `number`, below `count`; -1 if the word is something else. */
static int32_t word_index(const token *token, const char *prefix, int32_t count) {
    size_t skip = strlen(prefix);
    if (token->kind != TOKEN_WORD || token->size <= skip || memcmp(token->text, prefix, skip) != 0) return -1;
    int64_t value = 0;
    for (size_t i = skip; i < token->size; i++) {
        if (token->text[i] < '0' || token->text[i] > '9') return -1;
        value = value * 10 + (token->text[i] - '0');
        if (value >= count) return -1;
    }
    return (int32_t)value;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

/* Powers of ten by hand: strtod would read a comma in some locales. */
static bool read_number(const char **p, const char *end, double *value) {
    const char *at = *p;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    double sum = 0, scale = 1;
    bool digits = false, fraction = false;
    for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !fraction)); at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        digits = true;
        sum = sum * 10 + (*at - '0');
        if (fraction) scale *= 10;
    }
    int exponent = 0;
    if (digits && at + 1 < end && *at == 'e') {
        bool down = at[1] == '-';
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            if (exponent < 1000) exponent = exponent * 10 + (*at - '0');
        if (down) exponent = -exponent;
    }
    *p = at;
    *value = (negative ? -sum : sum) / scale * pow(10, exponent);
    return digits && isfinite(*value);
}

/* Numbers separated by commas or spaces, at most `room`; how many, or -1 if the text holds anything else. */
static int read_numbers(const token *text, double *numbers, int room) {
    const char *p = text->text, *end = p + text->size;
    int count = 0;
    while (p < end) {
        if (count == room || !read_number(&p, end, &numbers[count++])) return -1;
        while (p < end && (*p == ',' || *p == ' ')) p++;
    }
    return count;
}

static bool read_point(const hbg_draw_layout *layout, const char **p, const char *end,
                       hbg_draw_point *point) {
    double y;
    if (!read_number(p, end, &point->x) || *p == end || *(*p)++ != ',' || !read_number(p, end, &y))
        return false;
    point->y = layout->height - y;
    return true;
}

/* ---- requested values ------------------------------------------------------------------------------ */

typedef struct {
    token bb, pos, lp, id; /* kind is TOKEN_END if missing */
} attributes;

static bool graph_attributes(reader *reader, const attributes *found) {
    if (found->bb.kind != TOKEN_WORD) return true;
    hbg_draw_layout *layout = reader->layout;
    double n[4];
    int count = read_numbers(&found->bb, n, 4);
    /* dot prints an empty box for a cluster without nodes */
    if (count == 0) return true;
    if (count != 4) return false;
    if (reader->depth == 1) {
        /* the whole comes first: its height mirrors y for everything after it */
        layout->width = n[2];
        layout->height = n[3];
        reader->size_found = true;
        return n[0] == 0 && n[1] == 0;
    }
    int32_t cluster = reader->cluster_stack[reader->depth - 1];
    if (cluster >= 0)
        layout->clusters[cluster].box =
            (hbg_draw_box){n[0], layout->height - n[3], n[2], layout->height - n[1]};
    return reader->size_found;
}

static bool node_attributes(reader *reader, int32_t node, const attributes *found) {
    if (node < 0) return false;
    if (found->pos.kind != TOKEN_WORD) return true;
    const char *p = found->pos.text, *end = p + found->pos.size;
    if (!reader->size_found || !read_point(reader->layout, &p, end, &reader->layout->nodes[node].at))
        return false;
    reader->node_found[node] = true;
    return true;
}

/* Control points of the curve dot drew. A polyline is a curve whose corners are given three times; keeping
 * one of equal neighbours leaves the corners. */
static bool edge_points(reader *reader, hbg_draw_edge *edge, const token *pos) {
    hbg_draw_layout *layout = reader->layout;
    const char *p = pos->text, *end = p + pos->size;
    edge->first_point = layout->points.count;
    while (p < end && *p != ';') {
        hbg_draw_point point;
        if (!read_point(layout, &p, end, &point)) return false;
        hbg_draw_point last = layout->points.count > edge->first_point
                                  ? layout->points.items[layout->points.count - 1]
                                  : (hbg_draw_point){NAN, NAN};
        bool again = last.x == point.x && last.y == point.y;
        if (!again) HBG_PUSH(reader->arena, layout->points, point);
        while (p < end && *p == ' ') p++;
    }
    edge->point_count = layout->points.count - edge->first_point;
    return edge->point_count > 0;
}

static bool edge_attributes(reader *reader, const attributes *found) {
    hbg_draw_layout *layout = reader->layout;
    int32_t index = word_index(&found->id, "", layout->edge_count);
    if (index < 0 || !reader->size_found || reader->edge_found[index]) return false;
    hbg_draw_edge *edge = &layout->edges[index];
    reader->edge_found[index] = true;
    if (!reader->routed) return true;
    if (found->pos.kind != TOKEN_WORD) return false;
    if (!edge_points(reader, edge, &found->pos)) return false;
    if (found->lp.kind == TOKEN_WORD) {
        const char *p = found->lp.text;
        if (!read_point(layout, &p, p + found->lp.size, &edge->label)) return false;
    }
    return true;
}

/* ---- statements ------------------------------------------------------------------------------------ */

/* An attribute list, if one is here: [name=value, …]. */
static bool read_attributes(reader *reader, attributes *found) {
    *found = (attributes){{.kind = TOKEN_END}, {.kind = TOKEN_END}, {.kind = TOKEN_END}, {.kind = TOKEN_END}};
    if (!take_sign(reader, '[')) return true;
    while (!take_sign(reader, ']')) {
        token name = reader->token;
        if (name.kind != TOKEN_WORD) return false;
        advance(reader);
        if (!take_sign(reader, '=') || reader->token.kind != TOKEN_WORD) return false;
        if (word_is(&name, "bb")) found->bb = reader->token;
        if (word_is(&name, "pos")) found->pos = reader->token;
        if (word_is(&name, "lp")) found->lp = reader->token;
        if (word_is(&name, "id")) found->id = reader->token;
        advance(reader);
        take_sign(reader, ',');
    }
    return true;
}

static bool open_subgraph(reader *reader) {
    advance(reader);
    int32_t count = reader->layout->cluster_count;
    /* each of ours is opened once, so a deeper nesting is not an answer to our request */
    if (reader->depth > count) return false;
    reader->cluster_stack[reader->depth++] = word_index(&reader->token, "cluster", count);
    advance(reader);
    return take_sign(reader, '{');
}

/* A node or an edge: `n1 [...]`, `n1:e -> n2:w [...]`. */
static bool read_object(reader *reader) {
    token name = reader->token;
    attributes found;
    bool is_edge = false;
    advance(reader);
    while (reader->token.kind == TOKEN_SIGN && (reader->token.sign == ':' || reader->token.sign == '>')) {
        is_edge = is_edge || reader->token.sign == '>';
        advance(reader);
        if (reader->token.kind != TOKEN_WORD) return false;
        advance(reader);
    }
    if (!read_attributes(reader, &found)) return false;
    if (is_edge) return edge_attributes(reader, &found);
    if (word_is(&name, "graph")) return graph_attributes(reader, &found);
    if (word_is(&name, "node") || word_is(&name, "edge")) return true;
    return node_attributes(reader, word_index(&name, "n", reader->layout->node_count), &found);
}

static bool read_statement(reader *reader) {
    if (take_sign(reader, ';')) return true;
    if (take_sign(reader, '}')) {
        reader->depth--;
        return true;
    }
    if (word_is(&reader->token, "subgraph")) return open_subgraph(reader);
    return reader->token.kind == TOKEN_WORD && read_object(reader);
}

static bool all_found(const reader *reader) {
    for (int32_t i = 0; i < reader->layout->node_count; i++)
        if (!reader->node_found[i]) return false;
    for (int32_t i = 0; i < reader->layout->edge_count; i++)
        if (!reader->edge_found[i]) return false;
    return reader->size_found;
}

/* Edges without a route: straight, from the right side of one node to the left side of the other. */
static void straighten(reader *reader) {
    hbg_draw_layout *layout = reader->layout;
    for (int32_t i = 0; i < layout->edge_count; i++) {
        hbg_draw_edge *edge = &layout->edges[i];
        const hbg_draw_node *from = &layout->nodes[edge->from], *to = &layout->nodes[edge->to];
        hbg_draw_point start = {from->at.x + from->width / 2, from->at.y + from->anchor};
        hbg_draw_point end = {to->at.x - to->width / 2, to->at.y + to->anchor};
        edge->first_point = layout->points.count;
        edge->point_count = 2;
        edge->label = (hbg_draw_point){(start.x + end.x) / 2, (start.y + end.y) / 2};
        HBG_PUSH(reader->arena, layout->points, start);
        HBG_PUSH(reader->arena, layout->points, end);
    }
}

bool hbg_draw_layout_read(hbg_arena *arena, hbg_draw_layout *layout, const char *text, bool routed) {
    reader reader = {.arena = arena, .layout = layout, .next = text, .routed = routed};
    reader.cluster_stack = HBG_NEW_ARRAY(arena, int32_t, layout->cluster_count + 2);
    reader.node_found = HBG_NEW_ARRAY(arena, bool, layout->node_count + 1);
    reader.edge_found = HBG_NEW_ARRAY(arena, bool, layout->edge_count + 1);
    advance(&reader);
    if (!word_is(&reader.token, "digraph")) return false;
    advance(&reader);
    if (reader.token.kind == TOKEN_WORD) advance(&reader);
    if (!take_sign(&reader, '{')) return false;
    reader.cluster_stack[reader.depth++] = -1;
    while (reader.depth > 0)
        if (!read_statement(&reader)) return false;
    if (!all_found(&reader)) return false;
    if (!routed) straighten(&reader);
    return true;
}
