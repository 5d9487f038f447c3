#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg export fmu: the archive is the same bytes every time, its description valid, its binary exports only the
# functions of FMI and needs only libc and libm; its sources build it again; it runs like `hbg run`, with a
# fixed step to the bit; models that cannot be exported are refused, and nothing is left behind.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models
examples=$HBG_SOURCE_DIR/examples
diode=$examples/diode-inductor/diode-inductor.hbg
export XDG_CACHE_HOME="$PWD/cache"

# ---- what is refused ------------------------------------------------------------------------------------------------

run 2 export fmu "$diode"
says err 'needs a file to write to: `-o FILE.fmu`'
run 2 export fmu wrong.hbg -o out.fmu
run 2 export fmu "$diode" --fmi 1 -o out.fmu
says err 'there is no FMI `1` here; `--fmi` takes 2 or 3'
run 2 export fmu "$diode" --to json -o out.fmu
says err '`--to` has no meaning for `export fmu`; it is for blocks'
run 2 export c "$diode" --fmi 3 -o out
says err '`--fmi` has no meaning for `export c`; it is for fmu'
run 2 export fmu "$diode" --json -x nowhere -o out.fmu
says out '"error": "there is no experiment `nowhere`'
run 2 export fmu wrong.hbg --json -o out.fmu
says out '"errors": 1'
run 2 export fmu "$diode" --interface se -o out.fmu
says err '`--interface` takes me, cs or me,cs, not `se`'
run 2 export fmu "$diode" --name 'a-b' -o out.fmu
says err 'names in C cannot begin with'
run 2 export fmu "$diode" -x nowhere -o out.fmu
says err 'there is no experiment `nowhere`'
run 2 export fmu "$diode" -o missing/out.fmu
says err 'the folder it is to be in does not exist'
mkdir folder
run 2 export fmu "$diode" -o folder
says err 'it is a folder'
mkdir shut && chmod 500 shut
if ! : 2>/dev/null >shut/probe; then # root may write anywhere
    run 2 export fmu "$diode" -o shut/out.fmu
    says err 'cannot be written'
fi
rm -rf shut
run 2 export fmu "$diode" -o /proc/out.fmu # nor can root here
says err 'the FMU cannot be made: the system lets no file be made in its folder'
run 2 export fmu "$examples/adapt-testbed/adapt-testbed.hbg" -I "$HBG_SOURCE_DIR/lib" -o out.fmu
says err 'local modes, more than 4096'
awk 'BEGIN {
    print "model Star { Se s(1 [V]); 0 n; s -> n;"
    for (i = 1; i <= 30000; i++) printf "R r%d(1 [ohm]); n -> r%d;\n", i, i
    print "experiment e { stop 1 [s]; record n.e; } }" }' >star.hbg
run 2 export fmu star.hbg -o out.fmu
says err 'it has 30002 elements'
mkdir none # without a compiler nothing is half written
ln -s "$(command -v dot)" none/
code=0
env PATH="$PWD/none" "$HBG" export fmu "$diode" -o out.fmu >out 2>err || code=$?
[ "$code" = 2 ] || fail "without a compiler: $code"
says err 'the FMU cannot be made'
absent out.fmu
# an export that is interrupted while its binary is compiled leaves nothing: neither its folder nor files of the compiler
mkdir slow temporary
printf '#!/bin/sh\ntouch "$TMPDIR/left"\n: >%s/begun\nexec sleep 30\n' "$PWD" >slow/cc
chmod +x slow/cc
env PATH="$PWD/slow:$PATH" TMPDIR="$PWD/temporary" "$HBG" export fmu "$diode" -o out.fmu >out 2>err &
exporting=$!
for _ in $(seq 200); do [ ! -e begun ] || break && sleep 0.05; done
kill -TERM "$exporting"
code=0
wait "$exporting" || code=$?
[ "$code" = 143 ] || fail "interrupted: $code"
says err 'interrupted while its binary was compiled; nothing is written'
absent out.fmu
[ -z "$(ls -A temporary)" ] || fail "left behind: $(ls -A temporary)"

# ---- archives -------------------------------------------------------------------------------------------------------

# unpack FMU: into a folder of its name
unpack() {
    mkdir "${1%.fmu}"
    (cd "${1%.fmu}" && unzip -q "../$1")
}

