import { endpointSliceOf, nodeOf, serviceOf } from '#lib/kube/index.ts';
import { nodeAddresses, Present, ServiceTable } from '#lib/node/index.ts';
import type { Benchmark } from './benchmark.ts';
import { loadNow, percentile } from './measured-console.ts';

const endpointsEach = 3;
const changes = 300;

/** What the node agent computes, without a kernel: from objects of the API to the writes of a plan. */
export const node: Benchmark = {
  name: 'node',
  title: 'The node agent plans the service maps, 3 endpoints a Service',
  async run({ report }) {
    // Once before it counts: code is compiled.
    full(1_000);
    const lines = [1_000, 10_000].map((services) => {
      const { ms, writes, readMs } = full(services);
      report(`${services} services; ${loadNow()}`);
      return `full sync of ${services} services: ${writes} writes planned in ${ms.toFixed(0)} ms, after ${readMs.toFixed(0)} ms of reading the objects`;
    });
    const few = oneChange(100);
    const many = oneChange(10_000);
    return [
      ...lines,
      `one endpoint changed, ${changes} times: p50 ${percentile(many, 0.5).toFixed(3)} ms, p99 ${percentile(many, 0.99).toFixed(3)} ms at 10,000 services; ÷ that at 100 services: p50 ${(percentile(many, 0.5) / percentile(few, 0.5)).toFixed(2)}`,
    ];
  },
};

function full(services: number) {
  const present = new Present();
  const table = newTable(present);
  const objects = Array.from({ length: services }, (_, index) => ({ service: service(index), slice: slice(index, 0) }));
  const began = performance.now();
  for (const [index, one] of objects.entries()) {
    table.service(keyOf(index), serviceOf(one.service));
    table.slice(keyOf(index), endpointSliceOf(one.slice));
  }
  const read = performance.now();
  const { writes, done } = table.plan();
  for (const write of writes) present.apply(write);
  done();
  const ended = performance.now();
  return { table, present, writes: writes.length, readMs: read - began, ms: ended - read };
}

/** From the object of the API to the last write, ms each. */
function oneChange(services: number): number[] {
  const { table, present } = full(services);
  return Array.from({ length: changes }, (_, round) => {
    const index = (round * 7_919) % services;
    const changed = slice(index, round + 1);
    const began = performance.now();
    table.slice(keyOf(index), endpointSliceOf(changed));
    const { writes, done } = table.plan();
    for (const write of writes) present.apply(write);
    done();
    return performance.now() - began;
  });
}

function newTable(present: Present): ServiceTable {
  const table = new ServiceTable('node-1', present);
  for (const name of ['node-1', 'node-2', 'node-3'])
    table.node(
      name,
      nodeAddresses(
        nodeOf({
          metadata: { name },
          status: { addresses: [{ type: 'InternalIP', address: `192.168.0.${name.at(-1)}` }] },
        }),
      ),
    );
  return table;
}

const keyOf = (index: number) => `bench/service-${index}`;
const octets = (index: number) => `${index >> 8}.${index & 0xff}`;

function service(index: number) {
  return {
    metadata: { namespace: 'bench', name: `service-${index}`, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      type: 'ClusterIP',
      clusterIP: `10.96.${octets(index)}`,
      clusterIPs: [`10.96.${octets(index)}`],
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }],
    },
  };
}

/** With each round another first endpoint. */
function slice(index: number, round: number) {
  return {
    metadata: {
      namespace: 'bench',
      name: `service-${index}`,
      labels: { 'kubernetes.io/service-name': `service-${index}` },
    },
    addressType: 'IPv4',
    ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
    endpoints: Array.from({ length: endpointsEach }, (_, each) => ({
      addresses: [`10.${each + 1 + (each === 0 ? (round % 40) * 3 : 0)}.${octets(index)}`],
      nodeName: `node-${each + 1}`,
      conditions: { ready: true, serving: true, terminating: false },
    })),
  };
}
