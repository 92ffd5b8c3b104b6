import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serviceOf } from '#lib/kube/index.ts';
import { frontKey } from './entries.ts';
import { anyAddress } from './map-address.ts';
import { nodeAddresses } from './node-view.ts';
import { type FrontAddress, Present, type Write } from './present.ts';
import type { Room } from './room.ts';
import { ServiceTable } from './service-table.ts';
import { type Answer, type From, KernelMaps } from './testing/kernel-maps.ts';
import { aNode, aService, aSlice } from './testing/objects.ts';

/** The state of the API as plain data, so that it can be given to a new table as well. */
type Api = {
  services: Map<string, ReturnType<typeof aService>>;
  slices: Map<string, ReturnType<typeof aSlice>>;
};

const froms: readonly From[] = ['inside', 'outside', 'tunnel'];

/** A new process: it reads the maps and gets the whole API. */
function startOn(maps: KernelMaps, api: Api, room?: Room): { table: ServiceTable; present: Present } {
  const present = new Present();
  for (const write of maps.contents()) present.apply(write);
  const table = new ServiceTable('node-1', present, room);
  for (const name of ['node-1', 'node-2'])
    table.node(name, nodeAddresses(aNode(name, name === 'node-1' ? '192.168.0.1' : '192.168.0.2')));
  for (const [key, service] of api.services) table.service(key, service);
  for (const [key, slice] of api.slices) table.slice(key, slice);
  return { table, present };
}

function carryOut({ table, present }: { table: ServiceTable; present: Present }, maps: KernelMaps): Write[] {
  const { writes, done } = table.plan();
  for (const write of writes) {
    maps.apply(write);
    present.apply(write);
  }
  done();
  return writes;
}

const state = fc.constantFrom('ready', 'unready', 'ending', 'absent' as const);
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('endpoints' as const),
      service: fc.nat(2),
      states: fc.array(state, { minLength: 5, maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('service' as const),
      service: fc.nat(2),
      present: fc.boolean(),
      isLocal: fc.boolean(),
      ports: fc.integer({ min: 1, max: 2 }),
      // Sometimes this is the address of another Service; the older one keeps it.
      external: fc.constantFrom(null, 1, 2),
    }),
  },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const nameOf = (service: number) => `shop/s${service}`;

function make(api: Api, tables: readonly ServiceTable[], step: Change): void {
  const key = nameOf(step.service);
  if (step.kind === 'endpoints') {
    const conditions = {
      ready: { ready: true },
      unready: { ready: false },
      ending: { ready: false, serving: true, terminating: true },
    };
    const endpoints = step.states.flatMap((one, index) =>
      one === 'absent'
        ? []
        : [
            {
              addresses: [`10.${step.service}.${index % 2}.${index + 1}`],
              nodeName: index % 2 === 0 ? 'node-1' : 'node-2',
              conditions: conditions[one],
            },
          ],
    );
    const slice = aSlice(endpoints, {
      metadata: { namespace: 'shop', name: key, labels: { 'kubernetes.io/service-name': `s${step.service}` } },
      ports: [
        { name: 'a', port: 8080 },
        { name: 'b', port: 8081 },
      ],
    });
    api.slices.set(key, slice);
    for (const table of tables) table.slice(key, slice);
    return;
  }
  const service = step.present
    ? serviceOf({
        metadata: { namespace: 'shop', name: `s${step.service}`, creationTimestamp: `2026-01-0${step.service + 1}` },
        spec: {
          type: 'NodePort',
          clusterIP: `10.96.0.${step.service + 1}`,
          externalTrafficPolicy: step.isLocal ? 'Local' : 'Cluster',
          externalIPs: step.external === null ? [] : [`198.51.100.${step.external}`],
          ports: [
            { name: 'a', port: 80, nodePort: 30_000 + step.service },
            { name: 'b', port: 81, nodePort: 30_010 + step.service },
          ].slice(0, step.ports),
        },
      })
    : null;
  if (service) api.services.set(key, service);
  else api.services.delete(key);
  for (const table of tables) table.service(key, service);
}

