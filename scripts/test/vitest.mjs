import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node24 } from '../node24-path.mjs';
import { run } from '../setup/child.mjs';

/** Runs one vitest project under our Node 24: people see its own report, we count from its JSON. @param {string} project */
export async function runVitest(project) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-vitest-'));
  const file = join(folder, 'results.json');
  const { code } = await run(
    node24(),
    [
      '--disable-warning=ExperimentalWarning',
      'node_modules/vitest/vitest.mjs',
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { output: 'show' },
  );
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  rmSync(folder, { recursive: true, force: true });
  return tallyOf(results, code);
}

/**
 * @typedef {{ status: string }} Assertion
 * @typedef {{ testResults: readonly { status: string, assertionResults: readonly Assertion[] }[] }} Results
 */

/**
 * What vitest's JSON leaves out counts too: a file that did not load has no tests, and an error outside every test (an unhandled
 * rejection, a crash, no file found) shows in the exit code only.
 * @param {Results | null} results
 * @param {number} code
 * @returns {import('./tally.mjs').Tally}
 */
export function tallyOf(results, code) {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of results?.testResults ?? []) {
    for (const { status } of assertionResults) {
      if (status === 'passed') tally.passed += 1;
      else if (status === 'failed') tally.failed += 1;
      else tally.skipped += 1;
    }
    const unexplained = status === 'failed' && !assertionResults.some(({ status }) => status === 'failed');
    if (unexplained) tally.failed += 1;
  }
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}
