import { expect, test } from 'vitest';
import { interfaceKinds, type Netlink } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import { neighbourAsker, neighbourTable } from './ask-for-neighbours.ts';

const now = 100_000_000_000n;

/**
 * Requests to the host's kernel in hexadecimal, as messages of linux/netlink.h on a little-endian machine: header, struct rtmsg or ndmsg, attributes.
 */
const messages = {
  'route to 10.88.2.2': '24000000 1a00 0500 00000000 00000000 02 20 00000000000000000000 0800 0100 0a580202',
  'route to fd88::2':
    '30000000 1a00 0500 00000000 00000000 0a 80 00000000000000000000 1400 0100 fd88 0000000000000000000000000002',
  'use 10.88.1.1 on 7': '24000000 1c00 0504 00000000 00000000 02 000000 07000000 0000 01 00 0800 0100 0a580101',
  'use 10.88.2.2 on 9': '24000000 1c00 0504 00000000 00000000 02 000000 09000000 0000 01 00 0800 0100 0a580202',
  'use fd88::1 on 258':
    '30000000 1c00 0504 00000000 00000000 0a 000000 02010000 0000 01 00 1400 0100 fd88 0000000000000000000000000001',
  links: '20000000 1200 0103 00000000 00000000 00000000 00000000 00000000 00000000',
  'use fe80::9 on 7':
    '30000000 1c00 0504 00000000 00000000 0a 000000 07000000 0000 01 00 1400 0100 fe80 0000000000000000000000000009',
  'use fe80::9 on 9':
    '30000000 1c00 0504 00000000 00000000 0a 000000 09000000 0000 01 00 1400 0100 fe80 0000000000000000000000000009',
  'use fe80::9 on 16':
    '30000000 1c00 0504 00000000 00000000 0a 000000 10000000 0000 01 00 1400 0100 fe80 0000000000000000000000000009',
  'use fe80::9 on 17':
    '30000000 1c00 0504 00000000 00000000 0a 000000 11000000 0000 01 00 1400 0100 fe80 0000000000000000000000000009',
} as const;

const words = new Map(Object.entries(messages).map(([name, bytes]) => [bytes.replaceAll(' ', ''), name]));
const asWords = (message: Buffer) => words.get(message.toString('hex')) ?? message.toString('hex');

/** Attributes of a route: its interface, and a next hop of the same or the other family. */
const by = {
  'interface 9': '0800 0400 09000000',
  'gateway 10.88.1.1': '0800 0500 0a580101',
  'via fd88::1': '1600 1200 0a00 fd88 0000000000000000000000000001 0000',
  'interface 258': '0800 0400 02010000',
  'interface 7': '0800 0400 07000000',
  /** RTA_TABLE, which must be ignored. */
  table: '0800 0f00 fe000000',
} as const;

/** struct ifinfomsg of an interface, and its attributes. */
const link = (ifindex: string, flags: string, attributes = '') =>
  Buffer.from(`00000100${ifindex}${flags}00000000${attributes.replaceAll(' ', '')}`, 'hex');

/** A member of bond 7 (IFLA_MASTER), one that is up, loopback, another that is up, a tunnel without neighbours, one that is down, and one more. */
const links = [
  link('0e000000', '43100000', '0800 0a00 07000000'),
  link('07000000', '43100000'),
  link('01000000', '49000000'),
  link('09000000', '43100000'),
  link('0a000000', 'c3100000'),
  link('0b000000', '02100000'),
  link('0c000000', '43100000'),
];

/** A host that answers route requests with these attributes; null: it has no route and answers with an error. */
function host(route: readonly (keyof typeof by)[] | null, table = 512, all: readonly Buffer[] = links) {
  const calls: string[] = [];
  const attributes = (route ?? []).map((name) => by[name].replaceAll(' ', '')).join('');
  const netlink: Netlink = {
    isDone: (message) => calls.push(asWords(message)) > 0,
    all(message) {
      calls.push(asWords(message));
      if (calls.at(-1) === 'links') return { answers: all.map((payload) => ({ type: 16, payload })), isWhole: true };
      const answer = { type: 24, payload: Buffer.from('00'.repeat(12) + attributes, 'hex') };
      return { answers: route ? [answer] : [], isWhole: true };
    },
    close: () => void calls.push('close'),
  };
  const open = (protocol: number) => {
    calls.push(`open ${protocol}`);
    return netlink;
  };
  return { calls, open, table: () => table };
}