/**
 * What the rules allow at a front, derived from the API without the tested code: by Service and port, by the letter of the rules. Null: no Service
 * answers there.
 */
function allowed(api: Api, front: FrontAddress, from: From): Set<string> | null {
  const text = front.address;
  for (const [key, { spec }] of [...api.services].sort()) {
    const port = spec.ports.find((one) =>
      front.address === anyAddress[4] ? one.nodePort === front.port : one.port === front.port,
    );
    const isClusterIp = spec.clusterIP === text;
    if (!port || !(isClusterIp || front.address === anyAddress[4] || spec.externalIPs.includes(text))) continue;
    const all = api.slices.get(key)?.endpoints ?? [];
    const isLocalOnly =
      from === 'tunnel' || (from === 'outside' && !isClusterIp && spec.externalTrafficPolicy === 'Local');
    const mine = isLocalOnly ? all.filter((one) => one.nodeName === 'node-1') : all;
    const ready = mine.filter((one) => one.conditions.ready);
    const ending = mine.filter((one) => one.conditions.terminating && one.conditions.serving);
    const target = port.name === 'a' ? 8080 : 8081;
    return new Set((ready.length > 0 ? ready : ending).map((one) => `${one.addresses[0]}:${target}`));
  }
  return null;
}

function addressesOf(answer: Answer): Set<string> | null {
  if (answer.kind === 'not-ours') return null;
  if (answer.kind === 'refused') return new Set();
  return new Set(answer.slots.map((one) => (one ? `${one.address}:${one.port}` : 'a hole')));
}

/** Every front that any case uses. */
const fronts: readonly FrontAddress[] = [0, 1, 2].flatMap((service) =>
  [0, 1].flatMap((port): FrontAddress[] => [
    { address: `10.96.0.${service + 1}`, port: 80 + port, protocol: 'TCP' },
    { address: `198.51.100.${service}`, port: 80 + port, protocol: 'TCP' },
    { address: anyAddress[4], port: 30_000 + port * 10 + service, protocol: 'TCP' },
  ]),
);

const questions = fronts.flatMap((front) => froms.map((from) => ({ front, from })));

test('after every single write each lookup gives a backend that is ready, and none only where none is', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          steps: fc.array(change, { minLength: 1, maxLength: 3 }),
          killedAfter: fc.option(fc.nat(6), { freq: 3 }),
        }),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      (rounds) => {
        const maps = new KernelMaps();
        const api: Api = { services: new Map(), slices: new Map() };
        let agent = startOn(maps, api);
        for (const { steps, killedAfter } of rounds) {
          const before = questions.map(({ front, from }) => addressesOf(maps.lookup(front, from)));
          const services = new Map(api.services);
          for (const step of steps) make(api, [agent.table], step);
          const after = questions.map(({ front, from }) => allowed(api, front, from));
          // New slots are written before new fronts, so for a moment the previous policy applies to the new endpoints.
          const between = questions.map(({ front, from }) => allowed({ ...api, services }, front, from));
          const { writes, done } = agent.table.plan();
          const isKilled = killedAfter !== null && killedAfter < writes.length;
          for (const write of isKilled ? writes.slice(0, killedAfter) : writes) {
            maps.apply(write);
            agent.present.apply(write);
            questions.forEach(({ front, from }, index) => {
              const now = addressesOf(maps.lookup(front, from));
              const [was, will] = [before[index] ?? null, after[index] ?? null];
              const where = () => `${frontKey(front)} from ${from} after ${JSON.stringify(write)}`;
              for (const one of now ?? [])
                if (!was?.has(one) && !will?.has(one) && !between[index]?.has(one)) expect.fail(`${one} at ${where()}`);
              if (was !== null && was.size > 0 && will !== null && will.size > 0 && !now?.size)
                expect.fail(`none at ${where()}`);
            });
          }
          if (isKilled) {
            agent = startOn(maps, api);
            continue;
          }
          done();
          expect(questions.map(({ front, from }) => addressesOf(maps.lookup(front, from)))).toEqual(after);
          // The agent's state equals the maps: a new process finds nothing to write.
          expect(startOn(maps, api).table.plan().writes).toEqual([]);
        }
      },
    ),
    { numRuns: 150 },
  );
});

