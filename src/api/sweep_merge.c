/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg_sweep_merge: the tables of all shards of a sweep become the one table that a single machine would have
 * written, byte for byte. All of them are read and checked before anything is written; none is held in
 * memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/sweep_impl.h"

#define LINE_MOST  ((size_t)64 << 20) /* bytes of the first lines */
#define NAMED_MOST 12                 /* shards that a message lists */

typedef struct {
    const char *path;
    hbg_sweep_shard of;
    const char *head; /* names of the columns, with the end of the line */
} piece;

typedef struct {
    hbg_session *session;
    piece *pieces; /* by place in the sweep, once they are sorted */
    int32_t count;
    int32_t columns;
    int64_t unfinished;
} merge;

static hbg_status refuse(const merge *m, const piece *p, const char *why) {
    return hbg_api_session_fail(m->session, HBG_BAD_ARGUMENT, "`%s` cannot be merged: %s", p->path, why);
}

/* ---- first lines --------------------------------------------------------------------------------------- */

static hbg_status cannot_open(const merge *m, const piece *p, int error) {
    const char *partial = hbg_base_arena_print(&m->session->scratch, "%s.partial", p->path);
    if (error == ENOENT && access(partial, F_OK) == 0)
        return hbg_api_session_fail(m->session, HBG_CANNOT_READ,
                                    "`%s` is not complete: its sweep goes on with --resume", p->path);
    return hbg_api_session_fail(m->session, HBG_CANNOT_READ, "`%s`: %s", p->path, hbg_base_file_words(error));
}

/* Skips a line; its size with its end. */
static size_t pass_line(FILE *file) {
    size_t size = 0;
    int byte;
    while (size < LINE_MOST && (byte = getc(file)) != EOF) {
        size++;
        if (byte == '\n') break;
    }
    return size;
}

/* Sizes of the first two lines; 0, or why the file cannot be read. Nothing is allocated while it is open. */
static int measure(const char *path, size_t sizes[2]) {
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return errno;
    for (int i = 0; i < 2; i++) sizes[i] = pass_line(file);
    int error = ferror(file) ? (errno > 0 ? errno : EIO) : 0;
    (void)fclose(file);
    return error;
}

static hbg_status read_begin(const merge *m, piece *p) {
    size_t sizes[2] = {0}, all;
    struct stat about;
    if (stat(p->path, &about) == 0 && !S_ISREG(about.st_mode)) // a pipe cannot be read twice
        return refuse(m, p, "it is not a regular file");
    int error = measure(p->path, sizes);
    if (error) return cannot_open(m, p, error);
    char *text = hbg_base_arena_alloc(&m->session->scratch, sizes[0] + sizes[1] + 1);
    FILE *file = fopen(p->path, "rb");
    all = file ? fread(text, 1, sizes[0] + sizes[1], file) : 0;
    text[all] = '\0';
    if (file) (void)fclose(file);
    if (!hbg_api_sweep_shard_read(text, &p->of))
        return refuse(m, p, "it is no shard; `hbg sweep MODEL --shard K/N -o FILE` makes one");
    if (sizes[1] == 0 || all < sizes[0] + sizes[1] || text[all - 1] != '\n')
        return refuse(m, p, "it ends before its first row");
    p->head = text + sizes[0];
    return HBG_OK;
}

/* ---- whether they belong together ---------------------------------------------------------------------- */

static hbg_status check_same(const merge *m, const piece *p) {
    const piece *first = &m->pieces[0];
    hbg_arena *arena = &m->session->scratch;
    if (strcmp(p->of.version, first->of.version) != 0)
        return refuse(m, p,
                      hbg_base_arena_print(arena, "it was made by hbg %s, `%s` by hbg %s", p->of.version,
                                           first->path, first->of.version));
    if (p->of.shards != first->of.shards)
        return refuse(m, p,
                      hbg_base_arena_print(arena, "it is one of %lld shards, `%s` one of %lld",
                                           (long long)p->of.shards, first->path,
                                           (long long)first->of.shards));
    if (p->of.key != first->of.key || p->of.runs != first->of.runs || strcmp(p->head, first->head) != 0)
        return refuse(m, p,
                      hbg_base_arena_print(
                          arena, "it belongs to another model, or to other options, than `%s`", first->path));
    return HBG_OK;
}

