/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The binary of an FMU: its sources in a temporary folder, compiled by the system's compiler, linked with the
 * engine. Only functions of FMI are exported; it needs the C library and libm. The image goes through the
 * assembler as bytes: as C text, the shipped form, millions of constants take a compiler minutes. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draw/draw.h"
#include "emit/export_fmu_impl.h"

enum { MOST_ARGUMENTS = 400, LARGEST_BINARY = 256 << 20 };
static const double patience = 600; /* s for the compiler */

/* Flags that give the same bits as hbg: those of src/emit/c/Makefile.in. */
static const char *const flags[] = {"-shared",
                                    "-fPIC",
                                    "-O2",
                                    "-std=gnu11",
                                    "-DNDEBUG",
                                    "-w",
                                    "-ffp-contract=off",
                                    "-fvisibility=hidden",
                                    "-fno-builtin",
                                    "-fno-math-errno",
                                    "-fno-trapping-math",
                                    "-fno-tree-slp-vectorize",
                                    "-s",
                                    "-Wl,--exclude-libs,ALL",
                                    "-Wl,--build-id=none",
                                    "-Wl,--no-undefined"};
enum { FLAGS = sizeof flags / sizeof *flags };

typedef struct {
    hbg_arena *arena;
    const hbg_emit_fmu *of;
    const hbg_emit_compiler *with;
    const char *folder;
    hbg_emit_files *files;
    const char **reason;
    const char *arguments[MOST_ARGUMENTS];
    int count;
} building;

static void add(building *b, const char *argument) {
    b->arguments[b->count++] = argument;
}

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Sources that are in the archive of the engine. */
static bool is_engine(const char *name) {
    return begins_with(name, "rt_") || begins_with(name, "base_") || begins_with(name, "fmu_");
}

static const char *source_name(const hbg_emit_file *file) {
    return begins_with(file->name, "sources/") ? file->name + strlen("sources/") : NULL;
}

/* Whether a path can be in a text of the assembler unescaped. */
static bool is_plain(const char *path) {
    return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")] == 0;
}

static hbg_status write_image(building *b) {
    const hbg_emit_c *of = &b->of->c;
    const char *bytes = hbg_base_arena_print(b->arena, "%s/image.bin", b->folder),
               *path = hbg_base_arena_print(b->arena, "%s/image.s", b->folder);
    hbg_buffer text;
    hbg_base_buffer_init(&text, b->arena);
    hbg_base_buffer_print(&text,
                          "\t.section .rodata\n\t.balign 16\n\t.globl %s_image\n\t.hidden %s_image\n\t.type "
                          "%s_image, %%object\n"
                          "%s_image:\n\t.incbin \"%s\"\n\t.zero 8\n\t.size %s_image, .-%s_image\n"
                          "\t.section .note.GNU-stack,\"\",%%progbits\n",
                          of->name, of->name, of->name, of->name, bytes, of->name, of->name);
    HBG_TRY(hbg_base_file_write(bytes, (const char *)of->image, of->image_size, NULL, b->reason));
    HBG_TRY(hbg_base_file_write(path, text.data, text.size, NULL, b->reason));
    add(b, path);
    return HBG_OK;
}

static hbg_status write_sources(building *b) {
    const char *image = hbg_base_arena_print(b->arena, "%s_image.c", b->of->c.name);
    bool assembles = is_plain(b->folder);
    if (assembles) HBG_TRY(write_image(b));
    for (int32_t i = 0; i < b->files->count; i++) {
        const hbg_emit_file *file = &b->files->items[i];
        const char *name = source_name(file);
        if (!name || (assembles && strcmp(name, image) == 0)) continue;
        bool is_code = strcmp(name + strlen(name) - 2, ".c") == 0;
        if (is_code && b->with->engine && is_engine(name)) continue;
        const char *path = hbg_base_arena_print(b->arena, "%s/%s", b->folder, name);
        HBG_TRY(hbg_base_file_write(path, file->text, file->size, NULL, b->reason));
        if (is_code && b->count < MOST_ARGUMENTS - 8) add(b, path);
    }
    return HBG_OK;
}

static hbg_status compile(building *b, const char *binary) {
    hbg_buffer said;
    add(b, "-include");
    add(b, hbg_base_arena_print(b->arena, "%s/fmu_glibc_impl.h", b->folder));
    add(b, "-o");
    add(b, binary);
    if (b->with->engine) add(b, b->with->engine);
    add(b, "-lm");
    b->arguments[b->count] = NULL;
    hbg_base_buffer_init(&said, b->arena);
    hbg_draw_command command = {.arguments = b->arguments,
                                .package = "gcc",
                                .timeout = patience,
                                .output_limit = HBG_DRAW_OUTPUT_LIMIT,
                                .goes_on = b->with->goes_on,
                                .context = b->with->context,
                                .temporary = b->folder};
    return hbg_draw_run(&command, &said, b->reason);
}

static void remove_all(const building *b) {
    DIR *folder = opendir(b->folder);
    for (const struct dirent *at; folder && (at = readdir(folder)) != NULL;)
        (void)unlinkat(dirfd(folder), at->d_name, 0);
    if (folder) closedir(folder);
    (void)rmdir(b->folder);
}

static hbg_status build(building *b) {
    const char *binary = hbg_base_arena_print(b->arena, "%s/binary.so", b->folder);
    char *text;
    size_t size;
    HBG_TRY(write_sources(b));
    HBG_TRY(compile(b, binary));
    HBG_TRY(hbg_base_file_read(b->arena, binary, LARGEST_BINARY, &text, &size, b->reason));
    const char *place = b->of->version >= 3 ? "x86_64-linux" : "linux64";
    hbg_emit_file file = {hbg_base_arena_print(b->arena, "binaries/%s/%s.so", place, b->of->c.name), text,
                          size};
    HBG_PUSH(b->arena, *b->files, file);
    return HBG_OK;
}

hbg_status hbg_emit_fmu_binary(hbg_arena *arena, const hbg_emit_fmu *of, const hbg_emit_compiler *with,
                               hbg_emit_files *files, const char **reason) {
    const char *temporary = getenv("TMPDIR");
    char *folder =
        hbg_base_arena_print(arena, "%s/hbg-fmu-XXXXXX", temporary && temporary[0] ? temporary : "/tmp");
    building *b = HBG_NEW(arena, building);
    *b = (building){
        .arena = arena, .of = of, .with = with, .folder = folder, .files = files, .reason = reason};
    b->arguments[b->count++] = "cc";
    for (int i = 0; i < FLAGS; i++) add(b, flags[i]);
    if (hbg_rt_has_elementary()) add(b, "-mfma");
    if (!mkdtemp(folder)) {
        *reason = hbg_base_file_words(errno);
        return HBG_CANNOT_WRITE;
    }
    hbg_status status = build(b);
    remove_all(b);
    return status;
}
