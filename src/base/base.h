/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The foundation: memory, vectors, names, source spans, diagnostics, exact decimals.
 *
 * Memory. All allocation of the library passes an hbg_memory: it counts, obeys a limit, and can be told to
 * fail at the n-th call. Code between HBG_GUARD and its end never sees a failed allocation: exhaustion jumps
 * to the guard, which is set in the functions of the public API only (src/api). Memory allocated meanwhile
 * belongs to arenas owned by a handle, so nothing leaks; hold nothing else across an allocation. */
#ifndef HBG_BASE_H
#define HBG_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/double_text_impl.h"
#include "hbg/policy.h"
#include "hbg/status.h"
#include "hbg/version.h"

/* A programmer's mistake: stops every build with assertions; other builds do not give a wrong answer. */
#include <assert.h>
#define HBG_ASSERT(condition) assert(condition)

#if defined(__GNUC__)
#define HBG_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define HBG_PRINTF(format_index, first_index)
#endif

/* ---- memory and arenas ------------------------------------------------------------------------------ */

typedef struct {
    size_t used;        /* bytes allocated now */
    size_t peak;        /* most bytes ever allocated */
    size_t limit;       /* more than this is exhaustion; 0 means no limit */
    int64_t calls;      /* allocations so far */
    int64_t fail_at;    /* the call with this number fails (1 is the first); 0 means never */
    jmp_buf *exhausted; /* innermost guard, or NULL */
    char *lent, *lent_next,
        *lent_end; /* memory lent by the caller is used before the heap: its end, and what is left */
} hbg_memory;

/* Sets `memory->exhausted` for the statements that follow, in the frame of the caller:
 *     jmp_buf guard;
 *     if (HBG_GUARD(memory, guard)) { …exhausted: release and return… }
 *     …work…
 *     HBG_GUARD_END(memory);                                        -- guards do not nest */
#define HBG_GUARD(memory, guard) ((memory)->exhausted = &(guard), setjmp(guard) != 0)
#define HBG_GUARD_END(memory)    ((memory)->exhausted = NULL)

/* Plain allocation, zeroed, for owners of long-lived blocks; NULL on exhaustion. `size` is passed again to
 * free. */
void *hbg_base_memory_alloc(hbg_memory *memory, size_t size);
/* A longer block with the same contents, zeroed after them; NULL on exhaustion, and then the old one stays
 * valid. */
void *hbg_base_memory_extend(hbg_memory *memory, void *block, size_t size, size_t new_size);
void hbg_base_memory_free(hbg_memory *memory, void *block, size_t size);

/* Lends zeroed bytes, aligned for any object, to a memory without allocations: otherwise many small
 * concurrent lifetimes contend for the heap's locks and make system calls. Freed parts are not used again.
 * The bytes are returned, zeroed, when nothing is allocated. */
void hbg_base_memory_lend(hbg_memory *memory, void *place, size_t size);
void hbg_base_memory_take_back(hbg_memory *memory);

/* Jumps to the guard. Only inside a guard. */
_Noreturn void hbg_base_memory_exhausted(hbg_memory *memory);

typedef struct hbg_arena_block hbg_arena_block;
typedef struct {
    hbg_memory *memory;
    hbg_arena_block *blocks; /* newest first */
    char *next, *end;        /* free space in the newest shared block */
    size_t shared;           /* bytes of all shared blocks; the next one is an eighth of it */
} hbg_arena;

void hbg_base_arena_init(hbg_arena *arena, hbg_memory *memory);
void hbg_base_arena_fini(hbg_arena *arena);
/* Zeroed, aligned for any object, valid until the arena ends; never NULL (see the guard above). */
void *hbg_base_arena_alloc(hbg_arena *arena, size_t size);
/* Ends an object before its arena, given the size it was made with; a large one leaves the memory at once. */
void hbg_base_arena_release(hbg_arena *arena, void *place, size_t size);
char *hbg_base_arena_copy(hbg_arena *arena, const char *text, size_t size); /* terminated */
char *hbg_base_arena_print(hbg_arena *arena, const char *format, ...) HBG_PRINTF(2, 3);
char *hbg_base_arena_vprint(hbg_arena *arena, const char *format, va_list arguments);

