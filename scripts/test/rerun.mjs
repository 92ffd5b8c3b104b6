/**
 * Files at most that are run again: if more fail, it was no chance. CONTRIBUTING.md › Tests that fail beside others says why there is a second run.
 */
const fewFiles = 6;

/**
 * The test files to run once more and alone, by suite; empty where nothing failed, where something failed that is no test file's (then no second run
 * could save the first), or where too many did.
 * @param {readonly import('./tally.mjs').Outcome[]} outcomes
 * @returns {Map<string, string[]>}
 */
export function filesToRunAgain(outcomes) {
  /** @type {Map<string, string[]>} */
  const files = new Map();
  const failed = outcomes.filter(isFailed);
  if (failed.length > fewFiles) return files;
  for (const { suite, file } of failed) {
    if (file === null) return new Map();
    files.set(suite, [...(files.get(suite) ?? []), file]);
  }
  return files;
}

/**
 * What all came to after the second run: of a file that passed there, what it did there; of any other that failed, its failures, of the second run where
 * it had some. `passedAlone`: the failures of the first run that do not count.
 * @param {readonly import('./tally.mjs').Outcome[]} first
 * @param {readonly import('./tally.mjs').Outcome[]} second
 * @returns {{ outcomes: import('./tally.mjs').Outcome[], passedAlone: string[] }}
 */
export function afterSecondRun(first, second) {
  /** @type {string[]} */
  const passedAlone = [];
  const outside = second.filter(({ file, failed }) => file === null && failed.length > 0);
  const outcomes = first.map((before) => {
    if (!isFailed(before)) return before;
    const after = second.find(({ suite, file }) => file !== null && suite === before.suite && file === before.file);
    if (after === undefined) return before;
    if (isFailed(after)) return after;
    if (!isPassed(before, after) || outside.some(({ suite }) => suite === before.suite)) return before;
    passedAlone.push(...before.failed);
    return after;
  });
  return { outcomes: [...outcomes, ...outside], passedAlone };
}

/** @param {import('./tally.mjs').Outcome} outcome */
function isFailed({ failed }) {
  return failed.length > 0;
}

/** Nothing failed, and no test was left out that had been run. @param {import('./tally.mjs').Outcome} before @param {import('./tally.mjs').Outcome} after */
function isPassed(before, after) {
  return after.passed > 0 && after.tests >= before.tests && after.skipped <= before.skipped;
}
