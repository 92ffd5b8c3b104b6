import { setTimeout as sleep } from 'node:timers/promises';
import { nftablesRules, type RuledService } from '#e2e/dataplane/testing/kube-proxy-rules.ts';
import { podNetwork, podPort } from '#e2e/dataplane/testing/node-plane.ts';
import { type Topology, topology } from '#e2e/dataplane/testing/topology.ts';
import { endpointSliceOf, nodeOf, serviceOf, systemClock } from '#lib/kube/index.ts';
import { type DataPlaneMaps, loadDataPlane, openPinnedMaps, protocols } from '#lib/node/bpf/index.ts';
import { nodeAddresses, Present, pinsOf, ServiceTable, syncOnce } from '#lib/node/index.ts';
import { type BenchAgent, benchAgent } from './bench-agent.ts';
import { addressOf, benchNamespace, benchNode, benchPort, benchService, benchSlice } from './bench-services.ts';
import { type Figure, type Row, spread } from './figures.ts';
import { endpointChange } from './kube-proxy-change.ts';
import { tookRules } from './rule-programs.ts';

const node = 'node1';
const servers = ['b', 'c', 'd'];
const pods = ['a', ...servers].map((pod) => ({ pod, node }));
const many = 10_000;

/** At 2 GHz an agent of 10,000 Services takes so long to start, its API server included. */
const startSeconds = 12;

export const agentRows: readonly Row[] = [
  {
    name: 'full-sync',
    title: 'all Services written by the agent, against nft with 1,000 of them',
    seconds: ({ rounds }) => 5 + rounds * 3 + 3 * startSeconds,
    async run({ rounds, nft }, report) {
      const figures: Figure[] = [];
      const net = topology([node], pods);
      try {
        const plane = loadDataPlane({ pins: `${net.bpffs}/plane` });
        try {
          const thousand: number[] = [];
          const all: number[] = [];
          const ratios = { clock: [] as number[], processor: [] as number[], kernel: [] as number[] };
          const rules = nftablesRules(ruled(net, 1_000), podNetwork);
          // The first round is for caches and the compiler: an agent that runs has done all of it before.
          for (let round = -1; round < rounds; round++) {
            const few = await fullSync(net, plane.maps, 1_000);
            const lots = await fullSync(net, plane.maps, many);
            if (round >= 0) {
              thousand.push(few.wall * 1000);
              all.push(lots.wall);
            }
            if (!nft) continue;
            const took = tookRules(net.namespace(node), ['nft', '-f', '-'], rules);
            tookRules(net.namespace(node), ['nft', '-f', '-'], 'delete table ip kube-proxy');
            if (round < 0) continue;
            ratios.clock.push(took.wall / few.wall);
            ratios.processor.push(took.cpu / few.cpu);
            ratios.kernel.push(took.kernel / few.cpu);
          }
          figures.push(
            { name: '1,000 Services', values: thousand, unit: 'ms', goal: null },
            { name: 'against nft -f of 1,000, by the clock', values: ratios.clock, goal: { atLeast: 10 } },
            { name: 'the same, by the processor', values: ratios.processor, goal: null },
            { name: 'the kernel’s part of it alone, by the processor', values: ratios.kernel, goal: null },
            { name: '10,000 Services', values: all, unit: 's', goal: { atMost: 1 } },
          );
        } finally {
          plane.close();
        }
        const first: number[] = [];
        for (let round = 0; round < 3; round++)
          await withAgent(net, many, async (agent) => {
            first.push(agent.metrics().get('signalbox_node_sync_duration_seconds_sum') ?? Number.NaN);
          });
        figures.push({
          name: '10,000 Services by an agent that starts',
          values: first,
          unit: 's',
          goal: { atMost: 1 },
        });
      } finally {
        await net.close();
      }
      report('full sync: from what the API said to the last map entry; nft: without kube-proxy’s own part');
      return figures.filter(({ values }) => values.length > 0);
    },
  },
  {
    name: 'endpoint-change',
    title: 'one endpoint that comes or goes at 10,000 Services: from the API server’s event into the map',
    seconds: ({ rounds }) => 2 * startSeconds + 6 * rounds,
    async run({ rounds, nft }, report) {
      const net = topology([node], pods);
      try {
        const changes = Math.max(rounds, 11) * 5;
        const few = await withAgent(net, 10, (agent) => changed(agent, 10, changes));
        const lots = await withAgent(net, many, (agent) => changed(agent, many, changes));
        const own = lots.cpuMs;
        const figures: Figure[] = [
          { name: 'API event → in the map', values: lots.ms, unit: 'ms', goal: { atMost: 20 } },
          { name: 'the same with 10 Services', values: few.ms, unit: 'ms', goal: null },
          { name: 'agent’s CPU for each', values: [own], unit: 'ms', goal: null },
        ];
        if (!nft) return figures;
        const services = ruled(net, many);
        tookRules(net.namespace(node), ['nft', '-f', '-'], nftablesRules(services, podNetwork));
        const nftMs: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const of = services[(round * 7919) % many];
          if (of)
            nftMs.push(tookRules(net.namespace(node), ['nft', '-f', '-'], endpointChange(of, podNetwork)).cpu * 1000);
        }
        report(`nft -f of the one Service alone: ${spread(nftMs).median.toFixed(1)} ms of CPU`);
        return [
          ...figures,
          { name: 'CPU against nft -f of the change', values: nftMs.map((ms) => ms / own), goal: { atLeast: 20 } },
        ];
      } finally {
        await net.close();
      }
    },
  },
  {
    name: 'at-rest',
    title: 'the agent with 10,000 Services in which nothing changes',
    seconds: ({ rounds }) => startSeconds + settleSeconds + restSeconds * rounds,
    async run({ rounds }) {
      const net = topology([node], pods);
      try {
        return await withAgent(net, many, async (agent) => {
          await sleep(settleSeconds * 1000);
          const share: number[] = [];
          const memory: number[] = [];
          for (let round = 0; round < rounds; round++) {
            const [ran, began] = [agent.ranNs(), performance.now()];
            await sleep(restSeconds * 1000);
            share.push(((agent.ranNs() - ran) / ((performance.now() - began) * 1e6)) * 100);
            memory.push(agent.residentMb());
          }
          const mean = share.reduce((sum, one) => sum + one, 0) / share.length;
          return [
            { name: 'CPU', values: share, unit: '% of a core', goal: { atMost: 0.5 } },
            { name: 'CPU on the whole', values: [mean], unit: '% of a core', goal: { atMost: 0.5 } },
            { name: 'memory (RSS)', values: memory, unit: 'MB', goal: { atMost: 200 } },
          ];
        });
      } finally {
        await net.close();
      }
    },
  },
];

