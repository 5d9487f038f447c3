/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The files of the opened folder. Paths are resolved, including links, before anything is read or written,
 * and refused unless they are below the folder. A file is written only if it has not changed since the page
 * read it. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "studio/studio_impl.h"

/* ---- paths --------------------------------------------------------------------------------------------- */

static bool is_below(const char *folder, const char *path) {
    size_t size = strlen(folder);
    if (size == 1) return true; // the root
    return strncmp(path, folder, size) == 0 && (path[size] == '/' || !path[size]);
}

static bool is_plain(const char *path) {
    if (!path[0] || path[0] == '/' || strlen(path) >= PATH_MAX / 4) return false;
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
        size_t size = strcspn(part, "/");
        if (size == 0 || (size == 1 && part[0] == '.') || (size == 2 && strncmp(part, "..", 2) == 0))
            return false;
    }
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\\') return false;
    return true;
}

bool hbg_studio_resolve(const hbg_studio *studio, const char *path, char real[PATH_MAX], const char **why) {
    char joined[2 * PATH_MAX], parent[PATH_MAX];
    *why = "the path is not below the opened folder";
    if (!path || !is_plain(path)) return false;
    (void)snprintf(joined, sizeof joined, "%s/%s", studio->folder, path);
    if (realpath(joined, real)) {
        if (is_below(studio->folder, real)) return true;
        *why = "the path leads out of the opened folder";
        return false;
    }
    if (errno != ENOENT) {
        *why = "the path cannot be resolved";
        return false;
    }
    struct stat link;
    if (lstat(joined, &link) == 0) { // a link to nowhere
        *why = "the path is a link that leads nowhere";
        return false;
    }
    char *name = strrchr(joined, '/');
    *name++ = '\0';
    if (!realpath(joined, parent)) {
        *why = "its folder does not exist";
        return false;
    }
    if (!is_below(studio->folder, parent)) {
        *why = "the path leads out of the opened folder";
        return false;
    }
    return snprintf(real, PATH_MAX, "%s/%s", parent, name) < PATH_MAX;
}

/* ---- listing ------------------------------------------------------------------------------------------- */

typedef struct {
    char **paths;
    int count;
} listing;

static bool is_model(const char *name) {
    size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, ".hbg") == 0;
}

/* Links are not followed: all listed files are in the folder. */
static void list_folder(listing *all, const char *folder, const char *below, int depth) {
    DIR *opened = opendir(folder);
    const struct dirent *entry;
    while (opened && all->count < HBG_STUDIO_FILES_MOST && (entry = readdir(opened)) != NULL) {
        char path[PATH_MAX], shown[PATH_MAX];
        struct stat found;
        if (entry->d_name[0] == '.') continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path) continue;
        if (snprintf(shown, sizeof shown, "%s%s", below, entry->d_name) >= (int)sizeof shown - 1) continue;
        if (lstat(path, &found) != 0) continue;
        if (S_ISDIR(found.st_mode) && depth < 8) {
            strcat(shown, "/");
            list_folder(all, path, shown, depth + 1);
        } else if (S_ISREG(found.st_mode) && is_model(entry->d_name)) {
            char *kept = strdup(shown);
            if (kept) all->paths[all->count++] = kept;
        }
    }
    if (opened) closedir(opened);
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void hbg_studio_answer_files(hbg_studio_question *question, hbg_studio_answer *answer) {
    const hbg_studio *studio = question->studio;
    listing all = {calloc(HBG_STUDIO_FILES_MOST, sizeof(char *)), 0};
    if (!all.paths) {
        answer->body.failed = true;
        return;
    }
    list_folder(&all, studio->folder, "", 0);
    qsort(all.paths, (size_t)all.count, sizeof *all.paths, compare);
    hbg_studio_text_put(&answer->body, "{\"folder\":");
    hbg_studio_text_json(&answer->body, studio->folder);
    hbg_studio_text_put(&answer->body, ",\"open\":");
    hbg_studio_text_json(&answer->body, studio->file[0] ? studio->file : NULL);
    hbg_studio_text_put(&answer->body, ",\"files\":[");
    for (int i = 0; i < all.count; i++) {
        if (i > 0) hbg_studio_text_put(&answer->body, ",");
        hbg_studio_text_json(&answer->body, all.paths[i]);
        free(all.paths[i]);
    }
    hbg_studio_text_put(&answer->body, "]}");
    free(all.paths);
}

/* ---- reading and writing ------------------------------------------------------------------------------- */

/* A stamp that distinguishes versions of a text. */
static uint64_t stamp_of(const char *data, size_t size) {
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)data[i]) * 1099511628211u;
    return hash;
}

/* Whether this is a text that a page can hold and return unchanged. */
static bool is_text(const hbg_studio_text *text, const char **why) {
    *why = "it is not text: it has a zero byte";
    if (strlen(text->data) != text->size) return false;
    json_t *value = json_string(text->data);
    json_decref(value);
    *why = "it is not in UTF-8, as models have to be: `iconv -f LATIN1 -t UTF-8` may convert it";
    return value != NULL;
}