# valid FMU VERSION: all XML in it is well-formed; its description and build description are valid by the
# schemas of FMI
valid() {
    while read -r file; do
        xmllint --noout "$file" 2>xml || { fail "$file is not well-formed"; cat xml >&2; }
    done < <(find "$1" -name '*.xml' -o -name '*.svg')
    if [ -z "${HBG_FMI_SCHEMAS:-}" ]; then
        echo 'HBG_FMI_SCHEMAS is not set: descriptions are not validated'
        return
    fi
    folder=$(find "$HBG_FMI_SCHEMAS" -maxdepth 1 -name "v$2*")
    xmllint --noout --schema "$folder/fmi$2ModelDescription.xsd" "$1/modelDescription.xml" 2>xml || { fail "$1"; cat xml >&2; }
    [ "$2" = 2 ] || xmllint --noout --schema "$folder/fmi3BuildDescription.xsd" "$1/sources/buildDescription.xml" 2>xml ||
        { fail "build of $1"; cat xml >&2; }
    [ "$2" = 2 ] || xmllint --noout --schema "$folder/fmi3TerminalsAndIcons.xsd" "$1/terminalsAndIcons/terminalsAndIcons.xml" 2>xml ||
        { fail "terminals of $1"; cat xml >&2; }
}

run 0 export fmu "$diode" -o one.fmu --json
says out '"indicators": 2'
says out '"model_exchange": true'
says out '"states": 1'
says out '"instance_bytes": '
says out '"warnings": []'
run 0 export fmu "$diode" -q -o two.fmu
silent out
cmp one.fmu two.fmu || fail 'two exports of one model differ'
run 0 export fmu "$diode" -q --fmi 3.0 -o three.fmu
unpack one.fmu
unpack three.fmu
valid one 2
valid three 3
binary=one/binaries/linux64/diode_inductor.so
binary3=three/binaries/x86_64-linux/diode_inductor.so
# the functions of the header, and no others
for version in 2 3; do
    library=$binary header=one/sources/fmi2.h
    [ "$version" = 2 ] || { library=$binary3 && header=three/sources/fmi3.h; }
    nm -D --defined-only "$library" | awk '{ print $3 }' | sort >shown
    grep -oE "FMI$version\(fmi[0-9A-Za-z]+\)" "$header" | sed 's/.*(//; s/)//' | sort -u | diff - shown || fail "FMI $version shows other names"
    objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }' | sort | tr '\n' ' ' | grep -qx 'libc.so.6 libm.so.6 ' || fail "libraries of $library"
done
run 0 export fmu "$diode" -q --no-binary --interface cs -o sources.fmu
unpack sources.fmu
[ ! -e sources/binaries ] || fail 'a binary that was not wanted'
grep -q '<CoSimulation' sources/modelDescription.xml && ! grep -q '<ModelExchange' sources/modelDescription.xml || fail 'interfaces'

# the listed sources build it again, without a prefix; the engine has the same files in both, and is compiled
# once build_again FOLDER OPTION... FILE...: its rebuilt.so
build_again() {
    (
        cd "$1/sources" || exit
        shift
        own=() objects=()
        for word; do
            case $word in
            -*) own+=("$word") ;;
            *)
                objects+=("${word%.c}.o")
                [ -e "${word%.c}.o" ] || own+=("$word")
                ;;
            esac
        done
        gcc -fPIC -O0 -w -c "${own[@]}" && gcc -shared -o ../rebuilt.so "${objects[@]}" -lm
    )
}
# shellcheck disable=SC2046 # a file, one per word
build_again one -ffp-contract=off -fvisibility=hidden \
    $(sed -n '/<ModelExchange/,/<\/ModelExchange/s/.*<File name="\([^"]*\)".*/\1/p' one/modelDescription.xml) || fail 'sources'
nm -D --defined-only one/rebuilt.so | awk '{ print $3 }' | sort | diff - <(nm -D --defined-only "$binary" | awk '{ print $3 }' | sort) ||
    fail 'what was built again shows other names'
says three/sources/buildDescription.xml 'compilerOptions="-ffp-contract=off -fvisibility=hidden"' # as above
for file in three/sources/rt_* three/sources/base_*; do
    cmp "$file" "one/sources/${file##*/}" || fail 'the engine of FMI 3 is another one'
