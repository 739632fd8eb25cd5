/**
 * Values in files: numpy's .npy and .npz and a JSON form, keys that say which device and argument a
 * value belongs to, and comparison within tolerances.
 */
@NullMarked
package dev.lockstep.runtime.values;

import org.jspecify.annotations.NullMarked;