#define HBG_NEW(arena, type) ((type *)hbg_base_arena_alloc((arena), sizeof(type)))
#define HBG_NEW_ARRAY(arena, type, count)                                                                    \
    ((type *)hbg_base_arena_alloc_array((arena), (size_t)(count), sizeof(type)))
void *hbg_base_arena_alloc_array(hbg_arena *arena, size_t count, size_t size); /* overflow is exhaustion */

/* A growing array: `HBG_VEC(int32_t) ids = {0}; HBG_PUSH(arena, ids, 7);` then ids.items, ids.count.
 * A push may move the items: a pointer into them ends there (the address sanitizer reports its use). */
#define HBG_VEC(type)                                                                                        \
    struct {                                                                                                 \
        type *items;                                                                                         \
        int32_t count, capacity;                                                                             \
    }
#define HBG_PUSH(arena, vec, ...)                                                                            \
    ((vec).items = ((vec).count < (vec).capacity) ? (vec).items                                              \
                                                  : hbg_base_vec_grow((arena), (vec).items, (vec).count,     \
                                                                      &(vec).capacity, sizeof *(vec).items), \
     (vec).items[(vec).count] = __VA_ARGS__, (vec).count++)
void *hbg_base_vec_grow(hbg_arena *arena, void *items, int32_t count, int32_t *capacity, size_t size);

/* ---- text under construction ------------------------------------------------------------------------ */

typedef struct {
    hbg_arena *arena;
    char *data; /* NUL-terminated once something was added; "" before */
    size_t size, capacity;
} hbg_buffer;

void hbg_base_buffer_init(hbg_buffer *buffer, hbg_arena *arena);
void hbg_base_buffer_add(hbg_buffer *buffer, const char *text, size_t size);
void hbg_base_buffer_text(hbg_buffer *buffer, const char *text);
void hbg_base_buffer_char(hbg_buffer *buffer, char c);
void hbg_base_buffer_print(hbg_buffer *buffer, const char *format, ...) HBG_PRINTF(2, 3);

/* Length of the UTF-8 sequence at `text`, of which `left` bytes are there; 0 if it is invalid, also for
 * overlong forms and surrogates. */
size_t hbg_base_utf8_length(const char *text, size_t left);
bool hbg_base_utf8_is_control(const char *text); /* whether the sequence there is a control character */
/* Whether the sequence there would steer a terminal instead of being shown: a control character, or one that
 * changes the direction of the text around it. */
bool hbg_base_utf8_steers(const char *text, size_t length);
/* Makes a text with foreign quotes safe to show: question marks for what is not UTF-8 or steers a terminal.
 * Line ends are kept if it may have several lines. */
char *hbg_base_utf8_clean(char *text, bool lines);

/* ---- interned names --------------------------------------------------------------------------------- */

typedef int32_t hbg_name; /* equal names have equal numbers; 0 is the empty name */

typedef struct {
    hbg_arena *arena;
    HBG_VEC(const char *) texts;
    HBG_VEC(uint32_t) hashes, sizes;
    int32_t *slots; /* open addressing, name or -1 */
    int32_t slot_count;
} hbg_names;

/* Continues a sum of texts, eight bytes at a time, each folded in by a multiplication whose high half is
 * folded back into the low one. */
uint64_t hbg_base_text_sum(uint64_t sum, const char *text, size_t size);

void hbg_base_names_init(hbg_names *names, hbg_arena *arena);
hbg_name hbg_base_names_add(hbg_names *names, const char *text, size_t size);
hbg_name hbg_base_names_find(const hbg_names *names, const char *text, size_t size); /* -1 if never added */
const char *hbg_base_names_get(const hbg_names *names, hbg_name name);

/* A map from a pair of numbers to a number, for symbol tables: (scope, name) -> object. */
typedef struct {
    hbg_arena *arena;
    struct hbg_pair_slot {
        int32_t first, second, next; /* the value + 1; 0 while the slot is free */
    } * slots;
    int32_t slot_count, count;
} hbg_pair_map;

