import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, choicesSchema, objectId } from '#lib/spec/index.ts';
import { mask } from '#lib/text/index.ts';
import { makePlan } from '../../make-plan.ts';
import { parsePlan } from '../../parse-plan.ts';
import { planUndo } from '../../plan-undo.ts';
import { aCluster, someFindings } from '../../testing/a-cluster.ts';
import { aRelease } from '../../testing/a-release.ts';
import { injector } from './sidecars.ts';

const text = (version: string) => `template: |-\n  image: mirror.example/calico/dikastes:${version}\n  mine: kept\n`;
const configMap = (data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: injector.name, namespace: injector.namespace },
  data,
});
const carrying = (kind: string, name: string, version: string | null = 'v3.30.7') => ({
  subject: { kind, namespace: 'shop', name, detail: '' },
  image: `mirror.example/calico/dikastes:${version ?? 'latest'}`,
  version,
});
const workload = (kind: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'shop' },
  spec: { template: { metadata: { labels: { app: name }, annotations: { mine: 'kept' } } } },
});

type Given = {
  template?: object | null;
  sidecars?: Facts['upgrade']['sidecars'];
  choices?: Partial<Choices>;
  /** A kind that could not be read. */
  unread?: string;
};

function planOf({
  template = configMap({ config: text('v3.30.7'), values: '{}' }),
  sidecars,
  choices,
  unread,
}: Given = {}) {
  const objects = {
    ...(template === undefined ? {} : { [objectId(injector)]: template }),
    'shop/Deployment/cart': workload('Deployment', 'cart'),
    'shop/StatefulSet/pay': workload('StatefulSet', 'pay'),
  };
  const facts = aCluster({ objects: objects as unknown as Facts['resources']['objects'] });
  return makePlan({
    facts: {
      ...facts,
      installation: { ...facts.installation, version: 'v3.30.7' },
      upgrade: {
        ...facts.upgrade,
        sidecars: sidecars ?? [carrying('Deployment', 'cart'), carrying('StatefulSet', 'pay', null)],
      },
      coverage: {
        ...facts.coverage,
        ...(unread && { sidecars: { covered: false, missing: [{ kind: unread, because: 'refused' }] } }),
      },
    },
    choices: choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', afterwards: ['sidecars'], ...choices }),
    findings: someFindings(),
    now: '2026-11-24T00:00:00.000Z',
    release: aRelease('v3.31.4', 'v1.40.7'),
    running: aRelease('v3.30.7', 'v1.38.16'),
  });
}

const step = (plan: ReturnType<typeof planOf>, id: string) => plan.operations.find((one) => one.id === id);

test('the template first, of which the image alone changes, then one workload after the other; the way back begins with the template', () => {
  const plan = planOf();
  expect(plan.operations.map(({ id }) => id).slice(-5)).toEqual([
    ...['sidecar.template', 'sidecar.rollout', 'verify.pods', 'verify.version', 'verify.services'],
  ]);
  expect(step(plan, 'sidecar.template')?.act).toEqual({
    kind: 'merge-patch',
    target: injector,
    body: { data: { config: text('v3.31.4') } },
  });
  expect(step(plan, 'sidecar.rollout')).toMatchObject({
    effect: 'traffic',
    act: {
      steps: [
        { act: { target: { name: 'cart' } }, done: { of: [{}, { kind: 'sidecars', version: 'v3.31.4' }] } },
        { act: { target: { name: 'pay' } }, done: { of: [{}, { kind: 'sidecars', target: { name: 'pay' } }] } },
      ],
    },
  });
  const seqs = plan.operations.map(({ seq }) => seq);
  const back = planUndo(plan, seqs, null);
  expect(back.map(({ title }) => title).slice(0, 2)).toEqual([
    'Let new pods get the sidecar of v3.30.7 again',
    'Replace the pods of 2 workloads again, for the earlier sidecar',
  ]);
  expect(back[1]?.act).toMatchObject({
    steps: [{ act: { target: { name: 'pay' } } }, { done: { of: [{}, { kind: 'sidecars', version: 'v3.30.7' }] } }],
  });
  const copy = JSON.parse(JSON.stringify(plan));
  expect(JSON.parse(JSON.stringify(parsePlan(copy)))).toEqual(copy);
});

test('rights are for these workloads alone', () => {
  const patched = step(planOf(), 'sidecar.rollout')?.needs.filter(({ verbs }) => verbs.includes('patch'));
  expect(patched).toMatchObject([
    { resource: 'deployments', namespace: 'shop', names: ['cart'] },
    { resource: 'statefulsets', namespace: 'shop', names: ['pay'] },
  ]);
});

test.each([
  ['another ConfigMap', '"name":"istio-sidecar-injector"', '"name":"coredns"'],
  ['a text without a sidecar', 'calico/dikastes:', 'stranger/image:'],
  ['another annotation', 'signalbox.dev/sidecars', 'signalbox.dev/other'],
  ['another kind', '"kind":"StatefulSet","plural":"statefulsets"', '"kind":"ReplicaSet","plural":"replicasets"'],
])('a plan that would write %s is refused', (_what, from, to) => {
  const text = JSON.stringify(planOf());
  expect(text).toContain(from);
  expect(() => parsePlan(JSON.parse(text.replaceAll(from, to)))).toThrow();
});

test('a template that is of the new release already is left, and the way back waits for no other', () => {
  const plan = planOf({ template: configMap({ config: text('v3.31.4') }) });
  expect(step(plan, 'sidecar.template')).toBeUndefined();
  expect(JSON.stringify(step(plan, 'sidecar.rollout')?.undo?.done)).not.toContain('v3.30.7');
});

test.each<[string, Given, RegExp]>([
  ['nothing carries one', { sidecars: [] }, /No pod carries a sidecar/],
  ['all are new', { sidecars: [carrying('Deployment', 'cart', 'v3.31.4')] }, /All sidecars are of v3\.31\.4 already/],
  [
    'one that a restart would not change',
    { sidecars: [{ ...carrying('Deployment', 'cart'), inTemplate: true }] },
    /shop\/cart has its sidecar in its own template, which a restart keeps: write the image of v3\.31\.4 there/,
  ],
  [
    'one whose workload could not be read',
    { sidecars: [{ ...carrying('Deployment', 'cart'), inTemplate: 'unknown' }] },
    /A restart may keep the sidecar of shop\/cart: allow `get` of it to see the template\./,
  ],
  ['pods that were not read', { unread: 'Pod' }, /not all pods could be read/],
  ['bare pods', { sidecars: [carrying('Pod', 'alone')] }, /restart them by hand/],
  ['no template', { template: null }, /istio-sidecar-injector, from which new pods get their sidecar, is not there/],
  ['a template without a release', { template: configMap({ config: 'dikastes:latest' }) }, /names no release/],
  ['a template that is masked', { template: configMap({ config: mask('left out of the dump') }) }, /read whole/],
])('refused: %s', (_what, given, sentence) => {
  expect(() => planOf(given)).toThrow(sentence);
});

test('what has its sidecar in its own template is left out, and the others are rolled', () => {
  const plan = planOf({
    sidecars: [{ ...carrying('Deployment', 'cart'), inTemplate: true }, carrying('StatefulSet', 'pay')],
  });
  const text = JSON.stringify(step(plan, 'sidecar.rollout')?.act);
  expect(text).toContain('"pay"');
  expect(text).not.toContain('"cart"');
});

test('templates that could not be read keep no pod from being rolled', () => {
  expect(step(planOf({ unread: 'StatefulSet.apps' }), 'sidecar.rollout')).toBeDefined();
});
