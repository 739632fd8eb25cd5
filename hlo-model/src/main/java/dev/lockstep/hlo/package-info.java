/** What a program is. Knows no pass and no runtime. */
@NullMarked
package dev.lockstep.hlo;

import org.jspecify.annotations.NullMarked;
