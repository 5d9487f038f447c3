/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The language server, message by message. Expected answers are short pieces of the JSON text that has to come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "hbg/lsp.h"

static const char *const folders[] = {HBG_SOURCE_DIR "/lib"};

#define URI "file:///nowhere/a%20b.hbg"

typedef struct {
    hbg_lsp *lsp;
    char *all; /* answers to the last message, one a line */
    int next;
} client;

static void say(client *c, const char *message) {
    hbg_lsp_messages replies;
    assert_int_equal(hbg_lsp_handle(c->lsp, message, strlen(message), &replies), HBG_OK);
    size_t size = 1;
    for (int i = 0; i < replies.count; i++) size += strlen(replies.items[i]) + 1;
    free(c->all);
    c->all = calloc(1, size);
    assert_non_null(c->all);
    for (int i = 0; i < replies.count; i++) {
        json_error_t error;
        json_t *value = json_loads(replies.items[i], 0, &error); // every answer is JSON
        assert_non_null(value);
        json_decref(value);
        strcat(strcat(c->all, replies.items[i]), "\n");
    }
}

/* A request or, with id 0, a notification; parameters are JSON, with ' for ". */
static const char *ask(client *c, const char *method, const char *params) {
    static const char form[] = "{'jsonrpc':'2.0',%s'method':'%s','params':%s}";
    char id[32] = "";
    if (strncmp(method, "textDocument/did", 16) != 0 && strcmp(method, "exit") != 0)
        snprintf(id, sizeof id, "'id':%d,", ++c->next);
    size_t room = strlen(method) + strlen(params) + 100;
    char *text = malloc(room);
    assert_non_null(text);
    snprintf(text, room, form, id, method, params);
    for (char *at = text; *at; at++)
        if (*at == '\'') *at = '"';
    say(c, text);
    free(text);
    return c->all;
}

#define assert_has(text, piece)                                                                              \
    do {                                                                                                     \
        if (!strstr(text, piece)) fail_msg("no `%s` in %s", piece, text);                                    \
    } while (0)

static int open_client(void **state) {
    client *c = calloc(1, sizeof *c);
    hbg_service_options options = hbg_service_options_default();
    options.search = folders;
    options.search_count = 1;
    if (!c || hbg_lsp_new(&options, &c->lsp) != HBG_OK) return -1;
    assert_has(
        ask(c, "initialize",
            "{'capabilities':{'textDocument':{'completion':{'completionItem':{'snippetSupport':true}}}}}"),
        "\"renameProvider\"");
    *state = c;
    return 0;
}

static int close_client(void **state) {
    client *c = *state;
    hbg_lsp_free(c->lsp);
    free(c->all);
    free(c);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_client, close_client)

static const char *open_text(client *c, const char *text) {
    char params[4000];
    snprintf(params, sizeof params,
             "{'textDocument':{'uri':'%s','languageId':'hbg','version':1,'text':'%s'}}", URI, text);
    return ask(c, "textDocument/didOpen", params);
}

#define AT(line, column)                                                                                     \
    "{'textDocument':{'uri':'" URI "'},'position':{'line':" #line ",'character':" #column "}}"

/* Line 0 is the head, 1 the source, 2 the resistor, 3 the junction, 4 the bonds. */
#define MODEL                                                                                                \
    "model M {\\n"                                                                                           \
    "    Se s(5 [V]); /* ä 𝄞 */ R r(10 [Ohm]);\\n"                                                       \
    "    1 j;\\n"                                                                                            \
    "    s -> j -> r;\\n"                                                                                    \
    "}\\n"

static void diagnostics_come_with_their_repair(void **state) {
    client *c = *state;
    const char *all =
        open_text(c, "model M {\\n    Se s(5 [V]);\\n    R r(1);\\n    1 loop;\\n    s -> lop -> r;\\n}\\n");
    assert_has(all, "\"method\":\"textDocument/publishDiagnostics\"");
    assert_has(all,
               "\"range\":{\"start\":{\"line\":4,\"character\":9},\"end\":{\"line\":4,\"character\":12}}");
    assert_has(all, "did you mean `loop`?");
    all = ask(c, "textDocument/codeAction",
              "{'textDocument':{'uri':'" URI "'},'range':{'start':{'line':4,'character':10},'end':{'line':4,'"
              "character':10}},'context':{'diagnostics':[]}}");
    assert_has(all, "\"newText\":\"loop\"");
    all = ask(c, "textDocument/didChange",
              "{'textDocument':{'uri':'" URI "'},'contentChanges':[{'range':{'start':{'line':4,'character':9}"
              ",'end':{'line':4,'character':12}},'text':'loop'}]}");
    assert_has(all, "\"diagnostics\":[]");
}

