import { afterEach, expect, test } from 'vitest';
import { aProcess, clusterContents, expectSameCluster } from '#e2e/journey/index.ts';
import type { Findings } from '#lib/checks/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { continueRun, type RunEvent, startRun } from '#lib/run/index.ts';
import { type OpenSandbox, openSandbox } from '#lib/sandbox/index.ts';
import { type Choices, resources } from '#lib/spec/index.ts';
import { prepareInstall, sandboxManifests } from '../testing/install-stage.ts';
import { startedRun } from '../testing/started-run.ts';

let sandbox: OpenSandbox;
afterEach(() => sandbox.close());

const dns = ['operator.dns-deadlock'];

/** The administrator's answers on each platform, and the operations that the plan has beside those of every installation. */
const platforms: Record<string, { answers: Partial<Choices>; has: readonly string[]; hasNot?: readonly string[] }> = {
  empty: { answers: { fix: dns }, has: ['crds', 'operator.apply', 'operator.dns', 'proxy.disable.daemonset'] },
  'empty-kubeadm': { answers: { fix: dns }, has: ['proxy.disable.daemonset'] },
  'empty-without-proxy': { answers: { fix: dns }, has: ['felix.cleanup-restore'], hasNot: ['proxy.disable.daemonset'] },
  'empty-eks': {
    answers: { fix: [...dns, 'node.flexvolume-path'] },
    has: ['operator.dns', 'proxy.disable.daemonset'],
    hasNot: ['cni.remove-aws-node'],
  },
  'empty-eks-aws-node': {
    answers: { fix: dns, set: { 'cni.type': 'Calico', 'cni.ipam.type': 'Calico' } },
    has: ['cni.remove-aws-node'],
  },
  'empty-aks': { answers: { fix: dns }, has: ['proxy.disable.daemonset'] },
  'empty-openshift': {
    answers: { fix: dns },
    has: ['openshift.bundle', 'proxy.disable.openshift'],
    hasNot: ['operator.apply'],
  },
  'empty-kind': { answers: { fix: dns }, has: ['proxy.disable.daemonset'] },
};

test.each(Object.entries(platforms))('%s: installed, planned again, undone', async (name, row) => {
  sandbox = await openSandbox(name, { speed: 'instant', operator: 'v3.31.4' });
  const { kube, clock } = sandbox;
  await clock.sleep(60_000);
  const before = await clusterContents(kube);
  const answers = { acceptProposals: true, ...row.answers };
  const { plan, findings } = await prepareInstall(sandbox, answers);
  expect(blocking(findings)).toEqual([]);
  const ids = plan.operations.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...row.has]));
  for (const id of row.hasNot ?? []) expect(ids).not.toContain(id);

  const networkOperator = openshiftProxy(sandbox);
  const installer = () => ({ ...aProcess({ kube, clock }), manifests: sandboxManifests, onEvent: networkOperator });
  const installed = startedRun(await startRun(installer(), plan));
  expect(installed.outcome).toEqual({ kind: 'done' });
  await clock.sleep(60_000);
  const again = await prepareInstall(sandbox, answers);
  const writes = again.plan.operations.filter(({ status, targets }) => status === 'needed' && targets.length > 0);
  expect(writes.map(({ id }) => id)).toEqual([]);

  const undone = startedRun(await continueRun(installer(), installed.run, { how: 'undo' }));
  expect(undone.outcome).toEqual({ kind: 'undone' });
  await clock.sleep(60_000);
  expectSameCluster(before, await clusterContents(kube));
});

/** Platforms on which only the administrator can turn the service proxy off. */
const byHand: Record<string, RegExp> = {
  'empty-kops': /kubeProxy\.enabled: false/,
  'empty-rke2': /disable-kube-proxy: true/,
  'empty-k3s': /--disable-kube-proxy/,
  'empty-talos': /cluster\.proxy\.disabled: true/,
};

/** Platforms whose proxy has pods that Signalbox can ask for their rules. Elsewhere the administrator must confirm that the proxy is back. */
const showsItsProxy = ['empty-kops', 'empty-rke2', 'empty-talos'];

test.each(Object.entries(byHand))('%s: what is to be done is said, waited for, and undone', async (name, text) => {
  sandbox = await openSandbox(name, { speed: 'instant', operator: 'v3.31.4' });
  const { kube, clock } = sandbox;
  await clock.sleep(60_000);
  const before = await clusterContents(kube);
  const fix = [...dns, 'node.flexvolume-path', 'node.cgroup-path'];
  const { plan, findings } = await prepareInstall(sandbox, { acceptProposals: true, fix });
  expect(blocking(findings)).toEqual([]);
  const instructions = plan.operations.find(({ id }) => id === 'proxy.instructions');
  expect(JSON.stringify(instructions?.act)).toMatch(text);

  const carrying = { ...aProcess({ kube, clock }), manifests: sandboxManifests };
  const whenAsked = (event: RunEvent) => {
    if (event.event === 'operation' && event.data.id === 'proxy.instructions' && event.data.state === 'begun')
      carrying.control.ask('undo');
  };
  const { run, outcome } = startedRun(await startRun({ ...carrying, onEvent: whenAsked }, plan));
  const paused = { kind: 'paused', code: 'unknown', operation: 'proxy.instructions' };
  expect(outcome).toMatchObject(showsItsProxy.includes(name) ? { kind: 'undone' } : paused);
  const acknowledge = { 'proxy.instructions': 'looked at each node' };
  const undone =
    outcome.kind === 'undone'
      ? { outcome }
      : startedRun(
          await continueRun({ ...aProcess({ kube, clock }), manifests: sandboxManifests }, run, {
            how: 'resume',
            acknowledge,
          }),
        );
  expect(undone.outcome).toEqual({ kind: 'undone' });
  await clock.sleep(60_000);
  expectSameCluster(before, await clusterContents(kube));
});

/** Removes and restores OpenShift's proxy in the place of its network operator, which no sandbox simulates. */
function openshiftProxy({ store }: OpenSandbox): (event: RunEvent) => void {
  const name = 'openshift-kube-proxy';
  const ref = { resource: resources.daemonSets, namespace: name, name };
  let removed: KubeObject | null = null;
  return (event) => {
    if (event.event !== 'operation' || event.data.id !== 'proxy.disable.openshift' || event.data.state !== 'acted')
      return;
    if (event.data.direction === 'forward')
      void store.get(ref).then((object) => {
        removed = object;
        return store.delete(ref);
      });
    else if (removed) {
      const { uid: _uid, resourceVersion: _version, managedFields: _fields, ...metadata } = removed.metadata;
      const { status: _status, ...object } = removed;
      void store.create(resources.daemonSets, { ...object, metadata });
    }
  };
}

function blocking({ findings }: Findings): string[] {
  return findings
    .filter(({ status, severity, fixedBy }) => status === 'fail' && severity === 'blocking' && fixedBy === null)
    .map(({ id, because }) => `${id}: ${because}`);
}
