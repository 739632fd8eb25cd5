/** Programs: modules, operations, regions, blocks and values. Knows no op. */
@NullMarked
package dev.lockstep.hlo.ir;

import org.jspecify.annotations.NullMarked;
