# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
"""The Python module against closed forms and against the command. Run by module_test.sh."""

import csv
import ctypes
import math
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy
import pytest

import hbg
from hbg import library

pytestmark = pytest.mark.filterwarnings("ignore::hbg.ModelWarning")  # numbers are given in SI units here
SOURCE = os.environ["HBG_SOURCE_DIR"]
COMMAND = os.path.join(SOURCE, "build", "hbg")

RC = """model Rc {
    param R1 = 1 [kOhm], C1 = 1 [uF], U = 10 [V];
    input real u [V] = 10 [V];
    Se s(u);
    R r(R1);
    C c(C1, q = 0 [C]);
    1 j;
    s -> j -> r;
    j -> c;
    output v = c.e, i = j.f;
    experiment charge { stop 5 [ms]; record v, i; }
}
"""


@pytest.fixture
def rc():
    return hbg.loads(RC, name="rc.hbg")


def test_a_run_follows_the_closed_form(rc):
    r = rc.run(rtol=1e-9)
    assert r.finished and r.names == ["time", "v", "i"]
    assert r.units == {"time": "s", "v": "V", "i": "A"}
    numpy.testing.assert_allclose(r["v"], 10 * (1 - numpy.exp(-r.time / 1e-3)), atol=1e-6)
    assert r.time[-1] == 5e-3 and len(r) == len(r["v"])


def test_rows_are_those_of_the_command(tmp_path):
    path = os.path.join(SOURCE, "examples", "diode-inductor", "diode-inductor.hbg")
    file = tmp_path / "rows.csv"
    subprocess.run([COMMAND, "run", path, "-q", "-p", "R1=220", "-o", str(file)], check=True)
    r = hbg.load(path).run(R1="220 [Ohm]")
    with open(file, newline="") as rows:
        read = list(csv.reader(rows))
    assert read[0] == r.names
    for k, name in enumerate(r.names):
        assert [float(row[k]) for row in read[1:]] == list(r[name])


def test_parameters_are_numbers_or_texts_with_units(rc):
    v = [rc.run(R1=value, stop=1e-3)["v"][-1] for value in (2000, 2000.0, "2 [kOhm]", "2kOhm", numpy.float64(2000))]
    assert len(set(v)) == 1
    assert v[0] == pytest.approx(10 * (1 - math.exp(-0.5)), rel=1e-5)


def test_inputs_are_constants_functions_of_time_or_files(rc, tmp_path):
    assert rc.run(inputs={"u": 5}, stop=1e-3)["v"][-1] == pytest.approx(5 * (1 - math.exp(-1)), rel=1e-5)
    # v' = (a·t - v)/T: v = a·(t - T + T·exp(-t/T))
    ramp = 1e3 * (1e-3 * math.exp(-1))
    assert rc.run(inputs={"u": "1000 [V/s]*time"}, stop=1e-3)["v"][-1] == pytest.approx(ramp, rel=1e-5)
    (tmp_path / "u.csv").write_text("time,u\n0,0\n1,1000\n")
    assert rc.run(inputs={"u": tmp_path / "u.csv"}, stop=1e-3)["v"][-1] == pytest.approx(ramp, rel=1e-5)


def test_what_a_model_leaves_open_is_chosen(tmp_path):
    # the middle of -1 .. 2 kV is 500 V
    (tmp_path / "m.hbg").write_text("model M { param V in -1 .. 2 [kV]; Se s(V); R r(1 [Ohm]); s -> r; output i = r.f; "
                                    "experiment e { stop 1 [s]; } }")
    m = hbg.load(tmp_path / "m.hbg")
    ends = [m.run(choose=choose)["i"][-1] for choose in ((), "least", ["V=2000"])]
    assert ends == [500, -1000, 2000]


def test_columns_outlive_their_results(rc):
    v = rc.run()["v"]
    rc.run(R1=5)
    del rc
    assert v[-1] == pytest.approx(10 * (1 - math.exp(-5)), rel=1e-5)
    with pytest.raises(ValueError):
        v[0] = 1


