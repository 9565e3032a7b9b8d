/**
 * Races inside the cache, run by jcstress: in each, two threads do something to one cache at the same moment, and a third
 * then looks at what came of it. What must never come of it is named as forbidden. {@link
 * dev.r2dbcengine.races.RacesIT} runs them.
 */
@NullMarked
package dev.r2dbcengine.races;

import org.jspecify.annotations.NullMarked;
