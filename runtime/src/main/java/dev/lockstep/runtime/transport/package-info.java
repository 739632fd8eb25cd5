/** What ranks in processes of their own tell each other while they run together. */
@NullMarked
package dev.lockstep.runtime.transport;

import org.jspecify.annotations.NullMarked;
