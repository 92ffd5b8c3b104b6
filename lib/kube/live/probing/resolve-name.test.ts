import { afterEach, expect, test } from 'vitest';
import { nameServer, type Zone } from '../testing/name-server.ts';
import { type NameServices, resolveName } from './resolve-name.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const zone: Zone = {
  'api.example.org': { a: ['198.18.0.10', '198.18.0.11'], ttl: 30 },
  'alias.example.org': { cname: 'lb.example.net', ttl: 300 },
  'lb.example.net': { cname: 'lb-1.example.net', ttl: 60 },
  'lb-1.example.net': { a: ['198.18.0.20'], ttl: 20 },
  'circle.example.org': { cname: 'round.example.org' },
  'round.example.org': { cname: 'circle.example.org' },
};

/** A machine whose hosts file knows `hosts`, and whose DNS is the zone. */
async function resolved(host: string, hosts: Record<string, string[]> = {}, options: { silent?: boolean } = {}) {
  const server = await nameServer(zone, options);
  closing.push(server.close);
  const services: NameServices = {
    lookup: async (name) => {
      const found = hosts[name] ?? zone[name]?.a?.slice() ?? (zone[name]?.cname ? ['198.18.0.20'] : undefined);
      if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      return [...found];
    },
    servers: [server.address],
  };
  return resolveName(host, AbortSignal.timeout(options.silent ? 800 : 20_000), services);
}

test('an address needs no DNS', async () => {
  expect(await resolved('198.18.0.9')).toMatchObject({ resolved: true, addresses: ['198.18.0.9'], by: 'address' });
  expect(await resolved('fd00::9')).toMatchObject({ resolved: true, addresses: ['fd00::9'], by: 'address' });
});

test('all records of a name, and how long they may be kept', async () => {
  expect(await resolved('api.example.org')).toEqual({
    resolved: true,
    addresses: ['198.18.0.10', '198.18.0.11'],
    by: 'dns',
    records: [
      { type: 'A', address: '198.18.0.10', ttlSeconds: 30 },
      { type: 'A', address: '198.18.0.11', ttlSeconds: 30 },
    ],
    aliases: [],
  });
});

test('the names that it leads over, also in a circle', async () => {
  expect(await resolved('alias.example.org')).toMatchObject({
    by: 'dns',
    aliases: ['lb.example.net', 'lb-1.example.net'],
    records: [{ address: '198.18.0.20' }],
  });
  const circle = await resolved('circle.example.org', { 'circle.example.org': ['198.18.0.1'] });
  expect(circle).toMatchObject({ resolved: true, aliases: ['round.example.org'] });
});

test('a name that only the hosts file of this machine has', async () => {
  const name = 'apiserver.cluster.local';
  expect(await resolved(name, { [name]: ['10.0.0.11'] })).toMatchObject({
    resolved: true,
    addresses: ['10.0.0.11'],
    by: 'machine',
    records: [],
  });
});

test('no such name, and name servers that say nothing', async () => {
  expect(await resolved('nobody.example.org')).toEqual({ resolved: false, because: 'no such name' });
  const startedAt = performance.now();
  const silent = await resolved('api.example.org', {}, { silent: true });
  expect(silent).toMatchObject({ resolved: true, by: 'undecided', records: [] });
  // Left alone it would ask again for four and a half seconds.
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
