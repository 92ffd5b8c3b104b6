/**
 * Most failed files that are run again: more failures are not due to load. CONTRIBUTING.md › Tests that fail beside others explains the second run.
 */
const fewFiles = 6;

/**
 * The test files to run once more and alone, by suite. Empty if nothing failed, if too many files failed, or if something failed that belongs to no test
 * file, because a second run could not turn that into a pass.
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
 * The outcomes after the second run. A file that passed there gets its outcome of the second run; a file that failed there gets its failures of that run;
 * all others keep their outcome of the first run. `passedAlone`: the failures of the first run that no longer count.
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

/** Whether nothing failed and the second run left out no test of the first. @param {import('./tally.mjs').Outcome} before @param {import('./tally.mjs').Outcome} after */
function isPassed(before, after) {
  return after.passed > 0 && after.tests >= before.tests && after.skipped <= before.skipped;
}
