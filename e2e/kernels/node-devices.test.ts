import { test as anyTest, expect } from 'vitest';
import type { NodeMeasurement } from '#lib/kube/index.ts';
import {
  measurementsOf,
  type NodeReport,
  type ProbedNode,
  parseLines,
  probeEnvironment,
  probeScript,
} from '#lib/probe/index.ts';
import { felixDefaults, nodeTestIds } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { debianKernel } from './testing/debian-kernel.ts';
import { runOnKernel } from './testing/kernel-machine.ts';

/**
 * The probe's script among devices that the kernel of a test machine may not have, on Debian's: nodes are network namespaces there, each behind one
 * router.
 */

const kernel = debianKernel();
const test = anyTest.runIf(kernel !== null);

const names = ['bond', 'vlan', 'loss', 'team'] as const;
const address = (node: (typeof names)[number]) => `10.77.${names.indexOf(node) + 1}.2`;

/**
 * Has IPVS serve an address, as its proxy has: setsockopt IP_VS_SO_SET_ADD with an ip_vs_service_user (Linux include/uapi/linux/ip_vs.h), since no test
 * machine needs ipvsadm for anything else. Nothing but a program that loads modules brings IPVS.
 */
const serveByIpvs = `mkdir -p /lib/modules && ln -sfn ${shellWord(kernel?.modules ?? '')} /lib/modules/$(uname -r) && busybox modprobe ip_vs
      ip netns exec loss perl -MSocket -e 'socket(my $s, AF_INET, SOCK_RAW, 255) or die "socket: $!"; setsockopt($s, 0, 1154, pack("S x2 a4 n x2 L a16 L3", 6, inet_aton("10.96.0.1"), 443, 0, "rr", 0, 0, 0xffffffff)) or die "setsockopt: $!"'`;

/** What lies between a node's first link, `port`, and the device with its address. */
const devices: Readonly<Record<(typeof names)[number], { device: string; made: string }>> = {
  bond: {
    device: 'bond0',
    made: `ip -n bond link add bond0 type bond mode active-backup miimon 100
      ip -n bond link set port master bond0`,
  },
  vlan: {
    device: 'eth0.100',
    made: `ip -n vlan link set port name eth0
      ip -n vlan link set eth0 up
      ip -n vlan link add link eth0 name eth0.100 type vlan id 100
      ip -n router link add link to-vlan name to-vlan.100 type vlan id 100`,
  },
  loss: {
    device: 'eth0',
    made: `ip -n loss link set port name eth0
      ip netns exec loss tc qdisc add dev eth0 root netem loss 20% delay 8ms 4ms duplicate 5% reorder 25% 50%
      ip -n loss link add kube-ipvs0 type dummy
      ${serveByIpvs}`,
  },
  // Without a program that sets its mode a team sends nothing.
  team: {
    device: 'team0',
    made: `ip -n team link add team0 type team
      ip -n team link set port master team0`,
  },
};

const nodes: ProbedNode[] = names.map((name) => ({
  name,
  distribution: { id: 'debian' },
  architecture: 'amd64',
  address: address(name),
}));

function fabricScript(): string {
  const made = names.map((name, at) => {
    const { device, made } = devices[name];
    const gateway = name === 'vlan' ? 'to-vlan.100' : `to-${name}`;
    return `ip netns add ${name}
      ip link add port netns ${name} type veth peer name to-${name} netns router
      ip -n router link set to-${name} up
      ${made}
      ip -n router addr add 10.77.${at + 1}.1/24 dev ${gateway}
      ip -n router link set ${gateway} up
      ip -n ${name} link set lo up
      ip -n ${name} link set port up 2>/dev/null
      ip -n ${name} addr add ${address(name)}/24 dev ${device}
      ip -n ${name} link set ${device} up
      ip -n ${name} route add default via 10.77.${at + 1}.1`;
  });
  return `ip netns add router
    ip netns exec router sysctl -qw net.ipv4.ip_forward=1
    ${made.join('\n')}`;
}

function probesScript(): string {
  const environment = probeEnvironment('host', {
    run: 4711,
    image: '',
    endpoint: null,
    addresses: nodes.map((node) => node.address),
    vxlanPort: felixDefaults.vxlanPort,
    dsr: true,
    cgroupFolder: felixDefaults.cgroupV2Path,
    nodeSelector: {},
    podNetwork: 'not-yet',
  });
  const set = Object.entries(environment).map(([key, value]) => shellWord(`${key}=${value}`));
  const starts = names.map(
    (name) =>
      `ip netns exec ${name} unshare --mount --pid --fork --kill-child --mount-proc env ${set.join(' ')} bash -c ${shellWord(probeScript)} >/run/${name}.log 2>&1 &`,
  );
  // Three of them reach each other: two arrivals of full size each.
  const arrived = `[ $(cat /run/*.log | grep -c '"arrives":"full"') -ge 6 ]`;
  // All else is read meanwhile.
  const read = `[ $(cat /run/*.log | grep -c '"probe":"measured"') -eq ${names.length} ]`;
  return `${starts.join('\n')}
    for second in {1..300}; do
      [ $(cat /run/*.log | grep -c vxlan-sending) -eq ${names.length} ] && ${arrived} && ${read} && break
      sleep 1
    done
    sleep 5
    for name in ${names.join(' ')}; do echo "=== $name"; cat /run/$name.log; done`;
}

function measured(output: string): NodeMeasurement[] {
  const logs = new Map(output.split('=== ').map((part) => [part.split('\n')[0], part] as const));
  const reports: NodeReport[] = names.map((node) => ({
    node,
    host: parseLines(logs.get(node) ?? ''),
    pod: { because: 'there is none' },
  }));
  const question = { nodes, endpoint: null, apiServers: [], interfacePattern: null, release: 'v3.31.4', dsr: true };
  return measurementsOf(question, reports);
}

/** Each test of a node that failed, and why. */
const failures = (nodes: readonly NodeMeasurement[]) =>
  nodes.flatMap(({ node, tests }) =>
    nodeTestIds.flatMap((id) => {
      const outcome = tests[id];
      return outcome?.kind === 'failed' ? [`${node} ${id}: ${outcome.because}`] : [];
    }),
  );

test('a bond is fine; a VLAN device, a team and a device of IPVS are told, and loss is no closed port', async () => {
  if (kernel === null) return;
  const { output } = await runOnKernel(kernel, `${fabricScript()}\n${probesScript()}`, 800);
  const found = measured(output);
  // Each sends to the one after it: the last but one to the team.
  expect(found.map(({ tests }) => tests['foreign-source']?.kind)).toEqual(['passed', 'passed', 'not-run', 'not-run']);
  expect(failures(found)).toEqual([
    'vlan vlan-devices: eth0.100, through which its address is reached, has a VLAN tag',
    'loss ipvs: it has the device kube-ipvs0, and IPVS serves 1 address',
    'team interfaces: team0, which carries its address, is not matched by bpfDataIfacePattern',
    'team vxlan: nothing arrives there from any node, and nothing of it arrives at any node',
  ]);
});