void hbg_base_pair_map_init(hbg_pair_map *map, hbg_arena *arena);
/* Puts the value (0 or more) if the key is new; returns the value that the key now has. */
int32_t hbg_base_pair_map_add(hbg_pair_map *map, int32_t first, int32_t second, int32_t value);
int32_t hbg_base_pair_map_find(const hbg_pair_map *map, int32_t first, int32_t second); /* -1 if absent */

/* The candidate nearest to `text` by edit distance, close enough to be a typing error; NULL if there is
 * none. */
typedef struct {
    const char *text;
    const char *best;
    int distance;
} hbg_nearest;
void hbg_base_nearest_init(hbg_nearest *nearest, const char *text);
void hbg_base_nearest_offer(hbg_nearest *nearest, const char *candidate);

/* ---- sources and spans ------------------------------------------------------------------------------ */

/* A place in the text: bytes [start, end) in the space of all sources laid end to end; {0,0} is nowhere. */
typedef struct {
    uint32_t start, end;
} hbg_span;

typedef struct {
    const char *path; /* as shown to the user */
    const char *text; /* NUL-terminated copy */
    uint32_t size;
    uint32_t base;           /* position of the first byte; the sources do not touch one another */
    HBG_VEC(uint32_t) lines; /* offset of each line's first byte, made on first use */
} hbg_source;

typedef struct {
    hbg_arena *arena;
    HBG_VEC(hbg_source) items;
    struct {
        int32_t source;  /* index, -1 before the first */
        uint32_t line;   /* index in its lines */
        uint32_t mark;   /* byte of the line */
        uint32_t column; /* of that byte */
    } last;              /* the last place looked up, from where counting in a long line continues */
} hbg_sources;

typedef struct {
    const char *path;
    int32_t line, column;     /* from 1; column counts characters (UTF-8), not bytes */
    const char *text;         /* the source line */
    uint32_t text_size;       /* without its line end */
    uint32_t mark, mark_size; /* marked bytes of the line, whole characters, at least one; a place at the
                               * line's end has mark == text_size and size 0: the mark stands after it */
} hbg_place;

void hbg_base_sources_init(hbg_sources *sources, hbg_arena *arena);
/* Adds a copy of the text and returns its index, or -1 when positions are used up (4 GiB). */
int32_t hbg_base_sources_add(hbg_sources *sources, const char *path, const char *text, size_t size);
/* The place of a span; false for nowhere. If it has several lines, the part on its first line is marked. */
bool hbg_base_sources_place(hbg_sources *sources, hbg_span span, hbg_place *place);
hbg_span hbg_base_span_join(hbg_span a, hbg_span b); /* from the first to the last; nowhere adds nothing */

/* ---- diagnostics: a wrong model --------------------------------------------------------------------- */

#include "base/diagnostic_list_impl.h" /* HBG_DIAGNOSTIC_LIST(X): identifier, code, severity, name, summary */

typedef enum { HBG_NOTE, HBG_WARNING, HBG_ERROR } hbg_severity;

typedef enum {
#define HBG_DIAGNOSTIC_ENUM(identifier, code, severity, name, summary) HBG_##identifier,
    HBG_DIAGNOSTIC_LIST(HBG_DIAGNOSTIC_ENUM)
#undef HBG_DIAGNOSTIC_ENUM
        HBG_DIAGNOSTIC_COUNT
} hbg_diagnostic_id;

typedef struct {
    const char *code; /* "E0301" or "W0702" */
    hbg_severity severity;
    const char *name;    /* "unused-parameter": turns a warning off; "" for errors */
    const char *summary; /* the meaning of the code, for the manual */
} hbg_diagnostic_kind;
const hbg_diagnostic_kind *hbg_base_diagnostic_kind_get(hbg_diagnostic_id id);
hbg_diagnostic_id
hbg_base_diagnostic_find_warning(const char *name); /* HBG_DIAGNOSTIC_COUNT: there is no such warning */

typedef struct {
    hbg_span span;
    const char *text;
} hbg_diagnostic_note;

typedef struct {
    hbg_diagnostic_id id;
    hbg_severity severity; /* of its kind, or error if warnings are errors */
    hbg_span span;
    const char *text;
    const char *fix;         /* the likely repair, or NULL */
    hbg_span edit;           /* the same as an edit of the text: this becomes the replacement; */
    const char *replacement; /* NULL: there is none */
    HBG_VEC(hbg_diagnostic_note) notes;
    bool told; /* it has been read */
} hbg_diagnostic;

