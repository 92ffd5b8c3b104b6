import { expect, test } from 'vitest';
import { valueAt } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { testedDiff } from '../diff/temporary-objects.ts';
import { journeysTo } from '../journeys.ts';
import { planHash } from '../plan-hash.ts';
import { aPlan, daemonSet, ids } from '../testing/a-cluster.ts';
import { stepMarks } from './step-marks.ts';

const definitions = [
  ...new Set(
    [...journeysTo('install'), ...journeysTo('enable'), ...journeysTo('upgrade')].flatMap(
      ({ operations }) => operations,
    ),
  ),
];

const plan = aPlan({}, { forgetKubeadmProxy: true, fix: ['feature.node-local-dns'], dsr: true });

function marksOf(id: string) {
  const operation = plan.operations.find((one) => one.id === id);
  if (!operation) throw new Error(`no ${id}`);
  const { traffic, writes } = stepMarks(operation);
  return [traffic.words, writes.words];
}

test.each([
  ['snapshot', 'traffic: none', 'journal only'],
  ['endpoint.configmap', 'traffic: none', 'creates 1'],
  ['endpoint.active', 'traffic: none', 'may change 1'],
  ['felix.cleanup-flag', 'traffic: none', 'changes 1'],
  ['switch.bpf', 'connections restart', 'changes 1'],
  ['bpf.active', 'traffic: none', 'reads only'],
  ['proxy.disable.daemonset', 'traffic may pause', 'changes 1'],
  ['proxy.forget-kubeadm', 'traffic: none', 'deletes 1'],
  ['verify.pods', 'traffic: none', 'reads only'],
])('%s: %s, %s', (id, traffic, writes) => {
  expect(marksOf(id)).toEqual([traffic, writes]);
});

test('what a run has for its own time is listed, with the Secrets that it copies, and is no part of the hash', () => {
  const agents = daemonSet('calico-node', 'calico-system', 3);
  Object.assign(valueAt(agents, ['spec', 'template', 'spec']) as object, { imagePullSecrets: [{ name: 'mirror' }] });
  const watching = aPlan({ objects: { [ids.agents]: agents } }, { watchServices: true });
  const step = watching.operations.find(({ id }) => id === 'verify.services');
  if (!step) throw new Error('no step');
  expect(stepMarks(step).writes).toEqual({ mark: 'creates', words: 'creates 4, removed again' });
  expect(step.diff).toContain(
    '+++ made for the time of the run, removed at its end\n@@ -0,0 +1,4 @@\n+Namespace/signalbox-services\n',
  );
  expect(step.diff).toContain('+signalbox-services/Secret/mirror\n');
  const operations = watching.operations.map((one) => ({ ...one, diff: '' }));
  expect(planHash({ ...watching, operations })).toBe(watching.hash);
});

test('what the test of the nodes had made stands in the plan that rests on it, and is no part of the hash', () => {
  const measured: Facts['measured'] = {
    ...{ endpoint: null, nodes: [] },
    plan: {
      release: 'v3.31.4',
      images: [],
      flexVolumeFolder: null,
      objects: ['Namespace/signalbox-probe'],
      ended: 'removed',
    },
  };
  const [tested, untested] = [aPlan({ measured }, { watchServices: true }), aPlan({}, { watchServices: true })];
  const step = tested.operations.find(({ id }) => id === 'verify.services');
  expect(step?.diff).toContain(
    '+++ made by the test of the nodes before this plan, and removed\n@@ -0,0 +1,1 @@\n+Namespace/signalbox-probe\n---',
  );
  expect(step && stepMarks(step).writes.words).toBe('creates 3, removed again');
  expect(tested.hash).toBe(untested.hash);
});

test.each([
  ['removed', ', and removed'],
  ['kept', ', and kept there, as was asked for'],
  ['left', ', and not removed in time: some may still be there'],
  [undefined, ''],
] as const)('of what the test of the nodes had made no plan says that it is gone where it was %s', (ended, words) => {
  expect(testedDiff(['Namespace/signalbox-probe'], ended).split('\n')[1]).toBe(
    `+++ made by the test of the nodes before this plan${words}`,
  );
});

test('a step that writes an object never says that it only reads, and one that reads writes nothing', () => {
  const marks = plan.operations.map((operation) => [operation.id, stepMarks(operation).writes.mark === 'reads']);
  const reading = plan.operations.map(({ id, act, nudge }) => [
    id,
    (act.kind === 'wait' && nudge === null) || act.kind === 'verify',
  ]);
  expect(marks).toEqual(reading);
  const calming = plan.operations.filter((one) => {
    const { traffic, writes } = stepMarks(one);
    return /changes? nothing/i.test([one.title, one.why, traffic.words, writes.words].join(' '));
  });
  expect(calming.map(({ id }) => id).filter((id) => !reading.some(([one, reads]) => one === id && reads))).toEqual([]);
});

test('what is said of traffic agrees with the effect that a plan file holds', () => {
  const wrong = definitions.filter(({ effect, traffic }) => (effect === 'traffic') !== (traffic !== 'none'));
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('a step of another version is told by its effect and its act', () => {
  const [operation] = plan.operations;
  if (!operation) throw new Error('no step');
  const foreign = { ...operation, id: 'from.tomorrow', effect: 'traffic', act: { kind: 'wait' } } as const;
  expect(stepMarks(foreign).traffic.mark).toBe('may-pause');
});