function running(endpoints: readonly string[]) {
  const maps = new KernelMaps();
  const api: Api = {
    services: new Map([['shop/web', aService()]]),
    slices: new Map([['shop/web-1', aSlice(endpoints)]]),
  };
  const agent = startOn(maps, api);
  carryOut(agent, maps);
  return { maps, api, ...agent };
}

const manyEndpoints = Array.from({ length: 100 }, (_, index) => `10.0.2.${index + 1}`);

test('one endpoint that goes is two writes of slots and one of each front, however many there are', () => {
  const { table } = running(manyEndpoints);
  table.slice('shop/web-1', aSlice(manyEndpoints.filter((one) => one !== '10.0.2.50')));
  expect(table.plan().writes.map((write) => [write.map, write.value === null])).toEqual([
    ['backends', false],
    ['services', false],
    ['backends', true],
  ]);
});

const ofTypes = {
  ClusterIP: [aService(), ['10.96.0.7/80']],
  NodePort: [
    aService({ type: 'NodePort', ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 30_007 }] }),
    ['10.96.0.7/80', `${anyAddress[4]}/30007`],
  ],
  LoadBalancer: [
    aService(
      { type: 'LoadBalancer', ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 30_007 }] },
      { status: { loadBalancer: { ingress: [{ ip: '198.51.100.9' }] } } },
    ),
    ['10.96.0.7/80', `${anyAddress[4]}/30007`, '198.51.100.9/80'],
  ],
  headless: [aService({ clusterIP: 'None', clusterIPs: ['None'] }), []],
  ExternalName: [aService({ type: 'ExternalName', externalName: 'elsewhere.example', clusterIP: '' }), []],
} as const satisfies Record<string, readonly [ReturnType<typeof aService>, readonly string[]]>;
const types = Object.keys(ofTypes) as (keyof typeof ofTypes)[];

test.each(types.flatMap((before) => types.filter((one) => one !== before).map((after) => [before, after] as const)))(
  'a Service of %s that becomes one of %s answers where that does, and nowhere else',
  (before, after) => {
    const { maps, table, present } = running(['10.0.2.1']);
    for (const type of [before, after]) {
      const [service, fronts] = ofTypes[type];
      table.service('shop/web', service);
      carryOut({ table, present }, maps);
      const written = maps.contents().flatMap((one) => (one.map === 'services' ? [one.front] : []));
      expect(written.map(({ address, port }) => `${address}/${port}`).sort(), type).toEqual([...fronts].sort());
      // Without a front its backends take no room either.
      expect(maps.contents().some((one) => one.map === 'backends')).toBe(fronts.length > 0);
    }
  },
);

const keeping = aService({ sessionAffinity: 'ClientIP' });

test.each<[string, ReturnType<typeof aService>, (table: ServiceTable) => void, string[] | null]>([
  [
    'one backend of two goes',
    keeping,
    (table) => table.slice('shop/web-1', aSlice(['10.0.2.2'])),
    ['10.0.2.2/8080 192.168.0.2', '10.0.2.2/8080 any'],
  ],
  ['a backend comes', keeping, (table) => table.slice('shop/web-2', aSlice(['10.0.2.3'])), null],
  ['nobody is kept any more', keeping, (table) => table.service('shop/web', aService()), []],
  ['the Service goes', keeping, (table) => table.service('shop/web', null), []],
  ['a backend of one that keeps nobody goes', aService(), (table) => table.slice('shop/web-1', aSlice([])), null],
  ['a Service that keeps nobody goes', aService(), (table) => table.service('shop/web', null), null],
  ['one keeps clients from now on', aService(), (table) => table.service('shop/web', keeping), null],
])('where clients may stay when %s', (_what, service, change, expected) => {
  const { table, present, maps } = running(['10.0.2.1', '10.0.2.2']);
  table.service('shop/web', service);
  carryOut({ table, present }, maps);
  change(table);
  const { stayWith } = table.plan();
  expect(stayWith && [...stayWith.byId.values()].flatMap((backends) => [...backends])).toEqual(expected);
  expect(stayWith?.others).toBe(expected === null ? undefined : 'stay');
});

