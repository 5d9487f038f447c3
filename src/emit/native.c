/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * C text as code of this process: compiled by the system's compiler into a shared object, kept in a cache by
 * content.
 *
 * Loaded code runs with the user's rights, so the cache must be private: a folder of mode 0700 that belongs
 * to the user, opened once and checked before anything in it is trusted, and plain files that no other user
 * can write. A name in it is a hash of text and compiler. An object is stored with the text it was made from
 * and the sum of the object: both are compared, so two texts with one hash are not confused, and an object
 * that was truncated or changed is made again. Files get their names only when they are complete. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "draw/draw.h"
#include "emit/emit.h"

enum { KEPT_OBJECTS = 100, OLD_PART = 3600 /* s: no process writes it any more */ };

/* No flag may change results: fused products only where requested, and functions of libm are called as the
 * interpreter calls them, not replaced by something nearly equal (pow(x, 2) is not always x·x). Vectors of a
 * few adjacent values cost more moves than they save operations. */
static const char *const for_c[] = {"-x",
                                    "c",
                                    "-std=gnu11",
                                    "-fno-tree-slp-vectorize",
                                    "-fPIC",
                                    "-shared",
                                    "-w",
                                    "-ffp-contract=off",
                                    "-fno-builtin",
                                    "-fno-math-errno",
                                    "-fno-trapping-math",
                                    NULL};
/* Text for devices calls only exact functions of libm. */
static const char *const for_cpp[] = {"-x",
                                      "c++",
                                      "-std=gnu++17",
                                      "-fPIC",
                                      "-shared",
                                      "-w",
                                      "-ffp-contract=off",
                                      "-fno-math-errno",
                                      "-fno-trapping-math",
                                      NULL};
static const char *const for_cuda[] = {"-x",      "cu",     "-std=c++17",  "-O3",
                                       "-shared", "-w",     "-fmad=false", "-arch=native",
                                       "-cudart", "static", "-Xcompiler",  "-fPIC,-ffp-contract=off",
                                       NULL};
enum {
    LONG_TEXT = 200000, /* bytes: optimising doubles the time to compile and gains less */
    MOST_FLAGS = 24
};

int32_t hbg_emit_lanes(void) {
#if defined(__x86_64__)
    if (!hbg_rt_has_elementary()) return 2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return 8;
    if (__builtin_cpu_supports("avx2")) return 4;
#endif
    return 2;
}

/* Flags by number of lanes. None lets the compiler change results. */
static const char *const *vector_flags(const hbg_emit_native *native) {
    static const char *const none[] = {NULL}, *const four[] = {"-mavx2", NULL},
                             *const eight[] = {"-mavx512f", "-mavx512dq", "-mavx512vl",
                                               "-mprefer-vector-width=512", NULL};
#if defined(__x86_64__)
    return native->lanes == 8 ? eight : native->lanes == 4 ? four : none;
#else
    (void)native, (void)four, (void)eight;
    return none;
#endif
}

static bool is_nvcc(const char *compiler) {
    const char *slash = compiler ? strrchr(compiler, '/') : NULL;
    return compiler && strncmp(slash ? slash + 1 : compiler, "nvcc", 4) == 0;
}

/* All flags of a text, ended by NULL. If the processor has fused products, elementary functions are our own:
 * that needs a flag. */
static void list_flags(const hbg_emit_native *native, const char **list) {
    bool cuda = native->device && is_nvcc(native->compiler);
    const char *const *base = cuda ? for_cuda : native->device ? for_cpp : for_c;
    while (*base) *list++ = *base++;
    if (!cuda) *list++ = native->size < LONG_TEXT ? "-O2" : "-O1";
#if defined(__x86_64__)
    if (!cuda && hbg_rt_has_elementary()) *list++ = "-mfma";
#endif
    for (const char *const *flag = vector_flags(native); *flag; flag++) *list++ = *flag;
    *list = NULL;
}

