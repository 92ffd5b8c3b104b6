import { run as runAlone } from '../setup/child.mjs';
import { runPrograms } from './static-programs.mjs';
import { none, sum } from './tally.mjs';
import { runVitest } from './vitest.mjs';

/**
 * Runs one suite with all that it needs. What is missing fails in CI (`CI=true`), where nobody reads the output of a
 * green run; elsewhere it is said loudly and counted as skipped.
 * @param {import('./suites.mjs').Suite} suite
 * @param {boolean} beside another one runs at the same time
 * @param {typeof runAlone} run what starts its programs
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function runSuite(suite, beside, run = runAlone) {
  const lacking = await missing(suite.requires);
  if (lacking.length > 0) return tellMissing(`${suite.name} WAS NOT RUN`, lacking);
  const wanting = await missing(suite.wants);
  const tallies = [wanting.length > 0 ? tellMissing(`${suite.name} IS NOT COMPLETE`, wanting) : none];
  if (suite.before === 'programs') tallies.push(await runPrograms(run));
  tallies.push(await runVitest(suite.name, beside, run));
  return sum(tallies);
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

/** @param {string} headline @param {readonly string[]} sentences @returns {import('./tally.mjs').Tally} */
function tellMissing(headline, sentences) {
  const rule = '!'.repeat(80);
  console.error([rule, `${headline}:`, ...sentences, rule].join('\n'));
  return isCi()
    ? { ...none, failed: sentences.map((sentence) => `${headline}: ${sentence}`) }
    : { ...none, skipped: sentences.length };
}

function isCi() {
  const value = process.env.CI ?? '';
  return value !== '' && value !== '0' && value !== 'false';
}
