/** `failed` holds a name for each, since nobody scrolls up through an hour of output. @typedef {{ passed: number, failed: readonly string[], skipped: number }} Tally */

/**
 * What one test file of a suite came to, with how many tests are in it. `file`, from the repository's root, is null for what is no test file's: a program,
 * something that is missing, an error outside of all tests.
 * @typedef {Tally & { suite: string, file: string | null, tests: number }} Outcome
 */

/** @type {Tally} */
export const none = { passed: 0, failed: [], skipped: 0 };

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  return tallies.reduce(
    (total, tally) => ({
      passed: total.passed + tally.passed,
      failed: [...total.failed, ...tally.failed],
      skipped: total.skipped + tally.skipped,
    }),
    none,
  );
}

/** The form that scripts read: `12 passed, 0 failed`, and `, 3 skipped` only where there are some. @param {Tally} tally */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** What failed, a block each, for the end of the output; empty where nothing did. @param {readonly string[]} failed */
export function failuresToRead(failed, headline = 'Failed:') {
  return failed.length === 0
    ? ''
    : [headline, ...failed.map((one) => `  ${one.replaceAll('\n', '\n    ')}`)].join('\n');
}
