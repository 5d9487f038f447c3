/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg studio: serves the studio until a signal ends it, and opens the browser. */
#include "hbg/studio.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tool/tool_impl.h"

extern char **environ;

/* ---- the browser --------------------------------------------------------------------------------------- */

static bool start(const char *program, const char *address, pid_t *child) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    char *arguments[] = {strdup(program), strdup(address), NULL};
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool started =
        arguments[0] && arguments[1] && posix_spawnp(child, program, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    free(arguments[0]);
    free(arguments[1]);
    return started;
}

/* Without a display, a text browser would take over this terminal. 0: none was started. */
static pid_t open_browser(const char *address) {
    static const char *const browsers[] = {"xdg-open", "sensible-browser", "x-www-browser", "firefox",
                                           "chromium"};
    const char *wanted = getenv("BROWSER");
    pid_t child;
    if (wanted && wanted[0]) return start(wanted, address, &child) ? child : 0;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return 0;
    for (size_t i = 0; i < sizeof browsers / sizeof *browsers; i++)
        if (start(browsers[i], address, &child)) return child;
    return 0;
}

static void say_no_browser(void) {
    hbg_tool_say(stderr,
                 "hbg: no browser could be started here: open the address in one. From another machine\n");
    hbg_tool_say(stderr,
                 "hbg: `ssh -L PORT:127.0.0.1:PORT HOST` makes it reachable there under the same address\n");
}

/* Waits for a signal. A browser that cannot start shows that by its exit status. */
static void wait_for_end(pid_t browser) {
    const struct timespec pause = {.tv_nsec = 200000000};
    tool_watch watch;
    hbg_tool_watch_begin(&watch, true);
    while (!hbg_tool_interrupted()) {
        int status;
        if (browser > 0 && waitpid(browser, &status, WNOHANG) == browser) {
            browser = 0;
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) say_no_browser();
        }
        (void)nanosleep(&pause, NULL);
    }
}

/* ---- what to open -------------------------------------------------------------------------------------- */

/* A folder, or the folder of a model and its name; a missing file may become a model. */
static bool take_place(const tool_options *options, char folder[PATH_MAX], const char **file) {
    const char *place = options->files.count > 0 ? options->files.values[0] : ".";
    struct stat found;
    *file = NULL;
    if (strlen(place) >= PATH_MAX) return false;
    strcpy(folder, place);
    if (stat(place, &found) == 0 && S_ISDIR(found.st_mode)) return true;
    const char *slash = strrchr(place, '/');
    *file = slash ? slash + 1 : place;
    strcpy(folder, slash ? "" : ".");
    if (slash) (void)snprintf(folder, PATH_MAX, "%.*s", slash == place ? 1 : (int)(slash - place), place);
    return stat(place, &found) == 0 && S_ISREG(found.st_mode);
}

int hbg_tool_command_studio(const tool_options *options) {
    char folder[PATH_MAX], sources[PATH_MAX], engine[2 * PATH_MAX], reason[400] = "";
    const char *file;
    tool_search search;
    hbg_studio *studio;
    if (!hbg_studio_has_page()) {
        hbg_tool_say(stderr,
                     "hbg: this hbg was built without the page of the studio, since npm was not there:\n");
        hbg_tool_say(stderr, "hbg: install it (`apt-get install npm`) and run `make`\n");
        return EXIT_BAD_INPUT;
    }
    if (!take_place(options, folder, &file)) {
        hbg_tool_say(stderr, "hbg: `%s` is neither a folder nor a model\n", options->files.values[0]);
        return EXIT_BAD_INPUT;
    }
    hbg_tool_find_search(&search, options);
    hbg_studio_options how = {.folder = folder,
                              .file = file,
                              .port = options->studio.port,
                              .token = options->studio.token,
                              .search = search.folders,
                              .search_count = search.count};
    if (hbg_tool_find_data("src", "rt/rt.h", sources, sizeof sources)) how.sources = sources;
    how.engine = hbg_tool_find_engine(engine, sizeof engine);
    hbg_status status = hbg_studio_new(&how, &studio, reason, sizeof reason);
    if (status != HBG_OK) {
        hbg_tool_say(stderr, "hbg: the studio cannot start: %s\n",
                     reason[0] ? reason : hbg_status_text(status));
        return EXIT_BAD_INPUT;
    }
    hbg_tool_say(stdout, "hbg studio: %s (Ctrl-C ends it)\n", hbg_studio_address(studio));
    (void)fflush(stdout);
    pid_t browser = options->studio.no_open ? 0 : open_browser(hbg_studio_address(studio));
    if (!options->studio.no_open && browser == 0) say_no_browser();
    wait_for_end(browser);
    hbg_studio_free(studio);
    return EXIT_FINE;
}
