/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model as a folder of C: the unchanged sources of the engine, the image as constants, its programs as
 * functions, and files made from the texts in src/emit/c, in which a word between two @ stands for text of
 * the model. All files are in one folder, so `cc *.c -lm` finds them: rt/x.c becomes rt_x.c, and includes
 * follow. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "emit/export_c_impl.h"

enum { LARGEST_SOURCE = 1 << 20 };

/* Numbers as text, in addition to all of rt. */
static const char *const base_sources[] = {"double_text_impl.h",
                                           "number_text.c",
                                           "number_text_impl.h",
                                           "number_text_nearest.c",
                                           "number_text_power.c",
                                           "number_text_shortest.c",
                                           "ruler.c"};
enum { BASE_SOURCES = sizeof base_sources / sizeof *base_sources };

typedef hbg_emit_printing printing;

void hbg_emit_add_file(const hbg_emit_printing *p, const char *name, const hbg_buffer *text) {
    hbg_emit_file file = {hbg_base_arena_print(p->arena, "%s%s", p->folder, name), text->data, text->size};
    HBG_PUSH(p->arena, *p->files, file);
}

/* ---- sources of the engine ----------------------------------------------------------------------------- */

/* Includes of rt/x.h and base/x.h become rt_x.h and base_x.h, since there is one folder. */
static void add_flat(hbg_buffer *out, const char *text, size_t size) {
    static const char *const include = "#include \"";
    const char *end = text + size;
    while (text < end) {
        const char *line = memchr(text, '\n', (size_t)(end - text));
        size_t length = line ? (size_t)(line - text) + 1 : (size_t)(end - text);
        size_t first = out->size;
        hbg_base_buffer_add(out, text, length);
        bool is_include = length > strlen(include) && memcmp(text, include, strlen(include)) == 0;
        char *slash = is_include ? memchr(out->data + first, '/', length) : NULL;
        if (slash) *slash = '_';
        text += length;
    }
}

static hbg_status read_source(const printing *p, const char *path, char **text, size_t *size) {
    const char *whole = hbg_base_arena_print(p->arena, "%s/%s", p->of->sources, path), *why;
    hbg_status status = hbg_base_file_read(p->arena, whole, LARGEST_SOURCE, text, size, &why);
    if (status != HBG_OK && status != HBG_NO_MEMORY)
        *p->reason =
            hbg_base_arena_print(p->arena, "a source of the engine cannot be read from `%s`: %s", whole, why);
    return status;
}

static hbg_status add_source(const printing *p, const char *folder, const char *name) {
    char *text;
    size_t size;
    hbg_buffer flat;
    HBG_TRY(read_source(p, hbg_base_arena_print(p->arena, "%s/%s", folder, name), &text, &size));
    hbg_base_buffer_init(&flat, p->arena);
    add_flat(&flat, text, size);
    hbg_emit_add_file(p, hbg_base_arena_print(p->arena, "%s_%s", folder, name), &flat);
    return HBG_OK;
}

typedef HBG_VEC(const char *) name_list;

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_source(const char *name) {
    size_t size = strlen(name);
    return size > 2 && name[size - 2] == '.' && (name[size - 1] == 'c' || name[size - 1] == 'h');
}

/* The contents of the folder, sorted. An exhausted arena jumps, so the folder is read before memory is
 * allocated. */
static hbg_status list_sources(const printing *p, const char *of, name_list *names) {
    char found[300][64];
    int count = 0;
    const char *path = hbg_base_arena_print(p->arena, "%s/%s", p->of->sources, of);
    DIR *folder = opendir(path);
    for (struct dirent *at; folder && (at = readdir(folder)) != NULL;)
        if (is_source(at->d_name) && strlen(at->d_name) < sizeof found[0] && count < 300)
            strcpy(found[count++], at->d_name);
    if (folder) closedir(folder);
    for (int i = 0; i < count; i++) {
        const char *name = hbg_base_arena_print(p->arena, "%s", found[i]);
        HBG_PUSH(p->arena, *names, name);
    }
    if (count > 0) qsort(names->items, (size_t)count, sizeof *names->items, by_name);
    if (count > 0) return HBG_OK;
    *p->reason = hbg_base_arena_print(p->arena, "there are no sources of the engine in `%s`", path);
    return HBG_CANNOT_READ;
}

hbg_status hbg_emit_add_folder(const hbg_emit_printing *p, const char *folder) {
    name_list names = {0};
    HBG_TRY(list_sources(p, folder, &names));
    for (int32_t i = 0; i < names.count; i++) HBG_TRY(add_source(p, folder, names.items[i]));
    return HBG_OK;
}

hbg_status hbg_emit_add_engine(const hbg_emit_printing *p) {
    HBG_TRY(hbg_emit_add_folder(p, "rt"));
    for (int i = 0; i < BASE_SOURCES; i++) HBG_TRY(add_source(p, "base", base_sources[i]));
    return HBG_OK;
}