test('a number that a client of a Service that is gone is still kept under is given to nobody', () => {
  const present = new Present();
  present.reserve(41);
  const table = new ServiceTable('node-1', present);
  table.service('shop/web', aService());
  expect(table.plan().writes).toMatchObject([{ map: 'services', value: { id: 42 } }]);
});

test('a heartbeat of a node is no change; another address of it is one of its backends', () => {
  const { table } = running(['10.0.2.1']);
  table.node('node-2', nodeAddresses(aNode('node-2', '192.168.0.2')));
  expect(table.hasChanged).toBe(false);
  table.node('node-2', nodeAddresses(aNode('node-2', '192.168.0.9')));
  expect(table.plan().writes.map(({ map }) => map)).toEqual(['backends']);
});

test('a Service that comes back under its name gets a number that nobody had', () => {
  const { table, present, maps } = running(['10.0.2.1']);
  const [before] = present.fronts.values();
  table.service('shop/web', null);
  carryOut({ table, present }, maps);
  expect(maps.contents()).toEqual([]);
  table.service('shop/web', aService());
  carryOut({ table, present }, maps);
  const [after] = present.fronts.values();
  expect(after?.value.id).toBeGreaterThan(before?.value.id ?? Number.POSITIVE_INFINITY);
});

test('of two Services in the maps under one number a new process gives one a number of its own', () => {
  const { api, maps, present } = running(['10.0.2.1']);
  const [known] = present.fronts.values();
  if (!known) throw new Error('no front');
  api.services.set(
    'shop/db',
    serviceOf({
      metadata: { namespace: 'shop', name: 'db' },
      spec: { clusterIP: '10.96.0.8', ports: [{ name: '', port: 80 }] },
    }),
  );
  maps.apply({ map: 'services', front: { ...known.front, address: '10.96.0.8' }, value: known.value });
  const agent = startOn(maps, api);
  carryOut(agent, maps);
  const ids = [...agent.present.fronts.values()].map(({ value }) => value.id);
  expect(new Set(ids).size).toBe(2);
  expect(addressesOf(maps.lookup({ ...known.front, address: '10.96.0.8' }, 'inside'))).toEqual(new Set());
});

test('a plan that ended half-way is made up for by the next one', () => {
  const { table, present, maps, api } = running(['10.0.2.1', '10.0.2.2']);
  api.services.delete('shop/web');
  table.service('shop/web', null);
  const [first] = table.plan().writes;
  if (first) maps.apply(first);
  if (first) present.apply(first);
  carryOut({ table, present }, maps);
  expect(maps.contents()).toEqual([]);
});

test('a change during a plan is part of the next plan', () => {
  const { table, present, maps } = running(['10.0.2.1']);
  table.slice('shop/web-1', aSlice(['10.0.2.2']));
  const { writes, done } = table.plan();
  table.slice('shop/web-1', aSlice(['10.0.2.3']));
  for (const write of writes) {
    maps.apply(write);
    present.apply(write);
  }
  done();
  carryOut({ table, present }, maps);
  const [front] = maps.fronts;
  if (!front) throw new Error('no front');
  expect(addressesOf(maps.lookup(front, 'inside'))).toEqual(new Set([`10.0.2.3:8080`]));
});

