import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createStore, instantClock, type Store } from '#lib/kube/index.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { memoryInProcess } from '../memory/memory-in-process.ts';
import type { Journal } from '../model/journal.ts';
import { journalRef } from '../model/read-journal.ts';
import { createJournal, JournalTaken, openJournal } from './journal-store.ts';

const namespace = 'kube-system';
const memory = memoryInProcess('here');
const aStore = (): Store => createStore({ name: 'test', source: 'sandbox', clock: instantClock() });

function aPlan(note: string): Plan {
  const plan: Plan = {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Plan',
    goal: 'enable',
    hash: '',
    cluster: 'test',
    clusterUid: null,
    madeAt: '2026-11-21T06:00:00.000Z',
    choices: { goal: 'enable', acknowledge: { 'node.kernel': note }, fix: [], acceptProposals: false, set: {} },
    operations: [],
    findings: {
      apiVersion: 'signalbox.dev/v1',
      kind: 'Findings',
      goal: 'enable',
      cluster: 'test',
      checkedAt: '2026-11-21T06:00:00.000Z',
      verdict: 'ready',
      counts: { fail: { blocking: 0, warning: 0, info: 0 }, unknown: 0, pass: 0, skipped: 0 },
      findings: [],
    },
  };
  return { ...plan, hash: planHash(plan) };
}

function aJournal(plan: Plan): Journal {
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: 'r1',
    goal: 'enable',
    cluster: 'test',
    planHash: plan.hash,
    startedAt: '2026-11-21T06:00:00.000Z',
    startedBy: 'here/1',
    state: { kind: 'running', direction: 'forward' },
    accepted: [],
    entries: [],
  };
}

const doubt = { direction: 'forward' as const, seq: 8, reason: 'seen', subjects: ['/Node/a'] };
const begun = (seq: number) =>
  ({ what: 'begun', direction: 'forward', seq, at: '2026-11-21T06:00:01.000Z', by: 'here/1' }) as const;

describe('a journal', () => {
  test('of a plan that would not be accepted when it is read again is not begun', async () => {
    const kube = aStore();
    const plan = { ...aPlan(''), goal: 'nothing that is known' } as unknown as Plan;
    const before = await memory.recall('r1');
    await expect(createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory)).rejects.toThrow(
      /no plan|not a plan/,
    );
    expect(await kube.get(journalRef('r1', namespace))).toBeNull();
    expect(await memory.recall('r1')).toEqual(before);
  });

  test('and its plan are read back as they were written', async () => {
    const kube = aStore();
    const plan = aPlan('x');
    const journal = await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    await journal.append([begun(1)], { accepted: [doubt] });
    const read = await openJournal(kube, namespace, 'r1', memory);
    expect(read?.plan).toEqual(plan);
    expect(read?.current()).toMatchObject({ entries: [begun(1)], accepted: [doubt] });
  });

  test('whose plan is too large for one object is split, and its parts go with it', async () => {
    const kube = aStore();
    const plan = aPlan(randomBytes(900 * 1024).toString('base64'));
    await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    const sizes: number[] = [];
    for await (const page of kube.list(resources.configMaps, { namespace }))
      sizes.push(...page.items.map((item) => JSON.stringify(item).length));
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
    expect((await openJournal(kube, namespace, 'r1', memory))?.plan).toEqual(plan);
    await kube.delete(journalRef('r1', namespace));
    await kube.settled();
    const left: string[] = [];
    for await (const page of kube.list(resources.configMaps, { namespace }))
      left.push(...page.items.map((item) => item.metadata.name ?? ''));
    expect(left).toEqual([]);
  });

  test('survives that somebody leaves a request on it', async () => {
    const kube = aStore();
    const plan = aPlan('x');
    const journal = await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    await kube.patch(journalRef('r1', namespace), {
      type: 'merge',
      body: { metadata: { annotations: { [names.requestAnnotation]: '{}' } } },
    });
    await journal.append([begun(1)]);
    expect((await openJournal(kube, namespace, 'r1', memory))?.current().entries).toHaveLength(1);
  });

  test('that another process has written refuses the first one’s next word', async () => {
    const kube = aStore();
    const plan = aPlan('x');
    const first = await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    const second = await openJournal(kube, namespace, 'r1', memory);
    await second?.append([begun(1)]);
    await expect(first.append([begun(2)])).rejects.toThrow(JournalTaken);
    expect((await openJournal(kube, namespace, 'r1', memory))?.current().entries).toEqual([begun(1)]);
  });

  test('that was deleted is not made again', async () => {
    const kube = aStore();
    const plan = aPlan('x');
    const journal = await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    await kube.delete(journalRef('r1', namespace));
    await expect(journal.append([begun(1)])).rejects.toThrow();
    expect(await openJournal(kube, namespace, 'r1', memory)).toBeNull();
  });

  test('that is not ours, or of a later version, is refused with a sentence', async () => {
    const kube = aStore();
    await kube.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'signalbox-run-r1', namespace },
      data: { 'journal.json': '{"kind":"Journal","apiVersion":"signalbox.dev/v9"}' },
    });
    await expect(openJournal(kube, namespace, 'r1', memory)).rejects.toThrow(/another version/);
  });
});