def test_events_and_energies_are_told():
    r = hbg.load(os.path.join(SOURCE, "examples", "diode-inductor", "diode-inductor.hbg")).run()
    opened = [event for event in r.events if event.inputs == ["sw"]]
    assert [event.time for event in opened] == [1e-5, 1e-4]
    assert [mode.kind for mode in opened[1].modes] == ["mythical", "continuous"]
    assert opened[1].modes[-1].states == {"diode": "conducting", "manual": "open"}
    ledger = r.ledger
    assert abs(ledger.residual) < 1e-6 * ledger.scale
    assert ledger.supplied - ledger.dissipated == pytest.approx(ledger.stored_after - ledger.stored_before, abs=1e-9)


def test_errors_are_exceptions_with_diagnostics(rc):
    with pytest.raises(hbg.ModelError) as wrong:
        hbg.loads("model M {\n    R r(5 [mH]);\n}\n", name="m.hbg")
    found = wrong.value.diagnostics[0]
    assert (found.code, found.file, found.line) == ("E0502", "m.hbg", 2)
    assert "has no bond" in str(wrong.value)
    with pytest.raises(hbg.ModelError, match="R2"):
        rc.run(R2=5)
    with pytest.raises(hbg.Error, match="nope.hbg"):
        hbg.load("nope.hbg")
    with pytest.raises(KeyError, match="there are time, v, i"):
        rc.run()["w"]


def test_a_run_that_ends_early_raises_with_its_rows():
    text = "model M { input bool a = false; Se s(1); R r(1); 1 j when x; s -> j -> r;\n" \
           "automaton x { off no -> yes when a; on yes -> no when a; }\n" \
           "experiment e { stop 1; at 0.5: a = true; record r.f; } }\n"
    m = hbg.loads(text)
    with pytest.raises(hbg.RunError) as early:
        m.run()
    assert early.value.results.time[-1] == 0.5
    assert m.run(check=False).events[-1].verdict == "divergence"


def test_simulations_are_stepped(rc):
    sim = rc.simulation(rtol=1e-10)
    for k in range(1, 4):
        assert sim.step(1e-3) == pytest.approx(k * 1e-3)
        assert sim["v"] == pytest.approx(10 * (1 - math.exp(-k)), rel=1e-7)
    saved, there = sim.save(), sim["v"]
    sim.set("u", 0)
    sim.step(1e-3)
    assert sim["v"] == pytest.approx(there * math.exp(-1), rel=1e-7)
    sim.restore(saved)
    assert sim["v"] == there and sim.time == pytest.approx(3e-3)
    sim.reset()
    assert sim.time == 0
    with pytest.raises(KeyError, match="neither an input nor a parameter"):
        sim.set("nope", 1)


def test_simulations_take_times_with_units_and_steps(rc):
    sim = rc.simulation(solver="euler", step="0.5 [ms]", stop="1 [ms]")
    assert sim.advance(1) == 1e-3  # no further than the stop
    assert sim["v"] == pytest.approx(7.5)  # each step makes half of the way that is left to 10 V
    assert rc.simulation(stop=1e-4).advance(1) == 1e-4


def test_events_of_a_simulation_are_collected():
    sim = hbg.load(os.path.join(SOURCE, "examples", "diode-inductor", "diode-inductor.hbg")).simulation()
    sim.advance(2e-4)
    assert [event.time for event in sim.events if event.inputs] == [1e-5, 1e-4]
    assert sim.mode == {"diode": "conducting", "manual": "open"}


def test_a_sweep_is_the_table_of_the_command(rc, tmp_path):
    table = rc.sweep(R1=[1000, 2000], C1="1e-6:3e-6:1e-6")
    assert len(table) == 6 and table["R1"] == [1000.0, 1000.0, 1000.0, 2000.0, 2000.0, 2000.0]
    expected = [10 * (1 - math.exp(-5e-3 / (r * c))) for r, c in zip(table["R1"], table["C1"])]
    assert table["v final"] == pytest.approx(expected, rel=1e-4)
    one = rc.sweep(R1="~normal(1000, 10)", runs=8, threads=1)
    assert one["v final"] == rc.sweep(R1="~normal(1000, 10)", runs=8, threads=2)["v final"]


