/* SPDX-FileCopyrightText: The hbg authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Language service: words of the language and what they mean, in one line each. A test holds the list against the parser's. */
#include "lang/service_impl.h"

#include <string.h>

static const service_word words[] = {
    {"model", HBG_SERVICE_KEYWORD,
     "`model NAME { … }`: a hybrid bond graph and the experiments made with it"},
    {"component", HBG_SERVICE_KEYWORD,
     "`component NAME(parameters) { … }`: a part with ports, to be used in others"},
    {"import", HBG_SERVICE_KEYWORD,
     "`import \"electrical.hbg\";`: makes what another file defines known here"},
    {"param", HBG_SERVICE_KEYWORD,
     "`param R1 = 330 [Ohm];`: a constant of a run, which `-p` and `set` can change"},
    {"choice", HBG_SERVICE_KEYWORD,
     "`choice mu in 0.1 .. 0.2 = 0.15;`: a number that is chosen anew whenever an automaton moves"},
    {"input", HBG_SERVICE_KEYWORD,
     "`input bool sw = false;`: a signal from outside; experiments change it by `at`"},
    {"output", HBG_SERVICE_KEYWORD, "`output i = coil.f;`: a signal that is recorded"},
    {"signal", HBG_SERVICE_KEYWORD, "`signal v = node.e;`: a name for an expression"},
    {"state", HBG_SERVICE_KEYWORD, "`state x = 0 : der = v;`: an integrator outside the bond graph"},
    {"sample", HBG_SERVICE_KEYWORD,
     "`sample u every 1 [ms] = …;`: a value computed at its instants and held between them"},
    {"sensor", HBG_SERVICE_KEYWORD,
     "`sensor y = coil.f every 1 [ms] noise(0, 1e-4);`: a measurement, which faults can hit"},
    {"function", HBG_SERVICE_KEYWORD, "`function f(x) = x^2;`: a formula with arguments"},
    {"automaton", HBG_SERVICE_KEYWORD,
     "`automaton NAME { off open -> closed when sw; … }`: states that are on or off"},
    {"experiment", HBG_SERVICE_KEYWORD,
     "`experiment NAME { stop 1 [s]; … }`: what is run, changed and recorded"},
    {"verify", HBG_SERVICE_KEYWORD,
     "`verify { range … in [a, b]; assume …; always …; }`: what a proof takes for granted, and asks of "
     "jumps"},
    {"port", HBG_SERVICE_KEYWORD,
     "`port a : electrical;`, `port in u : bool;`, `port out y = …;`: how a component meets others"},
    {"when", HBG_SERVICE_KEYWORD, "a junction is on, or a transition is taken, when this holds"},
    {"for", HBG_SERVICE_KEYWORD,
     "`for i in 1 .. n { … }`: repeats what is inside; or `when c for 50 [ms]`: once the condition has held "
     "so long"},
    {"if", HBG_SERVICE_KEYWORD, "`if n > 2 { … } else { … }`: takes the one or the other"},
    {"else", HBG_SERVICE_KEYWORD, "`if n > 2 { … } else { … }`: takes the one or the other"},
    {"tolerance", HBG_SERVICE_KEYWORD, "`tolerance 1e-9;`: relative tolerance of the solver"},
    {"after", HBG_SERVICE_KEYWORD, "a transition is taken so long after its state was entered"},
    {"every", HBG_SERVICE_KEYWORD, "the period of a sample, a sensor, an automaton, or of what is recorded"},
    {"off", HBG_SERVICE_KEYWORD,
     "a state in which what it controls is off; or `off effort`, `off flow`: what is zero then"},
    {"on", HBG_SERVICE_KEYWORD, "a state in which what it controls is on"},
    {"start", HBG_SERVICE_KEYWORD, "the state in which an automaton starts, if it is not the first"},
    {"restitution", HBG_SERVICE_KEYWORD, "a collision: with this share of the speed the bodies part again"},
    {"loss", HBG_SERVICE_KEYWORD,
     "a collision: which share is lost of what bodies that stay together would lose, or which energy"},
    {"effort", HBG_SERVICE_KEYWORD, "`off effort`: no effort while the junction is off"},
    {"flow", HBG_SERVICE_KEYWORD, "`off flow`: no flow while the junction is off"},
    {"real", HBG_SERVICE_KEYWORD, "a signal that is a number"},
    {"bool", HBG_SERVICE_KEYWORD, "a signal that is true or false"},
    {"event", HBG_SERVICE_KEYWORD, "a signal that happens at instants"},
    {"der", HBG_SERVICE_KEYWORD, "the derivative of a state"},
    {"noise", HBG_SERVICE_KEYWORD, "`noise(mean, variance)`: white noise of a sensor"},
    {"in", HBG_SERVICE_KEYWORD,
     "a signal port of a component, the ends of a range, or `in(automaton.state, …)`"},
    {"out", HBG_SERVICE_KEYWORD, "a signal that a component shows"},
    {"stop", HBG_SERVICE_KEYWORD, "`stop 1 [s];`: when a run ends"},
    {"solver", HBG_SERVICE_KEYWORD, "`solver bdf;`, `solver rk4 step 1 [us];`"},
    {"step", HBG_SERVICE_KEYWORD, "the step of a solver"},
    {"set", HBG_SERVICE_KEYWORD,
     "`set R1 = 10 [Ohm], coil.p = 0, relay = closed;`: how a run differs from the model at its start"},
    {"at", HBG_SERVICE_KEYWORD, "`at 1 [ms]: sw = true;`: what changes at an instant"},
    {"fault", HBG_SERVICE_KEYWORD, "`fault at 3 [s]: bulb.R abrupt -30 [%];`: what breaks, when and how"},
    {"until", HBG_SERVICE_KEYWORD, "when a fault is over"},
    {"record", HBG_SERVICE_KEYWORD, "`record i_coil, node.e every 1 [ms];`: what the results hold"},
    {"plot", HBG_SERVICE_KEYWORD, "`plot i_coil, node.e;`: what is drawn"},
    {"range", HBG_SERVICE_KEYWORD, "`range coil.p in [0, 1];`: values that a proof considers"},
    {"assume", HBG_SERVICE_KEYWORD, "`assume R1 > 0;`: a condition that a proof takes for granted"},
    {"always", HBG_SERVICE_KEYWORD, "`always impulse(contact.e) <= 0.02;`: what a proof asks of every jump"},
    {"lost", HBG_SERVICE_KEYWORD, "`always lost(contact) <= 3 [mJ];`: what a collision may lose at most"},
    {"stuck", HBG_SERVICE_KEYWORD, "a fault that holds a value, or an automaton in a state"},
    {"Sw", HBG_SERVICE_KIND, "switch: no effort across it when it is closed, no flow when it is open"},
    {"true", HBG_SERVICE_KEYWORD, "holds always"},
    {"false", HBG_SERVICE_KEYWORD, "holds never"},
    {"pi", HBG_SERVICE_KEYWORD, "3.14159…"},
    {"time", HBG_SERVICE_KEYWORD, "the time of a run, in s"},
};

const service_word *hbg_lang_service_word(int index) {
    return index >= 0 && (size_t)index < sizeof words / sizeof *words ? &words[index] : NULL;
}

const service_word *hbg_lang_service_find_word(const char *text, size_t size) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == size && memcmp(words[i].word, text, size) == 0) return &words[i];
    return NULL;
}
