/** From the statements of a graph to a module: names, types, sizes, mutations, groups. */
@NullMarked
package dev.lockstep.lower.fx.graph;

import org.jspecify.annotations.NullMarked;