def test_values_of_a_grid_are_lists_arrays_or_ranges(rc):
    want = rc.sweep(R1=[1000, 2000, 3000])["v final"]
    assert rc.sweep(R1=numpy.linspace(1000, 3000, 3))["v final"] == want
    assert rc.sweep(R1=range(1000, 4000, 1000))["v final"] == want
    assert rc.sweep(R1=(f"{k} [kOhm]" for k in (1, 2, 3)))["v final"] == want
    with pytest.raises(ValueError, match="no values of R1"):
        rc.sweep(R1=[])


def test_numbers_that_the_library_would_cut_off_are_refused(rc):
    for wrong in ({"seed": -1}, {"seed": 2**64}, {"threads": -1}, {"runs": 2**63}, {"lanes": 2**31}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} is a whole number from 0 to"):
            rc.sweep(R1=[1000], **wrong)
    with pytest.raises(ValueError, match="seed is a whole number"):
        rc.run(seed=-1)
    assert rc.run(seed=numpy.int64(3)).finished


def test_a_plan_and_options_of_a_sweep_reach_it(rc, tmp_path):
    plan = rc.sweep(R1="~uniform(900, 1100)", C1="~uniform(1e-6, 2e-6)", plan="sobol", runs=4)
    assert len(plan) == 16 and plan["R1"][2] == plan["R1"][1] and plan["C1"][2] == plan["C1"][0]  # the first draw, with R1 of the second
    file = tmp_path / "table.csv"
    rc.sweep(R1=[1000, 2000], file=file, traces="1", every="1 [ms]", solver="rk4", step="10 [us]", ledger=False)
    assert [path.name for path in (tmp_path / "table-traces").iterdir()] == ["run-000001.csv"]
    assert len((tmp_path / "table-traces" / "run-000001.csv").read_text().splitlines()) == 7
    with pytest.raises(ValueError, match="need the file"):
        rc.sweep(R1=[1000], traces="all")


