/** Messages that {@code protoc} makes from {@code src/main/proto}; nothing else lies here. */
@NullMarked
package dev.lockstep.hlo.proto.xla;

import org.jspecify.annotations.NullMarked;
