#!/bin/sh
# Compiles the shim: build.sh SOURCES FOLDER JAVA_HOME. Where there is no C++ compiler or no jni.h
# it says so and is content: everything but PJRT works without the shim.
set -eu
sources=$1 folder=$2 java_home=$3

skip() {
  echo "pjrt: the native shim is not built: $1" >&2
  exit 0
}

case $(uname -s) in
  Linux) ;;
  *) skip "it is for Linux" ;;
esac
compiler=
for candidate in ${CXX:-} c++ g++ clang++; do
  if command -v "$candidate" >/dev/null 2>&1; then
    compiler=$candidate
    break
  fi
done
[ -n "$compiler" ] || skip "no C++ compiler (c++, g++, clang++ or \$CXX)"
for home in "$java_home" "${JAVA_HOME:-}"; do
  [ -f "$home/include/jni.h" ] && include=$home/include && break
done
[ -n "${include:-}" ] || skip "no jni.h under $java_home/include"

target=$folder/$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)/liblockstep_pjrt.so
if [ -f "$target" ] && [ -z "$(find "$sources" -newer "$target" -print | head -n 1)" ]; then
  exit 0
fi
mkdir -p "$(dirname "$target")"
# The C++ library goes in, so that the shim does not depend on the one of the machine it runs on.
"$compiler" -std=c++17 -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra \
  -static-libstdc++ -static-libgcc -I"$include" -I"$include/linux" \
  -o "$target.new" "$sources/pjrt_shim.cc" "$sources/pjrt_key_values.cc" \
  "$sources/pjrt_jni.cc" -ldl -lpthread ||
  skip "$compiler failed; its messages are above"
mv "$target.new" "$target"
