#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg sweep --engine cuda, with a C++ compiler in place of nvcc and loops in place of the launch: tables and
# rows have the bytes of runs on the processor, with parameters, faults, functions of special arguments,
# values below 1e-308, and runs that fail; runs that cannot go to a device are reported and made on the
# processor.
# needs: test
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
export XDG_CACHE_HOME="$PWD/cache"
mkdir -p cache

cat >side.hbg <<'END'
model M {
    param R1 = 20 [Ohm], k = 1, y = 1.5;
    input bool shut = true;
    Se source(10 [V]); R r(R1); I coil(0.1 [H]); C c(1 [mF]); R load(50 [Ohm]); R lamp(100 [Ohm]);
    1 m; 0 b when !u; 1 a when !u; 0 n; 1 relay when k1;
    source -> m; m -> r; m -> coil; m -> b -> a -> n; n -> c; n -> load; n -> relay -> lamp;
    automaton u { off no -> yes when coil.f < 0.1; on yes -> no when coil.f > 0.3; }
    automaton k1 { on closed -> open when !shut; off open -> closed when shut; }
    state s = 1 : der = (sin(k*s) + cos(3*k)*exp(-k*abs(s)) + log(k*k + 0.1) - (abs(s) + 0.1)^y + min(s, k)
        + max(-s, k) + sign(s) + floor(2*s) % 3 + sqrt(abs(s)) + (s > 0.5 && k < 2 ? 1 : -1)) * 1 [1/s];
    state d = 1 : der = -d * 15000 [1/s];
    output v = c.e, i = coil.f, z = s, w = d;
    experiment e { stop 8 [ms]; solver heun step 20 [us]; record v, i, z, w every 1 [ms]; at 4 [ms]: shut = false; }
}
END
printf 'at,until,target,kind,value\n2 [ms],,R1,abrupt,50 [%%]\n3 [ms],6 [ms],k1,stuck,off\n1 [ms],5 [ms],R1,incipient,50 [%%]\n' >faults.csv

# side NAME ENGINE...: the sweep, with the table NAME.csv. Runs with y = 4000 are not finite.
side() {
    name=$1
    shift
    run 3 sweep side.hbg --engine "$@" -j 1 -p R1=10:20:10 -p k=-2,0.7,1000 -p y=0.5,-4097,4000 \
        --faults faults.csv --nominal --trace 1-3 -o "$name.csv"
}
side native native --lanes 1
HBG_NVCC=c++ side cuda cuda
says out ' steps on a stand-in on the processor'
steps=$(sed -n 's/ steps on .*//p' out)
[ "${steps:-0}" -gt 5000 ] || fail "only ${steps:-0} of 28800 steps"
cmp native.csv cuda.csv || fail "tables differ"
diff -r native-traces cuda-traces || fail "rows differ"
HBG_NVCC=c++ side few cuda --lanes 16
cmp native.csv few.csv || fail "tables differ with few lanes"

# launches of few steps, each continuing where the last one ended
printf '#!/bin/sh\nexec c++ -DPART=37 "$@"\n' >parts.sh
chmod +x parts.sh
HBG_NVCC="$PWD/parts.sh" side parts cuda
says out ' steps on a stand-in on the processor'
cmp native.csv parts.csv || fail "tables differ with short launches"

# a falls below 1e-308, where the processor treats it as 0, and p much earlier, which w shows; slower runs
# stay on the device for longer
cat >decay.hbg <<'END'
model D {
    param k = 50000, c = 0.001;
    state a = 1 : der = -k*a*1 [1/s];
    state b = 1 : der = (a*a*a*a*c - b*a)*1000 [1/s];
    state w = 0 : der = (a < 1e-44 ? p*1e300 : 0)*1000 [1/s];
    signal p = a*a*a*a*a*a*a;
    output r = b/(a + c), s = sqrt(a*a)*exp(a);
    experiment e { stop 24 [ms]; solver heun step 20 [us]; record a, b, w, r, s every 2 [ms]; }
}
END
decay() { # NAME ENGINE...
    name=$1
    shift
    run 0 sweep decay.hbg --engine "$@" -j 1 -p k=50000,48000,46000,44000,42000,40000,5000,300,100,90,80,70,60,-100 -p c=0.001,1e-40,1e100 --trace all -o "$name.csv"
}
decay decay-native native --lanes 1
HBG_NVCC=c++ decay decay-cuda cuda
[ "$(sed -n 's/ steps on .*//p' out)" -gt 5000 ] || fail "few steps of decays"
cmp decay-native.csv decay-cuda.csv || fail "tables of decays differ"
diff -r decay-native-traces decay-cuda-traces || fail "rows of decays differ"

