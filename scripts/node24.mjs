// Runs a script with the project's Node 24: `node scripts/node24.mjs FILE ARGS…`.
// Plain JavaScript for Node 20, so that it works with the Node that runs npm.
import { spawn } from 'node:child_process';
import { node24 } from './node24-path.mjs';

const child = spawn(node24(), ['--disable-warning=ExperimentalWarning', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
