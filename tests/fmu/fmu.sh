# shellcheck shell=sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of FMUs: the importer, and validation by the schemas where HBG_FMI_SCHEMAS names their folder.
set -eu

# shellcheck disable=SC2034 # for the tests
importer=$HBG_BUILD_DIR/tests/fmu/importer
failed=0

fail() {
    echo "FAILED: $*" >&2
    # shellcheck disable=SC2034 # for the tests
    failed=1
}

# validate FMI DESCRIPTION: against the schema of the specification
validate() {
    case $1 in 2) schema=v2.0.5/fmi2ModelDescription.xsd ;; *) schema=v3.0.2/fmi3ModelDescription.xsd ;; esac
    if [ -z "${HBG_FMI_SCHEMAS:-}" ]; then
        [ -n "${told_schemas:-}" ] || echo 'skipped rule 1 (schema): HBG_FMI_SCHEMAS does not name the folder of the schemas'
        told_schemas=1
    elif ! xmllint --noout --schema "$HBG_FMI_SCHEMAS/$schema" "$2" 2>validated; then
        cat validated
        return 1
    fi
}

# platform FMI: the folder of the binary
platform() {
    case $1 in 2) echo linux64 ;; *) echo x86_64-linux ;; esac
}
