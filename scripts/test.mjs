/**
 * `npm test [-- SUITE…]`: installs the needs of the suites, runs them, and runs failed files once more if they are few. It ends with the failures and
 * the line `N passed, N failed`.
 * Plain JavaScript on built-ins of Node 20, because npm's own Node runs it before anything is installed.
 * Exit 0: all passed. 1: something failed. 2: no such suite. 130: interrupted.
 */
import { stopChildren } from './setup/child.mjs';
import { installPackages } from './setup/packages.mjs';
import { bundleCommands } from './start/bundled-commands.mjs';
import { cpuMeter } from './test/cpu-seconds.mjs';
import { runInTurn } from './test/in-turn.mjs';
import { pickSuites, WrongSuite } from './test/pick-suites.mjs';
import { afterSecondRun, filesToRunAgain } from './test/rerun.mjs';
import { runSuite } from './test/run-suite.mjs';
import { failuresToRead, lastLine, none, sum } from './test/tally.mjs';
import { runVitest } from './test/vitest.mjs';

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, async () => {
    await stopChildren(signal);
    console.log(`Interrupted (${signal}).`);
    process.exit(130);
  });
}

try {
  const picked = pickSuites(process.argv.slice(2));
  await installPackages();
  // Bundled because most suites start hundreds of commands.
  await bundleCommands();
  const meter = cpuMeter();
  const first = await runInTurn(picked, async (suite, { beside, priority }) => {
    const started = performance.now();
    console.log(`\n── ${suite.name}: ${suite.what}`);
    const outcomes = await runSuite(suite, beside, meter.of(suite.name, priority));
    const [wall, cpu] = [(performance.now() - started) / 1000, meter.seconds(suite.name)].map(Math.round);
    console.log(`── ${suite.name}: ${lastLine(sum(outcomes))} in ${wall} s, ${cpu} s of the processor`);
    return outcomes;
  });
  /** @type {import('./test/tally.mjs').Outcome[]} */
  const second = [];
  for (const [suite, files] of filesToRunAgain(first)) {
    console.log(`\n── ${suite}, once more with nothing beside: ${files.join(', ')}`);
    second.push(...(await runVitest(suite, false, meter.of(suite), files)));
  }
  const { outcomes, passedAlone } = afterSecondRun(first, second);
  const total = sum(outcomes);
  const left = [...first, ...second].flatMap(({ suite, left = [] }) => left.map((one) => `${suite}: ${one}`));
  const paragraphs = [
    failuresToRead(left, 'Left among temporary files, and removed now:'),
    failuresToRead(passedAlone, 'Failed beside others, passed alone:'),
    failuresToRead(total.failed),
    lastLine(total),
  ];
  console.log(`\n${paragraphs.filter((part) => part !== '').join('\n\n')}`);
  process.exitCode = total.failed.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof WrongSuite) process.exitCode = 2;
  else {
    console.log(lastLine({ ...none, failed: ['npm test'] }));
    process.exitCode = 1;
  }
}