function hops(...all: readonly (readonly [address: string, ifindex: number, secondsAgo: number])[]) {
  const { nextHops, interfaces } = mapsInMemory();
  for (const [address, ifindex, secondsAgo] of all)
    nextHops.set({ address, ifindex }, { lastNs: now - BigInt(secondsAgo) * 1_000_000_000n });
  return { nextHops, interfaces };
}

const left = ({ nextHops }: ReturnType<typeof hops>) => Array.from(nextHops.entries(), ([hop]) => hop);

const entry = {
  ...{ kind: interfaceKinds.pod, mtu: 1500, statistics: 1, flags: 0, policyIn: 0, policyOut: 0 },
  ...{ hostPolicyIn: 0, hostPolicyOut: 0, hostV4: '::', hostV6: '::', podMac: '', hostMac: '' },
};

test('where nothing is needed the kernel is not asked', () => {
  const kernel = host(['interface 9']);
  neighbourAsker(kernel)(hops(), now);
  expect(kernel.calls).toEqual([]);
});

test('a hop that packets went to is kept true on its interface, in either family, and stays', () => {
  const kernel = host(null);
  const known = hops(['10.88.1.1', 7, 60], ['fd88::1', 258, 0]);
  neighbourAsker(kernel)(known, now);
  expect(kernel.calls).toEqual(['open 0', 'use 10.88.1.1 on 7', 'use fd88::1 on 258', 'close']);
  expect(left(known)).toHaveLength(2);
});

test('where it was not found it is asked for by the route, once: the next packet writes it again', () => {
  const kernel = host(['table', 'interface 9']);
  const known = hops(['10.88.2.2', 0, 1]);
  neighbourAsker(kernel)(known, now);
  expect(kernel.calls).toEqual(['open 0', 'route to 10.88.2.2', 'use 10.88.2.2 on 9', 'close']);
  expect(left(known)).toEqual([]);
});

test('a neighbour without packets for a minute is dropped', () => {
  const kernel = host(['interface 9']);
  const known = hops(['10.88.1.1', 7, 61], ['10.88.2.2', 0, 61]);
  neighbourAsker(kernel)(known, now);
  expect(kernel.calls).toEqual([]);
  expect(left(known)).toEqual([]);
});

test.each([
  ['on the same network', ['interface 9'], 'use 10.88.2.2 on 9'],
  ['behind a gateway', ['gateway 10.88.1.1', 'interface 7'], 'use 10.88.1.1 on 7'],
  ['behind one of the other family', ['via fd88::1', 'interface 258'], 'use fd88::1 on 258'],
] as const)('a destination %s is asked for where the route leads to', (_, route, expected) => {
  const kernel = host(route);
  neighbourAsker(kernel)(hops(['10.88.2.2', 0, 1]), now);
  expect(kernel.calls).toEqual(['open 0', 'route to 10.88.2.2', expected, 'close']);
});

test.each([
  ['has no route', 'fd88::2', null, ['open 0', 'route to fd88::2', 'close']],
  ['has a route without an interface', '10.88.2.2', ['table'], ['open 0', 'route to 10.88.2.2', 'close']],
] as const)('a destination that %s is left alone', (_, address, route, expected) => {
  const kernel = host(route);
  neighbourAsker(kernel)(hops([address, 0, 1]), now);
  expect(kernel.calls).toEqual(expected);
});

test('without a way to the kernel it is said, and what is old is let go all the same', () => {
  const known = hops(['10.88.1.1', 7, 61], ['fd88::1', 258, 1]);
  expect(() => neighbourAsker({ ...host(null), open: () => null })(known, now)).toThrow('NETLINK_ROUTE');
  expect(left(known)).toEqual([{ address: 'fd88::1', ifindex: 258 }]);
});