static int by_shard(const void *a, const void *b) {
    const piece *one = a, *other = b;
    if (one->of.shard != other->of.shard) return one->of.shard < other->of.shard ? -1 : 1;
    return strcmp(one->path, other->path);
}

static hbg_status check_all_there(const merge *m) {
    int64_t shards = m->pieces[0].of.shards, missing = 0, wanted = 1;
    hbg_buffer names;
    hbg_base_buffer_init(&names, &m->session->scratch);
    for (int32_t i = 0; i < m->count; i++) {
        int64_t shard = m->pieces[i].of.shard;
        if (shard < wanted)
            return refuse(m, &m->pieces[i],
                          hbg_base_arena_print(&m->session->scratch,
                                               "it is shard %lld of %lld, and so is `%s`", (long long)shard,
                                               (long long)shards, m->pieces[i - 1].path));
        for (; wanted < shard; wanted++)
            if (missing++ < NAMED_MOST) hbg_base_buffer_print(&names, " %lld", (long long)wanted);
        wanted = shard + 1;
    }
    for (; wanted <= shards; wanted++)
        if (missing++ < NAMED_MOST) hbg_base_buffer_print(&names, " %lld", (long long)wanted);
    if (missing == 0) return HBG_OK;
    if (missing > NAMED_MOST)
        hbg_base_buffer_print(&names, " and %lld more", (long long)(missing - NAMED_MOST));
    return hbg_api_session_fail(m->session, HBG_BAD_ARGUMENT, "of %lld shards %lld %s missing:%s",
                                (long long)shards, (long long)missing, missing == 1 ? "is" : "are",
                                names.data);
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

/* Cells of a row after its number, up to the end of the line. False: it is cut off. */
static bool pass_cells(FILE *file, int32_t verdict, int32_t *cells, bool *finished) {
    char word[16] = "";
    size_t size = 0;
    bool quoted = false;
    int byte;
    *cells = 2;
    while ((byte = getc(file)) != EOF && (quoted || byte != '\n')) {
        if (byte == '"') quoted = !quoted;
        if (byte == ',' && !quoted)
            ++*cells;
        else if (*cells == verdict && size + 1 < sizeof word)
            word[size++] = (char)byte;
    }
    word[size] = '\0';
    *finished = strcmp(word, "finished") == 0;
    return byte == '\n';
}

/* Whether the row begins with its number and a comma; *ends: nothing follows. */
static bool pass_number(FILE *file, int64_t run, bool *ends) {
    char expected[32];
    (void)snprintf(expected, sizeof expected, "%lld,", (long long)run);
    int byte = getc(file);
    *ends = byte == EOF;
    for (const char *at = expected; *at; at++) {
        if (byte != (unsigned char)*at) return false;
        if (at[1]) byte = getc(file);
    }
    return true;
}

/* What is wrong with the rows, with a place for the number of the run, or NULL. */
static const char *check_rows(merge *m, const piece *p, FILE *file, int64_t *run) {
    for (*run = p->of.first; *run < p->of.end; ++*run) {
        bool ends, finished;
        int32_t cells;
        if (!pass_number(file, *run, &ends))
            return ends ? "it ends before the row of run %lld"
                        : "the row of run %lld is missing, or not in its place";
        if (!pass_cells(file, m->columns - 1, &cells, &finished) || cells != m->columns)
            return "the row of run %lld is not whole";
        m->unfinished += !finished;
    }
    return getc(file) == EOF ? NULL : "something follows its last row, before that of run %lld";
}

static hbg_status check_piece(merge *m, const piece *p) {
    int64_t run;
    FILE *file = fopen(p->path, "rb");
    if (!file) return cannot_open(m, p, errno);
    (void)pass_line(file);
    (void)pass_line(file);
    const char *wrong = check_rows(m, p, file, &run);
    bool failed = ferror(file);
    (void)fclose(file);
    if (failed) return cannot_open(m, p, EIO);
    return wrong ? refuse(m, p, hbg_base_arena_print(&m->session->scratch, wrong, (long long)run)) : HBG_OK;
}

static int32_t count_columns(const char *head) {
    int32_t count = 1;
    bool quoted = false;
    for (; *head; head++) {
        if (*head == '"') quoted = !quoted;
        count += *head == ',' && !quoted;
    }
    return count;
}

/* ---- the table ------------------------------------------------------------------------------------------ */

static bool copy_rows(const piece *p, hbg_sim_lines *lines) {
    char block[65536];
    size_t size;
    FILE *file = fopen(p->path, "rb");
    if (!file) return false;
    (void)pass_line(file);
    (void)pass_line(file);
    bool fine = true;
    while (fine && (size = fread(block, 1, sizeof block, file)) > 0)
        fine = hbg_sim_lines_write(lines, block, size);
    fine = fine && !ferror(file);
    (void)fclose(file);
    return fine;
}

static hbg_status write_table(const merge *m, const char *file) {
    const char *reason = "", *head = m->pieces[0].head;
    for (int32_t i = 0; i < m->count; i++)
        if (strcmp(file, "-") != 0 && hbg_base_file_same(file, m->pieces[i].path))
            return refuse(m, &m->pieces[i], "the table would be written over it");
    hbg_sim_lines *lines = hbg_sim_lines_open(&m->session->memory, file, NULL, &reason);
    if (lines) {
        errno = 0;
        bool fine = hbg_sim_lines_write(lines, head, strlen(head));
        for (int32_t i = 0; i < m->count && fine; i++) fine = copy_rows(&m->pieces[i], lines);
        int error = errno;
        if (hbg_sim_lines_close(lines, fine, &reason) && fine) return HBG_OK;
        if (!reason) reason = hbg_base_file_words(error > 0 ? error : EIO);
    }
    return hbg_api_session_fail(m->session, HBG_CANNOT_WRITE, "the table cannot be written to `%s`: %s", file,
                                reason);
}

static hbg_status merge_all(merge *m, const char *const *paths, const char *file) {
    if (m->count == 0)
        return hbg_api_session_fail(m->session, HBG_BAD_ARGUMENT, "there are no shards to merge");
    for (int32_t i = 0; i < m->count; i++) {
        m->pieces[i].path = paths[i];
        HBG_TRY(read_begin(m, &m->pieces[i]));
        HBG_TRY(check_same(m, &m->pieces[i]));
    }
    qsort(m->pieces, (size_t)m->count, sizeof *m->pieces, by_shard);
    HBG_TRY(check_all_there(m));
    m->columns = count_columns(m->pieces[0].head);
    for (int32_t i = 0; i < m->count; i++) HBG_TRY(check_piece(m, &m->pieces[i]));
    return write_table(m, file);
}

hbg_status hbg_api_sweep_merge(hbg_session *session, const char *const *paths, int count, const char *file,
                               hbg_run_end *end, hbg_buffer *out) {
    merge m = {.session = session, .count = count};
    m.pieces = HBG_NEW_ARRAY(&session->scratch, piece, count + 1);
    HBG_TRY(merge_all(&m, paths, file ? file : "-"));
    long long runs = (long long)m.pieces[0].of.runs;
    *end = m.unfinished == 0 ? HBG_RUN_FINISHED : HBG_RUN_NOT_FINISHED;
    hbg_base_buffer_print(out, "%lld run%s of %d shard%s; %lld did not get to the end\n", runs,
                          runs == 1 ? "" : "s", count, count == 1 ? "" : "s", (long long)m.unfinished);
    return HBG_OK;
}

hbg_status hbg_sweep_merge(hbg_session *session, const char *const *paths, int count, const char *file,
                           hbg_run_end *end, hbg_text *text) {
    *text = (hbg_text){0};
    *end = HBG_RUN_NOT_FINISHED;
    HBG_ENTER(session);
    hbg_buffer out;
    hbg_base_buffer_init(&out, &session->scratch);
    hbg_status status = hbg_api_sweep_merge(session, paths, count, file, end, &out);
    if (status == HBG_OK) status = hbg_api_text_of(session, out.data, out.size, text);
    return hbg_api_session_leave(session, status);
}
