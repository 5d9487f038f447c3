/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A share of a sweep, made by itself: `--shard K/N` makes the K-th of N runs of consecutive numbers. Its
 * table begins with a line that identifies the sweep and the share. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/sweep_impl.h"

#define MOST_SHARDS 1000000

/* runs·k/n without overflow: there are at most 10^12 runs. */
static int64_t border(int64_t runs, int64_t k, int64_t n) {
    return runs / n * k + runs % n * k / n;
}

static bool read_number(const char **at, int64_t *number) {
    char *end;
    if (!isdigit((unsigned char)**at)) return false;
    *number = strtoll(*at, &end, 10);
    *at = end;
    return true;
}

hbg_status hbg_api_sweep_shard_init(hbg_session *session, const char *text, hbg_sweep_list *list) {
    const char *at = text;
    list->first = 0;
    list->end = list->runs;
    if (!text) return HBG_OK;
    bool fits = read_number(&at, &list->shard) && *at++ == '/' && read_number(&at, &list->shards) && !*at;
    if (!fits || list->shard < 1 || list->shard > list->shards || list->shards > MOST_SHARDS)
        return hbg_api_session_fail(
            session, HBG_BAD_ARGUMENT,
            "`--shard %s` is no share: write `--shard K/N`, K from 1 to N, N up to %d", text, MOST_SHARDS);
    list->first = border(list->runs, list->shard - 1, list->shards);
    list->end = border(list->runs, list->shard, list->shards);
    return HBG_OK;
}

#define LINE                                                                                                 \
    "# hbg shard %" PRId64 " of %" PRId64 ": sweep %016" PRIx64 ", runs %" PRId64 " up to %" PRId64          \
    " of %" PRId64 ", hbg %s\n"
#define LINE_READ                                                                                            \
    "# hbg shard %" SCNd64 " of %" SCNd64 ": sweep %16" SCNx64 ", runs %" SCNd64 " up to %" SCNd64           \
    " of %" SCNd64 ", hbg %31s%n"

void hbg_api_sweep_shard_put(const hbg_sweep_list *list, uint64_t key, hbg_buffer *out) {
    if (list->shards == 0) return;
    hbg_base_buffer_print(out, LINE, list->shard, list->shards, key, list->first, list->end, list->runs,
                          hbg_version());
}

bool hbg_api_sweep_shard_read(const char *line, hbg_sweep_shard *shard) {
    int size = 0;
    int fields = sscanf(line, LINE_READ, &shard->shard, &shard->shards, &shard->key, &shard->first,
                        &shard->end, &shard->runs, shard->version, &size);
    return fields == 7 && (line[size] == '\n' || line[size] == '\0') && shard->shard >= 1 &&
           shard->shard <= shard->shards && shard->shards <= MOST_SHARDS && shard->runs >= 0 &&
           shard->runs <= INT64_MAX / MOST_SHARDS &&
           shard->first == border(shard->runs, shard->shard - 1, shard->shards) &&
           shard->end == border(shard->runs, shard->shard, shard->shards);
}
