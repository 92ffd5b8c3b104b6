import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { node24 } from '../node24-path.mjs';
import { root } from '../setup/root.mjs';
import { heaviestFiles } from './cpu-seconds.mjs';
import { none } from './tally.mjs';
import { temporaryFiles } from './temporary-files.mjs';

/**
 * Runs one vitest project with our Node 24. Prints vitest's report for people, and counts from its JSON.
 * @param {string} project
 * @param {boolean} beside whether another suite runs at the same time; then each line begins with the suite's name
 * @param {typeof import('../setup/child.mjs').run} run
 * @param {readonly string[]} files from the repository's root; none: all of the project
 */
export async function runVitest(project, beside, run, files = []) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-vitest-'));
  const file = join(folder, 'results.json');
  const outside = join(folder, 'outside.json');
  const cpuLog = join(folder, 'cpu.jsonl');
  const temporary = temporaryFiles();
  const { code } = await run(
    node24(),
    [
      '--disable-warning=ExperimentalWarning',
      'node_modules/vitest/vitest.mjs',
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      '--reporter=./scripts/test/outside-reporter.mjs',
      `--outputFile.json=${file}`,
      ...files.map((one) => join(root, one)),
    ],
    {
      output: beside ? { each: `${project.padEnd(8)} │ ` } : 'show',
      env: {
        ...process.env,
        TMPDIR: temporary.folder,
        SIGNALBOX_CPU_LOG: cpuLog,
        SIGNALBOX_OUTSIDE_ERRORS: outside,
      },
    },
  );
  const [results, errors] = [file, outside].map((one) =>
    existsSync(one) ? JSON.parse(readFileSync(one, 'utf8')) : null,
  );
  const heaviest = heaviestFiles(existsSync(cpuLog) ? readFileSync(cpuLog, 'utf8') : '', 8);
  if (heaviest !== '') console.log(`── ${project}: most seconds of the processor: ${heaviest}`);
  rmSync(folder, { recursive: true, force: true });
  const left = temporary.end();
  const ofNoFile = { suite: project, file: null, tests: 0, ...none };
  return [...outcomesOf(project, results, errors ?? [], code), ...(left.length > 0 ? [{ ...ofNoFile, left }] : [])];
}

/**
 * @typedef {{ status: string, fullName?: string, failureMessages?: readonly string[] | null }} Assertion
 * @typedef {{ status: string, name: string, message?: string, assertionResults: readonly Assertion[] }} TestFile
 * @typedef {{ testResults: readonly TestFile[] }} Results
 */

/** Number of lines of a failure in the summary; the full text is further up in the output. */
const messageLines = 12;
const messageCharacters = 1_200;

/**
 * The outcomes of a project, one for each test file. Also counts failures that are no test in vitest's JSON: a file that did not load, and errors outside
 * of all tests (an unhandled rejection, a crash, no file found), which only `errors` or the exit code show.
 * @param {string} project
 * @param {Results | null} results
 * @param {readonly string[]} errors outside every test
 * @param {number} code
 * @returns {import('./tally.mjs').Outcome[]}
 */
export function outcomesOf(project, results, errors, code) {
  const outcomes = (results?.testResults ?? []).map((one) => outcomeOf(project, one));
  const outside = errors.map((message) => `${project}: outside every test\n${beginning(message)}`);
  if (code !== 0 && [...outcomes, { failed: outside }].every(({ failed }) => failed.length === 0))
    outside.push(`${project}: vitest ended with ${code}, outside every test`);
  return outside.length === 0
    ? outcomes
    : [...outcomes, { suite: project, file: null, tests: 0, ...none, failed: outside }];
}

/** @param {string} suite @param {TestFile} tested @returns {import('./tally.mjs').Outcome} */
function outcomeOf(suite, { status, name, message, assertionResults }) {
  const file = relative(root, name);
  let [passed, skipped] = [0, 0];
  /** @type {string[]} */
  const failed = [];
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status === 'passed') passed += 1;
    else if (status === 'failed') failed.push(`${suite}: ${file} › ${fullName}\n${beginning(failureMessages?.[0])}`);
    else skipped += 1;
  }
  if (status === 'failed' && failed.length === 0)
    failed.push(`${suite}: ${file}, outside its tests\n${beginning(message)}`);
  return { suite, file, tests: assertionResults.length, passed, failed, skipped };
}

/** @param {string} [message] */
function beginning(message = '') {
  return stripVTControlCharacters(message)
    .slice(0, messageCharacters)
    .split('\n')
    .slice(0, messageLines)
    .join('\n')
    .trim();
}
