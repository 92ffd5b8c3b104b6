import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/kube/index.ts';
import type { DataPlaneMaps } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import { nodeAddresses } from '../services/node-view.ts';
import { ServiceTable } from '../services/service-table.ts';
import { aNode, aService, aSlice } from '../services/testing/objects.ts';
import { syncOnce } from './keep-in-sync.ts';
import { carryOut, readPresent } from './map-writes.ts';

const never = new AbortController().signal;
const names = ['a', 'b', 'c'];

/** A new process on these maps with Service `shop/web`: three ports, with session affinity. */
function startOn(maps: DataPlaneMaps, endpoints: readonly string[]) {
  const present = readPresent(maps);
  const table = new ServiceTable('node-1', present);
  const spec = { sessionAffinity: 'ClientIP', ports: names.map((name, index) => ({ name, port: 80 + index })) };
  table.service('shop/web', aService(spec));
  const setEndpoints = (now: readonly string[]) =>
    table.slice('shop/web-1', aSlice(now, { ports: names.map((name, index) => ({ name, port: 8080 + index })) }));
  setEndpoints(endpoints);
  return { table, present, maps, clock: systemClock, setEndpoints };
}

/** Adds a client of each backend at each of the three ports. */
function keepAt(maps: DataPlaneMaps, backends: readonly string[]): void {
  for (const backend of backends)
    for (const index of names.keys())
      maps.affinities.set(
        { client: backend, service: index + 1 },
        { backend, node: '::', port: 8080 + index, lastNs: 0n },
      );
}

const affinitiesIn = (maps: DataPlaneMaps) =>
  [...maps.affinities.entries()].map(([, { backend, port }]) => [backend, port]);

/** Counts how often the affinities are read. */
function counting(maps: DataPlaneMaps) {
  const counts = { walks: 0 };
  const { affinities } = maps;
  const entries = () => {
    counts.walks++;
    return affinities.entries();
  };
  return { counts, maps: { ...maps, affinities: { ...affinities, entries } } };
}

test('clients of a backend that went are let go at every port by one look, and those of others are not', async () => {
  const { counts, maps } = counting(mapsInMemory());
  const agent = startOn(maps, ['10.0.2.1', '10.0.2.2']);
  await syncOnce(agent, never);
  keepAt(maps, ['10.0.2.1', '10.0.2.2']);
  agent.setEndpoints(['10.0.2.2']);
  counts.walks = 0;
  await syncOnce(agent, never);
  expect(counts.walks).toBe(1);
  expect(affinitiesIn(maps)).toEqual([
    ['10.0.2.2', 8080],
    ['10.0.2.2', 8081],
    ['10.0.2.2', 8082],
  ]);
});

test('clients of a backend that moved to another node are let go, and its flows are looked through', async () => {
  const maps = mapsInMemory();
  const agent = startOn(maps, []);
  for (const host of [2, 3])
    agent.table.node(`node-${host}`, nodeAddresses(aNode(`node-${host}`, `192.168.0.${host}`)));
  const on = async (nodeName: string) => {
    agent.table.slice('shop/web-1', aSlice([{ addresses: ['10.0.2.1'], nodeName }]));
    return (await syncOnce({ ...agent }, never)).backendsWent;
  };
  const id = 1;
  agent.table.service('shop/web', aService({ sessionAffinity: 'ClientIP' }));
  expect(await on('node-2')).toBe(false);
  maps.affinities.set(
    { client: '10.1.0.1', service: id },
    { backend: '10.0.2.1', node: '192.168.0.2', port: 8080, lastNs: 0n },
  );
  expect(await on('node-2')).toBe(false);
  expect(affinitiesIn(maps)).toEqual([['10.0.2.1', 8080]]);
  expect(await on('node-3')).toBe(true);
  expect(affinitiesIn(maps)).toEqual([]);
});

test('a client whose affinity names no node stays with its backend until that goes', async () => {
  const maps = mapsInMemory();
  const startOnOther = (endpoints: readonly string[]) => {
    const agent = startOn(maps, endpoints);
    agent.table.node('node-2', nodeAddresses(aNode('node-2', '192.168.0.2')));
    return agent;
  };
  const first = startOnOther(['10.0.2.1', '10.0.2.2']);
  await syncOnce(first, never);
  // As earlier programs write it for a socket: the number of a network namespace.
  maps.affinities.set({ client: '100::', service: 1 }, { backend: '10.0.2.1', node: '::', port: 8080, lastNs: 0n });
  first.setEndpoints(['10.0.2.1']);
  await syncOnce(first, never);
  expect(affinitiesIn(maps)).toEqual([['10.0.2.1', 8080]]);
  const next = startOnOther(['10.0.2.1']);
  await syncOnce(next, never);
  expect(affinitiesIn(maps)).toEqual([['10.0.2.1', 8080]]);
  next.setEndpoints([]);
  await syncOnce(next, never);
  expect(affinitiesIn(maps)).toEqual([]);
});

