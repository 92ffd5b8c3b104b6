import { expect, test } from 'vitest';
import { interfaceKinds } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import type { Neighbour } from './known-neighbours.ts';
import type { Link } from './links.ts';
import { PacketDevices, type PacketDevicesOptions } from './packet-devices.ts';

const link = (name: string, ifindex: number, more: Partial<Link> = {}): Link => ({
  ...{ name, ifindex, mac: `02:00:00:00:00:0${ifindex}`, mtu: 1500, isUp: true, kind: 'plain' },
  ...more,
});
const routeTo = (name: string, hex: string) => `${name}\t${hex}\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0\n`;
const usual = { network: 'found', pods: ['cali*'] } as const;

function aHost(
  links: Link[],
  choice: PacketDevicesOptions['choice'] = usual,
  more: Partial<PacketDevicesOptions> = {},
) {
  const maps = mapsInMemory(({ map, kind, key }) => order.push(`${map} ${kind} ${key}`));
  const order: string[] = [];
  const lines: string[] = [];
  const host: { links: Link[]; routes: string; neighbours: Neighbour[] } = { links, routes: '', neighbours: [] };
  const devices = new PacketDevices({
    choice,
    interfaces: maps.interfaces,
    attach: (ifindex) => {
      order.push(`attach ${ifindex}`);
      return () => order.push(`let go ${ifindex}`);
    },
    detach: (ifindex) => order.push(`detach ${ifindex}`),
    isAttached: () => true,
    nodeIps: () => ['192.168.0.1'],
    log: (line) => lines.push(line),
    host: {
      links: () => host.links,
      names: () => host.links.map(({ name }) => name),
      routes: () => ({ v4: host.routes, v6: '' }),
      neighbours: () => host.neighbours,
    },
    ...more,
  });
  return { devices, maps, order, lines, host };
}

test.each<[string, Link[], PacketDevicesOptions['choice'], string[]]>([
  [
    'what Calico takes for a network, and pods',
    [link('lo', 1), link('eth0', 2), link('cali1', 3), link('docker0', 4)],
    usual,
    ['eth0', 'cali1'],
  ],
  ['a bond without its slaves', [link('eth0', 2, { kind: 'enslaved' }), link('bond0', 3)], usual, ['bond0']],
  [
    'what is named, by part of its name too',
    [link('eth0', 2), link('nic-a', 3), link('tap7', 4)],
    { network: ['nic-*'], pods: ['tap*'] },
    ['nic-a', 'tap7'],
  ],
  ['no pods', [link('eth0', 2), link('cali1', 3)], { network: 'found', pods: [] }, ['eth0']],
])('programs are for %s', (_what, links, choice, expected) => {
  const { devices, maps } = aHost(links, choice);
  expect(devices.refusal()).toBe(null);
  devices.bring();
  const names = [...maps.interfaces.entries()].map(([ifindex]) => links.find((one) => one.ifindex === ifindex)?.name);
  expect(names).toEqual(expected);
});

test.each<[string, Link[], PacketDevicesOptions['choice'], string]>([
  ['a VLAN', [link('eth0', 2), link('eth0.100', 3, { kind: 'vlan' })], usual, 'eth0.100 is a VLAN sub-interface'],
  [
    'no usual name',
    [link('lo', 1), link('uplink', 2)],
    usual,
    'No interface of the network is up that has a usual name (found: uplink). Name it with --iface.',
  ],
  [
    'none that is up',
    [link('eth0', 2, { isUp: false })],
    { network: ['eth0'], pods: [] },
    'up and named eth0 (found: eth0)',
  ],
])('%s is refused with a reason', (_what, links, choice, because) => {
  expect(aHost(links, choice).devices.refusal()).toContain(because);
});

test('an entry is written after programs are attached, and deleted before they are detached', () => {
  const { devices, host, order, maps } = aHost([link('eth0', 2), link('cali1', 3)]);
  host.neighbours = [{ ifindex: 3, address: 'fd89::1:1', mac: '9a:00:00:00:00:01' }];
  devices.bring();
  expect(devices.isAttached()).toBe(true);
  expect(order.splice(0)).toEqual(['attach 2', 'interfaces set 2', 'attach 3', 'interfaces set 3']);
  expect(maps.interfaces.get(3)).toMatchObject({
    ...{ kind: interfaceKinds.pod, podMac: '9a:00:00:00:00:01', hostMac: '02:00:00:00:00:03', hostV4: '192.168.0.1' },
  });
  devices.bring();
  expect(order).toEqual([]);
  host.links = [link('eth0', 2)];
  expect(devices.hasChanged()).toBe(true);
  devices.bring();
  expect(order).toEqual(['interfaces delete 3', 'let go 3', 'detach 3']);
  expect(devices.hasChanged()).toBe(false);
});

