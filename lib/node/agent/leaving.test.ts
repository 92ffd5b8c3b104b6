import { expect, test } from 'vitest';
import { configFlags } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import { leaving } from './leaving.ts';

test.each([
  ['once it is done', async () => {}, configFlags.synced | configFlags.leaving],
  ['unless it fails', () => Promise.reject(new Error('the map cannot be read')), configFlags.synced],
])('no more connections begin meanwhile, nor %s', async (_, act, afterwards) => {
  const maps = mapsInMemory();
  const addresses = { nodeV4: '10.0.0.9', nodeV6: '::' };
  maps.config.set(0, { flags: configFlags.synced, vni: 1, tunnelPort: 4789, tunnelMtu: 1450, ...addresses });
  let meanwhile: number | undefined;
  await leaving(maps, () => {
    meanwhile = maps.config.get(0)?.flags;
    return act();
  }).catch(() => undefined);
  expect(meanwhile).toBe(configFlags.synced | configFlags.leaving);
  expect(maps.config.get(0)?.flags).toBe(afterwards);
});