done
cp one/sources/rt_*.o one/sources/base_*.o three/sources/
# shellcheck disable=SC2046 # a file, one per word
build_again three -ffp-contract=off -fvisibility=hidden \
    $(sed -n 's/.*<SourceFile name="\([^"]*\)".*/\1/p' three/sources/buildDescription.xml) || fail 'sources, FMI 3'
nm -D --defined-only three/rebuilt.so | awk '{ print $3 }' | sort | diff - <(nm -D --defined-only "$binary3" | awk '{ print $3 }' | sort) ||
    fail 'what was built again for FMI 3 shows other names'
# the rebuilt binary loads and runs: each row has the same bytes
importer=$HBG_BUILD_DIR/tests/fmu/importer
for name in one three; do
    for interface in cs me; do
        "$importer" run $name.fmu --interface $interface >shipped 2>said || { fail "$name.fmu by $interface"; cat shipped said >&2; }
        [ "$(wc -l <shipped)" -gt 200 ] || fail "$name.fmu by $interface: $(wc -l <shipped) rows"
        "$importer" run $name.fmu --interface $interface --binary $name/rebuilt.so >rebuilt 2>said || { fail "$name/rebuilt.so by $interface"; cat said >&2; }
        cmp shipped rebuilt || fail "what was built again runs otherwise: $name by $interface"
    done
done
# the model's own files compile without warnings
(cd three/sources && gcc -std=c11 -Wall -Wextra -Wconversion -Werror -c fmi3.c diode_inductor_fmu.c fmu_*.c) || fail 'warnings, FMI 3'
(cd one/sources && gcc -std=c11 -Wall -Wextra -Wconversion -Werror -c fmi2.c) || fail 'warnings, FMI 2'

# ---- names of any kind ----------------------------------------------------------------------------------------------

cat >hostile.hbg <<'END'
model Hostile "a < b & c ]]> --> */ 'd' %s ?> `id`" {
    param G = 1 [S] "1 < 2 & 3", H = 2*G "twice";
    Se s(1 [V]); R r(1/H); C c(1 [F]); 1 j; s -> j; j -> r; j -> c;
    experiment e { stop 1 [s]; solver euler step 0.25 [s]; record r.f, 2*r.f, min(r.f, 2*j.f), j.f; }
}
END
run 0 export fmu hostile.hbg -q --no-binary -o hostile.fmu
run 0 export fmu hostile.hbg -q --no-binary --fmi 3 -o hostile3.fmu
unpack hostile.fmu
unpack hostile3.fmu
valid hostile 2
valid hostile3 3
for name in hostile hostile3; do
    says $name/modelDescription.xml 'description="1 &lt; 2 &amp; 3"'
    says $name/modelDescription.xml 'causality="calculatedParameter"'
    grep -q 'causality="\(in\|out\)put"' $name/modelDescription.xml && ! grep -E 'name="[^"]*\.[^"]*" .*causality="(in|out)put"' $name/modelDescription.xml ||
        fail 'ports with dots'
done

# ---- units, and parameters that cannot change ------------------------------------------------------------------------

cat >units.hbg <<'END'
model Units "a row of coils in a warm room" {
    param n = 2, L = 4 [mH], T = 20 [degC], lead = 45 [deg];
    Se s(cos(lead)*1 [V]); R r(T/293.15 [K/Ohm]); 1 j; s -> j; j -> r;
    for i in 1 .. n { I coil[i](L); j -> coil[i]; }
    output i = j.f in [mA];
    experiment e { stop 1 [ms]; record i; }
}
END
run 0 export fmu units.hbg -q --no-binary -o units.fmu
run 0 export fmu units.hbg -q --no-binary --fmi 3 --breakable -o units3.fmu
unpack units.fmu
unpack units3.fmu
valid units 2
valid units3 3
for name in units units3; do
    says $name/modelDescription.xml '<DisplayUnit name="mH" factor="1000"/>'
    says $name/modelDescription.xml '<DisplayUnit name="degC" factor="1" offset="-273.15"/>' # 20 degC are 293.15 K
    says $name/modelDescription.xml 'unit="H" displayUnit="mH" start="0.004"'
    says $name/modelDescription.xml 'unit="1" displayUnit="deg" start="0.785398' # pi/4
    says $name/modelDescription.xml '<DisplayUnit name="deg" factor="57.29577951308232"/>' # 180/pi
    says $name/modelDescription.xml '<BaseUnit A="1" factor="0.001"/>' # the output is in mA
    grep -q 'name="n" .*causality="local" variability="constant" initial="exact".* start="2"' $name/modelDescription.xml || fail "$name: what decided the parts can be set"
    grep -q 'name="L" .*variability="tunable"' $name/modelDescription.xml || fail "$name: a parameter cannot be tuned"
