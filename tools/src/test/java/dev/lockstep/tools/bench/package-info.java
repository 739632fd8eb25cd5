/** Benchmarks, run on demand; docs/benchmarks.md says how and what they gave. */
@NullMarked
package dev.lockstep.tools.bench;

import org.jspecify.annotations.NullMarked;
