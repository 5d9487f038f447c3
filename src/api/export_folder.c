/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A folder of files that is always complete: it is written beside its place, and then renamed. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/export_impl.h"

static hbg_status refuse(hbg_session *session, const char *folder, const char *why) {
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the folder `%s` cannot be written: %s", folder,
                                why);
}

static hbg_status refuse_file(hbg_session *session, const char *file, const char *why) {
    return hbg_api_session_fail(session, HBG_CANNOT_WRITE, "the file `%s` cannot be written: %s", file, why);
}

static bool is_empty(const char *path) {
    DIR *folder = opendir(path);
    bool empty = folder != NULL;
    for (const struct dirent *at; folder && (at = readdir(folder)) != NULL;)
        empty = empty && (strcmp(at->d_name, ".") == 0 || strcmp(at->d_name, "..") == 0);
    if (folder) closedir(folder);
    return empty;
}

/* Without trailing slashes. */
static const char *plain_path(hbg_session *session, const char *folder) {
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/') size--;
    return hbg_base_arena_copy(&session->scratch, folder, size);
}

/* What is wrong with the folder that should contain a path, or NULL. */
static const char *fault_of_parent(hbg_session *session, const char *path) {
    const char *slash = strrchr(path, '/');
    struct stat found;
    const char *parent = !slash ? "."
                         : slash == path
                             ? "/"
                             : hbg_base_arena_copy(&session->scratch, path, (size_t)(slash - path));
    if (stat(parent, &found) != 0 || !S_ISDIR(found.st_mode))
        return "the folder it is to be in does not exist";
    return access(parent, W_OK | X_OK) == 0 ? NULL : hbg_base_file_words(errno);
}

hbg_status hbg_api_export_check_folder(hbg_session *session, const char *folder) {
    const char *path = plain_path(session, folder);
    struct stat found;
    if (!path[0]) return refuse(session, folder, "it has no name");
    if (stat(path, &found) == 0) {
        if (!S_ISDIR(found.st_mode)) return refuse(session, folder, "it is a file");
        if (!is_empty(path)) return refuse(session, folder, "it is there and not empty");
    }
    const char *fault = fault_of_parent(session, path);
    return fault ? refuse(session, folder, fault) : HBG_OK;
}

hbg_status hbg_api_export_check_file(hbg_session *session, const char *file) {
    struct stat found;
    if (!file[0]) return refuse_file(session, file, "it has no name");
    if (stat(file, &found) == 0 && S_ISDIR(found.st_mode))
        return refuse_file(session, file, "it is a folder");
    const char *fault = fault_of_parent(session, file);
    return fault ? refuse_file(session, file, fault) : HBG_OK;
}

static void remove_all(hbg_session *session, const char *path, const hbg_emit_files *files, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        (void)unlink(hbg_base_arena_print(&session->scratch, "%s/%s", path, files->items[i].name));
    (void)rmdir(path);
}

hbg_status hbg_api_export_write_folder(hbg_session *session, const char *folder,
                                       const hbg_emit_files *files) {
    const char *path = plain_path(session, folder), *reason = "";
    const char *part = hbg_base_arena_print(&session->scratch, "%s.partial", path);
    hbg_status status = HBG_OK;
    int32_t count = 0;
    if (mkdir(part, 0777) != 0) return refuse(session, folder, hbg_base_file_words(errno));
    for (; count < files->count && status == HBG_OK; count++) {
        const hbg_emit_file *file = &files->items[count];
        const char *name = hbg_base_arena_print(&session->scratch, "%s/%s", part, file->name);
        status = hbg_base_file_write(name, file->text, file->size, NULL, &reason);
    }
    if (status == HBG_OK && rename(part, path) == 0) return HBG_OK;
    if (status == HBG_OK) reason = hbg_base_file_words(errno);
    remove_all(session, part, files, count);
    return status == HBG_NO_MEMORY ? status : refuse(session, folder, reason);
}
