/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * C text as code of this process: compiled by the system's compiler into a shared object, kept in a cache by content.
 *
 * What is loaded runs with the user's rights, so that the cache is the user's alone: a folder of mode 0700 that belongs to
 * who runs, looked at before anything in it is believed, and files that nobody else can write. A name in it is a hash of
 * text and compiler, and the text beside the object is compared byte by byte: two texts with one hash do not meet. An object gets
 * its name only when it is complete. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draw/draw.h"
#include "emit/emit.h"

enum { KEPT_OBJECTS = 100 };

static const char *const flags[] = {"-x",
                                    "c",
                                    "-std=gnu11",
                                    "-O1",
                                    "-fPIC",
                                    "-shared",
                                    "-ffp-contract=off",
                                    "-w",
                                    "-fno-math-errno",
                                    "-fno-trapping-math"};
enum { FLAGS = sizeof flags / sizeof *flags };

struct hbg_emit_library {
    void *handle;
};

static hbg_status refuse(const char **reason, hbg_arena *arena, const char *what, const char *path) {
    *reason = hbg_arena_print(arena, "%s `%s`", what, path);
    return HBG_NO_PROGRAM;
}

/* ---- the folder --------------------------------------------------------------------------------------- */

static const char *folder_of(hbg_arena *arena, const char *asked) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (asked && asked[0]) return asked;
    if (cache && cache[0] == '/') return hbg_arena_print(arena, "%s/hbg", cache);
    return home && home[0] == '/' ? hbg_arena_print(arena, "%s/.cache/hbg", home) : NULL;
}

/* Every folder on the way that is not there yet. */
static void make_folders(hbg_arena *arena, const char *path) {
    char *copy = hbg_arena_print(arena, "%s", path);
    for (char *at = copy + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        (void)mkdir(copy, 0700);
        *at = '/';
    }
    (void)mkdir(copy, 0700);
}

/* The folder, opened: ours, and nobody else's. −1 with a reason otherwise. */
static int open_folder(hbg_arena *arena, const char *path, const char **reason) {
    struct stat found;
    make_folders(arena, path);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        (void)refuse(reason, arena, "compiled code cannot be kept: there is no folder", path);
        return -1;
    }
    if (fstat(folder, &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 077) == 0) return folder;
    close(folder);
    (void)refuse(
        reason, arena,
        "compiled code is only taken from a folder of your own that nobody else can enter (mode 0700), "
        "not from",
        path);
    return -1;
}

/* ---- names -------------------------------------------------------------------------------------------- */

static uint64_t hash(uint64_t start, const char *text, size_t size) {
    uint64_t sum = start;
    for (size_t i = 0; i < size; i++) sum = (sum ^ (uint8_t)text[i]) * 0x100000001b3U;
    return sum;
}

static const char *name_of(hbg_arena *arena, const char *compiler, const char *text, size_t size) {
    uint64_t low = hash(0xcbf29ce484222325U, text, size), high = hash(0x9ae16a3b2f90404fU, text, size);
    low = hash(low, compiler, strlen(compiler));
    for (int i = 0; i < FLAGS; i++) high = hash(high, flags[i], strlen(flags[i]));
    return hbg_arena_print(arena, "%016llx%016llx", (unsigned long long)high, (unsigned long long)low);
}

/* ---- files -------------------------------------------------------------------------------------------- */

