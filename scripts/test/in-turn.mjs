/** With three at a time two cores had a load of 25, and journeys in a browser took longer than any that hangs is given. */
export const atOnce = 2;

/**
 * Runs suites in the table's order: first those that run alone, one after the other, then some at the same time; the next one begins when one of
 * them ends.
 * @param {readonly import('./suites.mjs').Suite[]} picked
 * @param {(suite: import('./suites.mjs').Suite, beside: boolean) => Promise<import('./tally.mjs').Tally>} runOne
 * @returns {Promise<import('./tally.mjs').Tally[]>} in the order of `picked`
 */
export async function runInTurn(picked, runOne) {
  const alone = picked.filter((suite) => suite.alone);
  const others = picked.filter((suite) => !suite.alone);
  /** @type {Map<import('./suites.mjs').Suite, import('./tally.mjs').Tally>} */
  const tallies = new Map();
  for (const suite of alone) tallies.set(suite, await runOne(suite, false));
  const left = others.values();
  const worker = async () => {
    for (const suite of left) tallies.set(suite, await runOne(suite, others.length > 1));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return picked.flatMap((suite) => tallies.get(suite) ?? []);
}
