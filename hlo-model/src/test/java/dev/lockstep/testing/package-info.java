/** Where the tests of every module find the corpus and the python oracle. */
@NullMarked
package dev.lockstep.testing;

import org.jspecify.annotations.NullMarked;
