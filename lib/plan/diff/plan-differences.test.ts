import { expect, test } from 'vitest';
import type { Plan } from '../plan.ts';
import { aNode, aPlan, endpointObject, ids, object } from '../testing/a-cluster.ts';
import { differencesBetween, differenceWords } from './plan-differences.ts';

const words = (recorded: Plan, remade: Plan) => differencesBetween(recorded, remade).map(differenceWords);
const copy = (plan: Plan): Plan => JSON.parse(JSON.stringify(plan)) as Plan;

test('a plan that does the same differs in nothing, whatever texts, times and counts say', () => {
  const nodes = ['control-1', 'worker-1', 'worker-2', 'worker-3'].map((name) => aNode(name));
  const larger = aPlan({ nodes });
  expect(larger.hash).not.toBe(aPlan().hash);
  expect(differencesBetween(aPlan(), larger)).toEqual([]);
  const reworded = copy(aPlan());
  for (const operation of reworded.operations)
    Object.assign(operation, { title: 'Harmless', why: 'x', diff: 'x', command: 'x', needs: [], targets: ['x'] });
  expect(differencesBetween(reworded, aPlan())).toEqual([]);
});

test('another address: which steps do something else, and in which fields', () => {
  const changes = differencesBetween(aPlan({}, { endpoint: { host: '10.0.0.101', port: '6443' } }), aPlan());
  expect(changes).toContainEqual(
    expect.objectContaining({
      kind: 'changed',
      recorded: { id: 'endpoint.configmap', seq: 2, writes: [ids.endpoint] },
      parts: expect.arrayContaining(['act', 'done']),
      fields: [`${ids.endpoint} data.KUBERNETES_SERVICE_HOST`],
    }),
  );
  expect(changes.map(differenceWords)).toContain(
    'endpoint.configmap (Tell Calico the API server’s real address, 10.0.0.100 port 6443) does something else, counts as done by something else: tigera-operator/ConfigMap/kubernetes-services-endpoint data.KUBERNETES_SERVICE_HOST.',
  );
});

test('what the cluster says otherwise now: the way back and the guards', () => {
  const changed = {
    objects: {
      [ids.felix]: object('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', undefined, {
        spec: { bpfEnabled: false, bpfKubeProxyIptablesCleanupEnabled: true },
      }),
    },
  };
  expect(words(aPlan(), aPlan(changed))).toContainEqual(
    expect.stringMatching(/^felix\.cleanup-flag .* is undone in another way, expects other values before it/),
  );
});

test('what is there already is told', () => {
  const withEndpoint = aPlan({ objects: { [ids.endpoint]: endpointObject('10.0.0.100', '6443') } });
  expect(words(aPlan(), withEndpoint)).toContainEqual(expect.stringMatching(/^endpoint\.configmap .*is done already/));
});

test('an operation less, one more, and another order', () => {
  const plan = aPlan({}, { dsr: true });
  expect(words(plan, aPlan())).toContain(
    'felix.options is no longer a step of the plan: FelixConfiguration/default stays as it is.',
  );
  expect(words(aPlan(), plan)).toEqual([
    'felix.options (Set how eBPF works: answers go straight back to the client (DSR)) is a new step.',
  ]);
  const swapped = copy(aPlan());
  const last = swapped.operations.findIndex(({ id }) => id === 'proxy.disable.daemonset');
  swapped.operations.splice(1, 0, ...swapped.operations.splice(last, 1));
  swapped.operations.forEach((operation, index) => {
    operation.seq = index + 1;
  });
  expect(words(swapped, aPlan())).toEqual([
    `proxy.disable.daemonset (Turn kube-proxy off) is step ${last + 1}, and was step 2.`,
  ]);
});

test('the second of an id is compared with the second', () => {
  const plan = copy(aPlan());
  const second = plan.operations.findLastIndex(({ id }) => id === 'endpoint.active');
  plan.operations.splice(second, 1);
  expect(differencesBetween(plan, aPlan())).toMatchObject([
    { kind: 'added', remade: { id: 'endpoint.active', seq: second + 1 } },
  ]);
});

test.each([
  ['act', 'act', { kind: 'verify' }],
  ['done', 'done', { kind: 'journalled' }],
  ['nudge', 'nudge', { afterSeconds: 1, because: '', act: { kind: 'verify' } }],
  ['reads', 'reads', []],
  ['status', 'status', 'already-done'],
  ['effect', 'kind', 'none'],
  ['until', 'kind', 'snapshot'],
  ['reversible', 'kind', false],
])('another %s of an operation is told as %s', (field, part, value) => {
  const plan = copy(aPlan());
  const changed = plan.operations.find(({ id }) => id === 'felix.cleanup-flag');
  Object.assign(changed ?? {}, { [field]: value });
  expect(differencesBetween(plan, aPlan())).toMatchObject([
    { kind: 'changed', recorded: { id: 'felix.cleanup-flag' }, parts: [part] },
  ]);
});
