/** What a pass is, pipelines of passes as text, and the manager that runs them. */
@NullMarked
package dev.lockstep.pass;

import org.jspecify.annotations.NullMarked;