typedef struct {
    hbg_arena *arena;
    HBG_VEC(hbg_diagnostic) items; /* the first HBG_DIAGNOSTICS_KEPT of each severity; the rest are counted */
    int64_t errors, warnings;      /* found, kept or not */
    int64_t kept_warnings;
    bool disabled[HBG_DIAGNOSTIC_COUNT];
    bool warnings_are_errors;
    hbg_diagnostic discarded; /* what hbg_base_report returns for those not kept */
} hbg_diagnostics;

#define HBG_DIAGNOSTICS_KEPT 1000

void hbg_base_diagnostics_init(hbg_diagnostics *diagnostics, hbg_arena *arena);
/* Reports one; notes and a fix can be added to the result, which is never NULL (a report that is not kept is
 * dropped) and valid until the next report. A warning that is turned off and a repetition of the previous
 * report are not counted. */
hbg_diagnostic *hbg_base_report(hbg_diagnostics *diagnostics, hbg_diagnostic_id id, hbg_span span,
                                const char *format, ...) HBG_PRINTF(4, 5);
void hbg_base_report_note(hbg_diagnostics *diagnostics, hbg_diagnostic *to, hbg_span span, const char *format,
                          ...) HBG_PRINTF(4, 5);
void hbg_base_report_fix(hbg_diagnostics *diagnostics, hbg_diagnostic *to, const char *format, ...)
    HBG_PRINTF(3, 4);
/* The repair as an edit; an empty span marks an insertion. */
void hbg_base_report_edit(hbg_diagnostics *diagnostics, hbg_diagnostic *to, hbg_span span, const char *format,
                          ...) HBG_PRINTF(4, 5);
/* `did you mean …?` of the name at this place, with its edit. */
void hbg_base_report_meant(hbg_diagnostics *diagnostics, hbg_diagnostic *to, hbg_span span, const char *name);
/* Whether a further diagnostic of this severity would be kept, so that a suggestion is worth computing. */
bool hbg_base_report_wanted(const hbg_diagnostics *diagnostics, hbg_severity severity);

/* Puts them in the order of the text, reports at one place in the order of reporting, those without a place
 * last. */
void hbg_base_diagnostics_sort(hbg_diagnostics *diagnostics);
/* Drops warnings without a place in a text, from this item on. */
void hbg_base_diagnostics_forget(hbg_diagnostics *diagnostics, int32_t from);

/* ---- exact decimals --------------------------------------------------------------------------------- */

/* sign · digits · 10^exponent, exact. Canonical: no leading or trailing zero digit; zero is "0" with exponent
 * 0. */
typedef struct {
    const char *digits; /* NUL-terminated, '0'…'9' */
    int32_t exponent;
    bool negative;
} hbg_decimal;

/* Decimals with more than HBG_DECIMAL_DIGITS digits are refused, and those with an exponent above this, or
 * below its negative. */
#define HBG_DECIMAL_EXPONENT 10000

/* Text as in C without hex: 12, 1.5, .5, 7.5e-6, with or without a sign. False: not a number, too many
 * digits, exponent out of range. */
bool hbg_base_decimal_parse(hbg_arena *arena, const char *text, size_t size, hbg_decimal *result);
bool hbg_base_decimal_multiply(hbg_arena *arena, hbg_decimal a, hbg_decimal b, hbg_decimal *result);
bool hbg_base_decimal_add(hbg_arena *arena, hbg_decimal a, hbg_decimal b, hbg_decimal *result);
hbg_decimal hbg_base_decimal_of_double(hbg_arena *arena,
                                       double value);       /* the shortest that reads back; finite only */
double hbg_base_decimal_to_double(hbg_decimal decimal);     /* nearest; ±HUGE_VAL out of range */
int hbg_base_decimal_compare(hbg_decimal a, hbg_decimal b); /* -1, 0, 1 by value */
void hbg_base_decimal_print(hbg_buffer *buffer, hbg_decimal decimal); /* readable: 0.005, 7.5e-06, 330 */

/* Arithmetic modulo the prime 2^61 - 1: the value there decides whether an exact sum of products is 0, wrong
 * with a probability of about 1e-18 if unknown factors are random. */
