/** Number of suites at a time. With three, two cores had a load of 25, and browser journeys exceeded their time limits. */
export const atOnce = 2;

/** @typedef {{ beside: boolean, priority: 'normal' | 'low' }} Turn `beside`: another suite runs at the same time */

/**
 * Runs suites in the table's order: first the `alone` suites, one after the other, then the `first` ones, as these, then `atOnce` of the `beside` suites at a
 * time. The `below` suites run from the end of the `alone` ones on, at low priority, so that a suite that only computes does not make the time limits of the others fail.
 * @template T
 * @param {readonly import('./suites.mjs').Suite[]} picked
 * @param {(suite: import('./suites.mjs').Suite, turn: Turn) => Promise<T[]>} runOne
 * @returns {Promise<T[]>} in the order of `picked`
 */
export async function runInTurn(picked, runOne) {
  /** @param {import('./suites.mjs').Suite['runs']} how */
  const which = (how) => picked.filter(({ runs }) => runs === how);
  const [alone, first, beside, below] = [which('alone'), which('first'), which('beside'), which('below')];
  /** @type {Map<import('./suites.mjs').Suite, T[]>} */
  const results = new Map();
  /** @param {Iterable<import('./suites.mjs').Suite>} suites @param {Turn} turn */
  const lane = async (suites, turn) => {
    for (const suite of suites) results.set(suite, await runOne(suite, turn));
  };
  await lane(alone, { beside: false, priority: 'normal' });
  const several = beside.length + below.length > 1;
  const inFront = async () => {
    await lane(first, { beside: below.length > 0, priority: 'normal' });
    const left = beside.values();
    await Promise.all(Array.from({ length: atOnce }, () => lane(left, { beside: several, priority: 'normal' })));
  };
  const isBelow = first.length + beside.length > 0;
  await Promise.all([inFront(), lane(below, { beside: isBelow, priority: isBelow ? 'low' : 'normal' })]);
  return picked.flatMap((suite) => results.get(suite) ?? []);
}
