/** What entry functions take and give. */
@NullMarked
package dev.lockstep.pass.entry;

import org.jspecify.annotations.NullMarked;
