import { run as runAlone } from '../setup/child.mjs';
import { runPrograms } from './static-programs.mjs';
import { none } from './tally.mjs';
import { runVitest } from './vitest.mjs';

/**
 * Runs one suite with its needs. A missing need fails in CI (`CI=true`), because nobody reads the output of a green run; elsewhere it is printed in a
 * frame and counted as skipped.
 * @param {import('./suites.mjs').Suite} suite
 * @param {boolean} beside whether another suite runs at the same time
 * @param {typeof runAlone} run starts the suite's programs
 * @returns {Promise<import('./tally.mjs').Outcome[]>}
 */
export async function runSuite(suite, beside, run = runAlone) {
  const lacking = await missing(suite.requires);
  if (lacking.length > 0) return [tellMissing(suite.name, 'WAS NOT RUN', lacking)];
  const wanting = await missing(suite.wants);
  return [
    ...(wanting.length > 0 ? [tellMissing(suite.name, 'IS NOT COMPLETE', wanting)] : []),
    ...(suite.before === 'programs' ? [{ ...(await runPrograms(run)), ...ofNoFile(suite.name) }] : []),
    ...(await runVitest(suite.name, beside, run)),
  ];
}

/** @param {readonly import('./needs.mjs').Need[]} needs */
async function missing(needs) {
  const sentences = [];
  for (const need of needs) {
    const sentence = await need.provide();
    if (sentence !== null) sentences.push(`${need.name}: ${sentence}`);
  }
  return sentences;
}

/** @param {string} suite */
const ofNoFile = (suite) => ({ suite, file: null, tests: 0 });

/** @param {string} suite @param {string} what @param {readonly string[]} sentences @returns {import('./tally.mjs').Outcome} */
function tellMissing(suite, what, sentences) {
  const headline = `${suite} ${what}`;
  const rule = '!'.repeat(80);
  console.error([rule, `${headline}:`, ...sentences, rule].join('\n'));
  const counts = isCi()
    ? { failed: sentences.map((sentence) => `${headline}: ${sentence}`) }
    : { skipped: sentences.length };
  return { ...none, ...counts, ...ofNoFile(suite) };
}

function isCi() {
  const value = process.env.CI ?? '';
  return value !== '' && value !== '0' && value !== 'false';
}
