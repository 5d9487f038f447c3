/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A strict checker of the XML that drawings consist of: tags, attributes in double quotes, five entities and
 * character references. No comments, no DTD. */
#ifndef HBG_TEST_XML_H
#define HBG_TEST_XML_H

#include <stddef.h>

#define HBG_TEST_XML_ATTRIBUTES 12

typedef struct {
    char tag[32];
    struct {
        char name[32];
        char value[512]; /* entities decoded; longer values are cut */
    } attributes[HBG_TEST_XML_ATTRIBUTES];
    int attribute_count;
    char text[4096]; /* of the element and all inside, decoded; cut if longer */
} hbg_test_xml_element;

/* Called when an element ends, inner ones first. */
typedef void (*hbg_test_xml_visit)(void *user, const hbg_test_xml_element *element);

/* NULL if the text is one well-formed element (after an optional declaration); else what is wrong with it. */
const char *hbg_test_xml_parse(const char *text, hbg_test_xml_visit visit, void *user);

/* The value of an attribute, or NULL. */
const char *hbg_test_xml_get(const hbg_test_xml_element *element, const char *name);

#endif