done
grep -q 'name="r.scale" .*variability="tunable".* start="1"' units3/modelDescription.xml || fail 'an element that cannot fail'
! grep -q 'name="r.scale"' units/modelDescription.xml || fail 'places for faults that nobody asked for'

# ---- terminals and icons --------------------------------------------------------------------------------------------

# a source that an input sets is a terminal: its other variable is an output under any name, of its bond, its
# 0-junction or itself; `reversed` takes power if its flow is positive, `silent` is not recorded, and `sum` is
# not an input
cat >ports.hbg <<'END'
model Ports "inputs that drive sources" {
    input real i = 1 [A], u = 2 [V], v = 3 [V], w = 4 [V];
    signal given = u;
    Sf pump(i); Se battery(given); Se reversed(v); Se silent(w); Se sum(u + v);
    C c(1 [F]); R r(1 [Ohm]); R t(1 [Ohm]); R x(1 [Ohm]); R y(1 [Ohm]);
    0 n; 1 j; 1 k; 1 l; 1 m;
    pump -> n; n -> c; feed: battery -> j; j -> r; j -> n; k -> reversed; n -> k; k -> t;
    silent -> l; l -> x; sum -> m; m -> y;
    output level = n.e, drawn = feed.f;
    experiment e { stop 1 [s]; record level, drawn, reversed.f; }
}
END
run 0 export fmu ports.hbg -q --no-binary -o ports.fmu
run 0 export fmu ports.hbg -q --no-binary --fmi 3 -o ports3.fmu
unpack ports.fmu
unpack ports3.fmu
valid ports3 3
cat >terminals <<'END'
battery e u signal
battery f drawn inflow
pump e level signal
pump f i inflow
reversed e v signal
reversed f reversed_f outflow
silent e w signal
END
for name in ports ports3; do
    awk -F'"' '/<Terminal / { terminal = $2 } /<TerminalMemberVariable/ { print terminal, $4, $2, $6 }' $name/terminalsAndIcons/terminalsAndIcons.xml |
        sort | diff terminals - || fail "terminals of $name"
