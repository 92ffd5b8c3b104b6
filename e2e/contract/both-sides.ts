import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { connect, createStore, type Kube, type KubeObject, type Store } from '#lib/kube/index.ts';
import { serveStore } from '#lib/sandbox/index.ts';
import { resources } from '#lib/spec/index.ts';
import { calicoFile, type Plane, startControlPlane } from '../controlplane/index.ts';
import { thingDefinition, things } from './thing-definition.ts';

export const contractNamespace = 'contract';

/**
 * The store and a real API server with the same namespace, Calico's definitions and a kind of our own. `served` is the store again,
 * over HTTP and through the client for real clusters.
 */
export type BothSides = { store: Store; live: Kube; served: Kube; plane: Plane; stop(): Promise<void> };

/** API server and etcd alone: nothing but the test writes. */
export async function startBothSides(): Promise<BothSides> {
  const definitions = [thingDefinition, ...(await calicoDefinitions())];
  const plane = await startControlPlane({ kind: 'empty', nodes: 0, components: 'api-only' });
  const live = await connect({ kubeconfig: plane.kubeconfig });
  const store = createStore({ name: 'store', source: 'sandbox' });
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-contract-'));
  const { kubeconfig, close } = await serveStore(store, { name: 'served', kubeconfig: join(folder, 'kubeconfig') });
  const served = await connect({ kubeconfig });
  const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: contractNamespace } };
  for (const kube of [live, store]) {
    await kube.create(resources.namespaces, namespace);
    for (const definition of definitions) await kube.create(resources.customResourceDefinitions, definition);
  }
  for (const resource of [things, resources.installations, resources.felixConfigurations, resources.ipPools])
    await untilServed(live, resource);
  return {
    store,
    live,
    served,
    plane,
    stop: async () => {
      await Promise.all([live.close(), served.close()]);
      await close();
      await rm(folder, { recursive: true });
      await plane.stop();
    },
  };
}

const used = new Set([
  'installations.operator.tigera.io',
  'felixconfigurations.crd.projectcalico.org',
  'ippools.crd.projectcalico.org',
]);

async function calicoDefinitions(): Promise<KubeObject[]> {
  return parseAllDocuments(await calicoFile('v3.31.4', 'operator-crds.yaml'))
    .map((document): unknown => document.toJS())
    .filter((object): object is KubeObject => typeof object === 'object' && object !== null)
    .filter(({ metadata }) => used.has(metadata.name ?? ''));
}

async function untilServed(
  kube: Kube,
  resource: (typeof resources)[keyof typeof resources] | typeof things,
): Promise<void> {
  for (;;) {
    try {
      for await (const _ of kube.list(resource)) break;
      return;
    } catch {
      await sleep(50);
    }
  }
}