uint64_t hbg_base_modular_add(uint64_t a, uint64_t b);
uint64_t hbg_base_modular_negate(uint64_t a);
uint64_t hbg_base_modular_multiply(uint64_t a, uint64_t b);
uint64_t hbg_base_modular_invert(uint64_t a); /* of 0: 0 */
uint64_t hbg_base_modular_decimal(hbg_decimal number);
uint64_t hbg_base_modular_double(double number); /* of a finite one, as the fraction it is */
uint64_t hbg_base_modular_draw(uint64_t seed);   /* random, but always the same for a seed */

void hbg_base_sort_numbers(double *values, int64_t count); /* without NAN */
/* The quantile at a share from 0 to 1 of one or more sorted numbers, interpolated like R's type 7. */
double hbg_base_quantile(const double *sorted, int64_t count, double share);

/* The nearest double to a text as in hbg_base_decimal_parse, of any length, or to `inf`, `nan` in upper or
 * lower case, in any locale; ±HUGE_VAL out of range. False: not a number. */
bool hbg_base_double_parse(const char *text, size_t size, double *value);

/* ---- files ------------------------------------------------------------------------------------------ */

/* An error of the system in our own words: the same in every locale, no buffer shared between threads. */
const char *hbg_base_file_words(int error);
/* Likewise for a file that could not be made: nothing exists except, perhaps, its folder. */
const char *hbg_base_file_unmade_words(const char *path, int error);
/* Reads a whole regular file of at most `limit` bytes into the arena, with a NUL after them. Never blocks on
 * a pipe. On failure *reason (may be NULL) says why in words, e.g. "it is a directory". */
HBG_MUST_CHECK hbg_status hbg_base_file_read(hbg_arena *arena, const char *path, size_t limit, char **text,
                                             size_t *size, const char **reason);
/* Whether both exist and are the same file, even under different names. */
bool hbg_base_file_same(const char *one, const char *other);
/* Whether to keep waiting for a pipe or a terminal that accepts nothing. Called about ten times a second, by
 * the waiting thread. */
typedef struct {
    bool (*goes_on)(void *context); /* NULL: wait for ever */
    void *context;
} hbg_patience;

/* Writes a file so that it is always complete: a temporary file next to it, then a rename. A file that is not
 * regular, like a pipe or the standard output under /dev, is written into, as long as patience (may be NULL)
 * lasts. */
HBG_MUST_CHECK hbg_status hbg_base_file_write(const char *path, const char *data, size_t size,
                                              const hbg_patience *patience, const char **reason);

/* Likewise for a file that only hbg reads: a file of this name is replaced, also a link, which is not
 * followed. */
HBG_MUST_CHECK hbg_status hbg_base_file_replace(const char *path, const char *data, size_t size,
                                                const char **reason);

/* Opens a file that is not regular, to write into it; a named pipe needs a reader first. -1 with errno on
 * failure, EINTR if patience (may be NULL) has ended. */
int hbg_base_stream_open(const char *path, const hbg_patience *patience);
/* Writes all of it: 0, or the error, EINTR as above. */
HBG_MUST_CHECK int hbg_base_stream_write(int file, const char *data, size_t size,
                                         const hbg_patience *patience);

/* ---- libraries loaded on demand ----------------------------------------------------------------------- */

/* Headers of the library declare the names. The struct of pointers to them and their array come from one
 * list, LIST(X): struct { LIST(HBG_LIBRARY_POINTER) }, {LIST(HBG_LIBRARY_NAME)}. */
typedef struct {
    const char *file;         /* as the loader knows it: "libhdf5_serial.so.103" */
    const char *package;      /* of Debian, which brings it */
    const char *const *names; /* the first is that of a function */
    int32_t count;
} hbg_base_library;

#define HBG_LIBRARY_POINTER(name) __typeof__(name) *name;
#define HBG_LIBRARY_NAME(name)    #name,

/* Fills the struct. False: *reason, in the arena, has the loader's message, and what to install. */
HBG_MUST_CHECK bool hbg_base_library_load(hbg_arena *arena, const hbg_base_library *library, void *functions,
                                          const char **reason);

#endif
