/** JSON files that people write: read with places, so that every complaint points at its cause. */
@NullMarked
package dev.lockstep.runtime.json;

import org.jspecify.annotations.NullMarked;