done
# an icon is a PNG of at most 512 pixels, in the place that FMI defines
for icon in ports/model.png ports3/terminalsAndIcons/icon.png; do
    [ "$(head -c 8 "$icon" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "$icon"
    [ "$(od -An -j18 -N2 -tu1 "$icon" | awk '{ print 256 * $1 + $2 }')" -le 512 ] || fail "the width of $icon"
done
[ -s ports3/terminalsAndIcons/icon.svg ] || fail 'an icon as drawing'
says ports3/terminalsAndIcons/terminalsAndIcons.xml '<Icon x1="0" y1="0"'
# without the program that makes a PNG there is no icon, which is reported
mkdir plain && ln -s "$(command -v dot)" plain/
env PATH="$PWD/plain" "$HBG" export fmu ports.hbg --no-binary -o bare.fmu >out 2>err || fail 'without an icon'
says out 'warning: it has no icon'
unzip -l bare.fmu >listed && ! grep -q model.png listed || fail 'an icon from nowhere'

# ---- what depends on what -------------------------------------------------------------------------------------------

# the level is that of c; the current drawn is (u - level)/r. Each input may change everything, at an instant
for output in level drawn; do
    reference=$(sed -n "s/.*name=\"$output\" valueReference=\"\([0-9]*\)\".*/\1/p" ports3/modelDescription.xml)
    state=$(sed -n 's/.*name="c.q" valueReference="\([0-9]*\)".*/\1/p' ports3/modelDescription.xml)
    grep -qE "<Output valueReference=\"$reference\" dependencies=\"([0-9]+ ){4}$state\" dependenciesKind=\"(dependent ){4}discrete\"/>" \
        ports3/modelDescription.xml || fail "what $output depends on"
done

# ---- runs -----------------------------------------------------------------------------------------------------------

gcc -std=gnu11 -Wall -Wextra -Werror -O1 -I one/sources -o driver "$HBG_SOURCE_DIR/tests/tool/fmu_driver.c" -ldl -lm || fail 'the driver'

# drive FOLDER KIND STEP STOP: rows of the numeric outputs
drive() {
    xml=$1/modelDescription.xml
    # shellcheck disable=SC2046
    ./driver "$(find "$PWD/$1/binaries" -name '*.so')" "$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' "$xml")" "$2" "$3" "$4" \
        "$(grep -c 'reinit="true"' "$xml")" "$(sed -n 's/.*numberOfEventIndicators="\([0-9]*\)".*/\1/p' "$xml")" \
        $(sed -n 's/.*valueReference="\([0-9]*\)".*causality="output".*<Real.*/\1/p' "$xml")
}

# last FILE: the last row as numbers of nine digits, which prints of both kinds share; all of them with `exactly`
last() {
    tail -n 1 "$1" | awk -F, -v digits="${2:-9}" '{ for (i = 2; i <= NF; i++) { v = $i + 0; if (v < 1e-12 && v > -1e-12 && digits < 17) v = 0; printf "%.*g ", digits, v } print "" }'
}

# with a fixed step co-simulation has the bits of hbg run, at any multiple of the step
run 0 export fmu "$diode" -q --solver rk4 --step 1us -o fixed.fmu
unpack fixed.fmu
run 0 run "$diode" -q --solver rk4 --step 1us --every 1us -o fixed.csv
for step in 1e-6 7e-6 1e-5; do
    drive fixed cs $step 9e-5 >found.csv 2>said || { fail 'co-simulation'; cat said >&2; }
    awk -F, '$1 <= 9.0000001e-5' fixed.csv >until.csv
    [ "$(last until.csv 17)" = "$(last found.csv 17)" ] || fail "a fixed step by $step: $(last until.csv 17) is not $(last found.csv 17)"
done

# alike NAME STEP [OPTION...]: co-simulation and model exchange end where a run with erk does
alike() {
    name=$1 step=$2
    shift 2
    model=$examples/$name/$name.hbg
    run 0 export fmu "$model" -q --solver erk --rtol 1e-10 "$@" -o "$name.fmu"
    unpack "$name.fmu"
    run 0 run "$model" -q --solver erk --rtol 1e-10 "$@" -o "$name.csv"
    stop=$(sed -n 's/.*stopTime="\([^"]*\)".*/\1/p' "$name/modelDescription.xml")
    for kind in cs me; do
        drive "$name" $kind "$step" "$stop" >found.csv 2>said || { fail "$name by $kind"; cat said >&2; }
        paste -d, <(tail -n 1 "$name.csv") <(tail -n 1 found.csv) |
            awk -F, '{ for (i = 2; i <= NF / 2; i++) { d = $i - $(i + NF / 2); s = ($i < 0 ? -$i : $i) + 1e-3; if (d > 1e-5 * s || d < -1e-5 * s) exit 1 } }' ||
            fail "$name by $kind: $(tail -n 1 "$name.csv") is not $(tail -n 1 found.csv)"
    done
}
alike diode-inductor 1e-6
alike ball-restitution 0.01   # collisions: jumps, several commits at an instant
alike charge-sharing 1e-3     # dependent storages
alike construct-every 1e-3    # clocks
alike clamped-cradle 1e-2     # pinnacles

# a verdict ends both with its text in the log
model=$examples/ball-printed-guards/ball-printed-guards.hbg
run 0 export fmu "$model" -q -o verdict.fmu
unpack verdict.fmu
for kind in cs me; do
    code=0
    drive verdict $kind 1e-3 2 >found.csv 2>said || code=$?
    [ "$code" = 3 ] || fail "a verdict by $kind ended with $code"
    grep -q 'logStatusError: at t = 0.704' said || { fail "the verdict by $kind"; cat said >&2; }
done
finish