test('nobody is looked for where no backend went', async () => {
  const { counts, maps } = counting(mapsInMemory());
  const agent = startOn(maps, ['10.0.2.1']);
  await syncOnce(agent, never);
  counts.walks = 0;
  agent.setEndpoints(['10.0.2.1', '10.0.2.2']);
  agent.table.service('shop/other', aService({ clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] }));
  await syncOnce(agent, never);
  agent.table.service('shop/other', null);
  await syncOnce(agent, never);
  expect(counts.walks).toBe(0);
});

test('a process that is killed after its writes leaves no client at a backend that went: the next one looks', async () => {
  const maps = mapsInMemory();
  const killed = startOn(maps, ['10.0.2.1', '10.0.2.2']);
  await syncOnce(killed, never);
  keepAt(maps, ['10.0.2.1', '10.0.2.2']);
  // The affinity of a Service that no longer exists.
  maps.affinities.set({ client: '10.1.0.1', service: 41 }, { backend: '10.0.2.2', node: '::', port: 8080, lastNs: 0n });
  killed.setEndpoints(['10.0.2.2']);
  for (const write of killed.table.plan().writes) carryOut(maps, [write]);

  const next = startOn(maps, ['10.0.2.2']);
  expect(await syncOnce(next, never)).toMatchObject({ writes: 4 });
  expect(affinitiesIn(maps)).toEqual([
    ['10.0.2.2', 8080],
    ['10.0.2.2', 8081],
    ['10.0.2.2', 8082],
  ]);
});

test('a plan that is cut before clients were let go is made up for in the same process', async () => {
  const maps = mapsInMemory();
  const agent = startOn(maps, ['10.0.2.1', '10.0.2.2']);
  await syncOnce(agent, never);
  keepAt(maps, ['10.0.2.1']);
  agent.setEndpoints(['10.0.2.2']);
  const refusing = { ...maps.affinities, delete: () => expect.fail('refused') };
  await expect(syncOnce({ ...agent, maps: { ...maps, affinities: refusing } }, never)).rejects.toThrow('refused');
  await syncOnce(agent, never);
  expect(affinitiesIn(maps)).toEqual([]);
});

test('others are answered while many clients are looked through', async () => {
  const maps = mapsInMemory();
  for (let client = 0; client < 5_000; client++)
    maps.affinities.set(
      { client: `10.1.${client >> 8}.${client & 255}`, service: 1 },
      { backend: '10.0.2.1', node: '::', port: 1, lastNs: 0n },
    );
  let isOver = false;
  let turns = 0;
  const synced = syncOnce(startOn(maps, ['10.0.2.1']), never).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTurn();
    turns++;
  }
  await synced;
  expect(turns).toBeGreaterThan(1);
  expect(affinitiesIn(maps)).toEqual([]);
});

test('where the kernel takes some of what is written at once, the next plan goes on from there', async () => {
  const maps = mapsInMemory();
  const agent = startOn(maps, ['10.0.2.1', '10.0.2.2']);
  let room = 4;
  const backends: DataPlaneMaps['backends'] = {
    ...maps.backends,
    setAll(entries) {
      const taken = Math.min(room, entries.length);
      if (taken === 0) throw new Error('no room');
      room -= taken;
      return maps.backends.setAll(entries.slice(0, taken));
    },
  };
  await expect(syncOnce({ ...agent, maps: { ...maps, backends } }, never)).rejects.toThrow('no room');
  expect(agent.present.backendCount).toBe(4);
  expect([...maps.backends.entries()]).toHaveLength(4);
  expect([...maps.services.entries()]).toEqual([]);
  room = 1000;
  expect(await syncOnce({ ...agent, maps: { ...maps, backends } }, never)).toMatchObject({ writes: 2 + 3 });
  expect([...maps.backends.entries()]).toHaveLength(6);
});

test('it is told whether a backend went: replaced in its place too, and not when one comes', async () => {
  const agent = startOn(mapsInMemory(), ['10.0.2.1']);
  const went = async (...now: string[]) => {
    agent.setEndpoints(now);
    return (await syncOnce(agent, never)).backendsWent;
  };
  expect(await went('10.0.2.1')).toBe(false);
  expect(await went('10.0.2.1', '10.0.2.2')).toBe(false);
  expect(await went('10.0.2.1', '10.0.2.3')).toBe(true);
  expect(await went('10.0.2.3')).toBe(true);
});
