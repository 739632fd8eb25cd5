/** How one array lies on many devices: meshes, and shardings of both partitioners. */
@NullMarked
package dev.lockstep.hlo.shard;

import org.jspecify.annotations.NullMarked;
