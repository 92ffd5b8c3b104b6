/**
 * Traffic by the programs as the agent loads them into this kernel: two nodes with a pod each and a client outside. Says what this kernel lacks, and what the
 * verifier went through; then a line a question, with its answer.
 */
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
for (const plane of planes) plane.close();
await net.close();

function serve(family: Family, address: string, port: number, ...backends: readonly string[]): void {
  const flags = port === nodePort ? serviceFlags.nodePort : 0;
  for (const plane of planes) plane.serve({ address, port, backends, family, flags });
}

async function say(who: string, from: Traffic, question: Parameters<Traffic['ask']>[0]): Promise<void> {
  const { error, servers } = await from.ask(question);
  console.log(`${who}: ${error ?? servers.join(' ')}`);
}
