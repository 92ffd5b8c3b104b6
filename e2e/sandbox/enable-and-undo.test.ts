import { afterEach, describe, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { EmulatedOperator, Races } from '#lib/operator/index.ts';
import { continueRun, readRun, startRun } from '#lib/run/index.ts';
import { journalNamespaces, names, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
afterEach(() => stage.close());

/** Both outcomes of the race before the switch: the recorded one (nodes flip first), and the other (the rollout comes first). */
const operators: { like: EmulatedOperator; races?: Races; words: string }[] = [
  { like: 'v3.31.4', words: 'v3.31.4, nodes flip before the rollout' },
  { like: 'v3.31.4', races: { without: ['switch-reads-old-status'] }, words: 'v3.31.4, the rollout comes first' },
  { like: 'v3.30.7', words: 'v3.30.7' },
  { like: 'v3.30.7', races: { without: ['switch-reads-old-status'] }, words: 'v3.30.7, the rollout comes first' },
];

const switched = {
  resource: resources.felixConfigurations,
  name: names.felixConfiguration,
};

describe.each(operators)('under $words', ({ like, races }) => {
  test.each([6, 4, 1])('enable on %i nodes ends on eBPF, and its undo brings every object back', async (nodes) => {
    stage = await openStage({ nodes, like, ...(races ? { races } : {}) });
    const before = await stage.contents();
    const plan = await stage.plan();
    expect(plan.findings.verdict).toBe('ready');

    const enabled = startedRun(await startRun(stage.process(), plan));
    expect(enabled.outcome).toEqual({ kind: 'done' });
    expect((await stage.store.get(switched))?.spec).toMatchObject({ bpfEnabled: true });
    const proxy = { resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' };
    expect((await stage.store.get(proxy))?.status).toMatchObject({ desiredNumberScheduled: 0 });
    for (const node of await stage.nodeNames()) expect(await stage.agentLog(node)).toContain('BPF enabled, starting');

    await stage.pass(60);
    const undone = startedRun(await continueRun(stage.process(), enabled.run, { how: 'undo' }));
    expect(undone.outcome).toEqual({ kind: 'undone' });
    await stage.pass(400);
    expectSameCluster(before, await stage.contents());
    for (const node of await stage.nodeNames()) expect(await stage.agentMode(node)).toBe('standard');
  });

  test('what was waited for is in the journal, each step begun, acted and finished once', async () => {
    stage = await openStage({ nodes: 2, like, ...(races ? { races } : {}) });
    const plan = await stage.plan();
    const { run } = startedRun(await startRun(stage.process(), plan));
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    const steps = plan.operations.filter(({ status }) => status === 'needed');
    for (const { seq } of steps) {
      const own = journal.entries.filter((entry) => 'seq' in entry && entry.seq === seq);
      const entries = own.map(({ what }) => what).filter((what) => what !== 'part');
      expect(entries).toEqual(['begun', 'acted', 'finished']);
      const parts = own.flatMap((entry) => (entry.what === 'part' ? [entry.part] : []));
      expect(parts).toEqual([...new Set(parts)]);
    }
  });
});

test('agents are seen to start again by their log: asking the proxy back does not wait a minute out', async () => {
  stage = await openStage({ nodes: 2 });
  const { run } = startedRun(await startRun(stage.process(), await stage.plan()));
  await stage.pass(30);
  const back = stage.process();
  const began = stage.clock.now();
  startedRun(await continueRun(back, run, { how: 'undo' }));
  const { journal } = await readRun(stage.ours, journalNamespaces, run);
  const protect = journal.entries.filter((entry) => entry.what === 'finished' && entry.direction === 'undo');
  expect(protect[0]).toMatchObject({ outcome: 'met' });
  expect(stage.clock.now() - began).toBeLessThan(60_000);
});
