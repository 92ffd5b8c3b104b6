/**
 * `node api.ts <nodes> <kubeconfig>`, forked: the API server of a big cluster, from objects in memory, so that a measurement on the same machine
 * measures the console and not etcd. It sends a message when it listens, and carries out orders (`Order`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { serveStore } from '#lib/sandbox/index.ts';
import { resources } from '#lib/spec/index.ts';
import { emulatedObjects } from './cluster.ts';

const order = z.object({ kind: z.literal('flood'), perSecond: z.number(), forMs: z.number() });
export type Order = z.infer<typeof order>;
export type Reply =
  | { readonly kind: 'listening'; readonly objects: number }
  | { readonly kind: 'flooded'; readonly events: number; readonly ms: number };

const tickMs = 20;
/** One event in so many is the operator's, the others are nodes'. */
const statusEvery = 10;

const [, , nodes = '5000', kubeconfig = ''] = process.argv;
const objects = emulatedObjects(Number(nodes), Date.now());
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
const store = createStore({
  name: 'emulated',
  source: 'sandbox',
  version: 'v1.36.3',
  kinds: Object.values(resources).filter(({ group }) => !group.includes('openshift') && group !== 'projectcalico.org'),
  objects,
  pods: {
    logs: async ({ namespace, name }) => agentLog(await store.get({ resource: resources.pods, namespace, name })),
  },
});

/** What Felix writes when it starts without eBPF, with the runtime's times. */
function agentLog(pod: KubeObject | null): string {
  const started = (
    pod?.status as { containerStatuses?: { state?: { running?: { startedAt?: string } } }[] } | undefined
  )?.containerStatuses?.[0]?.state?.running?.startedAt;
  const at = started ?? pod?.metadata.creationTimestamp ?? '';
  return `${at} Felix starting up GOMAXPROCS=4\n${at} Successfully loaded configuration. BPFEnabled=false\n`;
}

/** Changes an object and notifies its watchers, without the store's checks, which would take longer than the measured work. */
function change(object: KubeObject): void {
  const { resourceVersion: _, ...metadata } = object.metadata;
  store.load([{ ...object, metadata }]);
}

type Condition = { type: string; status: string; message?: string };
const conditionsOf = (object: KubeObject): Condition[] =>
  (object.status as { conditions?: Condition[] } | undefined)?.conditions ?? [];

/** Each event changes what is shown: a node becomes ready or stops being so, the operator says something else. */
async function flood({ perSecond, forMs }: Order): Promise<Reply> {
  const [allNodes, statuses] = [ofKind('Node'), ofKind('TigeraStatus')];
  const started = performance.now();
  let events = 0;
  for (let passed = 0; passed < forMs; passed = performance.now() - started) {
    for (const due = Math.floor((passed * perSecond) / 1000); events < due; events++) {
      if (events % statusEvery === 0) {
        const status = statuses[(events / statusEvery) % statuses.length];
        if (!status) continue;
        for (const condition of conditionsOf(status)) condition.message = `told at ${Date.now()}.`;
        change(status);
        continue;
      }
      const node = allNodes[(events * 7919) % allNodes.length];
      const ready = node && conditionsOf(node).find(({ type }) => type === 'Ready');
      if (!node || !ready) continue;
      ready.status = ready.status === 'True' ? 'False' : 'True';
      change(node);
    }
    await sleep(tickMs);
  }
  return { kind: 'flooded', events, ms: performance.now() - started };
}

const tell = (reply: Reply) => process.send?.(reply);
process.on('message', (message) => void flood(order.parse(message)).then(tell));
process.on('disconnect', () => process.exit());
await serveStore(store, { name: 'emulated', kubeconfig });
tell({ kind: 'listening', objects: objects.length });
