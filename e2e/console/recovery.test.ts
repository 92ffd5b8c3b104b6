import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { askConsole } from '#lib/console/index.ts';
import { type ConsoleProcess, runningConsole, signalbox } from './testing/console-process.ts';
import { type At, firstSnapshot, signIn } from './testing/http.ts';

let state: string;
const started: ConsoleProcess[] = [];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'signalbox-recovery-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.child.kill('SIGKILL');
    await one.ended;
  }
  rmSync(state, { recursive: true, force: true });
});

async function startConsole() {
  const one = await runningConsole(inject('consoleBuild'), state);
  started.push(one);
  return one;
}

async function output(args: readonly string[]): Promise<string> {
  const one = signalbox(args, state);
  const code = await one.ended;
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code}\n${one.err()}`);
  return one.out();
}

const answers = [
  '--accept-proposals',
  '--fix=operator.dns-deadlock',
  '--acknowledge=endpoint.reachable=it is pretended',
  '--acknowledge=endpoint.certificate=it is pretended',
  '--acknowledge=not-measured=it is pretended',
  '--acknowledge=proxy.comes-back=it is pretended',
];

/** A run that takes a while: the sandbox restarts its nodes' agents one after the other. */
async function startRun(): Promise<Run> {
  const plan: unknown = JSON.parse(await output(['plan', '--sandbox=standard', ...answers, '--output=json']));
  const reply = await askConsole(join(state, 'signalbox'), {
    ask: 'apply',
    plan,
    cluster: { kind: 'sandbox', name: 'standard' },
  });
  if (!reply.ok) throw new Error(reply.message);
  return reply;
}

type Run = { cluster: string; run: string };
const snapshotSchema = z.object({ data: z.object({ state: z.object({ kind: z.string() }) }) });

async function firstView(at: At, cookie: string, { cluster, run }: Run) {
  return snapshotSchema.parse(await firstSnapshot(at, `/api/clusters/${cluster}/runs/${run}/events`, cookie));
}

async function end(one: ConsoleProcess, signal: 'SIGTERM' | 'SIGKILL') {
  one.child.kill(signal);
  return one.ended;
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a run that %s cut off is carried to its end by the next start',
  async (signal) => {
    const first = await startConsole();
    const run = await startRun();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const from = performance.now();
    expect(await end(first, signal)).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL');
    // Six seconds are promised; here others may be busy.
    expect(performance.now() - from).toBeLessThan(30_000);

    const second = await startConsole();
    const { cookie } = await signIn(second, second.key);
    const now = async () => (await firstView(second, cookie, run)).data.state.kind;
    expect(await now()).toBe('running');
    await expect.poll(now, { timeout: 150_000, interval: 1000 }).toBe('done');
  },
  180_000,
);
