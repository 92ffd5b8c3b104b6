import { expect, test } from 'vitest';
import { BpfError, protocols, serviceFlags } from '../index.ts';
import { mapsInMemory, type Write } from './maps-in-memory.ts';

const key = { address: '10.96.0.1', port: 443, protocol: protocols.TCP };
const service = { id: 1, clusterBackends: 1, localBackends: 0, flags: serviceFlags.insideLocal, affinityS: 0 };

test('what is written is found by the value of its key, and each write is told in order', () => {
  const writes: Write[] = [];
  const { services } = mapsInMemory((write) => writes.push(write));
  services.set(key, service);
  expect(services.get({ protocol: protocols.TCP, port: 443, address: '10.96.0.1' })).toEqual(service);
  expect([...services.entries()]).toEqual([[key, service]]);
  expect([services.delete(key), services.delete(key), services.get(key)]).toEqual([true, false, null]);
  expect(writes.map(({ map, kind }) => `${map}.${kind}`)).toEqual([
    'services.set',
    'services.delete',
    'services.delete',
  ]);
});

test('a map takes as much as the kernel has room for', () => {
  const { config } = mapsInMemory();
  const one = { flags: 0, vni: 0, tunnelPort: 0, tunnelMtu: 0, nodeV4: '::', nodeV6: '::' };
  config.set(0, one);
  config.set(0, one);
  expect(() => config.set(1, one)).toThrow(BpfError);
});