test('an address that two Services name is the older one’s, a ClusterIP before all, and the other one says so', () => {
  const maps = new KernelMaps();
  const thief = aService(
    { clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'], externalIPs: ['10.96.0.7'] },
    {
      metadata: { namespace: 'evil', name: 'thief', creationTimestamp: '2020-01-01T00:00:00Z', labels: {} },
    },
  );
  const api: Api = {
    services: new Map([
      ['evil/thief', thief],
      ['shop/web', aService()],
    ]),
    slices: new Map([['shop/web-1', aSlice(['10.0.2.1'])]]),
  };
  const agent = startOn(maps, api);
  carryOut(agent, maps);
  expect(addressesOf(maps.lookup({ address: '10.96.0.7', port: 80, protocol: 'TCP' }, 'inside'))).toEqual(
    new Set([`10.0.2.1:8080`]),
  );
  expect(agent.table.problems()).toEqual([
    { service: 'evil/thief', text: '10.96.0.7:80/TCP (ExternalIP) is answered by Service shop/web.' },
  ]);
});

test('a Service for which there is no room is left out whole and says so, until there is', () => {
  const present = new Present();
  const maps = new KernelMaps();
  const all = { fronts: 10, backends: 3, ranges: 0 };
  const table = new ServiceTable('node-1', present, { all, one: all });
  const other = aService({ clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] });
  const otherSlice = aSlice(['10.0.3.1', '10.0.3.2'], {
    metadata: { namespace: 'shop', name: 'x', labels: { 'kubernetes.io/service-name': 'other' } },
  });
  table.service('shop/a', aService());
  table.slice(
    'shop/web-1',
    aSlice(['10.0.2.1', '10.0.2.2'], {
      metadata: { namespace: 'shop', name: 'a', labels: { 'kubernetes.io/service-name': 'a' } },
    }),
  );
  table.service('shop/other', other);
  table.slice('shop/x', otherSlice);
  carryOut({ table, present }, maps);
  expect(table.problems().map(({ service }) => service)).toEqual(['shop/other']);
  expect(maps.fronts).toHaveLength(1);
  table.service('shop/a', null);
  carryOut({ table, present }, maps);
  carryOut({ table, present }, maps);
  expect(table.problems()).toEqual([]);
  expect(maps.fronts.map((one) => one.address)).toEqual(['10.96.0.8']);
});

