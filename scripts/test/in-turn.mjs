/** With three at a time two cores had a load of 25, and journeys in a browser took longer than any that hangs is given. */
export const atOnce = 2;

/** @typedef {{ beside: boolean, priority: 'normal' | 'low' }} Turn `beside`: another suite runs at the same time */

/**
 * Runs suites in the table's order: first those that run alone, then those that run first, one after the other, then some at the same time; the next
 * one begins when one of them ends. Those that run below others begin after those that run alone, and have a low priority: a suite that computes
 * slows none that waits for what happens.
 * @template T
 * @param {readonly import('./suites.mjs').Suite[]} picked
 * @param {(suite: import('./suites.mjs').Suite, turn: Turn) => Promise<T[]>} runOne
 * @returns {Promise<T[]>} in the order of `picked`
 */
export async function runInTurn(picked, runOne) {
  /** @param {import('./suites.mjs').Suite['runs']} how */
  const those = (how) => picked.filter(({ runs }) => runs === how);
  const [alone, first, beside, below] = [those('alone'), those('first'), those('beside'), those('below')];
  /** @type {Map<import('./suites.mjs').Suite, T[]>} */
  const told = new Map();
  /** @param {Iterable<import('./suites.mjs').Suite>} suites @param {Turn} turn */
  const lane = async (suites, turn) => {
    for (const suite of suites) told.set(suite, await runOne(suite, turn));
  };
  await lane(alone, { beside: false, priority: 'normal' });
  const several = first.length + beside.length + below.length > 1;
  const left = beside.values();
  const normal = /** @type {const} */ ({ beside: several, priority: 'normal' });
  await Promise.all([
    lane(first, normal).then(() => Promise.all(Array.from({ length: atOnce }, () => lane(left, normal)))),
    lane(below, { beside: several, priority: several ? 'low' : 'normal' }),
  ]);
  return picked.flatMap((suite) => told.get(suite) ?? []);
}