# a device that fails after some launches: the processor continues from there, and the sweep says why
cat >failing.sh <<'END'
#!/bin/sh
sed 's/^    struct bank \*b = (struct bank \*)of;$/&\n    static int launches; if (launches++ > 2) { snprintf(why, size, "the device is gone"); return 1; }/' |
    exec c++ "$@"
END
chmod +x failing.sh
HBG_NVCC="$PWD/failing.sh" side failing cuda --lanes 8
says out 'the device is gone'
cmp native.csv failing.csv || fail "tables differ where the device fails"

# a converter whose switches are selects: all of it but first steps and ends, in the optimised command
optimised
adapt() {
    name=$1
    shift
    run 0 sweep "$HBG_SOURCE_DIR/examples/adapt-experiment-2/adapt-experiment-2.hbg" -I "$HBG_SOURCE_DIR/lib" --stop '50 [ms]' \
        --engine "$@" -j 1 --runs 16 -p 'motor.Rs~normal(163 [Ohm], 2 [Ohm])' -o "$name.csv"
}
adapt a native --lanes 1
HBG_NVCC=c++ adapt b cuda
cmp a.csv b.csv || fail "tables of ADAPT differ"
[ "$(sed -n 's/ steps on .*//p' out)" -gt 100000 ] || fail "few steps of ADAPT"

# memory is that of the lanes, not of the runs
cat >coil.hbg <<'END'
model Coil {
    param R1 = 20 [Ohm];
    Se source(10 [V]); R r(R1); I coil(0.1 [H]); 1 m;
    source -> m; m -> r; m -> coil;
    experiment e { stop 20 [ms]; solver heun step 20 [us]; record coil.f; }
}
END
# most RUNS: kB that a sweep takes at most, in `kilobytes`
most() {
    HBG_NVCC=c++ python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
        "$hbg" sweep coil.hbg --engine cuda --lanes 512 -j 1 -p 'R1~normal(20 [Ohm], 1 [Ohm])' --runs "$1" -o coil.csv >out
    says out ' steps on a stand-in on the processor'
    kilobytes=$(tail -n 1 out)
}
most 100 # compiles
most 2000
few=$kilobytes
most 40000
[ "$kilobytes" -lt $((few + 4096)) ] || fail "2000 runs take $few kB, and 40000 $kilobytes kB"

# what cannot be there is made on the processor, and says why
printf 'model M { param a = 1; state x = 1 : der = -tanh(a*x); output y = x; experiment e { stop 1; solver euler step 1e-2; } }\n' >tanh.hbg
HBG_NVCC=c++ run 0 sweep tanh.hbg --engine cuda -p a=1:2:0.1 -o t.csv
says out 'all on the processor: `tanh` is a function of the C library'
HBG_NVCC=c++ run 0 sweep tanh.hbg --engine cuda --solver bdf -p a=1:2:0.1 -o u.csv
says out 'all on the processor: its solver has no fixed steps'
HBG_NVCC=/no/such/nvcc run 3 sweep side.hbg --engine cuda -p y=0.5,4000 -o n.csv
says out 'all on the processor: the program `/no/such/nvcc` is missing'
HBG_NVCC=false run 3 sweep side.hbg --engine cuda -p y=0.5,4000 -o n.csv
says out 'all on the processor: '

# where there is an nvcc it takes the text; whether there is a device or not, the bytes are the same
nvcc=
for name in "$(command -v nvcc || :)" "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" /usr/local/cuda/bin/nvcc; do
    [ -n "$nvcc" ] || [ ! -x "$name" ] || nvcc=$name
done
if [ -n "$nvcc" ]; then
    HBG_NVCC=$nvcc side there cuda
    cmp native.csv there.csv || fail 'tables differ with nvcc'
    diff -r native-traces there-traces || fail 'rows differ with nvcc'
    if ls /dev/nvidia[0-9]* >/dev/null 2>&1; then
        says out ' steps on NVIDIA'
    else
        says out 'all on the processor: CUDA: '
    fi
else
    echo 'no nvcc: CUDA itself is not tried'
fi
run 2 run side.hbg --engine cuda
says err 'cuda is for `hbg sweep`'
finish
