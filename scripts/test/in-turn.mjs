/** Number of suites at a time. With three, two cores had a load of 25, and browser journeys exceeded their time limits. */
export const atOnce = 2;

/** @typedef {{ beside: boolean, priority: 'normal' | 'low' }} Turn `beside`: another suite runs at the same time */

/**
 * Runs suites in the table's order: first the `alone` suites, one after the other, then `atOnce` of the `beside` suites at a time. The `below` suites run
 * during all of that at low priority, so that a suite that only computes does not make the time limits of the others fail.
 * @template T
 * @param {readonly import('./suites.mjs').Suite[]} picked
 * @param {(suite: import('./suites.mjs').Suite, turn: Turn) => Promise<T[]>} runOne
 * @returns {Promise<T[]>} in the order of `picked`
 */
export async function runInTurn(picked, runOne) {
  const [alone, beside, below] = [picked.filter(is('alone')), picked.filter(is('beside')), picked.filter(is('below'))];
  /** @type {Map<import('./suites.mjs').Suite, T[]>} */
  const results = new Map();
  /** @param {Iterable<import('./suites.mjs').Suite>} suites @param {Turn} turn */
  const lane = async (suites, turn) => {
    for (const suite of suites) results.set(suite, await runOne(suite, turn));
  };
  await lane(alone, { beside: false, priority: 'normal' });
  const several = beside.length + below.length > 1;
  const left = beside.values();
  await Promise.all([
    ...Array.from({ length: atOnce }, () => lane(left, { beside: several, priority: 'normal' })),
    lane(below, { beside: several, priority: beside.length > 0 ? 'low' : 'normal' }),
  ]);
  return picked.flatMap((suite) => results.get(suite) ?? []);
}

/** @param {import('./suites.mjs').Suite['runs']} how @returns {(suite: import('./suites.mjs').Suite) => boolean} */
function is(how) {
  return ({ runs }) => runs === how;
}
