#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What the source cites is in the repository: a section of docs/semantics.md is one of its headings and is cited in one form, a
# section without a page says which page it means, and a page that is named is there. tests/docs/citations.awk has the forms.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

# the trees that this test breaks are no citations, nor are inputs of the fuzzers
check_tree() (
    cd "$1"
    find README.md CONTRIBUTING.md CHANGELOG.md CMakeLists.txt Makefile src include lib examples tests tools bench packages docs \
        -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.awk' -o -name '*.hbg' -o -name '*.md' -o -name CMakeLists.txt -o -name Makefile \) \
        ! -path 'tests/docs/citations*' ! -path 'tests/fuzz/seeds/*' ! -path 'tests/fuzz/regressions/*' 2>/dev/null | sort |
        xargs awk -v page=docs/semantics.md -f "$HBG_SOURCE_DIR/tests/docs/citations.awk"
)

accept "$HBG_SOURCE_DIR"
grep -c '^## [0-9]' "$HBG_SOURCE_DIR/docs/semantics.md" >sections
[ "$(cat sections)" -ge 10 ] || { echo "docs/semantics.md has lost sections: $(cat sections)" >&2; exit 1; }

# tree NAME LINE...: a page with sections 1, 2, 3 and 3a, and a source file with these lines
tree() {
    tree_name=$1
    shift
    put "$tree_name/docs/semantics.md" '# What a model means' '## 1. One' 'As 000, section 9.9, has it (section 3a).' '## 2. Two' '## 3. Three' '## 3a. More'
    put "$tree_name/src/a/a.c" "$@"
}

tree good '/* A rule (semantics, section 3a), two (semantics, sections 1 and 3), all of them (semantics,' \
    ' * sections 1 to 3). Of a paper: 001, section 17. A page: docs/events.md, or (events: causes). */' \
    'static void section_9(void) { puts("(real: no page)"); }'
put good/README.md 'C. Author, *Process Semantics for Graphs*; section 12 of it. [semantics](docs/semantics.md)'
put good/docs/events.md '# Events'
accept good
tree missing '// semantics, section 4'
reject missing 'src/a/a.c:1: docs/semantics.md has no section 4'
tree wrapped '/* something (semantics,' ' * sections 2' ' * and 7) */'
reject wrapped 'src/a/a.c:1: docs/semantics.md has no section 7'
tree letter '// semantics, section 3b'
reject letter 'docs/semantics.md has no section 3b'
tree to '// semantics, sections 2 to 8'
reject to 'docs/semantics.md has no section 8'
tree short '// (semantics 3)'
reject short 'src/a/a.c:1: another form'
tree capital '// Semantics, section 3: a rule'
reject capital 'another form'
tree plural '// semantics, section 2 and 3'
reject plural 'another form'
tree singular '// semantics, sections 2'
reject singular 'another form'
tree vague '// as the semantics say'
reject vague 'names the semantics without a section'
tree bare 'int a;' '// a rule (section 3)'
reject bare 'src/a/a.c:2: a section without its page'
tree inside ''
put inside/docs/semantics.md '## 1. One' 'see section 2'
reject inside 'docs/semantics.md:2: docs/semantics.md has no section 2'
tree markdown ''
put markdown/docs/events.md 'The rule is [semantics, section 5](semantics.md).'
reject markdown 'docs/events.md:1: docs/semantics.md has no section 5'
tree design '/* blocks (architecture: blocks) */'
reject design 'src/a/a.c:1: there is no page docs/architecture.md'
tree page 'int a;' '' '/* the way out is in docs/nowhere.md */'
reject page 'src/a/a.c:3: there is no docs/nowhere.md'
