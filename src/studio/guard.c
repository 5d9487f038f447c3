/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Access control. The page has a secret, the token of its address, and sends it with every question in a
 * header, which no page of another site can do: a foreign origin may send a form, but neither such a header
 * nor JSON. A foreign name that points to this machine (DNS rebinding) is detected by the Host header. */
#include <string.h>
#include <strings.h>

#include "studio/studio_impl.h"

bool hbg_studio_same_secret(const char *said, const char *secret) {
    size_t length = strlen(secret), given = strlen(said);
    volatile unsigned char different = given != length;
    for (size_t i = 0; i < length; i++) // takes the same time for every guess
        different |= (unsigned char)((given > 0 ? said[i % given] : 0) ^ secret[i]);
    return different == 0;
}

bool hbg_studio_is_local(const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        if (strncasecmp(host, names[i], size) != 0) continue;
        const char *port = host + size;
        if (!*port) return true;
        size_t digits = strspn(port + 1, "0123456789");
        if (*port == ':' && digits > 0 && digits <= 5 && !port[1 + digits]) return true;
    }
    return false;
}

static bool is_local_origin(const char *origin) {
    static const char scheme[] = "http://";
    return strncmp(origin, scheme, sizeof scheme - 1) == 0 && hbg_studio_is_local(origin + sizeof scheme - 1);
}

static const char *header(const hbg_studio *studio, struct MHD_Connection *connection, const char *name) {
    return studio->http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* The origin of the page is the address it was loaded from, whatever port a tunnel gives it: it equals the
 * Host header. */
static bool is_own_origin(const char *origin, const char *host) {
    return is_local_origin(origin) && strcasecmp(origin + strlen("http://"), host) == 0;
}

static bool is_json(const char *type) {
    static const char json[] = "application/json";
    return type && strncasecmp(type, json, sizeof json - 1) == 0 && strchr(";", type[sizeof json - 1]);
}

static unsigned guard_question(const hbg_studio *studio, struct MHD_Connection *connection,
                               const char *method, const char *url, const char **why) {
    const char *token = header(studio, connection, "X-Hbg-Token");
    bool stream = strcmp(url, "/api/stream") == 0;
    if (!token || !hbg_studio_same_secret(token, studio->token)) {
        *why = "the token is missing or wrong: open the address that hbg studio printed";
        return MHD_HTTP_FORBIDDEN;
    }
    if (strcmp(method, stream ? "GET" : "POST") != 0) {
        *why = "questions are sent with POST";
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (!stream && !is_json(header(studio, connection, "Content-Type"))) {
        *why = "questions are JSON";
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    }
    return 0;
}

unsigned hbg_studio_guard(const hbg_studio *studio, struct MHD_Connection *connection, const char *method,
                          const char *url, const char **why) {
    const char *host = header(studio, connection, "Host"), *origin = header(studio, connection, "Origin");
    const char *site = header(studio, connection, "Sec-Fetch-Site");
    if (!host || !hbg_studio_is_local(host)) {
        *why = "the studio is asked by a name that is not this machine's own";
        return MHD_HTTP_FORBIDDEN;
    }
    if (origin && !is_own_origin(origin, host)) {
        *why = "another page than the studio's asks";
        return MHD_HTTP_FORBIDDEN;
    }
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0 &&
        (strcmp(url, "/") != 0 || header(studio, connection, "Origin"))) {
        *why = "another site asks";
        return MHD_HTTP_FORBIDDEN;
    }
    if (strncmp(url, "/api/", 5) == 0) return guard_question(studio, connection, method, url, why);
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        *why = "the page is read with GET";
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (strcmp(url, "/") != 0) return 0; // script and style are not secret
    const char *token = studio->http.MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    if (token && hbg_studio_same_secret(token, studio->token)) return 0;
    *why = "the token is missing or wrong: open the address that hbg studio printed";
    return MHD_HTTP_FORBIDDEN;
}