/* The compiler for devices: as the user says, in PATH, or in its folder. NULL: there is none. */
static const char *find_nvcc(hbg_arena *arena) {
    const char *asked = getenv("HBG_NVCC"), *path = getenv("PATH"),
               *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"};
    if (asked && asked[0]) return asked;
    for (const char *at = path ? path : ""; *at;) {
        size_t size = strcspn(at, ":");
        const char *file = hbg_base_arena_print(arena, "%.*s/nvcc", (int)size, at);
        if (size > 0 && access(file, X_OK) == 0) return file;
        at += size + (at[size] == ':');
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        if (!homes[i] || !homes[i][0]) continue;
        const char *file = hbg_base_arena_print(arena, "%s/bin/nvcc", homes[i]);
        if (access(file, X_OK) == 0) return file;
    }
    return NULL;
}

struct hbg_emit_library {
    void *handle;
};

/* The place of one text in the cache. */
typedef struct {
    hbg_arena *arena;
    const hbg_emit_native *native;
    const char *path;          /* of the folder */
    const char *object, *text; /* names in it */
    const char *part;          /* of an incomplete file */
    int folder;                /* opened; −1: not */
} place;

static hbg_status refuse(const char **reason, hbg_arena *arena, const char *what, const char *path) {
    *reason = hbg_base_arena_print(arena, "%s `%s`", what, path);
    return HBG_NO_PROGRAM;
}

/* ---- the folder --------------------------------------------------------------------------------------- */

static const char *folder_of(hbg_arena *arena, const char *asked) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (asked && asked[0]) return asked;
    if (cache && cache[0] == '/') return hbg_base_arena_print(arena, "%s/hbg", cache);
    return home && home[0] == '/' ? hbg_base_arena_print(arena, "%s/.cache/hbg", home) : NULL;
}

/* Makes every missing folder of the path. */
static void make_folders(hbg_arena *arena, const char *path) {
    char *copy = hbg_base_arena_print(arena, "%s", path);
    for (char *at = copy + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        (void)mkdir(copy, 0700);
        *at = '/';
    }
    (void)mkdir(copy, 0700);
}

/* Opens the folder, if it is ours and private. */
static hbg_status open_folder(place *of, const char **reason) {
    struct stat found;
    make_folders(of->arena, of->path);
    of->folder = open(of->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (of->folder < 0)
        return refuse(reason, of->arena, "compiled code cannot be kept: there is no folder", of->path);
    if (fstat(of->folder, &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 077) == 0)
        return HBG_OK;
    return refuse(
        reason, of->arena,
        "compiled code is only taken from a folder of your own that nobody else can enter (mode 0700), "
        "not from",
        of->path);
}

/* ---- sums --------------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t high, low;
} sum;

static sum sum_start(void) {
    return (sum){0x9ae16a3b2f90404fU, 0xcbf29ce484222325U};
}

static sum sum_add(sum of, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        of.low = (of.low ^ (uint8_t)text[i]) * 0x100000001b3U;
        of.high = (of.high ^ (uint8_t)text[i]) * 0x100000001b3U;
    }
    return of;
}

static const char *sum_text(hbg_arena *arena, sum of) {
    return hbg_base_arena_print(arena, "%016llx%016llx", (unsigned long long)of.high,
                                (unsigned long long)of.low);
}

static void name_files(place *of) {
    const hbg_emit_native *native = of->native;
    sum all = sum_add(sum_start(), native->text, native->size);
    if (native->compiler) all = sum_add(all, native->compiler, strlen(native->compiler) + 1);
    const char *list[MOST_FLAGS];
    list_flags(native, list);
    for (const char **flag = list; *flag; flag++) all = sum_add(all, *flag, strlen(*flag) + 1);
    const char *name = sum_text(of->arena, all);
    of->object = hbg_base_arena_print(of->arena, "%s.so", name);
    of->text = hbg_base_arena_print(of->arena, "%s.c", name);
    of->part = hbg_base_arena_print(of->arena, "%s.%ld-%llx.part", name, (long)getpid(),
                                    (unsigned long long)(uintptr_t)of); // one for each process and thread
}

/* ---- files -------------------------------------------------------------------------------------------- */

/* Opens for reading a plain file of ours that no other user can write; −1 if it is anything else. */
static int open_ours(int folder, const char *name) {
    struct stat found;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return -1;
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
        (found.st_mode & 022) == 0)
        return file;
    close(file);
    return -1;
}

