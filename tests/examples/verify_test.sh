#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What `hbg verify` says about the switching of every example is what its facts say, group by group: proved, or violated and how, or
# not decided and why; and what is not proved its readme explains under "Verification". Those that take long are left
# to verify_soak.sh.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
. "$HBG_SOURCE_DIR/tests/examples/verify.sh"

for model in "$HBG_SOURCE_DIR"/examples/*/*.hbg; do
    grep -q '^verify slowly ' "${model%/*}/facts" || verify_example "$model" verify 40
done

finish
