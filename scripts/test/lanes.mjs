/**
 * Runs suites in the order of their lanes: those that come first one after another, then two lanes at the same time, so that no core is idle while a
 * cluster rolls out.
 * @param {readonly import('./suites.mjs').Suite[]} picked
 * @param {(suite: import('./suites.mjs').Suite, beside: boolean) => Promise<import('./tally.mjs').Tally>} runOne
 * @returns {Promise<import('./tally.mjs').Tally[]>} in the order of `picked`
 */
export async function runInLanes(picked, runOne) {
  const lane = (/** @type {string} */ name) => picked.filter((suite) => suite.lane === name);
  const [computing, waiting] = [lane('computes'), lane('waits')];
  const beside = computing.length > 0 && waiting.length > 0;
  /** @type {Map<import('./suites.mjs').Suite, import('./tally.mjs').Tally>} */
  const tallies = new Map();
  /** @param {readonly import('./suites.mjs').Suite[]} suites @param {boolean} besideOthers */
  const runAll = async (suites, besideOthers) => {
    for (const suite of suites) tallies.set(suite, await runOne(suite, besideOthers));
  };
  await runAll(lane('first'), false);
  await Promise.all([runAll(computing, beside), runAll(waiting, beside)]);
  return picked.flatMap((suite) => tallies.get(suite) ?? []);
}
