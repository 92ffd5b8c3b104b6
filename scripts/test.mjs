/**
 * `npm test [-- SUITE…]`: installs what the suites need, runs them, and ends with what failed and one line, `N passed, N failed`.
 * Plain JavaScript on built-ins of Node 20: it is started by whatever Node npm runs on, before anything is installed.
 * Exit 0: all passed. 1: something failed. 2: no such suite. 130: interrupted.
 */
import { stopChildren } from './setup/child.mjs';
import { installPackages } from './setup/packages.mjs';
import { bundleCommands } from './start/bundled-commands.mjs';
import { cpuMeter } from './test/cpu-seconds.mjs';
import { runInTurn } from './test/in-turn.mjs';
import { pickSuites, WrongSuite } from './test/pick-suites.mjs';
import { runSuite } from './test/run-suite.mjs';
import { failuresToRead, lastLine, none, sum } from './test/tally.mjs';

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
  // Most suites start commands by the hundred.
  await bundleCommands();
  const meter = cpuMeter();
  const tallies = await runInTurn(picked, async (suite, { beside, priority }) => {
    const started = performance.now();
    console.log(`\n── ${suite.name}: ${suite.what}`);
    const tally = await runSuite(suite, beside, meter.of(suite.name, priority));
    const [wall, cpu] = [(performance.now() - started) / 1000, meter.seconds(suite.name)].map(Math.round);
    console.log(`── ${suite.name}: ${lastLine(tally)} in ${wall} s, ${cpu} s of the processor`);
    return tally;
  });
  const total = sum(tallies);
  console.log(`\n${[failuresToRead(total), lastLine(total)].filter((part) => part !== '').join('\n\n')}`);
  process.exitCode = total.failed.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof WrongSuite) process.exitCode = 2;
  else {
    console.log(lastLine({ ...none, failed: ['npm test'] }));
    process.exitCode = 1;
  }
}
