import { afterEach, expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
afterEach(() => stage.close());

const proxy = { resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' };
const outage = { proxy: { mode: 'iptables', turnedOff: true } } as const;
const scheduled = async () => (await stage.store.get(proxy))?.status;

/** The objects as an operator leaves them that managed kube-proxy. */
function withOperatorsKey(objects: KubeObject[]): KubeObject[] {
  return objects.map((object) => {
    if (object.kind !== 'DaemonSet' || object.metadata.name !== 'kube-proxy') return object;
    const off = { 'kubernetes.io/os': 'linux', [names.operatorProxySelector]: 'true' };
    const changed = structuredClone(object) as KubeObject & { spec: { template: { spec: object } } };
    Object.assign(changed.spec.template.spec, { nodeSelector: off });
    return changed;
  });
}

test.each([
  ['the selector of Calico’s documentation', (objects: KubeObject[]) => objects],
  ['the operator’s own selector', withOperatorsKey],
])('turned off by %s: kube-proxy comes back on every node, and nothing else changes', async (_name, objects) => {
  stage = await openStage({ nodes: 3, shape: outage, objects });
  expect(await scheduled()).toMatchObject({ desiredNumberScheduled: 0 });
  const plan = await stage.plan({ goal: 'restore' });
  expect(plan.findings.verdict).toBe('ready');
  expect(plan.operations.map(({ id }) => id)).toEqual(['snapshot', 'proxy.restore', 'verify.pods']);

  const { outcome } = startedRun(await startRun(stage.process(), plan));
  expect(outcome).toEqual({ kind: 'done' });
  expect(await scheduled()).toMatchObject({ numberReady: 3 });
  for (const node of await stage.nodeNames()) expect(await stage.agentMode(node)).toBe('standard');
  const again = await stage.plan({ goal: 'restore' });
  expect(again.operations.filter(({ act, status }) => act.kind !== 'verify' && status === 'needed')).toEqual([]);
});

test('what Argo CD writes is told before the run, and does not pause it', async () => {
  const marked = (objects: KubeObject[]) =>
    objects.map((object) => {
      if (object.kind !== 'FelixConfiguration') return object;
      const changed = structuredClone(object) as KubeObject & { spec: object };
      changed.metadata.annotations = { 'argocd.argoproj.io/tracking-id': 'calico' };
      changed.spec = { ...changed.spec, bpfEnabled: true };
      return changed;
    });
  stage = await openStage({ nodes: 2, shape: outage, objects: marked });
  const plan = await stage.plan({ goal: 'restore' });
  const finding = plan.findings.findings.find(({ id }) => id === 'managed-by.reconciler');
  expect(finding?.because).toMatch(/FelixConfiguration\/default \(by Argo CD\)/);
  expect(plan.operations.map(({ id }) => id)).toContain('felix.cleanup-flag');
  expect(startedRun(await startRun(stage.process(), plan)).outcome).toEqual({ kind: 'done' });
});

test('its way back does not bring the outage back: it waits for eBPF, and pauses without it', async () => {
  stage = await openStage({ nodes: 2, shape: outage });
  const { run } = startedRun(await startRun(stage.process(), await stage.plan({ goal: 'restore' })));
  const back = startedRun(await continueRun(stage.process(), run, { how: 'undo' }));
  expect(back.outcome.kind).toBe('paused');
  expect(await scheduled()).toMatchObject({ numberReady: 2 });
});

test('once somebody has put every node on eBPF, it turns kube-proxy off again', async () => {
  stage = await openStage({ nodes: 2, shape: outage });
  const { run } = startedRun(await startRun(stage.process(), await stage.plan({ goal: 'restore' })));
  const installation = { resource: resources.installations, name: 'default' };
  const onEbpf = { spec: { calicoNetwork: { linuxDataplane: 'BPF' } } };
  await stage.store.patch(installation, { type: 'merge', body: onEbpf });
  await stage.pass(400);
  const back = startedRun(await continueRun(stage.process(), run, { how: 'undo' }));
  expect(back.outcome).toEqual({ kind: 'undone' });
  expect(await scheduled()).toMatchObject({ desiredNumberScheduled: 0 });
});