static void columns_are_units_of_utf_16(void **state) {
    client *c = *state;
    assert_has(open_text(c, MODEL), "\"diagnostics\":[]");
    // before `R`: 4 blanks, `Se s(5 [V]); `, `/* ä 𝄞 */ ` with two units for the clef
    const char *all = ask(c, "textDocument/definition", AT(3, 14));
    assert_has(all, "\"start\":{\"line\":1,\"character\":30},\"end\":{\"line\":1,\"character\":31}");
    all = ask(c, "textDocument/hover", AT(1, 30));
    assert_has(all, "resistor, electrical: `10 Ohm`");
    // a change behind the clef lands where it should
    ask(c, "textDocument/didChange",
        "{'textDocument':{'uri':'" URI "'},'contentChanges':[{'range':{'start':{'line':1,'character':30},'"
        "end':{'line':1,'character':31}},'text':'load'}]}");
    size_t size;
    const char *text = hbg_service_text(hbg_lsp_service(c->lsp), "/nowhere/a b.hbg", &size);
    assert_non_null(text);
    assert_non_null(strstr(text, "R load(10 [Ohm]);"));
}

static void names_are_found_and_changed(void **state) {
    client *c = *state;
    open_text(c, MODEL);
    const char *all = ask(c, "textDocument/references", AT(2, 6));
    assert_has(all, "\"line\":2,\"character\":6");
    assert_has(all, "\"line\":3,\"character\":9");
    assert_has(ask(c, "textDocument/prepareRename", AT(2, 6)), "\"character\":7");
    all = ask(c, "textDocument/rename",
              "{'textDocument':{'uri':'" URI "'},'position':{'line':2,'character':6},'newName':'node'}");
    assert_has(all, "\"newText\":\"node\"");
    all = ask(c, "textDocument/rename",
              "{'textDocument':{'uri':'" URI "'},'position':{'line':2,'character':6},'newName':'r'}");
    assert_has(all, "there is already a resistor called `r`");
}

static void a_place_is_completed(void **state) {
    client *c = *state;
    open_text(c, "model M {\\n    Se s(5 [V]);\\n    1 j;\\n    s -> \\n}\\n");
    const char *all = ask(c, "textDocument/completion", AT(3, 9));
    assert_has(all, "\"label\":\"j\"");
    assert_null(strstr(all, "\"label\":\"param\""));
    all = ask(c, "textDocument/completion", AT(3, 4));
    assert_has(all, "\"label\":\"s\"");
    assert_has(all, "\"label\":\"Resistor\"");
    assert_has(all, "\"newText\":\"import \\\"electrical.hbg\\\";\\n\\n\""); // an import that it needs
    assert_has(all, "\"insertTextFormat\":2");
}

static void the_whole_text_is_described(void **state) {
    client *c = *state;
    open_text(c, MODEL);
    assert_has(ask(c, "textDocument/documentSymbol", "{'textDocument':{'uri':'" URI "'}}"),
               "\"detail\":\"1-junction\"");
    assert_has(ask(c, "textDocument/semanticTokens/full", "{'textDocument':{'uri':'" URI "'}}"),
               "{\"data\":[0,0,5,15,0,0,6,1,0,1,");
    const char *all = ask(c, "textDocument/inlayHint",
                          "{'textDocument':{'uri':'" URI
                          "'},'range':{'start':{'line':0,'character':0},'end':{'line':9,'character':0}}}");
    assert_has(all, "\"label\":\" electrical\"");
    assert_has(all, "\"label\":\"|\"");
    assert_has(ask(c, "textDocument/signatureHelp", AT(1, 10)), "Se s(value [V])");
    all = ask(c, "textDocument/formatting",
              "{'textDocument':{'uri':'" URI "'},'options':{'tabSize':4,'insertSpaces':true}}");
    assert_has(all, "R r(10 [Ohm]);");
}

static void gestures_are_commands(void **state) {
    client *c = *state;
    open_text(c, MODEL);
    const char *all = ask(c, "workspace/executeCommand",
                          "{'command':'hbg.gesture','arguments':[{'uri':'" URI
                          "','gesture':'add','what':'C','apply':true}]}");
    assert_has(all, "\"newText\":\"\\n    C c(1);\"");
    assert_has(all, "\"method\":\"workspace/applyEdit\"");
    all = ask(c, "workspace/executeCommand",
              "{'command':'hbg.gesture','arguments':[{'uri':'" URI
              "','gesture':'delete','objects':['nobody']}]}");
    assert_has(all, "\"error\":{\"code\":-32803,\"message\":\"nothing is called `nobody` in `M`\"}");
    all = ask(c, "workspace/executeCommand", "{'command':'hbg.palette','arguments':[{'uri':'" URI "'}]}");
    assert_has(all, "\"name\":\"Diode\"");
}