static bool is_ours(int folder, const char *name) {
    struct stat found;
    if (fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return false;
    return S_ISREG(found.st_mode) && found.st_uid == geteuid() && (found.st_mode & 022) == 0;
}

static bool has_text(int folder, const char *name, const char *text, size_t size) {
    char part[4096];
    size_t at = 0;
    ssize_t got = -1;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return false;
    while ((got = read(file, part, sizeof part)) > 0) {
        if ((size_t)got > size - at || memcmp(part, text + at, (size_t)got) != 0) break;
        at += (size_t)got;
    }
    close(file);
    return got == 0 && at == size;
}

static bool write_text(int folder, const char *name, const char *text, size_t size) {
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t at = 0;
    if (file < 0) return false;
    while (at < size) {
        ssize_t put = write(file, text + at, size - at);
        if (put < 0 && errno != EINTR) break;
        if (put > 0) at += (size_t)put;
    }
    return (close(file) == 0) & (at == size);
}

/* Of very many objects the one that has not been used for longest goes. */
static void forget_oldest(int folder) {
    char oldest[NAME_MAX + 1] = "";
    struct timespec since = {0};
    int count = 0, copy = dup(folder);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list && copy >= 0) close(copy);
    for (struct dirent *at; list && (at = readdir(list)) != NULL;) {
        struct stat found;
        size_t length = strlen(at->d_name);
        if (length < 3 || strcmp(at->d_name + length - 3, ".so") != 0) continue;
        if (fstatat(folder, at->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
        bool older = count++ == 0 || found.st_mtim.tv_sec < since.tv_sec;
        if (!older) continue;
        since = found.st_mtim;
        snprintf(oldest, sizeof oldest, "%s", at->d_name);
    }
    if (list) closedir(list);
    if (count <= KEPT_OBJECTS) return;
    (void)unlinkat(folder, oldest, 0);
    memcpy(oldest + strlen(oldest) - 2, "c", 2);
    (void)unlinkat(folder, oldest, 0);
}

/* ---- compiling ---------------------------------------------------------------------------------------- */

static hbg_status compile(hbg_arena *arena, const char *compiler, const char *text, size_t size,
                          const char *object, const char **reason) {
    const char *arguments[FLAGS + 6] = {compiler};
    int count = 1;
    hbg_buffer output;
    for (int i = 0; i < FLAGS; i++) arguments[count++] = flags[i];
    arguments[count++] = "-o";
    arguments[count++] = object;
    arguments[count++] = "-";
    arguments[count++] = "-lm";
    hbg_draw_command command = {.arguments = arguments,
                                .package = "gcc",
                                .input = text,
                                .input_size = size,
                                .timeout = 600,
                                .output_limit = 1 << 20};
    hbg_buffer_init(&output, arena);
    return hbg_draw_run(&command, &output, reason);
}

/* Text and object under their names, the object last and whole. */
static hbg_status make_object(hbg_arena *arena, int folder, const char *path, const char *name,
                              const hbg_emit_native *native, const char **reason) {
    const char *part = hbg_arena_print(arena, "%s.%ld.part", name, (long)getpid());
    const char *object = hbg_arena_print(arena, "%s.so", name),
               *source = hbg_arena_print(arena, "%s.c", name);
    hbg_status status = compile(arena, native->compiler, native->text, native->size,
                                hbg_arena_print(arena, "%s/%s", path, part), reason);
    if (status == HBG_OK &&
        (!write_text(folder, source, native->text, native->size) || fchmodat(folder, part, 0700, 0) != 0 ||
         renameat(folder, part, folder, object) != 0))
        status = refuse(reason, arena, "compiled code cannot be written to", path);
    if (status != HBG_OK) (void)unlinkat(folder, part, 0);
    forget_oldest(folder);
    return status;
}

static hbg_status find_object(hbg_arena *arena, const hbg_emit_native *native, const char **object,
                              const char **reason) {
    const char *path = folder_of(arena, native->folder);
    if (!path) {
        *reason = "compiled code cannot be kept: neither XDG_CACHE_HOME nor HOME names a folder";
        return HBG_NO_PROGRAM;
    }
    int folder = open_folder(arena, path, reason);
    if (folder < 0) return HBG_NO_PROGRAM;
    const char *name = name_of(arena, native->compiler, native->text, native->size);
    const char *file = hbg_arena_print(arena, "%s.so", name), *source = hbg_arena_print(arena, "%s.c", name);
    hbg_status status = HBG_OK;
    if (!is_ours(folder, source) || !is_ours(folder, file) ||
        !has_text(folder, source, native->text, native->size))
        status = make_object(arena, folder, path, name, native, reason);
    else
        (void)utimensat(folder, file, NULL, AT_SYMLINK_NOFOLLOW); // it has been used
    close(folder);
    *object = hbg_arena_print(arena, "%s/%s", path, file);
    return status;
}

hbg_status hbg_emit_load(hbg_arena *arena, const hbg_emit_native *native, hbg_emit_library **library,
                         const char **reason) {
    const char *object;
    hbg_emit_native asked = *native;
    *library = NULL;
    if (!asked.compiler || !asked.compiler[0]) asked.compiler = "cc";
    HBG_TRY(find_object(arena, &asked, &object, reason));
    hbg_emit_library *made = HBG_NEW(arena, hbg_emit_library);
    made->handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!made->handle) return refuse(reason, arena, "compiled code cannot be loaded from", object);
    *library = made;
    return HBG_OK;
}

const void *hbg_emit_symbol(const hbg_emit_library *library, const char *name) {
    return dlsym(library->handle, name);
}

void hbg_emit_unload(hbg_emit_library *library) {
    if (library && library->handle) dlclose(library->handle);
    if (library) library->handle = NULL;
}
