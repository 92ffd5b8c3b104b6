/** With three at a time two cores had a load of 25, and journeys in a browser took longer than any that hangs is given. */
export const atOnce = 2;

/** @typedef {{ beside: boolean, priority: 'normal' | 'low' }} Turn `beside`: another suite runs at the same time */

/**
 * Runs suites in the table's order: first those that run alone, one after the other, then some at the same time; the next one begins when one of
 * them ends. Those that run below others run all this time, and at a low priority: a suite that computes slows none that waits for what happens.
 * @template T
 * @param {readonly import('./suites.mjs').Suite[]} picked
 * @param {(suite: import('./suites.mjs').Suite, turn: Turn) => Promise<T[]>} runOne
 * @returns {Promise<T[]>} in the order of `picked`
 */
export async function runInTurn(picked, runOne) {
  const [alone, beside, below] = [picked.filter(is('alone')), picked.filter(is('beside')), picked.filter(is('below'))];
  /** @type {Map<import('./suites.mjs').Suite, T[]>} */
  const told = new Map();
  /** @param {Iterable<import('./suites.mjs').Suite>} suites @param {Turn} turn */
  const lane = async (suites, turn) => {
    for (const suite of suites) told.set(suite, await runOne(suite, turn));
  };
  await lane(alone, { beside: false, priority: 'normal' });
  const several = beside.length + below.length > 1;
  const left = beside.values();
  await Promise.all([
    ...Array.from({ length: atOnce }, () => lane(left, { beside: several, priority: 'normal' })),
    lane(below, { beside: several, priority: beside.length > 0 ? 'low' : 'normal' }),
  ]);
  return picked.flatMap((suite) => told.get(suite) ?? []);
}

/** @param {import('./suites.mjs').Suite['runs']} how @returns {(suite: import('./suites.mjs').Suite) => boolean} */
function is(how) {
  return ({ runs }) => runs === how;
}