test("a pod's hardware address is kept when the kernel forgets it, by the next process too, and is that of its own address", () => {
  const links = [link('eth0', 2), link('cali1', 3)];
  const neighbour = (address: string, mac: string, ifindex = 3) => ({ ifindex, address, mac: `9a:00:00:00:00:${mac}` });
  const { devices, host, maps } = aHost(links);
  const known = () => [maps.interfaces.get(2)?.podMac, maps.interfaces.get(3)?.podMac];
  const none = '00:00:00:00:00:00';
  devices.bring();
  expect(known()).toEqual([none, none]);
  host.routes = routeTo('cali1', '0101000A');
  host.neighbours = [
    neighbour('10.0.1.1', '01'),
    neighbour('fe80::9', '02'),
    neighbour('192.168.0.9', '03', 2),
    neighbour('10.0.1.9', '04', 9),
  ];
  devices.bring();
  expect(known()).toEqual([none, '9a:00:00:00:00:01']);
  host.neighbours = [];
  devices.bring();
  expect(known()).toEqual([none, '9a:00:00:00:00:01']);
  const next = aHost(links, usual, { interfaces: maps.interfaces });
  next.devices.bring();
  expect(known()).toEqual([none, '9a:00:00:00:00:01']);
  next.host.neighbours = [neighbour('fd89::1:1', '05')];
  next.devices.bring();
  expect(known()).toEqual([none, '9a:00:00:00:00:05']);
});

test('what an earlier process has left is taken on, or away where it is not chosen any more', () => {
  const first = aHost([link('eth0', 2), link('cali1', 3)]);
  first.devices.bring();
  const next = aHost(
    [link('eth0', 2), link('cali1', 3)],
    { network: 'found', pods: [] },
    { interfaces: first.maps.interfaces },
  );
  next.devices.bring();
  expect(next.order).toEqual(['detach 3', 'attach 2']);
  expect([...first.maps.interfaces.entries()].map(([ifindex]) => ifindex)).toEqual([2]);
});

test('pods are the addresses behind chosen interfaces, and the narrowest network decides what fits into a tunnel', () => {
  const { devices, host } = aHost([
    link('eth0', 2, { mtu: 9000 }),
    link('eth1', 4),
    link('cali1', 3),
    link('docker0', 5),
  ]);
  host.routes = routeTo('cali1', '0101000A') + routeTo('docker0', '0201000A');
  expect(devices.pods()).toEqual([{ address: '10.0.1.1', ifindex: 3 }]);
  expect(devices.tunnelMtu()).toBe(1450);
});

test('an interface that cannot be had is said once, the node is not ready, and it is tried again', () => {
  let isAway = true;
  const { devices, lines, maps, host } = aHost([link('eth0', 2)], usual, {
    attach: () => {
      if (isAway) throw new Error('The kernel refuses.');
      return () => {};
    },
  });
  devices.bring();
  devices.bring();
  expect(lines).toEqual(['eth0 has no programs: The kernel refuses.']);
  expect([devices.isAttached(), devices.hasChanged(), maps.interfaces.get(2)]).toEqual([false, true, null]);
  expect(devices.hasAll).toBe(false);
  // A new interface of that name gets its own message.
  const links = host.links.splice(0);
  devices.bring();
  host.links.push(...links);
  devices.bring();
  expect(lines.splice(0)).toEqual(Array(2).fill('eth0 has no programs: The kernel refuses.'));
  isAway = false;
  devices.bring();
  devices.bring();
  expect(lines).toEqual(['eth0 has its programs.']);
  expect([devices.isAttached(), devices.hasChanged(), devices.hasAll]).toEqual([true, false, true]);
});

test('an interface whose programs somebody has detached gets them again, and it is said', () => {
  let isThere = true;
  const { devices, lines, order } = aHost([link('eth0', 2)], usual, { isAttached: () => isThere });
  devices.bring();
  devices.bring();
  expect(order).toEqual(['attach 2', 'interfaces set 2']);
  isThere = false;
  devices.bring();
  expect(order.slice(2)).toEqual(['attach 2', 'let go 2']);
  expect(lines).toEqual(['eth0: its programs were detached from outside. They are attached again.']);
});

test('of an interface that goes while it is looked at nobody has detached anything', () => {
  const [network, pod] = [link('eth0', 2), link('cali1', 3)];
  let isGoing = false;
  const { devices, host, lines, order } = aHost([network, pod], usual, {
    isAttached: (ifindex) => {
      if (isGoing && ifindex === pod.ifindex) host.links = [network];
      return !isGoing || ifindex !== pod.ifindex;
    },
  });
  devices.bring();
  order.splice(0);
  isGoing = true;
  devices.bring();
  expect([lines, order, devices.hasChanged()]).toEqual([[], [], true]);
  devices.bring();
  expect([lines, order]).toEqual([[], ['interfaces delete 3', 'let go 3', 'detach 3']]);
});