/* ---- the model ----------------------------------------------------------------------------------------- */

/* Words of eight bytes: shorter than bytes, and aligned. */
void hbg_emit_add_image(const hbg_emit_printing *p) {
    const hbg_emit_c *of = p->of;
    hbg_buffer out;
    hbg_base_buffer_init(&out, p->arena);
    hbg_base_buffer_print(&out,
                          "/* The image: everything the engine needs of the model, as constants. */\n"
                          "#include <stdint.h>\n\nextern const uint64_t %s_image[];\n"
                          "const uint64_t %s_image[] = {",
                          of->name, of->name);
    for (size_t i = 0; i < of->image_size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, of->image + i, of->image_size - i < 8 ? of->image_size - i : 8);
        hbg_base_buffer_print(&out, "%s0x%llxu,", i % 40 == 0 ? "\n    " : " ", (unsigned long long)word);
    }
    hbg_base_buffer_text(&out, "\n};\n");
    hbg_emit_add_file(p, hbg_base_arena_print(p->arena, "%s_image.c", of->name), &out);
}

void hbg_emit_add_code(const hbg_emit_printing *p) {
    const hbg_emit_c *of = p->of;
    hbg_buffer out;
    if (!of->code) return;
    hbg_base_buffer_init(&out, p->arena);
    hbg_base_buffer_text(
        &out,
        "/* The programs of the image as functions; r are its registers. Anything but plain arithmetic goes "
        "back to\n * the engine, one instruction at a time. */\n");
    add_flat(&out, of->code, of->code_size);
    hbg_emit_add_file(p, hbg_base_arena_print(p->arena, "%s_code.c", of->name), &out);
}

/* ---- texts with words to fill in ----------------------------------------------------------------------- */

/* The length of a word that ends with @; 0: there is none, and the @ before it is a plain @. */
static size_t word_size(const char *text, const char *end) {
    size_t size = 0;
    while (text + size < end && (text[size] == '_' || (text[size] >= 'a' && text[size] <= 'z') ||
                                 (text[size] >= 'A' && text[size] <= 'Z')))
        size++;
    return text + size < end && text[size] == '@' ? size : 0;
}

static hbg_status fill_in(const printing *p, const hbg_emit_words *words, const char *text, size_t size,
                          hbg_buffer *out) {
    const char *end = text + size;
    while (text < end) {
        const char *at = memchr(text, '@', (size_t)(end - text));
        hbg_base_buffer_add(out, text, (size_t)((at ? at : end) - text));
        if (!at) return HBG_OK;
        size_t length = word_size(at + 1, end);
        const char *word = length > 0 ? hbg_emit_word_find(words, at + 1, length) : "@";
        if (!word) {
            *p->reason = "a text of src/emit has a word that nothing stands for";
            return HBG_CANNOT_READ;
        }
        hbg_base_buffer_text(out, word);
        text = at + (length > 0 ? length + 2 : 1);
    }
    return HBG_OK;
}

hbg_status hbg_emit_add_filled(const hbg_emit_printing *p, const hbg_emit_words *words, const char *from,
                               const char *name) {
    char *text;
    size_t size;
    hbg_buffer filled, flat;
    HBG_TRY(read_source(p, hbg_base_arena_print(p->arena, "emit/%s", from), &text, &size));
    hbg_base_buffer_init(&filled, p->arena);
    hbg_base_buffer_init(&flat, p->arena);
    HBG_TRY(fill_in(p, words, text, size, &filled));
    add_flat(&flat, filled.data, filled.size);
    hbg_emit_add_file(p, name, &flat);
    return HBG_OK;
}

hbg_status hbg_emit_export_c(hbg_arena *arena, const hbg_emit_c *of, hbg_emit_files *files,
                             const char **reason) {
    printing p = {arena, of, files, reason, ""};
    hbg_emit_words words = {0};
    hbg_emit_c_words(arena, of, &words);
    HBG_TRY(hbg_emit_add_filled(&p, &words, "c/Makefile.in", "Makefile"));
    HBG_TRY(hbg_emit_add_filled(&p, &words, "c/readme.md.in", "readme.md"));
    HBG_TRY(hbg_emit_add_filled(&p, &words, "c/main.c.in", "main.c"));
    HBG_TRY(hbg_emit_add_filled(&p, &words, "c/unit.h.in", hbg_base_arena_print(arena, "%s.h", of->name)));
    HBG_TRY(hbg_emit_add_filled(&p, &words, "c/unit.c.in", hbg_base_arena_print(arena, "%s.c", of->name)));
    hbg_emit_add_image(&p);
    hbg_emit_add_code(&p);
    return hbg_emit_add_engine(&p);
}
