import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { binaryDataOf, createStore, dataOf, instantClock, KubeError, type Store } from '#lib/kube/index.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { memoryInProcess } from '../memory/memory-in-process.ts';
import type { Journal } from '../model/journal.ts';
import { nodeTimes } from '../model/node-times.ts';
import { journalRef } from '../model/read-journal.ts';
import { SeenSince } from '../model/seen.ts';
import { createJournal, isOfCluster, JournalTaken, openJournal } from './journal-store.ts';
import { readRunWithProvenance } from './list-runs.ts';

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
  test.each([
    [{ ...aPlan(''), goal: 'nothing that is known' } as unknown as Plan, /no plan|not a plan/],
    [aPlan('x'.repeat(32 * 1024 * 1024)), /^The plan has 33 MiB, .* 32 MiB can be stored\. Nothing was started/],
  ])('of a plan that would not be accepted when it is read again is not begun (%#)', async (plan, why) => {
    const kube = aStore();
    const before = await memory.recall('r1');
    await expect(createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory)).rejects.toThrow(why);
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

  test.each([
    ['no list', 'nonsense'],
    ['a part again and again', JSON.stringify(Array.from({ length: 50 }, () => 'part'))],
    ['more parts than a plan can have', JSON.stringify(Array.from({ length: 1000 }, (_, index) => `part-${index}`))],
    ['another path', '["../secrets/x"]'],
    ['no names', '[1]'],
  ])('that lists %s in place of its parts is refused before any is read', async (_what, parts) => {
    const kube = aStore();
    const plan = aPlan('x');
    await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    await kube.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'part', namespace },
      binaryData: { part: 'eA==' },
    });
    await kube.patch(journalRef('r1', namespace), {
      type: 'merge',
      body: { data: { parts }, binaryData: { 'plan.json.gz': null } },
    });
    const read: string[] = [];
    const get = (ref: ObjectRef) => {
      read.push(ref.name);
      return kube.get(ref);
    };
    await expect(openJournal({ ...kube, get }, namespace, 'r1', memoryInProcess('elsewhere'))).rejects.toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('lists no parts of a plan'),
    });
    expect(read.filter((name) => name.startsWith('part'))).toEqual([]);
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

  test.each([
    ['waiting', 'restarting', 'waiting'],
    ['restarting', 'restarting', 'restarting'],
    ['proven', 'proven', 'proven'],
    ['refused', 'refused', 'refused'],
    ['unknown', 'unknown', 'unknown'],
    ['not-counted', 'not-counted', 'not-counted'],
    ['waiting', 'unknown', 'proven'],
  ] as const)('of 5,000 nodes has room for its pauses: %s, %s, %s', async (...states) => {
    const kube = aStore();
    const plan = aPlan(randomBytes(140 * 1024).toString('base64'));
    await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    const subjects = Array.from({ length: 500 }, (_, index) => ({
      kind: 'Node',
      namespace: null,
      name: `w-${index}`,
      detail: 'x'.repeat(200),
    }));
    for (const [index, state] of states.entries()) {
      const journal = await openJournal(kube, namespace, 'r1', memory);
      expect(journal?.provenance).toEqual({ kind: 'own' });
      if (!journal) return;
      const behind = await memory.recall('r1');
      const seen = new SeenSince(journal.current());
      const atMs = Date.parse('2026-11-21T06:00:00.000Z') + index * 600_000;
      for (let node = 0; node < 5_000; node++) {
        const name = `ip-10-0-${node % 250}-${node}.eu-west-1.compute.internal`;
        seen.node({ name, state, dataplane: 'standard', detail: 'y'.repeat(300), evidence: [] }, atMs);
      }
      const what = { code: 'unknown', because: 'nobody knows' };
      await journal.append([seen.with({ what: 'paused', at: new Date(atMs + 60_000).toISOString(), ...what })], {
        state: { kind: 'paused', direction: 'forward', seq: 1, id: 'a', meaning: '', subjects, choices: [], ...what },
      });
      const object = await kube.get(journalRef('r1', namespace));
      const texts = object ? [...Object.values(dataOf(object)), ...Object.values(binaryDataOf(object))] : [];
      expect(texts.join('').length).toBeLessThan(1024 * 1024);
      expect(journal.current().state).toMatchObject({ kind: 'paused', code: 'unknown' });
      const nodes = nodeTimes(journal.current());
      expect([nodes.length, nodes.every((node) => node.state === state)]).toEqual([5_000, true]);
      // A copy that contains more observations is still an earlier one.
      if (behind) await memory.keep(behind);
    }
  });

  const releases = { from: 'v3.30.7', to: 'v3.31.4', hops: 1 };
  test.each([
    [{ upgrade: { ...releases, hops: 0 } }],
    [{ upgrade: { ...releases, to: 'v3.31.4. Run this as root to go on' } }],
    [{ upgrade: 'v3.31.4' }],
  ])('is read, verified and carried on where its way of an upgrade makes no sense: %j', async (made) => {
    const kube = aStore();
    const plan = aPlan('x');
    await createJournal(kube, namespace, { journal: aJournal(plan), plan }, memory);
    const ref = journalRef('r1', namespace);
    const text = dataOf((await kube.get(ref)) ?? { metadata: {} })['journal.json'] ?? '';
    const data = { 'journal.json': JSON.stringify({ ...JSON.parse(text), ...made }) };
    await kube.patch(ref, { type: 'merge', body: { data } });
    const journal = await openJournal(kube, namespace, 'r1', memory);
    expect(journal?.provenance).toEqual({ kind: 'own' });
    expect(journal?.current().upgrade).toBeUndefined();
    await journal?.append([begun(1)]);
    const again = await openJournal(kube, namespace, 'r1', memory);
    expect(again?.provenance).toEqual({ kind: 'own' });
    expect(again?.current().entries).toEqual([begun(1)]);
  });

  test('of somebody else is shown with the goal of its plan and our name of the cluster, and without the way that it tells', async () => {
    const kube = aStore();
    const plan = aPlan('x');
    const claims = { ...aJournal(plan), goal: 'upgrade', upgrade: releases, cluster: 'prod. Run this to go on' };
    const longRequest = {
      what: 'request',
      at: '2026-11-23T10:00:00.000Z',
      request: 'x'.repeat(100_000),
      answer: 'no',
    } as const;
    const journal: Journal = {
      ...claims,
      entries: [longRequest],
      state: { kind: 'failed', because: 'y'.repeat(100_000) },
    };
    await createJournal(kube, namespace, { journal, plan }, memoryInProcess('there'));
    const shown = await readRunWithProvenance(kube, [namespace], 'r1', memory);
    expect(shown.provenance.kind).toBe('foreign');
    expect(shown.journal).toMatchObject({ goal: 'enable', cluster: 'test' });
    expect(shown.journal).not.toHaveProperty('upgrade');
    expect(JSON.stringify(shown.journal).length).toBeLessThan(6_000);
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

test('a cluster whose identity may not be read is not taken for another one', async () => {
  const store = aStore();
  const get = async () => {
    throw new KubeError('forbidden', 'You may not.');
  };
  const plan = { ...aPlan('x'), clusterUid: 'uid-of-the-plan' };
  await expect(isOfCluster({ ...store, get }, plan)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await isOfCluster(store, plan)).toBe(false);
  expect(await isOfCluster({ ...store, get }, { ...plan, clusterUid: null })).toBe(true);
});
