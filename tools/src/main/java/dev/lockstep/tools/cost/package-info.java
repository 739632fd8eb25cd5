/** Device files, and estimates as tables and JSON. */
@NullMarked
package dev.lockstep.tools.cost;

import org.jspecify.annotations.NullMarked;
