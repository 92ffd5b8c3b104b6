import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test as anyTest, expect } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import {
  type ProbeSettings,
  podScript,
  probeEnvironment,
  probeScript,
  scriptOf,
  secondsToEnd,
} from '#lib/probe/index.ts';
import { alwaysTested, type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { bpfObject } from './testing/bpf-object.ts';
import { canPlayNodes } from './testing/can-play-nodes.ts';
import { answerOf, dnsServer, type Fabric, type FabricNode, fabric, insideOf, listener } from './testing/fabric.ts';
import { spoilsSums } from './testing/spoils-sums.ts';

/** The script that users get, on this kernel, with no program that calico/node's image lacks. */

const test = anyTest.runIf(canPlayNodes);

const three: readonly FabricNode[] = [
  { name: 'a', network: 1 },
  { name: 'b', network: 2 },
  { name: 'c', network: 3 },
];

let open: Fabric | null = null;
const made = (nodes: readonly FabricNode[] = three, ...families: (4 | 6)[]): Fabric => {
  open = fabric(nodes, ...families);
  return open;
};
afterEach(() => {
  open?.close();
  open = null;
});

type Measured = Awaited<ReturnType<ReturnType<Fabric['probe']>['measured']>>;

/** `node test: why`, of all that failed. */
const failures = (measured: Measured) =>
  measured.flatMap(({ node, tests }) =>
    nodeTestIds.flatMap((id) => {
      const outcome = tests[id];
      return outcome?.kind === 'failed' ? [`${node} ${id}: ${outcome.because}`] : [];
    }),
  );

const outcome = (measured: Measured, node: string, test: NodeTest) =>
  measured.find((one) => one.node === node)?.tests[test];

const devices = (on: Fabric, node: string) => on.on(node, 'ip', '-o', 'link').match(/sbx[0-9a-f-]+/g) ?? [];

anyTest.runIf(canPlayNodes).each([
  ['of the host', probeScript],
  ['of the pod network', podScript],
])('the script %s is clean for shellcheck', (_of, input) => {
  execFileSync('shellcheck', ['--shell=bash', '-'], { stdio: 'pipe', input });
});

test('on nodes that are fine everything passes, with the time that the address took', async () => {
  const net = made();
  const server = await listener(net, 6443);
  const probe = net.probe({ endpoint: { host: '10.77.1.1', port: '6443' } });
  const measured = await probe.measured({ answers: 6 });
  server.close();
  expect(failures(measured)).toEqual([]);
  for (const { node, ms, tests } of measured) {
    expect([node, ms]).toEqual([node, expect.any(Number)]);
    for (const id of alwaysTested.filter((id) => id !== 'endpoint-from-pod'))
      expect([node, id, tests[id].kind]).toEqual([node, id, 'passed']);
  }
});

test('a firewall that drops VXLAN one way is told where the packets should have come out', async () => {
  const net = made();
  net.on('c', 'iptables', '-A', 'INPUT', '-s', net.address('a'), '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  expect(failures(await net.probe().measured({ all: 1 }))).toEqual(['c vxlan: nothing arrives there from a']);
});

test('a node that lets none in is named alone', async () => {
  const net = made();
  net.on('b', 'iptables', '-A', 'INPUT', '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  expect(failures(await net.probe().measured({ all: 2 }))).toEqual(['b vxlan: nothing arrives there from any node']);
});

test('a node whose packets go nowhere is named alone', async () => {
  const net = made();
  net.on('b', 'iptables', '-A', 'OUTPUT', '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  expect(failures(await net.probe().measured({ all: 2 }))).toEqual(['b vxlan: nothing of it arrives at any node']);
});

test('a firewall that drops only large packets fails the size, and not the tunnel', async () => {
  const net = made();
  const large = ['-m', 'length', '--length', '1000:65535'];
  net.on('c', 'iptables', '-A', 'INPUT', '-s', net.address('b'), '-p', 'udp', ...large, '-j', 'DROP');
  const measured = await net.probe().measured({ full: 1 });
  expect(failures(measured)).toEqual(['c full-size: no packet of full size arrives there from b']);
  expect(outcome(measured, 'c', 'vxlan')).toEqual({ kind: 'passed' });
});

test('a path with a smaller MTU is found although routers could cut packets up', async () => {
  const net = made();
  net.onRouter('ip', 'link', 'set', net.routerLink('c'), 'mtu', '1400');
  expect(failures(await net.probe().measured({ full: 4 }))).toEqual([
    'c full-size: no packet of full size arrives there from any node, and no packet of full size of it arrives at any node',
  ]);
});

test('a node whose resolver does not know the name, one that is refused, and one for which the name has an address more', async () => {
  const net = made();
  const server = await listener(net, 6443);
  net.knows('a', '10.77.2.1 api.example.test\n10.77.3.2 api.example.test\n');
  net.knows('b', '10.77.1.1 api.example.test\n');
  net.knows('c', '127.0.0.1 localhost\n');
  net.on('b', 'iptables', '-A', 'OUTPUT', '-p', 'tcp', '--dport', '6443', '-j', 'REJECT');
  const endpoint = { host: 'api.example.test', port: '6443' };
  const measured = await net.probe({ endpoint }).measured();
  server.close();
  const [a, b, c, ...others] = failures(measured);
  expect(others).toEqual([]);
  expect(a).toBe('a endpoint-from-host: api.example.test:6443: 1 of its 2 addresses, 10.77.3.2: Connection refused');
  expect(b).toBe('b endpoint-from-host: api.example.test:6443: Connection refused');
  expect(c).toMatch(/^c endpoint-from-host: .*(Name or service not known|Temporary failure in name resolution)/);
});

test('a node that is let through to the address alone, and not to an API server behind it', async () => {
  const net = made();
  const servers = [await listener(net, 6443), await listener(net, 6444)];
  net.on('b', 'iptables', '-A', 'OUTPUT', '-p', 'tcp', '--dport', '6444', '-j', 'DROP');
  const [endpoint, behind, away] = ['6443', '6444', '6445'].map((port) => ({ host: '10.77.1.1', port }));
  if (!endpoint || !behind || !away) throw new Error('no address');
  // An API server that no node reaches is not reported as the fault of one node.
  const measured = await net.probe({ endpoint, apiServers: [behind, away] }).measured();
  for (const server of servers) server.close();
  expect(failures(measured)).toEqual([
    'b endpoint-from-host: an API server that others reach, 10.77.1.1:6444: no answer within 5 seconds',
  ]);
});

test('Services are asked from the host and from a pod alike, and what does not answer is named', async () => {
  const net = made([...three, { name: 'd', network: 4 }]);
  const servers = [await dnsServer(net), await listener(net, 6443)];
  const services = { api: { host: '10.77.1.1', port: '6443' }, dns: { host: '10.77.1.1', port: '53' } };
  net.on('b', 'iptables', '-A', 'INPUT', '-p', 'udp', '--sport', '53', '-j', 'DROP');
  net.on('c', 'iptables', '-A', 'OUTPUT', '-p', 'tcp', '--dport', '6443', '-j', 'REJECT');
  net.on('d', 'iptables', '-A', 'OUTPUT', '-p', 'tcp', '--dport', '53', '-j', 'DROP');
  // The pod of a lives in a network where all is well, that of d where the API is not reached; b and c have none.
  const measured = await net.probe({ endpoint: services.api, services, pods: { a: 'a', d: 'c' } }).measured();
  for (const server of servers) server.close();
  expect(failures(measured).filter((one) => one.includes('services'))).toEqual([
    'b services-from-host: cluster DNS over UDP, 10.77.1.1:53: no answer within 2 seconds',
    'c services-from-host: the ClusterIP of the API, 10.77.1.1:6443: Connection refused',
    'd services-from-host: cluster DNS over TCP, 10.77.1.1:53: no answer within 5 seconds',
    'd services-from-pod: the ClusterIP of the API, 10.77.1.1:6443: Connection refused',
  ]);
  expect(outcome(measured, 'a', 'services-from-pod')).toEqual({ kind: 'passed' });
  expect(outcome(measured, 'a', 'services-from-host')).toEqual({ kind: 'passed' });
  expect(outcome(measured, 'b', 'services-from-pod')?.kind).toBe('not-run');
});

test.each<[string, ReturnType<typeof answerOf>, string | null]>([
  ['knows the name', answerOf(0), null],
  ['says that there is none', answerOf(3), null],
  ['repeats nothing of the question', answerOf(0, 0), null],
  ['fails', answerOf(2), 'it answered SERVFAIL'],
  ['refuses', answerOf(5), 'it answered REFUSED'],
  ['does not understand the question', answerOf(1, 0), 'it answered FORMERR'],
  ['sends the question back', { and: 0xffff, or: 0 }, 'the answer is not DNS'],
])('cluster DNS that %s is judged by what it answers', async (_what, flags, because) => {
  const net = made(three.slice(0, 1));
  const server = await dnsServer(net, '10.77.1.1', null, flags);
  const services = { api: null, dns: { host: '10.77.1.1', port: '53' } };
  const measured = await net.probe({ services }).measured();
  server.close();
  const at = (way: string) => `cluster DNS over ${way}, 10.77.1.1:53: ${because}`;
  expect(outcome(measured, 'a', 'services-from-host')).toEqual(
    because === null ? { kind: 'passed' } : { kind: 'failed', because: `${at('UDP')}; ${at('TCP')}` },
  );
});

test.each([
  ['once', 1, null],
  ['twice', 2, 'no answer within 5 seconds'],
])('what does not answer over TCP %s is judged after two tries', async (_times, unanswered, because) => {
  const net = made(three.slice(0, 1));
  const server = await dnsServer(net, '10.77.1.1', null, answerOf(0), unanswered);
  const measured = await net.probe({ services: { api: null, dns: { host: '10.77.1.1', port: '53' } } }).measured();
  server.close();
  expect(outcome(measured, 'a', 'services-from-host')).toEqual(
    because === null
      ? { kind: 'passed' }
      : { kind: 'failed', because: `cluster DNS over TCP, 10.77.1.1:53: ${because}` },
  );
});

test('cluster DNS at an address of IPv6 is asked by one datagram, as at one of IPv4', async () => {
  const net = made(three.slice(0, 1));
  const server = await dnsServer(net, '::1', 'a');
  const services = { api: null, dns: { host: '::1', port: '53' } };
  const measured = await net.probe({ services }).measured();
  server.close();
  expect(outcome(measured, 'a', 'services-from-host')).toEqual({ kind: 'passed' });
});

test('a folder for cgroup2 that cannot be made, and a kernel without bpffs', async () => {
  const net = made();
  const withoutBpffs =
    'mount -t tmpfs none /mnt && grep -v bpf /proc/filesystems >/mnt/it && mount --bind /mnt/it /proc/filesystems';
  const prepare = { b: 'mount -t tmpfs -o ro none /run', c: withoutBpffs };
  expect(failures(await net.probe({ prepare }).measured())).toEqual([
    'b mounts: /run/calico/cgroup cannot be made: its folder is read-only',
    'c mounts: the kernel has no bpffs',
  ]);
});

test('a folder for FlexVolume below a /usr that cannot be written', async () => {
  const net = made();
  const prepare = { c: 'mount --bind /usr /usr && mount -o remount,bind,ro /usr' };
  const flexVolumeFolder = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/';
  expect(failures(await net.probe({ prepare, flexVolumeFolder }).measured())).toEqual([
    `c mounts: ${flexVolumeFolder} cannot be made: its folder is read-only`,
  ]);
});

test('an interface that eBPF would not see', async () => {
  const net = made([...three.slice(0, 2), { name: 'c', network: 3, link: 'team0' }]);
  expect(failures(await net.probe().measured())).toEqual([
    'c interfaces: team0, which carries its address, is not matched by bpfDataIfacePattern',
  ]);
});

test('between addresses of IPv6, with a path of smaller MTU, and a firewall', async () => {
  const net = made([...three, { name: 'd', network: 4 }], 6);
  net.onRouter('ip', 'link', 'set', net.routerLink('c'), 'mtu', '1400');
  net.on('d', 'ip6tables', '-A', 'INPUT', '-s', net.address('a'), '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  expect(failures(await net.probe().measured({ all: 1, full: 6 }))).toEqual([
    'c full-size: no packet of full size arrives there from any node, and no packet of full size of it arrives at any node',
    'd vxlan: nothing arrives there from a',
  ]);
});

test('where VXLAN goes between addresses of both families, a firewall of one of them is told with its family', async () => {
  const net = made(three, 4, 6);
  net.on('b', 'ip6tables', '-A', 'INPUT', '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  net.on('c', 'iptables', '-A', 'INPUT', '-s', net.address('a'), '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  const probe = net.probe();
  expect(failures(await probe.measured({ all: 3 }))).toEqual([
    'b vxlan: between addresses of IPv6: nothing arrives there from any node',
    'c vxlan: nothing arrives there from a',
  ]);
  await probe.end();
  expect(['a', 'b', 'c'].flatMap((node) => devices(net, node))).toEqual([]);
});

test('nodes of two groups test within them and over bridges, and what is broken there is named', async () => {
  const net = made([...three, { name: 'd', network: 4 }, { name: 'e', network: 5 }, { name: 'f', network: 6 }], 4, 6);
  net.on('d', 'ip6tables', '-A', 'INPUT', '-s', net.address('a', 6), '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  net.on('f', 'iptables', '-A', 'INPUT', '-s', net.address('b'), '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  const partners = {
    ...{ others: [], missing: 0 },
    groups: [
      [0, 1, 2],
      [3, 4, 5],
    ],
    // a and d have the same place in their groups.
    bridges: [
      { ends: [0, 3], colour: 0 },
      { ends: [0, 4], colour: 1 },
      { ends: [5, 1], colour: 127 },
    ],
  } as const;
  const probe = net.probe({ partners });
  const measured = await probe.measured({ all: 2 });
  expect(failures(measured)).toEqual([
    'd vxlan: between addresses of IPv6: nothing arrives there from a',
    'f vxlan: nothing arrives there from b',
  ]);
  // e has a bridge to a.
  for (const node of ['c', 'e']) expect(outcome(measured, node, 'full-size')).toEqual({ kind: 'passed' });
  await probe.end();
  expect(['a', 'f'].flatMap((node) => devices(net, node))).toEqual([]);
});

test('a kube-proxy that is set to IPVS by its file, a program that may have one in it, rules and a device of IPVS, what says its mode, and a port that somebody else holds', async () => {
  const net = made([...three, { name: 'd', network: 4 }, { name: 'e', network: 5 }]);
  // Processes are named after their file. Their group is that of this test.
  const http = "require('node:http')";
  const holder = `${process.execPath} -e "${http}.createServer((_, to) => to.end('nftables')).listen(10249); ${http}.createServer().listen(10256)" & sleep 1`;
  const prepare = {
    a: `mount -t tmpfs none /mnt && cp $(command -v bash) /mnt/kube-proxy && echo 'mode: "ipvs"' >/mnt/it && /mnt/kube-proxy -c 'sleep 300; :' x --config=/mnt/it --proxy-mode=iptables & sleep 1`,
    b: "mount -t tmpfs none /mnt && cp $(command -v bash) /mnt/k3s-server && /mnt/k3s-server -c 'sleep 300; :' & sleep 1",
    c: holder,
  };
  net.on('b', 'ip', 'link', 'add', 'kube-ipvs0', 'type', 'veth', 'peer', 'name', 'other');
  for (const [node, program] of Object.entries({ d: 'iptables', e: 'ip6tables' }))
    for (const rule of [['-N'], ['-A', '-j', 'RETURN']].map(([first = '', ...rest]) => [
      first,
      'KUBE-SERVICES',
      ...rest,
    ]))
      net.on(node, program, '-t', 'nat', ...rule);
  const measured = await net.probe({ prepare }).measured();
  expect(failures(measured)).toEqual([
    'a ipvs: its kube-proxy is set to IPVS mode',
    'b ipvs: it has the device kube-ipvs0',
    'c health-port: node listens at port 10256',
  ]);
  expect(measured.map(({ node, proxy }) => `${node} ${proxy}`)).toEqual([
    'a in-pod',
    'b null',
    'c rules',
    'd rules',
    'e rules',
  ]);
});

test('a network card that computes wrong sums is told from a closed port', async () => {
  const net = made();
  // Between namespaces sums are left open: the router computes them, and spoils those of b.
  net.onRouter(
    'iptables',
    '-t',
    'mangle',
    '-A',
    'POSTROUTING',
    '-p',
    'udp',
    '--dport',
    '4789',
    '-j',
    'CHECKSUM',
    '--checksum-fill',
  );
  const object = join(testFolder('spoils'), 'it.o');
  writeFileSync(
    object,
    bpfObject({ name: 'spoils_sums', section: 'classifier', instructions: spoilsSums(net.address('b')) }),
  );
  for (const node of ['a', 'c']) {
    const link = net.routerLink(node);
    net.onRouter('tc', 'qdisc', 'add', 'dev', link, 'clsact');
    const pinned = `mount -t bpf none /sys/fs/bpf && bpftool prog load ${object} /sys/fs/bpf/it type classifier && tc filter add dev ${link} egress protocol ip`;
    net.onRouter('bash', '-c', `${pinned} bpf da pinned /sys/fs/bpf/it`);
  }
  // The sum of the tunnel's own header rests on the inner one: what b leaves to its card may arrive nowhere, and only its answers show its two paths.
  const measured = await net.probe().measured({ full: 2, answers: 6 });
  expect(failures(measured)).toEqual(['b checksums: no packet with a right sum of it arrives at any node']);
});

/** Routers of clouds and of careful networks let no packet through whose source lies elsewhere (RFC 2827; pain D4). */
const checksSources = (net: Fabric, ...nodes: string[]) => {
  for (const node of ['a', 'b', 'c'])
    net.onRouter('sysctl', '-qw', `net.ipv4.conf.${net.routerLink(node)}.rp_filter=${nodes.includes(node) ? 1 : 0}`);
  net.onRouter('sysctl', '-qw', 'net.ipv4.conf.all.rp_filter=0');
};

test.each<[string, string[], string[]]>([
  ['an open network', [], []],
  [
    'a router that checks the sources of one subnet',
    ['b'],
    ['b foreign-source: what it sends with the address 10.77.1.2 does not arrive at c'],
  ],
])('packets with the address of another node: %s', async (_what, checked, expected) => {
  const net = made();
  checksSources(net, ...checked);
  const probe = net.probe({ dsr: true });
  const measured = await probe.measured({ foreign: 3 - checked.length });
  expect(failures(measured)).toEqual(expected);
  expect(['a', 'b', 'c'].filter((node) => outcome(measured, node, 'foreign-source')?.kind === 'passed')).toHaveLength(
    3 - checked.length,
  );
  await probe.end();
  expect(['a', 'b', 'c'].flatMap((node) => devices(net, node))).toEqual([]);
});

test('where the device of eBPF mode has the port, or no filter can guard a tunnel, that is said of the paths to its node, and nothing fails', async () => {
  const net = made();
  net.on('b', 'ip', 'link', 'add', 'vxlan.calico', 'type', 'vxlan', 'external', 'dstport', '4789');
  net.on('b', 'ip', 'link', 'set', 'vxlan.calico', 'up');
  const prepare = { c: 'mount --bind "$(type -P false)" "$(readlink -f "$(command -v tc)")"' };
  const measured = await net.probe({ prepare }).measured({ all: 6 });
  expect(failures(measured)).toEqual([]);
  expect(devices(net, 'c')).toEqual([]);
  const because = (words: string) => ({ kind: 'not-run', because: expect.stringContaining(words) });
  const owned = because('vxlan.calico has UDP port 4789 for itself');
  const unguarded = because('its kernel takes no filter for the test');
  expect(['a', 'b', 'c'].map((node) => outcome(measured, node, 'vxlan'))).toEqual([owned, owned, unguarded]);
});

test('its devices go when it is told to end', async () => {
  const net = made();
  const probe = net.probe();
  await probe.measured();
  expect(devices(net, 'a')).not.toEqual([]);
  await probe.end();
  expect(['a', 'b', 'c'].flatMap((node) => devices(net, node))).toEqual([]);
});

test('as many devices as a node of 32 has, with addresses of both families and DSR, go within the time that its pod has to end', async () => {
  const net = made(three.slice(0, 1), 4, 6);
  const places = Array.from({ length: 31 }, (_, place) => place + 1);
  const settings: ProbeSettings = {
    ...{ run: 4_661, image: '', endpoint: null, vxlanPort: 4789, dsr: true, nodeSelector: {}, podNetwork: 'not-yet' },
    cgroupFolder: '/run/calico/cgroup',
    addresses: [net.address('a'), ...places.map((place) => `10.78.0.${place}`)],
    addressesV6: [net.address('a', 6), ...places.map((place) => `fd78::${place}`)],
  };
  // That is nobody's business but its own.
  net.on('a', 'ip', 'link', 'add', 'sbx-of-others', 'group', '1', 'type', 'veth', 'peer', 'name', 'sbx-other-end');
  let log = '';
  const pod = { env: probeEnvironment('host', settings), script: scriptOf('host', settings) };
  const child = net.runs('a', pod, (text) => {
    log += text;
  });
  await expect.poll(() => log, { timeout: 120_000, interval: 50 }).toContain('"dsr-listening"');
  expect(log).toContain('"tunnels":62');
  const own = () => devices(net, 'a').filter((name) => !name.startsWith('sbx-'));
  expect(own()).toHaveLength(62 + 31);
  const ended = new Promise((done) => child.once('exit', done));
  const begun = performance.now();
  process.kill(insideOf(child.pid ?? 0) ?? 0, 'SIGTERM');
  await ended;
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`93 devices are gone after ${seconds.toFixed(1)} s`);
  expect(own()).toEqual([]);
  expect(devices(net, 'a')).not.toEqual([]);
  // The rest is for whoever has a slower kernel, or was in the middle of something.
  expect(seconds).toBeLessThan(secondsToEnd / 2);
});

test('what one left that was killed goes with the next, and one that runs keeps its own', async () => {
  const net = made();
  const killed = net.probe({ run: 4_000 });
  await killed.measured();
  for (const node of ['a', 'b', 'c']) process.kill(insideOf(killed.process(node).pid as number) as number, 'SIGKILL');
  expect(devices(net, 'a').every((name) => name.startsWith('sbx0fa0'))).toBe(true);
  const next = net.probe({ run: 5_000 });
  expect(failures(await next.measured())).toEqual([]);
  expect(devices(net, 'a').filter((name) => name.startsWith('sbx0fa0'))).toEqual([]);
  await next.end();
});