/* A file as it is on the disk; false: it is missing, or refused. */
static bool read_file(const char *real, hbg_studio_text *text, bool *exists, const char **why) {
    struct stat found;
    *exists = stat(real, &found) == 0;
    if (!*exists) return false;
    *why = "it is not a plain file";
    if (!S_ISREG(found.st_mode)) return false;
    *why = "it is larger than the studio opens (4 MiB)";
    if (found.st_size > (off_t)HBG_STUDIO_FILE_MOST) return false;
    FILE *file = fopen(real, "rb");
    *why = "it cannot be read: are its permissions right?";
    if (!file) return false;
    char piece[8192];
    size_t size;
    hbg_studio_text_put(text, "");
    while (text->size <= HBG_STUDIO_FILE_MOST && (size = fread(piece, 1, sizeof piece, file)) > 0)
        hbg_studio_text_add(text, piece, size);
    bool fine = !ferror(file) && !text->failed && text->size <= HBG_STUDIO_FILE_MOST;
    fclose(file);
    return fine && is_text(text, why);
}

static void put_version(hbg_studio_answer *answer, const hbg_studio_text *text) {
    hbg_studio_text_put(&answer->body, "\"text\":");
    hbg_studio_text_json(&answer->body, text->data);
    hbg_studio_text_print(&answer->body, ",\"stamp\":\"%016llx\"",
                          (unsigned long long)stamp_of(text->data, text->size));
}

void hbg_studio_answer_read(hbg_studio_question *question, hbg_studio_answer *answer) {
    const char *path = hbg_studio_asked_text(question, "path"), *why = "";
    char real[PATH_MAX];
    hbg_studio_text text = {0};
    bool exists = true;
    if (!hbg_studio_resolve(question->studio, path, real, &why))
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN, "%s", why);
    else if (!read_file(real, &text, &exists, &why))
        hbg_studio_refuse(answer, exists ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_NOT_FOUND,
                          "`%s` cannot be opened: %s", path, exists ? why : "it is not there");
    else {
        hbg_studio_text_put(&answer->body, "{");
        put_version(answer, &text);
        hbg_studio_text_put(&answer->body, "}");
    }
    hbg_studio_text_free(&text);
}

/* Checks permissions, since replacing a file by a new one ignores those of the old one. */
static bool may_write(const char *real) {
    struct stat found;
    if (stat(real, &found) != 0) return true; // it is new
    return (found.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) && access(real, W_OK) == 0;
}

static bool write_file(const char *real, const char *text, hbg_studio_answer *answer) {
    hbg_session *session;
    if (!may_write(real)) {
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN,
                          "the file is read-only: `chmod u+w` lets it be written");
        return false;
    }
    if (hbg_session_new(NULL, &session) != HBG_OK) {
        answer->body.failed = true;
        return false;
    }
    hbg_status status = hbg_write_file(session, real, text, strlen(text));
    if (status != HBG_OK)
        hbg_studio_refuse(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, "%s", hbg_session_reason(session));
    hbg_session_free(session);
    return status == HBG_OK;
}

/* If another program has written the file since the page read it, the page asks what to do, and needs the
 * present text. */
static bool is_as_read(const hbg_studio_question *question, const char *real, hbg_studio_answer *answer) {
    const char *stamp = hbg_studio_asked_text(question, "stamp"), *why;
    hbg_studio_text now = {0};
    char is[20] = "";
    bool exists, fine = read_file(real, &now, &exists, &why);
    if (fine) (void)snprintf(is, sizeof is, "%016llx", (unsigned long long)stamp_of(now.data, now.size));
    bool same = stamp ? fine && strcmp(stamp, is) == 0 : !exists;
    if (!same && exists && !fine)
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "the file cannot be replaced: %s", why);
    else if (!same) {
        answer->status = MHD_HTTP_CONFLICT;
        hbg_studio_text_put(&answer->body, "{\"error\":\"the file on the disk has changed\",\"there\":");
        hbg_studio_text_put(&answer->body, exists ? "true" : "false");
        if (exists) hbg_studio_text_put(&answer->body, ",");
        if (exists) put_version(answer, &now);
        hbg_studio_text_put(&answer->body, "}");
    }
    hbg_studio_text_free(&now);
    return same;
}

/* One page at a time, so that of two pages with the same text the second learns of the change. */
static void replace_file(const hbg_studio_question *question, const char *real, const char *text,
                         hbg_studio_answer *answer) {
    pthread_mutex_t *writing = &question->studio->writing;
    pthread_mutex_lock(writing);
    if ((hbg_studio_asked_yes(question, "force") || is_as_read(question, real, answer)) &&
        write_file(real, text, answer))
        hbg_studio_text_print(&answer->body, "{\"stamp\":\"%016llx\"}",
                              (unsigned long long)stamp_of(text, strlen(text)));
    pthread_mutex_unlock(writing);
}

void hbg_studio_answer_write(hbg_studio_question *question, hbg_studio_answer *answer) {
    const char *path = hbg_studio_asked_text(question, "path"),
               *text = hbg_studio_asked_text(question, "text");
    const char *why = "";
    char real[PATH_MAX];
    if (!hbg_studio_resolve(question->studio, path, real, &why))
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN, "%s", why);
    else if (!is_model(real))
        hbg_studio_refuse(answer, MHD_HTTP_FORBIDDEN,
                          "the studio writes models only: the name has to end in .hbg");
    else if (!text || strlen(text) > HBG_STUDIO_FILE_MOST)
        hbg_studio_refuse(answer, MHD_HTTP_BAD_REQUEST, "there is no text, or it is larger than 4 MiB");
    else
        replace_file(question, real, text, answer);
}
