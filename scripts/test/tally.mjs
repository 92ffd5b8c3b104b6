/** `failed` has the name of each failure, for the summary after an hour of output. @typedef {{ passed: number, failed: readonly string[], skipped: number }} Tally */

/**
 * The outcome of one test file of a suite; `tests`: number of its tests. `file` is a path from the repository's root, or null for outcomes without a test
 * file: a program, a missing need, an error outside of all tests. `left`: temporary files that the suite should have removed.
 * @typedef {Tally & { suite: string, file: string | null, tests: number, left?: readonly string[] }} Outcome
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

/** The last line of the output, which scripts read: `12 passed, 0 failed`, with `, 3 skipped` if tests were skipped. @param {Tally} tally */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The failures as blocks of text for the end of the output; empty if there are none. @param {readonly string[]} failed */
export function failuresToRead(failed, headline = 'Failed:') {
  return failed.length === 0
    ? ''
    : [headline, ...failed.map((one) => `  ${one.replaceAll('\n', '\n    ')}`)].join('\n');
}