def test_a_sweep_that_was_interrupted_goes_on(rc, tmp_path):
    call = {"R1": "~normal(1000, 10)", "runs": 3000, "engine": "interpreter", "threads": 1}
    rc.sweep(file=tmp_path / "whole.csv", **call)
    with pytest.raises(hbg.Error, match="resume=True goes on"):
        rc.sweep(file=tmp_path / "table.csv", progress=lambda done, runs: done < 10, **call)
    assert not (tmp_path / "table.csv").exists()
    rc.sweep(file=tmp_path / "table.csv", resume=True, **call)
    assert (tmp_path / "table.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_warnings_are_those_of_python():
    text = "model W { param T1 = 5 [degC], T2 = 5 [degC]; Se a(T1); R r(1 [K/W]); 1 x; a -> x -> r; " \
           "Se b(T2); R s(1 [K/W]); 1 y; b -> y -> s; output t = a.e; experiment e { stop 1 [s]; } }"
    m = hbg.loads(text)
    with pytest.warns(hbg.ModelWarning, match="-15 without a unit is -15 K") as told:
        m.run(T1=-15)
    assert told[0].message.diagnostic.code == "W0718" and told[0].filename == __file__
    with pytest.warns(hbg.ModelWarning, match="270 without a unit is 270 K"):
        hbg.loads(text).sweep(T1=[270, 280])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.run(T1="-15 [degC]")
        m.run(T1=-20)  # once for a parameter is enough
    with pytest.warns(hbg.ModelWarning, match="`T2`"):
        m.run(T2=-20)


def test_questions_have_answers_as_values(rc):
    A, B, C, D = rc.linearize()
    assert A == pytest.approx(numpy.array([[-1000.0]])) and B.shape == (1, 1) and C.shape == (2, 1) and D.shape == (2, 1)
    assert rc.linearize().eigenvalues == [pytest.approx(-1000)]
    assert rc.steady().outputs == {"v": pytest.approx(10), "i": pytest.approx(0, abs=1e-12)}
    assert rc.causality()["valid"] and rc.list()["model"] == "Rc"
    assert rc.draw().startswith("<?xml") and rc._repr_svg_() == rc.draw() and rc.draw("png")[:4] == b"\x89PNG"
    assert hbg.load(os.path.join(SOURCE, "examples", "diode-inductor", "diode-inductor.hbg")).verify()


def test_an_image_runs_like_its_model(rc, tmp_path):
    rc.compile(tmp_path / "rc.hbi")
    assert list(hbg.load(tmp_path / "rc.hbi").run()["v"]) == list(rc.run()["v"])


def test_threads_run_side_by_side(rc):
    results = [None] * 4

    def work(k):
        results[k] = hbg.loads(RC).run(R1=1000 * (k + 1), engine="interpreter")["v"][-1]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert results == [rc.run(R1=1000 * (k + 1), engine="interpreter")["v"][-1] for k in range(4)]


LONG = "model M { C c(1, q = 1); I l(1e-10); 1 j; j -> c; j -> l; experiment e { stop 1e5; record c.q every 1e4; } }"
# circuits with a relay, a second one, a freewheeling diode and a clamp: seconds of proofs
CELL = """1 j% when a%; R line%(2); 1 k% when b%; R start%(40); 0 node%; I coil%(0.01); 1 d% when free%; Se drop%(-0.6);
1 e% when over%; Se clamp%(-20); R burn%(5); bus -> j% -> node% -> coil%; j% -> line%; bus -> k% -> node%; k% -> start%;
drop% -> d% -> node%; node% -> e%; clamp% -> e%; e% -> burn%; input bool on% = false, go% = false;
automaton a% { off open -> closed when on%; on closed -> open when !on%; }
automaton b% { off open -> closed when go%; on closed -> open when !go%; }
automaton free% { off blocking -> conducting when node%.e < -0.6; on conducting -> blocking when d%.f < 0; }
automaton over% { off quiet -> open when node%.e > 20; on open -> quiet when e%.f < 0; }
"""
CELLS = "model Cells { Se supply(12); 0 bus; supply -> bus;\n" + "".join(CELL.replace("%", str(i)) for i in range(100)) + "}"


def test_ctrl_c_ends_what_takes_long():
    # a shell may have told its jobs to ignore the signal
    code = "import hbg, signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" \
           "m = hbg.loads({!r})\nprint('ready', flush=True)\n" \
           "try: {}\nexcept KeyboardInterrupt: sys.exit(7)\n"
    calls = {"run": (LONG, "m.run(solver='erk', engine='interpreter')"),
             "sweep": (LONG, "m.sweep(solver='erk', engine='interpreter', threads=1)"),
             "simulation": (LONG, "m.simulation().advance(1e5)"),
             "linearize": (LONG, "m.linearize(at=1e5)"),
             "verify": (CELLS, "m.verify()")}
    children = {name: subprocess.Popen([sys.executable, "-c", code.format(*call)], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True) for name, call in calls.items()}
    try:
        for child in children.values():
            assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        for name, child in children.items():
            assert child.poll() is None, f"{name} was over before"
            child.send_signal(signal.SIGINT)
        for name, child in children.items():
            _, said = child.communicate(timeout=30)
            assert (child.returncode, said) == (7, ""), name
    finally:
        for child in children.values():
            child.kill()


def test_a_simulation_that_is_interrupted_goes_on_to_the_bit(rc):
    sim, whole = rc.simulation(), rc.simulation()
    sim.stop()
    with pytest.raises(hbg.Error, match="interrupted"):
        sim.advance(2e-3)
    sim.advance(2e-3)
    whole.advance(2e-3)
    assert sim.time == 2e-3 and sim.states == whole.states


def test_other_threads_go_on_while_the_library_computes():
    asked = [0]

    def progress(_t, _stop):  # holds the lock of the interpreter; asked 20 times a second
        asked[0] += 1
        return asked[0] < 6

    thread = threading.Thread(target=hbg.loads(LONG).run, kwargs={"solver": "erk", "engine": "interpreter", "progress": progress})
    turns = 0
    thread.start()
    while thread.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 3 * asked[0]  # one each, if the lock were kept between


def test_a_callback_can_end_a_run(rc):
    with pytest.raises(ZeroDivisionError):
        rc.run(stop=10, every=1e-4, progress=lambda t, stop: 1 / 0, engine="interpreter")


def test_structs_are_those_of_the_headers(tmp_path):
    """Sizes and offsets, by the compiler, of every struct the module declares."""
    names = {"Text": "hbg_text", "SessionOptions": "hbg_session_options", "LoadOptions": "hbg_load_options",
             "Policy": "hbg_run_policy", "RunOptions": "hbg_run_options", "SweepOptions": "hbg_sweep_options",
             "CausalityOptions": "hbg_causality_options", "CausalityAllOptions": "hbg_causality_all_options",
             "VerifyOptions": "hbg_verify_model_options", "DrawOptions": "hbg_draw_options",
             "LinearizeOptions": "hbg_linearize_options", "ValueInfo": "hbg_value_info",
             "AutomatonInfo": "hbg_automaton_info", "EventMode": "hbg_event_mode", "Event": "hbg_event",
             "WorkLine": "hbg_work_line", "StorageLine": "hbg_storage_line", "Ledger": "hbg_ledger",
             "Column": "hbg_column", "Results": "hbg_results", "SimulationOptions": "hbg_simulation_options"}
    lines = []
    for python, c in names.items():
        struct = getattr(library, python)
        lines.append(f'printf("{python} %zu\\n", sizeof({c}));')
        lines += [f'printf("{python}.{field} %zu\\n", offsetof({c}, {field}));' for field, _ in struct._fields_]
    program = tmp_path / "sizes.c"
    program.write_text("#include <hbg/simulation.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "}\n")
    subprocess.run(["cc", f"-I{SOURCE}/include", str(program), "-o", str(tmp_path / "sizes")], check=True)
    wanted = {}
    for line in subprocess.run([str(tmp_path / "sizes")], check=True, capture_output=True, text=True).stdout.splitlines():
        name, size = line.split()
        wanted[name] = int(size)
    for python in names:
        struct = getattr(library, python)
        assert ctypes.sizeof(struct) == wanted[python], python
        for field, _ in struct._fields_:
            assert getattr(struct, field).offset == wanted[f"{python}.{field}"], f"{python}.{field}"


def test_frames_and_pictures(rc):
    pandas = pytest.importorskip("pandas")
    frame = rc.run().to_pandas()
    assert list(frame.columns) == ["v", "i"] and frame.attrs["units"]["v"] == "V"
    assert isinstance(rc.sweep(R1=[1000, 2000]).to_pandas(), pandas.DataFrame)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = rc.run().plot("v", "i")
    assert [axis.get_ylabel() for axis in axes] == ["V", "A"]


def test_matrices_go_to_scipy_as_they_are(rc):
    scipy_signal = pytest.importorskip("scipy.signal")
    system = scipy_signal.StateSpace(*rc.linearize())  # from u to v and i
    t, y = scipy_signal.step(system, T=numpy.linspace(0, 5e-3, 51))
    numpy.testing.assert_allclose(y[:, 0], 1 - numpy.exp(-t / 1e-3), atol=1e-9)
    numpy.testing.assert_allclose(y[:, 1], 1e-3 * numpy.exp(-t / 1e-3), atol=1e-12)


def test_names_that_are_wrong_are_told_with_those_there_are():
    m = hbg.loads(RC)
    r = m.run()
    with pytest.raises(KeyError, match="there are time"):
        r.plot("nope")
    with pytest.raises(ValueError, match="auto, interpreter, native$"):
        m.run(engine="cuda")
    with pytest.raises(ValueError, match="auto, interpreter, native, cuda$"):
        m.sweep(engine="fast", R1=[100, 220])
    with pytest.raises(ValueError, match="svg, png, dot$"):
        m.draw("gif")
    assert hbg.__version__ == hbg.version()


def test_every_engine_makes_the_same_table(tmp_path):
    m = hbg.loads(RC)
    files = {engine: tmp_path / engine for engine in ("interpreter", "native", "auto")}
    for engine, file in files.items():
        m.sweep(engine=engine, file=file, R1=[100, 220, 330])
    assert len({file.read_bytes() for file in files.values()}) == 1
