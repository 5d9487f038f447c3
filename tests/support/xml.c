/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * See xml.h. One function per symbol of the grammar; the first fault ends the parse. */
#include "support/xml.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 16

typedef struct {
    const char *p;
    const char *fault;
    hbg_test_xml_visit visit;
    void *user;
    hbg_test_xml_element *stack; /* DEEPEST of them */
    int depth;
} parser;

static void fault(parser *parser, const char *what) {
    if (!parser->fault) parser->fault = what;
}

static void append(char *to, size_t room, const char *text, size_t size) {
    size_t used = strlen(to);
    if (used + size + 1 > room) return;
    memcpy(to + used, text, size);
    to[used + size] = '\0';
}

/* Length of a valid UTF-8 sequence of a character XML may hold; 0 otherwise. */
static size_t utf8_size(const unsigned char *p) {
    if (p[0] < 0x80) return p[0] >= 0x20 || p[0] == '\n' || p[0] == '\t' || p[0] == '\r';
    if (p[0] >= 0xc2 && p[0] <= 0xdf) return (p[1] & 0xc0) == 0x80 ? 2 : 0;
    if (p[0] >= 0xe0 && p[0] <= 0xef) {
        if ((p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80) return 0;
        if (p[0] == 0xe0 && p[1] < 0xa0) return 0;
        if (p[0] == 0xed && p[1] >= 0xa0) return 0;
        if (p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe) return 0;
        return 3;
    }
    if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        if ((p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 || (p[3] & 0xc0) != 0x80) return 0;
        if (p[0] == 0xf0 && p[1] < 0x90) return 0;
        return p[0] == 0xf4 && p[1] >= 0x90 ? 0 : 4;
    }
    return 0;
}

/* One character of text or of a value, decoded into `to`. */
static void character(parser *parser, char *to, size_t room) {
    static const struct {
        const char *entity, *text;
    } entities[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
    if (*parser->p == '&') {
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
            size_t size = strlen(entities[i].entity);
            if (strncmp(parser->p, entities[i].entity, size) != 0) continue;
            append(to, room, entities[i].text, 1);
            parser->p += size;
            return;
        }
        fault(parser, "unknown entity");
        return;
    }
    size_t size = utf8_size((const unsigned char *)parser->p);
    if (size == 0) fault(parser, "a byte that is no character");
    append(to, room, parser->p, size);
    parser->p += size;
}

static void name(parser *parser, char to[32]) {
    size_t size = 0; // strspn would be held to the whole text by strict_string_checks, at every name
    while (isalnum((unsigned char)parser->p[size]) || parser->p[size] == '-' || parser->p[size] == ':')
        size++;
    if (size == 0 || size > 31) {
        fault(parser, "a name was expected");
        return;
    }
    memcpy(to, parser->p, size);
    to[size] = '\0';
    parser->p += size;
}

static void attribute(parser *parser, hbg_test_xml_element *element) {
    if (element->attribute_count == HBG_TEST_XML_ATTRIBUTES) {
        fault(parser, "too many attributes");
        return;
    }
    int index = element->attribute_count++;
    name(parser, element->attributes[index].name);
    for (int i = 0; i < index; i++)
        if (strcmp(element->attributes[i].name, element->attributes[index].name) == 0)
            fault(parser, "an attribute twice");
    if (strncmp(parser->p, "=\"", 2) != 0) {
        fault(parser, "an attribute without value");
        return;
    }
    parser->p += 2;
    char *value = element->attributes[index].value;
    value[0] = '\0';
    while (!parser->fault && *parser->p && *parser->p != '"') {
        if (*parser->p == '<')
            fault(parser, "< in a value");
        else
            character(parser, value, sizeof element->attributes[index].value);
    }
    if (*parser->p == '"')
        parser->p++;
    else
        fault(parser, "a value without end");
}

static void close_element(parser *parser) {
    hbg_test_xml_element *element = &parser->stack[--parser->depth];
    if (parser->visit) parser->visit(parser->user, element);
    if (parser->depth == 0) return;
    char *outer = parser->stack[parser->depth - 1].text;
    append(outer, sizeof element->text, element->text, strlen(element->text));
}

static void open_tag(parser *parser) {
    parser->p++;
    if (parser->depth == DEEPEST) {
        fault(parser, "too deep");
        return;
    }
    hbg_test_xml_element *element = &parser->stack[parser->depth++];
    memset(element, 0, sizeof *element);
    name(parser, element->tag);
    while (!parser->fault && (*parser->p == ' ' || *parser->p == '\n')) {
        parser->p++;
        attribute(parser, element);
    }
    if (strncmp(parser->p, "/>", 2) == 0) {
        parser->p += 2;
        close_element(parser);
    } else if (*parser->p == '>')
        parser->p++;
    else
        fault(parser, "a tag without end");
}

static void close_tag(parser *parser) {
    char tag[32] = "";
    parser->p += 2;
    name(parser, tag);
    if (*parser->p++ != '>')
        fault(parser, "a closing tag without end");
    else if (strcmp(tag, parser->stack[parser->depth - 1].tag) != 0)
        fault(parser, "the wrong closing tag");
    else
        close_element(parser);
}

static void content(parser *parser) {
    hbg_test_xml_element *element = &parser->stack[parser->depth - 1];
    if (!*parser->p)
        fault(parser, "an element without end");
    else if (strncmp(parser->p, "</", 2) == 0)
        close_tag(parser);
    else if (*parser->p == '<')
        open_tag(parser);
    else
        character(parser, element->text, sizeof element->text);
}

const char *hbg_test_xml_parse(const char *text, hbg_test_xml_visit visit, void *user) {
    parser parser = {.p = text, .visit = visit, .user = user};
    parser.stack = calloc(DEEPEST, sizeof *parser.stack);
    if (strncmp(parser.p, "<?xml", 5) == 0) {
        const char *end = strstr(parser.p, "?>\n");
        if (end) parser.p = end + 3;
    }
    if (*parser.p == '<')
        open_tag(&parser);
    else
        fault(&parser, "no element");
    while (!parser.fault && parser.depth > 0) content(&parser);
    if (parser.p[strspn(parser.p, "\n ")] != '\0') fault(&parser, "something behind the end");
    free(parser.stack);
    return parser.fault;
}

const char *hbg_test_xml_get(const hbg_test_xml_element *element, const char *name) {
    for (int i = 0; i < element->attribute_count; i++)
        if (strcmp(element->attributes[i].name, name) == 0) return element->attributes[i].value;
    return NULL;
}
