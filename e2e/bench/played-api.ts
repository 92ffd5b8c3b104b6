/**
 * `node played-api.ts <nodes>`, forked: plays the API server of a big cluster. It answers lists, gets, watches, agents' logs and access reviews
 * from objects in memory and takes no write, so that what is measured in front of it on the same machine is the console and not etcd.
 * It tells its URL when it listens, and does what it is told (`Order`).
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { KubeObject } from '#lib/kube/index.ts';
import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import { playedObjects } from './played-cluster.ts';
import { discovery, head, selector, target } from './played-requests.ts';

const order = z.object({ kind: z.literal('flood'), perSecond: z.number(), forMs: z.number() });
export type Order = z.infer<typeof order>;
export type Told =
  | { readonly kind: 'listening'; readonly url: string; readonly objects: number }
  | { readonly kind: 'flooded'; readonly events: number; readonly ms: number };

type Watch = {
  readonly collection: string;
  readonly fits: (object: KubeObject) => boolean;
  readonly to: ServerResponse;
};

const version = 'v1.36.3';
const pageSize = 500;
/** A client takes a stream that is silent for longer than a minute for dead. */
const bookmarkMs = 20_000;
const tickMs = 20;
/** One event in so many is the operator's, the others are nodes'. */
const statusEvery = 10;

const nodes = Number(process.argv[2] ?? 5_000);
const objects = new Map<string, KubeObject[]>();
const keyOf = ({ apiVersion, kind }: { apiVersion: string; kind: string }) => `${apiVersion} ${kind}`;
for (const object of playedObjects(nodes, Date.now())) {
  object.metadata.resourceVersion ??= '1';
  const kept = objects.get(keyOf(object)) ?? [];
  kept.push(object);
  objects.set(keyOf(object), kept);
}
const watches = new Set<Watch>();
let revision = 1_000;

const server = createServer((request, response) => {
  request.resume();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://played');
  if (request.method === 'POST' && pathname.endsWith('/selfsubjectaccessreviews'))
    return json(response, 201, {
      ...head('authorization.k8s.io/v1', 'SelfSubjectAccessReview'),
      status: { allowed: true },
    });
  if (request.method !== 'GET') return refuse(response, 405, 'MethodNotAllowed');
  if (pathname === '/version') return json(response, 200, { gitVersion: version, major: '1', minor: '36' });
  if (pathname === '/api' || pathname === '/apis') return json(response, 200, discovery(pathname));
  const asked = target(pathname);
  if (!asked) return refuse(response, 404, 'NotFound');
  const { resource, namespace, name, part } = asked;
  const collection = keyOf({ apiVersion: apiVersionOf(resource), kind: resource.kind });
  const inPlace = (object: KubeObject) => namespace === null || object.metadata.namespace === namespace;
  if (name !== null) {
    const found = objects.get(collection)?.find((object) => inPlace(object) && object.metadata.name === name);
    if (!found) return refuse(response, 404, 'NotFound');
    if (part === 'log') return text(response, agentLog(found));
    return part === null ? json(response, 200, found) : refuse(response, 404, 'NotFound');
  }
  const selected = selector(searchParams);
  const fits = (object: KubeObject) => inPlace(object) && selected(object);
  if (searchParams.get('watch') === null)
    return list(response, resource, (objects.get(collection) ?? []).filter(fits), searchParams);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const watch = { collection, fits, to: response };
  watches.add(watch);
  response.on('close', () => watches.delete(watch));
});

function list(response: ServerResponse, resource: Resource, found: KubeObject[], query: URLSearchParams): void {
  const from = Number(query.get('continue') ?? 0);
  const to = from + Number(query.get('limit') ?? pageSize);
  json(response, 200, {
    ...head(apiVersionOf(resource), `${resource.kind}List`),
    metadata: {
      resourceVersion: String(revision),
      ...(to < found.length ? { continue: String(to), remainingItemCount: found.length - to } : {}),
    },
    items: found.slice(from, to),
  });
}

/** What Felix writes when it starts without eBPF, with the runtime's times. */
function agentLog(pod: KubeObject): string {
  const started = (pod.status as { containerStatuses?: { state?: { running?: { startedAt?: string } } }[] } | undefined)
    ?.containerStatuses?.[0]?.state?.running?.startedAt;
  const at = started ?? pod.metadata.creationTimestamp ?? '';
  return `${at} Felix starting up GOMAXPROCS=4\n${at} Successfully loaded configuration. BPFEnabled=false\n`;
}

/** The object as it is now, to everybody who watches it. */
function change(object: KubeObject): void {
  object.metadata.resourceVersion = String(++revision);
  const line = `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
  for (const { collection, fits, to } of watches) if (collection === keyOf(object) && fits(object)) to.write(line);
}

type Condition = { type: string; status: string; message?: string };
const conditionsOf = (object: KubeObject): Condition[] =>
  (object.status as { conditions?: Condition[] } | undefined)?.conditions ?? [];

/** Each event changes what is shown: a node becomes ready or stops being so, the operator says something else. */
async function flood({ perSecond, forMs }: Order): Promise<Told> {
  const allNodes = objects.get('v1 Node') ?? [];
  const statuses = objects.get('operator.tigera.io/v1 TigeraStatus') ?? [];
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

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function text(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  json(response, code, { ...head('v1', 'Status'), metadata: {}, status: 'Failure', reason, code, message: reason });
}

setInterval(() => {
  for (const { collection, to } of watches) {
    const [apiVersion = '', kind = ''] = collection.split(' ');
    const object = { ...head(apiVersion, kind), metadata: { resourceVersion: String(revision) } };
    to.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }
}, bookmarkMs).unref();

const tell = (told: Told) => process.send?.(told);
process.on('message', (message) => void flood(order.parse(message)).then(tell));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const many = [...objects.values()].reduce((sum, kept) => sum + kept.length, 0);
  tell({ kind: 'listening', url: `http://127.0.0.1:${port}`, objects: many });
});
