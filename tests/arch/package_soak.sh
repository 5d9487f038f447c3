#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The Debian package installs on a bare Debian 12, works there, also for a program in C where there is only a compiler, and leaves nothing
# when it is removed. Needs root for the chroot.
set -eu

[ "$(id -u)" -eq 0 ] || { echo 'skipped: a chroot needs root'; exit 0; }
(cd "$HBG_SOURCE_DIR" && tools/package.sh)
bare=$PWD/bare
debootstrap --variant=minbase bookworm "$bare" >bootstrap.log || { cat bootstrap.log; exit 1; }
cp -r /etc/apt "$bare/etc/"
cp /etc/resolv.conf /etc/hosts "$bare/etc/"
cp "$HBG_SOURCE_DIR"/build/hbg_*.deb "$bare/hbg.deb"
cp "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" "$bare/srv/example"

inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$bare" "$@"
}
listing() {
    inside find / -xdev -path '*hbg*' ! -path /proc/\* ! -path /hbg.deb ! -path '/var/*' ! -path '/usr/share/*/*/*hbg*/*' | sort
}
inside apt-get update >update.log 2>&1
inside apt-get install -y --no-install-recommends /hbg.deb >install.log 2>&1 || { cat install.log; exit 1; }
listing >installed
for part in bin/hbg lib/libhbg.so lib/libhbg.a lib/pkgconfig/hbg.pc share/man/man1/hbg.1 share/bash-completion/completions/hbg \
    share/zsh/vendor-completions/_hbg share/fish/vendor_completions.d/hbg.fish share/hbg/lib/electrical.hbg \
    share/hbg/editors/vscode/package.json lib/python3/dist-packages/hbg/__init__.py; do
    grep -qxF "/usr/$part" installed || { echo "the package has no $part"; exit 1; }
done

inside hbg --version
inside hbg check /srv/example
inside hbg run /srv/example -q -o /out.csv --plot /out.png
inside hbg run /srv/example -q -o /out.h5 -o /out.mat # by libraries that are loaded when they are needed
inside hbg export fmu /srv/example -q --no-binary -o /out.fmu
[ -s "$bare/out.h5" ] && [ -s "$bare/out.mat" ] && [ -s "$bare/out.fmu" ]
[ "$(wc -l <"$bare/out.csv")" -gt 10 ] && [ -s "$bare/out.png" ]
inside ldconfig -p | grep -q 'libhbg\.so\.0'
inside apt-get install -y --no-install-recommends python3-numpy >numpy.log 2>&1
inside python3 -c "import hbg; print(hbg.load('/srv/example').run().time[-1])"

# a program in C, with a compiler and pkgconf: no library that hbg uses has its package for development there
inside apt-get install -y --no-install-recommends gcc libc6-dev pkgconf >compiler.log 2>&1
cat >"$bare/srv/program.c" <<'END'
#include <hbg/simulation.h>
#include <stdio.h>

int main(int count, char **arguments) {
    hbg_session *session;
    hbg_model *model;
    const hbg_results *results;
    hbg_run_options run = hbg_run_options_default();
    if (count < 2 || hbg_session_new(NULL, &session) != HBG_OK) return 1;
    if (hbg_load_file(session, arguments[1], NULL, &model) != HBG_OK) return 1;
    if (hbg_run_results(session, model, &run, &results) != HBG_OK) return 1;
    printf("%s until %g s\n", hbg_model_title(model), results->columns[0].values[results->row_count - 1]);
    hbg_results_free(session, results);
    hbg_session_free(session);
    return 0;
}
END
[ "$(inside pkg-config --cflags --libs hbg | tr -d ' ')" = -lhbg ]
command=$(sed -n 's/^.*`\(cc program\.c $(pkg-config --cflags --libs hbg)\)`.*$/\1/p' "$HBG_SOURCE_DIR/docs/embedding.md")
inside sh -euc "cd /srv && $command -o program"
[ "$(inside /srv/program /srv/example)" = 'DiodeInductor until 0.0006 s' ]

inside apt-get purge -y hbg >purge.log 2>&1 || { cat purge.log; exit 1; }
listing >left
if grep . left; then exit 1; fi
rm -rf bare
