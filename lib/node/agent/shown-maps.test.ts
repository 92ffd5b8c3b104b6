import { expect, test } from 'vitest';
import { backendFlags, flowTypes, protocols, routeFlags, serviceFlags } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import { shownFlows, shownRoutes, shownServices } from './shown-maps.ts';

test('a Service is shown with its backends, a node port without an address, in order of addresses', () => {
  const maps = mapsInMemory();
  const value = { id: 7, clusterBackends: 2, localBackends: 0, flags: serviceFlags.nodePort, affinityS: 0 };
  for (const address of ['0.0.0.0', '10.96.0.10', '10.96.0.9'])
    maps.services.set({ address, port: 80, protocol: protocols.TCP }, value);
  const backend = { address: '10.0.1.1', node: '192.168.0.2', port: 8080, flags: backendFlags.hostNetwork };
  maps.backends.set({ service: 7, slot: 0, list: 0 }, backend);
  // Slot 1 has no backend yet, as while it is being written.
  const shown = shownServices(maps);
  expect(shown.map(({ address }) => address)).toEqual(['10.96.0.9', '10.96.0.10', 'nodes']);
  expect(shown[0]).toEqual({
    ...{ address: '10.96.0.9', port: 80, protocol: 'TCP', id: 7, flags: ['nodePort'], affinitySeconds: 0 },
    cluster: [{ address: '10.0.1.1', port: 8080, node: '192.168.0.2', flags: ['hostNetwork'] }],
    local: [],
  });
});

test('a route has the length of its own family, and what nobody knows the name of stays a number', () => {
  const maps = mapsInMemory();
  const route = { flags: routeFlags.host | routeFlags.tunnel, ifindex: 0, node: '::', endpoint: 0 };
  maps.routes.set({ prefix: 104, address: '10.0.0.0' }, { ...route, ifindex: 4 });
  maps.routes.set({ prefix: 64, address: 'fd00::' }, { ...route, node: 'fd00::2' });
  expect(shownRoutes(maps)).toEqual([
    { address: '10.0.0.0', prefix: 8, flags: ['host', 'tunnel'], interface: 4, node: null },
    { address: 'fd00::', prefix: 64, flags: ['host', 'tunnel'], interface: null, node: 'fd00::2' },
  ]);
  const key = { a: '10.0.0.1', b: 'fd00::1', aPort: 1, bPort: 2, protocol: 132 };
  maps.flows.set(key, {
    ...{ lastNs: 5_000_000_000n, createdNs: 0n, packets: [3n, 2n], bytes: [300n, 200n], rule: [0, 0], ifindex: [0, 0] },
    ...{ client: '10.0.0.1', service: 'fd00::1', backend: '10.0.1.1', peerNode: '::' },
    ...{ clientPort: 1, servicePort: 2, backendPort: 3, snatPort: 1, serviceId: 7, flags: 0 },
    ...{ type: flowTypes.handedOn, tcp: [0, 0], acknowledged: [0, 0] },
  });
  expect(shownFlows(maps, 12_500_000_000n)).toEqual([
    {
      ...{ protocol: '132', type: 'handedOn', client: '10.0.0.1:1', service: '[fd00::1]:2', backend: '10.0.1.1:3' },
      ...{ node: null, idleSeconds: 7, packets: [3, 2], bytes: [300, 200] },
    },
  ]);
});
