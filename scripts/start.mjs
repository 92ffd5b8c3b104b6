/**
 * `npm start [-- --port N --kubeconfig F]`: installs missing packages, builds the pages if they changed, and becomes the console. Plain JavaScript on
 * built-ins of Node 20, because npm's own Node runs it before anything is installed. Exits with the codes of `bin/signalbox console`, and with 1 if
 * installing or building fails.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { stopChildren } from './setup/child.mjs';
import { root } from './setup/root.mjs';
import { makeReady } from './start/make-ready.mjs';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @param {NodeJS.Signals} signal */
const giveUp = async (signal) => {
  await stopChildren(signal);
  process.exit(130);
};
for (const signal of signals) process.once(signal, giveUp);

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Node 20 or later is needed; this is ${process.versions.node}.`);
  process.exit(2);
}

try {
  startConsole(await makeReady());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Starts the console in the folder in which npm was called, from which relative paths in the arguments start. @param {string} build */
function startConsole(build) {
  const child = spawn(join(root, 'bin', 'signalbox'), ['console', '--build', build, ...process.argv.slice(2)], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
  });
  for (const signal of signals) {
    process.off(signal, giveUp);
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`The console was not started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
