import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { codeCache } from '#e2e/journey/index.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';

const program = fileURLToPath(new URL('../../../bin/signalbox', import.meta.url));
const runLines = fileURLToPath(new URL('../../../lib/cli/testing/run-lines.ts', import.meta.url));

export type Ended = { code: number | null; out: string; err: string };

/** Runs the real program as a user would, with a state folder of its own and no kubeconfig but what `env` gives. */
export function signalbox(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return begin(args, env).ended;
}

/**
 * The same command lines in one process, for tests of the output and not of the process: a start takes a second of the processor. It ends with the
 * test file.
 */
export function inOneProcess(): typeof signalbox {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', runLines], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...codeCache },
  });
  afterAll(() => void child.kill('SIGKILL'));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (args, env = {}) => {
    child.stdin.write(`${JSON.stringify({ args, env: environment(env) })}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`signalbox ${args.join(' ')} ended the process`);
    return JSON.parse(value) as Ended;
  };
}

/** Starts the command without waiting for its end. `printed` resolves once the words were written to stderr, and rejects if the command ends before. It is killed with the test. */
export function begin(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment(env) });
  onTestFinished(() => void child.kill('SIGKILL'));
  const read = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    read.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    read.err += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...read }));
  });
  const printed = (words: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (words.test(read.err)) resolve();
      };
      child.stderr.on('data', look);
      void ended.then(() => reject(new Error(`It ended first: ${read.err}`)), reject);
      look();
    });
  return { child, ended, printed, out: () => read.out };
}

function environment(env: Record<string, string>): Record<string, string> {
  const home = env.HOME ?? testFolder('cli');
  return {
    PATH: process.env.PATH ?? '',
    TMPDIR: tmpdir(),
    HOME: home,
    XDG_STATE_HOME: home,
    KUBECONFIG: join(home, 'no-such-kubeconfig'),
    ...codeCache,
    ...env,
  };
}

/** Answers that make the plan for the sandbox `standard` ready. */
export const readyAnswers = [
  '--endpoint',
  'api.sandbox.example:6443',
  '--fix',
  'operator.dns-deadlock',
  '--acknowledge',
  'endpoint.reachable=nothing is dialled for a sandbox',
  '--acknowledge',
  'endpoint.certificate=nothing is dialled for a sandbox',
  '--acknowledge',
  'not-measured=a sandbox has neither kernels nor wires',
  '--acknowledge',
  'proxy.comes-back=nobody upgrades a sandbox with kubeadm',
];