/** Services by name, with the number of ports and the day of January of their creation. */
function withPorts(services: Record<string, { ports: number; day: number }>): Api['services'] {
  return new Map(
    Object.entries(services).map(([key, { ports, day }]) => {
      const [namespace, name] = key.split('/');
      const clusterIP = `10.96.0.${day}`;
      const numbers = Array.from({ length: ports }, (_, index) => ({ name: `p${index}`, port: 80 + index }));
      const creationTimestamp = `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;
      return [
        key,
        aService(
          { clusterIP, clusterIPs: [clusterIP], ports: numbers },
          { metadata: { namespace, name, creationTimestamp, labels: {} } },
        ),
      ] as const;
    }),
  );
}

const ten = { fronts: 10, backends: 10, ranges: 10 };
const leftOut = (table: ServiceTable) => table.problems().map(({ service }) => service);

test.each([
  ['made later', { 'kube-system/kube-dns': { ports: 3, day: 1 }, 'aaa/x': { ports: 9, day: 2 } }],
  ['made earlier', { 'kube-system/kube-dns': { ports: 3, day: 2 }, 'aaa/x': { ports: 9, day: 1 } }],
])('who stands in the maps keeps its room when the agent starts anew, before one %s', (_what, given) => {
  const services = withPorts(given);
  const maps = new KernelMaps();
  const present = new Present();
  const table = new ServiceTable('node-1', present, { all: ten, one: ten });
  for (const [key, service] of services) {
    table.service(key, service);
    carryOut({ table, present }, maps);
  }
  expect(leftOut(table)).toEqual(['aaa/x']);
  const next = startOn(maps, { services, slices: new Map() }, { all: ten, one: ten });
  expect(carryOut(next, maps)).toEqual([]);
  expect(leftOut(next.table)).toEqual(['aaa/x']);
});

test('on an empty node the older Service is given room before the one that is first by name', () => {
  const services = withPorts({ 'kube-system/kube-dns': { ports: 3, day: 1 }, 'aaa/x': { ports: 9, day: 2 } });
  const agent = startOn(new KernelMaps(), { services, slices: new Map() }, { all: ten, one: ten });
  agent.table.plan();
  expect(leftOut(agent.table)).toEqual(['aaa/x']);
});

test('an address of another Service that one names gives it no room before others', () => {
  const services = withPorts({ 'kube-system/kube-dns': { ports: 3, day: 2 } });
  const maps = new KernelMaps();
  carryOut(startOn(maps, { services, slices: new Map() }), maps);
  const [thief] = withPorts({ 'aaa/x': { ports: 4, day: 1 } }).values();
  if (!thief) throw new Error('no Service');
  services.set('aaa/x', { ...thief, spec: { ...thief.spec, externalIPs: ['10.96.0.2'] } });
  const agent = startOn(maps, { services, slices: new Map() }, { all: ten, one: ten });
  agent.table.plan();
  expect(leftOut(agent.table)).toEqual(['aaa/x']);
});

test('one Service that wants more than its share is left out, and says what it may have', () => {
  const services = withPorts({ 'aaa/x': { ports: 4, day: 1 }, 'aaa/y': { ports: 3, day: 2 } });
  const room = { all: ten, one: { ...ten, fronts: 3 } };
  const agent = startOn(new KernelMaps(), { services, slices: new Map() }, room);
  agent.table.plan();
  expect(agent.table.problems()).toEqual([
    {
      service: 'aaa/x',
      text: 'It needs 4 addresses with ports. One Service may have 3, a tenth of what this node’s maps hold.',
    },
  ]);
});

/** Services with one load balancer's address and port each, and ranges of clients from that address on. */
const withRanges = (services: Record<string, number>): Api['services'] =>
  new Map(
    Object.entries(services).map(([key, ranges], index) => {
      const [namespace, name] = key.split('/');
      const clusterIP = `10.96.0.${index + 1}`;
      return [
        key,
        aService(
          {
            ...{ type: 'LoadBalancer', clusterIP, clusterIPs: [clusterIP] },
            loadBalancerSourceRanges: Array.from({ length: ranges }, (_, one) => `10.${index}.${one}.0/24`),
          },
          {
            metadata: { namespace, name, creationTimestamp: `2026-01-0${index + 1}T00:00:00Z`, labels: {} },
            status: { loadBalancer: { ingress: [{ ip: `203.0.113.${index + 1}` }] } },
          },
        ),
      ] as const;
    }),
  );

test('client ranges take room too: a Service that wants more than its share is left out, and one that finds none', () => {
  const services = withRanges({ 'aaa/greedy': 5, 'aaa/first': 4, 'aaa/second': 4, 'aaa/third': 4 });
  const maps = new KernelMaps();
  const agent = startOn(maps, { services, slices: new Map() }, { all: ten, one: { ...ten, ranges: 4 } });
  const ranges = carryOut(agent, maps).filter(({ map }) => map === 'source_ranges');
  expect([leftOut(agent.table), ranges.length]).toEqual([['aaa/greedy', 'aaa/third'], 8]);
  agent.table.service('aaa/first', null);
  carryOut(agent, maps);
  carryOut(agent, maps);
  expect(leftOut(agent.table)).toEqual(['aaa/greedy']);
});

test('a range that is given twice, or to a Service without a load balancer, takes no room for that', () => {
  const [balanced] = withRanges({ 'aaa/balanced': 1 }).values();
  const loadBalancerSourceRanges = ['10.0.0.0/24', '10.0.0.7/24'];
  if (!balanced) throw new Error('no Service');
  const services = new Map([
    ['aaa/balanced', { ...balanced, spec: { ...balanced.spec, loadBalancerSourceRanges } }],
    ['shop/web', aService({ type: 'NodePort', loadBalancerSourceRanges })],
  ]);
  const { table } = startOn(new KernelMaps(), { services, slices: new Map() });
  expect(table.plan().writes.filter(({ map }) => map === 'source_ranges')).toHaveLength(1);
});