const restSeconds = 5;
/** The compiler goes on for a while, and memory is looked at once. */
const settleSeconds = 20;

async function withAgent<T>(net: Topology, services: number, act: (agent: BenchAgent) => Promise<T>): Promise<T> {
  const agent = await benchAgent(net, services, endpointsOf(net));
  try {
    return await act(agent);
  } finally {
    await agent.close();
  }
}

const endpointsOf = (net: Topology) => servers.map((pod) => net.addresses(pod).v4);

function ruled(net: Topology, count: number): RuledService[] {
  const endpoints = endpointsOf(net).map((one) => `${one}:${podPort}`);
  return Array.from({ length: count }, (_, index) => ({
    name: `service-${index}`,
    address: addressOf(index),
    port: benchPort,
    endpoints,
  }));
}

/** Time of an agent's first full sync, in seconds: from the objects that the API sent to the last entry in the kernel, into empty maps. */
async function fullSync(net: Topology, maps: DataPlaneMaps, count: number) {
  for (const map of [maps.services, maps.backends])
    for (const [key] of map.entries()) (map.delete as (key: unknown) => boolean)(key);
  const present = new Present();
  const table = new ServiceTable(node, present);
  table.node(node, nodeAddresses(nodeOf(benchNode(node, net.addresses(node).v4))));
  for (let index = 0; index < count; index++) {
    const key = `${benchNamespace}/service-${index}`;
    table.service(key, serviceOf(benchService(index)));
    table.slice(`${key}-abcde`, endpointSliceOf(benchSlice(index, node, endpointsOf(net))));
  }
  const before = process.cpuUsage();
  const { ms } = await syncOnce({ table, present, maps, clock: systemClock }, new AbortController().signal);
  const { user, system } = process.cpuUsage(before);
  return { wall: ms / 1000, cpu: (user + system) / 1e6 };
}

/** Asked for every so many ms; less often than the agent's shortest time between two plans (`--min-sync`, 50 ms). */
const changeEveryMs = 80;
const looksEveryMs = 0.2;

/** How long each of so many changes took, and what the agent worked for it. */
async function changed(agent: BenchAgent, services: number, count: number) {
  const opened = openPinnedMaps(pinsOf(agent.pins).maps);
  if (!opened) throw new Error(`Nothing is pinned at ${agent.pins}`);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const ms: number[] = [];
  try {
    let cpuNs = 0;
    for (let round = -10; round < count; round++) {
      const index = (Math.abs(round) * 7919) % services;
      const place = { address: addressOf(index), port: benchPort, protocol: protocols.TCP };
      const length = () => opened.maps.services.get(place)?.clusterBackends;
      const before = length();
      const ran = agent.ranNs();
      const began = await agent.change(index);
      const until = began + 5_000_000_000n;
      while (length() === before && process.hrtime.bigint() < until) Atomics.wait(pause, 0, 0, looksEveryMs);
      const tookMs = Number(process.hrtime.bigint() - began) / 1e6;
      await sleep(changeEveryMs);
      if (round < 0) continue;
      ms.push(tookMs);
      cpuNs += agent.ranNs() - ran;
    }
    return { ms, cpuMs: cpuNs / 1e6 / count };
  } finally {
    opened.close();
  }
}
