import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Plane, startControlPlane } from '#e2e/controlplane/index.ts';
import { connect, type KubeObject, type LiveKube } from '#lib/kube/index.ts';
import { differences, distil, installEnableRollback, type RecordedEvent } from '#lib/operator/recordings/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { isSettled } from './testing/calico-cluster.ts';
import { eventually } from './testing/eventually.ts';

let plane: Plane;
let kube: LiveKube;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'standard', like: 'v3.31.4', nodes: 4, pace: 'slow' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  await eventually('Calico to stand still', () => isSettled(plane));
  // The status of a fresh installation is written in several steps: the story begins when nothing moves any more.
  await untilNothingIsWrittenFor(6_000);
});

afterAll(async () => {
  await kube?.close();
  await plane?.stop();
});

const installation: ObjectRef = { resource: resources.installations, name: names.installation };

/** Marks of the recording that change the Installation, and the TigeraStatus objects whose Available ends their story. */
const marks: Readonly<Record<string, { network: Record<string, unknown>; ends: readonly string[] }>> = {
  'patch Installation: linuxDataplane BPF, hostPorts null': {
    network: { linuxDataplane: 'BPF', hostPorts: null },
    ends: ['calico'],
  },
  'patch Installation: kubeProxyManagement Enabled': {
    network: { kubeProxyManagement: 'Enabled' },
    ends: ['calico', 'kubeproxy-monitor'],
  },
  'patch Installation: linuxDataplane Iptables': { network: { linuxDataplane: 'Iptables' }, ends: ['calico'] },
};

test('on a real API server the stand-in tells the recorded story of enabling and taking back', async () => {
  const recorded = installEnableRollback.steps.filter((step) => step.mark in marks);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const events: RecordedEvent[] = [];
  const end = new AbortController();
  const watching = [
    resources.installations,
    resources.felixConfigurations,
    resources.tigeraStatuses,
    resources.daemonSets,
  ].map(async (resource) => {
    for await (const event of kube.watch(resource, { signal: end.signal })) {
      if (event.type === 'synced')
        for (const object of event.objects) events.push({ t: seconds(), isDeleted: false, object });
      else if ('object' in event)
        events.push({ t: seconds(), isDeleted: event.type === 'deleted', object: event.object });
    }
  });
  await sleep(2_000);
  for (const { mark } of recorded) {
    const act = marks[mark];
    if (!act) continue;
    events.push({ t: seconds(), mark });
    await kube.patch(installation, { type: 'merge', body: { spec: { calicoNetwork: act.network } } });
    // Until the next tick the status speaks of before.
    await sleep(6_000);
    await eventually('the status to speak of now', () => isSettled(plane));
    await eventually('its story to end', async () => (await Promise.all(act.ends.map(available))).every(Boolean));
    await sleep(1_000);
  }
  end.abort();
  await Promise.allSettled(watching);

  const steps = distil(events);
  expect(differences(recorded, steps), JSON.stringify(steps)).toEqual([]);
});

test('an operator that is started again, and a server that went away, change nothing on a settled cluster', async () => {
  await plane.stopApiServer();
  await sleep(3_000);
  await plane.startApiServer();
  await plane.stopOperator();
  await plane.startOperator();
  // A new process of the public one needs four ticks until it says what it found (upgrade-3.30.7-to-3.31.4.jsonl, t=71 to 86).
  await sleep(20_000);
  await eventually('Calico to stand still', () => isSettled(plane));
  // More than two ticks of the operator: an operator that writes in each tick never settles.
  await untilNothingIsWrittenFor(12_000);
});

test('a deleted Installation goes, and its workloads before it', async () => {
  await kube.delete(installation);
  await eventually('the Installation to go', async () => (await kube.get(installation)) === null);
  const workloads: ObjectRef[] = [
    { resource: resources.daemonSets, namespace: names.calicoNamespace, name: names.nodeDaemonSet },
    { resource: resources.deployments, namespace: names.calicoNamespace, name: names.kubeControllersDeployment },
  ];
  for (const ref of workloads) expect(await kube.get(ref)).toBeNull();
});

async function available(name: string): Promise<boolean> {
  const status = await kube.get({ resource: resources.tigeraStatuses, name });
  return JSON.stringify(status?.status ?? {}).includes('All objects available');
}

async function untilNothingIsWrittenFor(ms: number): Promise<void> {
  await eventually(`nothing to be written for ${ms / 1_000} s`, async () => {
    const before = await versions();
    await sleep(ms);
    return isDeepStrictEqual(await versions(), before);
  });
}

async function versions(): Promise<string[]> {
  const found: KubeObject[] = [];
  for (const resource of [
    resources.installations,
    resources.felixConfigurations,
    resources.tigeraStatuses,
    resources.daemonSets,
  ]) {
    for await (const page of kube.list(resource)) found.push(...page.items);
  }
  return found.map((object) => `${object.kind}/${object.metadata.name} ${object.metadata.resourceVersion}`).sort();
}
