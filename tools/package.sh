#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# package.sh: makes a Debian package of the optimised build, in build/.
# needs: build page package
. "$(dirname "$0")/common.sh"

phase "install packages" tools/packages.sh build page package
phase "build" build_tree release build
phase "build for the package" build_tree release build hbg_later

# later: packages of the libraries that are loaded when they are needed, behind those that CMakeLists.txt names
later() {
    (
        cd build/package
        mkdir -p debian
        printf 'Source: hbg\n\nPackage: hbg\nArchitecture: any\n' >debian/control
        dpkg-shlibdeps -O later 2>shlibdeps.log | sed -n 's/^shlibs:Depends=//p'
    )
}
depends=$(sed -n 's/^set(CPACK_DEBIAN_PACKAGE_DEPENDS "\(.*\)")$/\1/p' build/CPackConfig.cmake)
depends="$depends, $(later)"
(cd build && rm -f hbg_*.deb && cpack -G DEB -D "CPACK_DEBIAN_PACKAGE_DEPENDS=$depends" >package.log 2>&1) || { cat build/package.log >&2; exit 1; }
for package in build/hbg_*.deb; do
    echo "made $package; install it with: apt-get install ./$package"
done
