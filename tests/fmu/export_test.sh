#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Some examples as FMUs, one for each thing that is special about them; all of them run in export_soak.sh.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"

fixed 2 ball-restitution        # pinnacles: two commits at an instant
fixed 3 construct-sensors       # noise
fixed 3 charge-sharing          # dependent storages
variable 3 ball-restitution 20000
strict 3 ball-restitution
variable 2 construct-after 20000 # clocks
strict 2 construct-after
exported 3 diode-resistor && strict 3 diode-resistor # a loop whose last bits tell where Newton came from
stiff 2 stiff-network
sampled 3 boost-buck-inverter 7.5e-6 --stop '3 [ms]' # a controller without hysteresis
exit "$failed"
