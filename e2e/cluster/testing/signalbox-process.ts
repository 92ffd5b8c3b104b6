import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, TestRunner } from 'vitest';
import { codeCache } from '#e2e/journey/index.ts';
import { type RunEvent, runEventSchema } from '#lib/run/index.ts';
import { eventually } from './eventually.ts';
import { processorMsOf } from './processor-time.ts';

const program = fileURLToPath(new URL('../../../bin/signalbox', import.meta.url));

/** The environment of a Signalbox process: cluster and user (kubeconfig), and installation (state folder). */
export type Workplace = { readonly kubeconfig: string; readonly stateHome: string; readonly cwd: string };

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** A `bin/signalbox` that runs. bin/signalbox replaces itself by Node, so that a signal reaches the process that acts. */
export type Running = {
  readonly ended: Promise<Ended>;
  readonly output: { readonly out: string; readonly err: string };
  /** Processor time of it and its ended children, in ms; after its end, the last measured value. */
  processorMs(): number;
  /** The events of `-o json` so far. */
  events(): RunEvent[];
  /** Resolves with the first matching event, also a past one; rejects with the output if the process ends before. */
  event(what: string, fits: (event: RunEvent) => boolean): Promise<RunEvent>;
  signal(name: 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'): void;
};

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

export function startSignalbox(workplace: Workplace, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  // One that is killed leaves its temporary files, which are then removed with the workplace.
  const temporary = join(workplace.stateHome, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: workplace.cwd,
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporary,
      KUBECONFIG: workplace.kubeconfig,
      HOME: workplace.stateHome,
      XDG_STATE_HOME: workplace.stateHome,
      ...codeCache,
      ...env,
    },
  });
  started.add(child);
  // One that outlives a test that failed would go on writing to the cluster of the next. Not among concurrent tests: the current
  // test is then the last that began, whose end would kill the processes of the others.
  const test = TestRunner.getCurrentTest();
  if (test && !test.concurrent) onTestFinished(() => void child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  let over = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      over = true;
      started.delete(child);
      resolve({ code, ...output });
    });
  });
  const events = () =>
    output.out
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => runEventSchema.parse(JSON.parse(line)));
  let taken = 0;
  const processorMs = () => {
    taken = processorMsOf(child.pid ?? 0) ?? taken;
    return taken;
  };
  return {
    ended,
    output,
    processorMs,
    events,
    async event(what, fits) {
      let found: RunEvent | undefined;
      await eventually(
        `signalbox ${args.join(' ')}: ${what}`,
        async () => {
          found = events().find(fits);
          if (!found && over)
            throw new Error(
              `signalbox ${args.join(' ')} ended before ${what}:\n${output.err}\n${output.out.slice(-3000)}`,
            );
          return found !== undefined;
        },
        { everyMs: 20 },
      );
      if (!found) throw new Error(`no event: ${what}`);
      return found;
    },
    signal: (name) => void child.kill(name),
  };
}

export function signalbox(workplace: Workplace, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return startSignalbox(workplace, args, env).ended;
}

/** Runs a command that must succeed; throws with its output if it does not. */
export async function mustSignalbox(
  workplace: Workplace,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const ended = await signalbox(workplace, args, env);
  if (ended.code !== 0)
    throw new Error(`signalbox ${args.join(' ')}: exit ${ended.code}\n${ended.err}\n${ended.out.slice(-3000)}`);
  return ended;
}
