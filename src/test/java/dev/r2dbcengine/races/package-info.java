/**
 * Races inside the cache, run by jcstress: two threads act on one cache at the same time, and a third examines the
 * result. Forbidden results are named. {@link dev.r2dbcengine.races.RacesIT} runs the races.
 */
@NullMarked
package dev.r2dbcengine.races;

import org.jspecify.annotations.NullMarked;
