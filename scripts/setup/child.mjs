import { spawn } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { root } from './root.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
const graceMs = 10_000;

/** A third of the weight of a process with nice 0 (Linux kernel/sched/core.c, sched_prio_to_weight). Less would make tests with time limits fail. */
const lowNice = 5;

/**
 * @typedef {object} Result
 * @property {number} code 127: the program could not be started
 * @property {string} tail the end of its output; empty for the output `show`
 */

/**
 * Runs a program to its end, in a process group of its own, so that an interrupt also ends its children.
 * `show`: passes its output on. `each`: passes it on line by line with this prefix, for programs that run at the same time. `log`: writes it to that file
 * only. `errors`: shows and remembers stderr. `priority: 'low'`: the program and its children yield to others.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ output: 'show' | 'errors' | { each: string } | { log: string }, env?: NodeJS.ProcessEnv, priority?: 'normal' | 'low' }} options
 * @returns {Promise<Result>}
 */
export function run(command, args, { output, env = process.env, priority = 'normal' }) {
  return new Promise((resolve) => {
    const [program = command, ...rest] =
      priority === 'low' ? ['nice', '-n', `${lowNice}`, command, ...args] : [command, ...args];
    const child = spawn(program, rest, {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', output === 'show' ? 'inherit' : 'pipe', output === 'show' ? 'inherit' : 'pipe'],
    });
    running.add(child);
    if (priority === 'low') yieldAsSession(child);
    const log = typeof output === 'object' && 'log' in output ? createWriteStream(output.log, { flags: 'a' }) : null;
    if (typeof output === 'object' && 'each' in output) showLines(child, output.each);
    let tail = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        log?.write(chunk);
        if (output === 'errors' && stream === child.stdout) return;
        tail = (tail + chunk).slice(-4000);
        if (output === 'errors') process.stderr.write(chunk);
      });
    }
    /** @param {number} code @param {string} text */
    const end = (code, text) => {
      running.delete(child);
      log?.end();
      resolve({ code, tail: text });
    };
    child.on('error', (error) => end(127, error.message));
    child.on('close', (code) => end(code ?? 1, tail));
  });
}

/**
 * Lowers the priority of the program's session. With autogroups (sched(7)) Linux gives each session the same share, whatever `nice` its processes have,
 * and each program here is a session.
 * @param {import('node:child_process').ChildProcess} child
 */
function yieldAsSession({ pid }) {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, `${lowNice}`, { flag: 'r+' });
  } catch {
    // Other systems and kernels without autogroups have no such file; `nice` alone decides there.
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {string} prefix */
function showLines({ stdout, stderr }, prefix) {
  for (const input of [stdout, stderr])
    if (input) createInterface({ input }).on('line', (line) => process.stdout.write(`${prefix}${line}\n`));
}

/**
 * Passes the signal on, and kills programs that have not ended after ten seconds. Kills processes that outlive their group's first process at once: a
 * shell's background jobs, for example, ignore an interrupt.
 * @param {NodeJS.Signals} signal
 */
export async function stopChildren(signal) {
  const children = [...running];
  await Promise.all(
    children.map(
      (child) =>
        new Promise((done) => {
          const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
          child.once('exit', () => {
            clearTimeout(timer);
            signalGroup(child, 'SIGKILL');
            done(undefined);
          });
          signalGroup(child, signal);
        }),
    ),
  );
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
