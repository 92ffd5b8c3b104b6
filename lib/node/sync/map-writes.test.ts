import { expect, test } from 'vitest';
import { backendLists, protocols, serviceFlags } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import { nodeAddresses } from '../services/node-view.ts';
import { ServiceTable } from '../services/service-table.ts';
import { aNode, aService, aSlice } from '../services/testing/objects.ts';
import { hostRoutes, RouteWriter } from './host-routes.ts';
import { carryOut, readPresent } from './map-writes.ts';

function tableOn(maps: ReturnType<typeof mapsInMemory>): ServiceTable {
  const table = new ServiceTable('node-1', readPresent(maps));
  table.node('node-1', nodeAddresses(aNode('node-1', '192.168.0.1')));
  table.node('node-2', nodeAddresses(aNode('node-2', '192.168.0.2')));
  const service = aService(
    {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      sessionAffinity: 'ClientIP',
      loadBalancerSourceRanges: ['10.0.0.0/8', 'fd00::/8'],
      clusterIPs: ['10.96.0.7', 'fd96::7'],
      ports: [{ name: 'http', port: 80, nodePort: 30_080 }],
    },
    { status: { loadBalancer: { ingress: [{ ip: '203.0.113.9' }, { ip: '2001:db8::9' }] } } },
  );
  table.service('shop/web', service);
  table.slice('shop/web-1', aSlice(['10.0.2.1', { addresses: ['192.168.0.1'], nodeName: 'node-1' }]));
  table.slice('shop/web-2', aSlice(['fd00::1'], { addressType: 'IPv6' }));
  return table;
}

test('what is written stands in the maps, and a new process reads it back and has nothing to do', () => {
  const maps = mapsInMemory();
  const { writes } = tableOn(maps).plan();
  for (const write of writes) carryOut(maps, [write]);

  expect(maps.services.get({ address: '203.0.113.9', port: 80, protocol: protocols.TCP })).toMatchObject({
    clusterBackends: 2,
    localBackends: 1,
    flags: serviceFlags.outsideLocal | serviceFlags.sourceRanges | serviceFlags.affinity,
    affinityS: 10_800,
  });
  expect(maps.services.get({ address: '::', port: 30_080, protocol: protocols.TCP })).toMatchObject({
    clusterBackends: 1,
    flags: serviceFlags.outsideLocal | serviceFlags.nodePort | serviceFlags.affinity,
  });
  expect(maps.backends.get({ service: 1, slot: 0, list: backendLists.cluster })).toEqual({
    address: '192.168.0.1',
    node: '192.168.0.1',
    port: 8080,
    flags: 3,
  });
  expect([...maps.sourceRanges.entries()].map(([key]) => key)).toEqual([
    { prefix: 32 + 96 + 8, service: 1, address: '10.0.0.0' },
    { prefix: 32 + 8, service: 2, address: 'fd00::' },
  ]);
  expect(tableOn(maps).plan().writes).toEqual([]);
});

const nodes = new Map([
  ['node-1', nodeAddresses(aNode('node-1', '192.168.0.1'))],
  ['node-2', nodeAddresses(aNode('node-2', '192.168.0.2'))],
]);
const routesOf = (own: readonly string[], nodePorts: 'all' | readonly string[]) =>
  [...hostRoutes({ own, nodes, nodeName: 'node-1', nodePorts })].map(([key, { route }]) => [key, route.flags]);

test.each<[string, 'all' | readonly string[], [string, number][]]>([
  [
    'all',
    'all',
    [
      ['192.168.0.1/128', 1 | 4 | 8],
      ['172.17.0.1/128', 1 | 4 | 8],
      ['127.0.0.0/104', 1 | 4 | 8],
      ['::1/128', 1 | 4 | 8],
    ],
  ],
  [
    'those of a range',
    ['192.168.0.0/16'],
    [
      ['192.168.0.1/128', 1 | 4 | 8],
      ['172.17.0.1/128', 1 | 4],
    ],
  ],
])('node ports on %s of this host', (_what, nodePorts, expected) => {
  expect(routesOf(['192.168.0.1', '172.17.0.1'], nodePorts)).toEqual([['192.168.0.2/128', 4 | 16], ...expected]);
});

test('an address that goes is taken out of the routes, and so is a pod; what stays is not written again', () => {
  const maps = mapsInMemory();
  maps.routes.set({ prefix: 128, address: '10.0.1.9' }, { flags: 3, ifindex: 7, node: '::', endpoint: 0 });
  const writer = new RouteWriter(maps);
  const write = (own: string[], pods: { address: string; ifindex: number }[]) =>
    writer.write(hostRoutes({ own, nodes: new Map(), nodeName: 'node-1', nodePorts: [], pods }));
  expect(write(['192.168.0.1', '192.168.0.9'], [{ address: '10.0.1.1', ifindex: 7 }])).toBe(4);
  expect(write(['192.168.0.1'], [{ address: '10.0.1.1', ifindex: 8 }])).toBe(2);
  expect([...maps.routes.entries()].map(([{ address }, { flags, ifindex }]) => [address, flags, ifindex])).toEqual([
    ['10.0.1.1', 3, 8],
    ['192.168.0.1', 5, 0],
  ]);
});

test('clients whose answers keep to the tunnel are told by their range, and a node among them by its own address', () => {
  const routes = hostRoutes({
    own: ['10.0.0.1'],
    nodes,
    nodeName: 'node-1',
    nodePorts: [],
    throughTunnel: ['10.0.0.0/8', 'fd00::/8'],
  });
  expect([...routes].map(([key, { route }]) => [key, route.flags])).toEqual([
    ['10.0.0.0/104', 32],
    ['fd00::/8', 32],
    ['192.168.0.2/128', 4 | 16],
    ['10.0.0.1/128', 1 | 4],
  ]);
});
