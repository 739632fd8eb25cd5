/** What an op is: names, constraints, syntax family and meaning, one definition an op. */
@NullMarked
package dev.lockstep.hlo.op;

import org.jspecify.annotations.NullMarked;