test('the way to the kernel is closed also where a question fails', () => {
  const kernel = host(null);
  const failing: typeof kernel.open = (protocol) => ({
    ...kernel.open(protocol),
    isDone: () => {
      throw new Error('no');
    },
  });
  expect(() => neighbourAsker({ ...kernel, open: failing })(hops(['10.88.1.1', 7, 1]), now)).toThrow('no');
  expect(kernel.calls).toEqual(['open 0', 'close']);
});

test("one of a link alone that was not found is asked for by each interface that is up and no pod's", () => {
  const kernel = host(null);
  const known = hops(['fe80::9', 0, 0], ['fe80::9', 9, 1]);
  known.interfaces.set(12, entry);
  known.interfaces.set(7, { ...entry, kind: interfaceKinds.network });
  neighbourAsker(kernel)(known, now);
  // The known hop is kept.
  const calls = ['use fe80::9 on 7', 'use fe80::9 on 9'];
  expect(kernel.calls).toEqual(['open 0', 'use fe80::9 on 9', 'links', ...calls, 'close']);
  expect(left(known)).toEqual([{ address: 'fe80::9', ifindex: 9 }]);
});

test('one of a link alone is asked for on few links, those of the network first, and counts once', () => {
  const others = ['10000000', '11000000', '09000000', '12000000', '07000000'];
  const kernel = host(
    null,
    16,
    others.map((ifindex) => link(ifindex, '43100000')),
  );
  const known = hops(['fe80::9', 0, 3], ['fd88::2', 0, 2], ['fd88::3', 0, 1]);
  for (const ifindex of [7, 9]) known.interfaces.set(ifindex, { ...entry, kind: interfaceKinds.network });
  neighbourAsker(kernel)(known, now);
  const calls = ['use fe80::9 on 9', 'use fe80::9 on 7', 'use fe80::9 on 16', 'use fe80::9 on 17'];
  expect(kernel.calls).toEqual(['open 0', 'links', ...calls, 'route to fd88::2', 'close']);
});

test('by family, as many are asked for as half of what the kernel keeps; who was asked for lately counts at the next look', () => {
  const kernel = host(['interface 9'], 5);
  const known = hops(
    ['10.88.9.9', 7, 30],
    ['10.88.1.1', 7, 2],
    ['fd88::1', 258, 59],
    ['10.88.9.8', 0, 1],
    ['10.88.2.2', 0, 40],
  );
  const look = neighbourAsker(kernel);
  look(known, now);
  const ofKnown = ['use 10.88.1.1 on 7', 'use fd88::1 on 258'];
  expect(kernel.calls).toEqual(['open 0', ...ofKnown, 'route to 10.88.2.2', 'use 10.88.2.2 on 9', 'close']);
  // Hops that are not asked for stay in the map: the kernel may know them nevertheless.
  expect(left(known).map(({ address }) => address)).toEqual(['10.88.9.9', '10.88.1.1', 'fd88::1']);
  kernel.calls.length = 0;
  known.nextHops.set({ address: '10.88.9.8', ifindex: 0 }, { lastNs: now });
  look(known, now + 500_000_000n);
  expect(kernel.calls).toEqual(['open 0', ...ofKnown, 'close']);
});

test('how many it keeps, the kernel of this machine says, by family; where it does not, it is what kernels have', () => {
  const files: Record<string, string> = {
    '/proc/sys/net/ipv4/neigh/default/gc_thresh2': '8192\n',
    '/proc/sys/net/ipv6/neigh/default/gc_thresh2': '40\n',
  };
  const read = (path: string) => files[path] ?? '';
  expect([4, 6].map((family) => neighbourTable(family as 4 | 6, read))).toEqual([8192, 40]);
  expect(neighbourTable(4, () => '')).toBe(512);
  const failing = () => {
    throw new Error('ENOENT');
  };
  expect(neighbourTable(4, failing)).toBe(512);
});
