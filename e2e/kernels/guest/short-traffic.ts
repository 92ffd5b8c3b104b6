/**
 * Traffic by the programs as the agent loads them into this kernel: two nodes with a pod each and a client outside. Says what this kernel lacks, and what the
 * verifier went through; then a line a question, with its answer.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serviceFlags } from '#lib/node/bpf/index.ts';
import { type Family, nodePlane, podPort } from '../../dataplane/testing/node-plane.ts';
import { topology } from '../../dataplane/testing/topology.ts';
import type { Traffic } from '../../dataplane/testing/traffic.ts';
import { sayLoaded } from './say-loaded.ts';

const nodes = ['node1', 'node2'];
const pods = [
  { pod: 'a', node: 'node1' },
  { pod: 'c', node: 'node2' },
];
const everyNode = { v4: '0.0.0.0', v6: '::' } as const;
const service = { v4: '10.96.0.10', v6: 'fd96::10' } as const;
const nodePort = 30080;

const net = topology(nodes, pods);
const planes = nodes.map((node) => nodePlane(net, node, { nodes, pods }));
for (const { plane } of planes.slice(0, 1)) sayLoaded(plane);
for (const { pod } of pods) await net.at(pod).ask({ do: 'serve', name: pod, port: podPort });
const ofHost = net.traffic('node1', 'in the group');

for (const family of ['v4', 'v6'] as const) {
  const to = net.addresses('node1')[family];
  serve(family, everyNode[family], nodePort, 'c');
  await say('a client by the tunnel', net.at('client'), { do: 'tcp', to, port: nodePort, bytes: 300_000 });
  await say('its datagrams', net.at('client'), { do: 'udp', to, port: nodePort, socket: 'connected', times: 3 });
  serve(family, everyNode[family], nodePort, 'a');
  await say('a client without it', net.at('client'), { do: 'tcp', to, port: nodePort, bytes: 300_000 });
  serve(family, everyNode[family], nodePort);
  await say('a client whom nobody serves', net.at('client'), { do: 'tcp', to, port: nodePort });
  serve(family, service[family], 80, 'c');
  await say('a pod', net.at('a'), { do: 'tcp', to: service[family], port: 80, bytes: 300_000 });
  await say('its datagrams', net.at('a'), { do: 'udp', to: service[family], port: 80, socket: 'unconnected' });
  serve(family, service[family], 80, 'a');
  await say('a process of the host', ofHost, { do: 'tcp', to: service[family], port: 80 });
}
if (existsSync('/sys/class/net/bonding_masters')) {
  sayChosen('node1');
  bond('node1');
  sayChosen('node1');
  // The verifier would take seven seconds of the processor for the same programs again.
  planes[0]?.moveTo('bond0');
  for (const family of ['v4', 'v6'] as const) {
    const to = net.addresses('node1')[family];
    serve(family, everyNode[family], nodePort, 'c');
    await say('by a bond', net.at('client'), { do: 'tcp', to, port: nodePort, bytes: 300_000 });
    await say('datagrams by a bond', net.at('client'), {
      do: 'udp',
      to,
      port: nodePort,
      socket: 'connected',
      times: 3,
    });
  }
  tag('node2');
  sayChosen('node2');
  await net.at('node2').ask({ do: 'serve', name: 'node2', port: nodePort });
  for (const family of ['v4', 'v6'] as const) {
    serve(family, everyNode[family], nodePort, 'c');
    await say('with a tag', net.at('client'), { do: 'tcp', to: net.addresses('node2')[family], port: nodePort });
  }
}
for (const plane of planes) plane.close();
await net.close();

/** As an agent in the node's network sees it. */
function sayChosen(node: string): void {
  const script = join(import.meta.dirname, 'chosen-links.ts');
  console.log(net.on(node, process.execPath, '--disable-warning=ExperimentalWarning', script).trim());
}

/** The node's link becomes the one port of a bond, which has its addresses and routes from then on. */
function bond(node: string): void {
  moveAddresses(node, 'eth0', 'bond0', [
    'link set eth0 down',
    'link add bond0 type bond mode active-backup miimon 100',
    'link set eth0 master bond0',
  ]);
}

/** All that a node sends and gets has a tag from then on. */
function tag(node: string): void {
  // Down, a link loses its routes: those of IPv6 outlive the addresses.
  const tagged = (link: string) => [
    ...[`link set ${link} down`, `link set ${link} up`],
    `link add link ${link} name ${link}.100 type vlan id 100`,
  ];
  const { v4, v6 } = net.addresses(node);
  moveAddresses('router', node, `${node}.100`, tagged(node), gatewaysOf(node));
  moveAddresses(node, 'eth0', 'eth0.100', tagged('eth0'));
  const [ofV4, ofV6] = [v4, v6].map((address) => `via ${address}`);
  batch('router', [`route add 10.89.2.0/24 ${ofV4}`, `route add fd89::2:0/112 ${ofV6}`]);
}

function moveAddresses(
  place: string,
  from: string,
  to: string,
  made: readonly string[],
  own?: readonly string[],
): void {
  const [v4, v6] = own ?? Object.values(net.addresses(place));
  const routes = own ? [] : gatewaysOf(place).map((gateway) => `route add default via ${gateway} dev ${to}`);
  batch(place, [
    `addr flush dev ${from} scope global`,
    ...made,
    `addr add ${v4}/24 dev ${to}`,
    `addr add ${v6}/64 dev ${to} nodad`,
    `link set ${to} up`,
    ...routes,
  ]);
}

function batch(place: string, commands: readonly string[]): void {
  net.feed(place, `${commands.join('\n')}\n`, 'ip', '-batch', '-');
}

function gatewaysOf(node: string): string[] {
  return Object.values(net.addresses(node)).map((address) => address.replace(/2$/, '1'));
}

function serve(family: Family, address: string, port: number, ...backends: readonly string[]): void {
  const flags = port === nodePort ? serviceFlags.nodePort : 0;
  for (const plane of planes) plane.serve({ address, port, backends, family, flags });
}

async function say(who: string, from: Traffic, question: Parameters<Traffic['ask']>[0]): Promise<void> {
  const { error, servers } = await from.ask(question);
  console.log(`${who}: ${error ?? servers.join(' ')}`);
}
