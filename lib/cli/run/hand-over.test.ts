import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AConsole, closeConsoles } from '#lib/console/host/testing/a-console.ts';
import { enableOn, okValue } from '#lib/console/host/testing/a-page.ts';
import { aSharedCluster, elsewhere, type SharedCluster } from '#lib/console/host/testing/shared-cluster.ts';
import { consoleSocket } from '#lib/console/instance/testing/console-socket.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { listRuns, ownIdentity, readRun } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';
import { parseFlags } from '../flags.ts';
import { journalFlags } from '../global-flags.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { plain } from '../terminal/terminal.ts';
import { followHandedOver, handOver } from './hand-over.ts';

/** `apply` on the command line beside a console of the same state folder, on one cluster that both reach. */
let shared: SharedCluster;
let state: string;
let console: AConsole;
let socket: Server | null;
let output: string[];
let plan: Plan;

beforeEach(async () => {
  shared = await aSharedCluster();
  state = testFolder('hand-over');
  const folder = join(state, 'signalbox');
  await mkdir(folder, { mode: 0o700 });
  console = await shared.console({ state: folder, identity: await ownIdentity(folder) });
  socket = null;
  output = [];
  plan = (await enableOn(console.host, shared.slug)).review.plan;
});
afterEach(async () => {
  socket?.close();
  await closeConsoles();
  await shared.stage.close();
});

/** From now on the command line finds the console. */
async function open(): Promise<void> {
  socket = await consoleSocket(console, join(state, 'signalbox'));
}

/** As the command line has it: a real cluster, reached by a context of the kubeconfig. */
function aCluster(context: string): OpenCluster {
  const { ours, clock } = shared.stage;
  const kube: Kube = new Proxy(ours, {
    get: (target, key) => {
      if (key === 'source') return 'live';
      if (key === 'reachedBy') return { kubeconfig: null, context };
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { kube, clock, close: async () => {}, describe: 'shared' };
}

function anInvocation(args: string[] = [], answers: string[] = []): Invocation {
  return {
    args: [],
    flags: parseFlags(args, journalFlags).flags,
    env: { XDG_STATE_HOME: state, HOME: state },
    signal: new AbortController().signal,
    terminal: {
      out: (text) => output.push(text),
      err: (text) => output.push(text),
      isTerminal: false,
      canAsk: answers.length > 0,
      columns: 80,
      paint: plain,
      verbosity: 'normal',
      ask: async (question) => {
        output.push(question);
        return answers.shift() ?? null;
      },
    },
  };
}

/** Ctrl-C as soon as somebody listens: the run does not wait until the command line has read its files. */
function interruptOnceHeard(): void {
  process.on('newListener', function onListener(event) {
    if (event !== 'SIGINT') return;
    process.off('newListener', onListener);
    setImmediate(() => process.emit('SIGINT'));
  });
}

test('the console that runs carries the plan; the command line follows it to its end', async () => {
  await open();
  const cluster = aCluster('shared');
  const run = await handOver(anInvocation(), cluster, plan);
  if (run === null) throw new Error('the plan was not handed over');
  expect(await followHandedOver(anInvocation(), cluster, run)).toBe(0);
  expect((await readRun(shared.stage.ours, journalNamespaces, run)).journal.state).toEqual({ kind: 'done' });
  expect(output.join('\n')).toMatch(
    /console on this machine carries out run .*\n[\s\S]*switch\.bpf: finished[\s\S]* is done\./,
  );
});

test('Ctrl-C offers to detach, and the run goes on in the console', async () => {
  await open();
  const cluster = aCluster('shared');
  const run = await handOver(anInvocation(), cluster, plan);
  if (run === null) throw new Error('the plan was not handed over');
  interruptOnceHeard();
  expect(await followHandedOver(anInvocation([], ['d']), cluster, run)).toBe(130);
  expect(output.join('\n')).toMatch(/u: undo, d: detach, c: continue[\s\S]*continues in the console/);
  for (let state = ''; state !== 'done'; ) {
    await shared.stage.clock.sleep(5_000);
    state = (await readRun(shared.stage.ours, journalNamespaces, run)).journal.state.kind;
    expect(state).not.toBe('paused');
  }
  expect(okValue(await console.host.runs(shared.slug)).runs).toHaveLength(1);
});

test('Ctrl-C where nobody can be asked pauses the run in the console', async () => {
  await open();
  const cluster = aCluster('shared');
  const run = await handOver(anInvocation(), cluster, plan);
  if (run === null) throw new Error('the plan was not handed over');
  interruptOnceHeard();
  expect(await followHandedOver(anInvocation(), cluster, run)).toBe(130);
  expect((await readRun(shared.stage.ours, journalNamespaces, run)).journal.state).toMatchObject({ kind: 'paused' });
});

test('a console that is killed leaves the run standing, and the command line says so', async () => {
  const killed = await shared.console({ state: testFolder('hand-over'), identity: elsewhere('somewhere') });
  socket = await consoleSocket(killed, join(state, 'signalbox'));
  const cluster = aCluster('shared');
  const run = await handOver(anInvocation(), cluster, plan);
  if (run === null) throw new Error('the plan was not handed over');
  killed.kill();
  expect(await followHandedOver(anInvocation(), cluster, run)).toBe(4);
  expect(output.at(-1)).toMatch(/is gone; the run waits.*signalbox resume/);
});

test.each([
  ['no console runs', 'shared', 'none', []],
  ['the console does not know the context', 'only-here', 'runs', []],
  ['journals are kept elsewhere', 'shared', 'runs', ['--journal-namespace', 'signalbox']],
] as const)('the command carries the plan itself where %s', async (_words, context, runs, args) => {
  if (runs === 'runs') await open();
  expect(await handOver(anInvocation([...args]), aCluster(context), plan)).toBeNull();
  expect(await listRuns(shared.stage.ours, journalNamespaces)).toEqual([]);
});

test('what the console refuses about the plan is an error, and nothing is begun', async () => {
  await open();
  const blocked = { ...plan, findings: { ...plan.findings, verdict: 'blocked' as const } };
  await expect(handOver(anInvocation(), aCluster('shared'), blocked)).rejects.toMatchObject({ exitCode: 4 });
  expect(await listRuns(shared.stage.ours, journalNamespaces)).toEqual([]);
});
