/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hbg draw: a picture of the bond graph. The name of the file selects the format. */
#include "tool/tool_impl.h"

#include <limits.h>
#include <string.h>

/* The format of an ending; false if it is unknown. */
static bool find_format(const char *path, hbg_draw_format *format) {
    static const struct {
        const char *ending;
        hbg_draw_format format;
    } formats[] = {
        {".svg", HBG_DRAW_SVG}, {".png", HBG_DRAW_PNG}, {".dot", HBG_DRAW_DOT}, {".gv", HBG_DRAW_DOT}};
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t ending = strlen(formats[i].ending);
        if (size <= ending || strcmp(path + size - ending, formats[i].ending) != 0) continue;
        *format = formats[i].format;
        return true;
    }
    *format = HBG_DRAW_SVG;
    return strcmp(path, "-") == 0;
}

/* Without -o the picture has the name of the model's file and is in the current folder. */
static void default_output(const char *model, char *output, size_t size) {
    const char *slash = strrchr(model, '/');
    const char *base = slash ? slash + 1 : model;
    const char *dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    snprintf(output, size, "%.*s.svg", length > 200 ? 200 : length, base);
}

static int draw(hbg_session *session, const hbg_model *model, const tool_options *options, const char *output,
                hbg_draw_format format) {
    hbg_draw_options draw_options = options->draw;
    draw_options.format = format;
    hbg_text picture, earlier = {0};
    if (options->like) {
        hbg_status read = hbg_read_file(session, options->like, &earlier);
        if (read != HBG_OK) return hbg_tool_fail(session, options->like, read);
        draw_options.earlier = earlier.data;
    }
    hbg_status status = hbg_draw(session, model, &draw_options, &picture);
    hbg_text_free(session, &earlier);
    if (status != HBG_OK) {
        hbg_tool_fail(session, options->files.values[0], status);
        if (status == HBG_TOO_LARGE) fprintf(stderr, "hbg: `--force` draws it all the same\n");
        return EXIT_BAD_INPUT;
    }
    int result = hbg_tool_write(session, output, &picture);
    if (result == EXIT_FINE && strcmp(output, "-") != 0) hbg_tool_say(stdout, "wrote %s\n", output);
    return result;
}

int hbg_tool_command_draw(const tool_options *options) {
    char name[256];
    default_output(options->files.values[0], name, sizeof name);
    const char *output = options->output ? options->output : name;
    hbg_draw_format format;
    if (!find_format(output, &format)) {
        hbg_tool_say(
            stderr,
            "hbg: `%s` is not a picture that hbg can draw: the name has to end in .svg, .png or .dot\n",
            output);
        return EXIT_BAD_INPUT;
    }
    hbg_session *session = hbg_tool_session_new(options);
    hbg_model *model = session ? hbg_tool_load(session, options, options->files.values[0]) : NULL;
    int result = model ? draw(session, model, options, output, format) : EXIT_BAD_INPUT;
    hbg_session_free(session);
    return result;
}
