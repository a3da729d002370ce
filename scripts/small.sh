#!/usr/bin/env bash
# Runs a build whose result is to be small:   scripts/small.sh COMMAND...
#
# What becomes .wasm then brings its own standard library, built for size: without the texts of panics
# and the code that formats them the filter is a tenth smaller, and the page a sixth. Cargo calls that
# unstable, so it is allowed for this one command, with the compiler that rust-toolchain.toml pins. With
# another compiler the command runs as it is.
set -euo pipefail

pinned=$(sed -n 's/^channel = "\(.*\)"/\1/p' "$(dirname "${BASH_SOURCE[0]}")/../rust-toolchain.toml")
case $(rustc --version) in
  "rustc $pinned"*) ;;
  *)
    echo "small: this compiler is not Rust $pinned, so what it builds is larger" >&2
    exec "$@"
    ;;
esac
export RUSTC_BOOTSTRAP=1
export CARGO_UNSTABLE_BUILD_STD=std,panic_abort
export CARGO_UNSTABLE_BUILD_STD_FEATURES=optimize_for_size
export CARGO_UNSTABLE_PANIC_IMMEDIATE_ABORT=true
export CARGO_PROFILE_WASM_RELEASE_PANIC=immediate-abort
# Of several ways to the same the optimizer takes the shorter: it copies with one instruction instead of a
# row of loads and stores, and neither spreads a loop's arithmetic nor pulls reads out of branches.
shorter="-Cllvm-args=-max-store-memcpy=1 -Cllvm-args=-disable-lsr -Cllvm-args=-enable-pre=false"
export RUSTFLAGS="-Zlocation-detail=none -Zfmt-debug=none $shorter"
exec "$@"