static ssize_t read_some(int file, char *part, size_t size) {
    ssize_t got;
    do got = read(file, part, size);
    while (got < 0 && errno == EINTR);
    return got;
}

static bool sum_of_file(int folder, const char *name, sum *all) {
    char part[4096];
    ssize_t got = -1;
    int file = open_ours(folder, name);
    *all = sum_start();
    if (file < 0) return false;
    while ((got = read_some(file, part, sizeof part)) > 0) *all = sum_add(*all, part, (size_t)got);
    close(file);
    return got == 0;
}

static bool has_text(int folder, const char *name, const char *text, size_t size) {
    char part[4096];
    size_t at = 0;
    ssize_t got = -1;
    int file = open_ours(folder, name);
    if (file < 0) return false;
    while ((got = read_some(file, part, sizeof part)) > 0) {
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

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), size = strlen(end);
    return length > size && strcmp(name + length - size, end) == 0;
}

/* Removes the least recently used of very many objects, and leftovers of killed runs. */
static void forget_oldest(int folder, const char *but) {
    char oldest[NAME_MAX + 1] = "";
    struct timespec since = {0};
    int count = 0, copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list && copy >= 0) close(copy);
    for (struct dirent *at; list && (at = readdir(list)) != NULL;) {
        struct stat found;
        if (fstatat(folder, at->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (ends_with(at->d_name, ".part") && found.st_mtim.tv_sec < time(NULL) - OLD_PART)
            (void)unlinkat(folder, at->d_name, 0);
        if (!ends_with(at->d_name, ".so")) continue;
        count++;
        bool older = found.st_mtim.tv_sec < since.tv_sec ||
                     (found.st_mtim.tv_sec == since.tv_sec && found.st_mtim.tv_nsec < since.tv_nsec);
        if ((oldest[0] && !older) || strcmp(at->d_name, but) == 0) continue;
        since = found.st_mtim;
        snprintf(oldest, sizeof oldest, "%s", at->d_name);
    }
    if (list) closedir(list);
    if (count <= KEPT_OBJECTS || !oldest[0]) return;
    (void)unlinkat(folder, oldest, 0);
    memcpy(oldest + strlen(oldest) - 2, "c", 2);
    (void)unlinkat(folder, oldest, 0);
}

/* ---- compiling ---------------------------------------------------------------------------------------- */

static hbg_status compile(const place *of, const char **reason) {
    const char *arguments[MOST_FLAGS + 8] = {"cc"}, **next = arguments + 1;
    hbg_buffer output;
    if (of->native->compiler) arguments[0] = of->native->compiler;
    list_flags(of->native, next);
    while (*next) next++;
    *next++ = "-o";
    *next++ = hbg_base_arena_print(of->arena, "%s/%s", of->path, of->part);
    *next++ = "-";
    *next++ = "-lm";
    hbg_draw_command command = {.arguments = arguments,
                                .package = of->native->device ? "nvidia-cuda-toolkit" : "gcc",
                                .input = of->native->text,
                                .input_size = of->native->size,
                                .timeout = of->native->timeout > 0 ? of->native->timeout : 600,
                                .output_limit = 1 << 20,
                                .goes_on = of->native->goes_on,
                                .context = of->native->context};
    hbg_base_buffer_init(&output, of->arena);
    return hbg_draw_run(&command, &output, reason);
}

/* The stored form of the text: with the sum of its object after it. */
static const char *text_with_sum(const place *of, sum object, size_t *size) {
    hbg_buffer text;
    hbg_base_buffer_init(&text, of->arena);
    hbg_base_buffer_add(&text, of->native->text, of->native->size);
    hbg_base_buffer_print(&text, "/* object %s */\n", sum_text(of->arena, object));
    *size = text.size;
    return text.data;
}

/* The text first: an object without it does not count. */
static bool keep(const place *of) {
    size_t size;
    sum object;
    const char *text_part = hbg_base_arena_print(of->arena, "%s.text.part", of->part);
    if (fchmodat(of->folder, of->part, 0700, 0) != 0 || !sum_of_file(of->folder, of->part, &object))
        return false;
    const char *text = text_with_sum(of, object, &size);
    bool kept = write_text(of->folder, text_part, text, size) &&
                renameat(of->folder, text_part, of->folder, of->text) == 0 &&
                renameat(of->folder, of->part, of->folder, of->object) == 0;
    if (!kept) (void)unlinkat(of->folder, text_part, 0);
    return kept;
}

static hbg_status make_object(const place *of, const char **reason) {
    hbg_status status = compile(of, reason);
    if (status == HBG_OK && !keep(of))
        status = refuse(reason, of->arena, "compiled code cannot be written to", of->path);
    if (status != HBG_OK) (void)unlinkat(of->folder, of->part, 0);
    forget_oldest(of->folder, of->object);
    return status;
}

static bool is_kept(const place *of) {
    sum object;
    size_t size;
    if (!sum_of_file(of->folder, of->object, &object)) return false;
    const char *text = text_with_sum(of, object, &size);
    return has_text(of->folder, of->text, text, size);
}

/* ---- loading ------------------------------------------------------------------------------------------ */

/* Opens it through the folder that was opened, which cannot be replaced by another one. Without /proc, its
 * path has to do. */
static void *open_object(const place *of) {
    const char *path = hbg_base_arena_print(of->arena, "/proc/self/fd/%d/%s", of->folder, of->object);
    if (access(path, R_OK) != 0) path = hbg_base_arena_print(of->arena, "%s/%s", of->path, of->object);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static hbg_status find_and_load(place *of, hbg_emit_library *library, const char **reason) {
    HBG_TRY(open_folder(of, reason));
    bool kept = !of->native->anew && is_kept(of);
    if (!kept)
        HBG_TRY(make_object(of, reason));
    else
        (void)utimensat(of->folder, of->object, NULL, AT_SYMLINK_NOFOLLOW); // it has been used
    library->handle = open_object(of);
    if (!library->handle && kept) { // it may come from another machine that shares the home
        HBG_TRY(make_object(of, reason));
        library->handle = open_object(of);
    }
    return library->handle ? HBG_OK
                           : refuse(reason, of->arena, "compiled code cannot be loaded from", of->path);
}

/* An exhausted arena jumps: the folder is closed before the jump goes on. */
static hbg_status load_guarded(place *of, hbg_emit_library *library, const char **reason) {
    hbg_memory *memory = of->arena->memory;
    jmp_buf guard, *outside = memory->exhausted;
    if (HBG_GUARD(memory, guard)) {
        if (of->folder >= 0) (void)unlinkat(of->folder, of->part, 0);
        if (of->folder >= 0) close(of->folder);
        memory->exhausted = outside;
        hbg_base_memory_exhausted(memory);
    }
    hbg_status status = find_and_load(of, library, reason);
    memory->exhausted = outside;
    if (of->folder >= 0) close(of->folder);
    return status;
}

hbg_status hbg_emit_load(hbg_arena *arena, const hbg_emit_native *native, hbg_emit_library **library,
                         const char **reason) {
    hbg_emit_native asked = *native;
    hbg_emit_library *made = HBG_NEW(arena, hbg_emit_library);
    place of = {.arena = arena, .native = &asked, .path = folder_of(arena, native->folder), .folder = -1};
    *library = NULL;
    if (asked.compiler && !asked.compiler[0]) asked.compiler = NULL;
    if (!of.path) {
        *reason = "compiled code cannot be kept: neither XDG_CACHE_HOME nor HOME names a folder";
        return HBG_NO_PROGRAM;
    }
    if (asked.device) asked.compiler = find_nvcc(arena);
    if (asked.device && !asked.compiler) {
        *reason =
            "there is no nvcc, neither in PATH nor in /usr/local/cuda/bin: install the CUDA toolkit, or "
            "name the compiler by HBG_NVCC";
        return HBG_NO_PROGRAM;
    }
    name_files(&of);
    HBG_TRY(load_guarded(&of, made, reason));
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