static void wrong_messages_get_errors(void **state) {
    client *c = *state;
    say(c, "{\"jsonrpc\":");
    assert_has(c->all, "-32700");
    say(c, "[]");
    assert_has(c->all, "-32600");
    say(c, "{\"id\":1}");
    assert_has(c->all, "-32600");
    say(c, "\"\xff\xfe\"");
    assert_has(c->all, "-32700");
    assert_has(ask(c, "no/such", "{}"), "-32601");
    assert_has(ask(c, "textDocument/hover", "{}"), "-32602");
    assert_has(ask(c, "textDocument/hover", "[1,2]"), "-32602");
    open_text(c, MODEL);
    assert_has(ask(c, "textDocument/hover",
                   "{'textDocument':{'uri':'" URI "'},'position':{'line':-1,'character':0}}"),
               "-32602");
    assert_has(ask(c, "textDocument/hover", AT(4000000000, 99999999999)), "\"result\":null");
    assert_has(ask(c, "workspace/executeCommand",
                   "{'command':'hbg.gesture','arguments':[{'uri':'" URI "','gesture':'fly'}]}"),
               "-32602");
    // brackets in brackets: deeper than the reader goes
    enum { DEEP = 100000 };
    char *deep = malloc(DEEP + 1);
    assert_non_null(deep);
    memset(deep, '[', DEEP);
    deep[DEEP] = 0;
    say(c, deep);
    assert_has(c->all, "-32700");
    free(deep);
}

static void a_client_begins_and_ends_in_order(void **state) {
    client *c = *state;
    bool properly;
    assert_has(ask(c, "shutdown", "null"), "\"result\":null");
    assert_has(ask(c, "textDocument/hover", AT(0, 0)), "-32600");
    assert_false(hbg_lsp_ended(c->lsp, &properly));
    ask(c, "exit", "null");
    assert_true(hbg_lsp_ended(c->lsp, &properly) && properly);
    hbg_lsp *fresh;
    hbg_lsp_messages replies;
    static const char early[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}";
    assert_int_equal(hbg_lsp_new(NULL, &fresh), HBG_OK);
    assert_int_equal(hbg_lsp_handle(fresh, early, sizeof early - 1, &replies), HBG_OK);
    assert_int_equal(replies.count, 1);
    assert_has(replies.items[0], "-32002");
    hbg_lsp_free(fresh);
}

/* What the server writes when it reads this. */
static bool serve(const char *input, char *output, size_t room) {
    int in[2], out[2];
    hbg_lsp *lsp;
    assert_int_equal(pipe(in) | pipe(out), 0);
    assert_int_equal(hbg_lsp_new(NULL, &lsp), HBG_OK);
    assert_int_equal(write(in[1], input, strlen(input)), (ssize_t)strlen(input));
    close(in[1]);
    bool fine = hbg_lsp_serve(lsp, in[0], out[1]);
    close(out[1]);
    ssize_t got = read(out[0], output, room - 1);
    output[got > 0 ? got : 0] = 0;
    close(in[0]);
    close(out[0]);
    hbg_lsp_free(lsp);
    return fine;
}

static void messages_have_a_length(void **state) {
    (void)state;
    char output[4000];
    assert_true(serve("Content-Length: 58\r\nX: "
                      "y\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{}}"
                      "Content-Length: 44\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"shutdown\"}"
                      "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}",
                      output, sizeof output));
    assert_has(output, "Content-Length: ");
    assert_has(output, "\"id\":8");
    assert_false(serve("Content-Length: 99999999999999\r\n\r\n{}", output, sizeof output));
    assert_string_equal(output, "");
    assert_false(serve("Content-Length: 100000000\r\n\r\n{}", output, sizeof output));
    assert_false(serve("Content-Length: -5\r\n\r\n{}", output, sizeof output));
    assert_false(serve("\r\n\r\n", output, sizeof output));
    assert_false(serve("Content-Length: 0\r\n\r\n", output, sizeof output));
    assert_has(output, "-32700");
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(diagnostics_come_with_their_repair),
                                       TEST(columns_are_units_of_utf_16),
                                       TEST(names_are_found_and_changed),
                                       TEST(a_place_is_completed),
                                       TEST(the_whole_text_is_described),
                                       TEST(gestures_are_commands),
                                       TEST(wrong_messages_get_errors),
                                       TEST(a_client_begins_and_ends_in_order),
                                       TEST(messages_have_a_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
