/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * "Did you mean": the candidate with the fewest typing errors. A slip is a character left out, put in,
 * replaced, or swapped with its neighbour, no character taking part in two slips of different kind (optimal
 * string alignment). A difference in upper and lower case alone is one slip, however many letters it has. */
#include "base/base.h"

#include <string.h>

#define LONGEST 64

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool equal_but_for_case(const char *a, const char *b) {
    while (*a != '\0' && lower(*a) == lower(*b)) a++, b++;
    return *a == *b;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* The number of slips between a and b, or any number above `bound` if there are more than `bound`. */
static int slips(const char *a, int a_size, const char *b, int b_size, int bound) {
    int rows[3][LONGEST + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= b_size; j++) above[j] = j;
    for (int i = 1; i <= a_size; i++) {
        row[0] = i;
        int best = i;
        for (int j = 1; j <= b_size; j++) {
            int cost = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = least(above[j - 1] + cost, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
            best = least(best, row[j]);
        }
        /* a later row can undercut this one only through a swap, by way of the row above */
        if (best > bound + 1) return bound + 1;
        int *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[b_size];
}

void hbg_base_nearest_init(hbg_nearest *nearest, const char *text) {
    size_t size = strlen(text);
    /* one more than is close enough: an offer has to be better than this */
    *nearest = (hbg_nearest){.text = text, .distance = size < 6 ? 2 : least((int)(size / 3), LONGEST) + 1};
}

void hbg_base_nearest_offer(hbg_nearest *nearest, const char *candidate) {
    int bound = nearest->distance - 1;
    if (bound < 0) return;
    size_t text_size = strnlen(nearest->text, LONGEST + 1);
    size_t size = strnlen(candidate, LONGEST + 1);
    int distance = bound + 1;
    if (equal_but_for_case(nearest->text, candidate)) {
        distance = strcmp(nearest->text, candidate) == 0 ? 0 : 1;
    } else if (text_size <= LONGEST && size <= LONGEST) {
        int longer = (int)(size > text_size ? size : text_size);
        int apart = (int)size - (int)text_size;
        if (apart > bound || -apart > bound) return;
        distance = slips(nearest->text, (int)text_size, candidate, (int)size, bound);
        /* with every character replaced it is another word, not a slip: c does not stand for r */
        if (distance >= longer) return;
    }
    if (distance > bound) return;
    nearest->best = candidate;
    nearest->distance = distance;
}
