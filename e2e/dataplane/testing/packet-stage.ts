import { expect } from 'vitest';
import { serviceFlags } from '#lib/node/bpf/index.ts';
import { framesOf, type ParsedFrame } from './frames.ts';
import { type Family, type NodePlane, nodePlane } from './node-plane.ts';
import { sumsAreRight } from './sums.ts';
import { testRunner } from './test-run.ts';
import { type Topology, topology } from './topology.ts';
import { everyNode, families, nodes, pods } from './two-nodes.ts';
import { withinNetwork } from './within-network.ts';

/** Packets through one program each, as bytes: where each goes, what it says then, and that whoever receives it takes its sums. */

/** NodePorts: of a pod of node1, of one of node2, and of nobody. */
export const ports = { here: 30_080, elsewhere: 30_081, nowhere: 30_082 } as const;
export const clientPort = 50_000;

export type PacketStage = {
  readonly net: Topology;
  readonly planes: readonly NodePlane[];
  readonly serve: () => void;
  /** `run(frame, 'eth0')` on node1, where each test's first packet finds no flow. */
  onNode1<Result>(
    act: (
      run: (
        frame: Buffer,
        link: string,
        sum?: 'none' | 'of the card',
      ) => ReturnType<ReturnType<typeof testRunner>['run']>,
    ) => Result,
  ): Result;
  close(): Promise<void>;
};

/** Two nodes with the programs, and Services at their node ports. */
export function packetStage(): PacketStage {
  const net = topology(nodes, pods);
  const planes = nodes.map((node) => nodePlane(net, node, { nodes, pods }));

  function serve() {
    const at = (family: Family, port: number, ...backends: readonly string[]) =>
      ({ address: everyNode[family], port, backends, family, flags: serviceFlags.nodePort }) as const;
    const all = families.flatMap((family) => [
      at(family, ports.here, 'a'),
      at(family, ports.elsewhere, 'c'),
      at(family, ports.nowhere),
    ]);
    for (const plane of planes) plane.serve(...all);
  }

  return {
    net,
    planes,
    serve,
    onNode1: (act) => {
      serve();
      const { plane } = planes[0] ?? {};
      if (!plane) throw new Error('no plane');
      const links = new Map(['eth0', 'a', 'b'].map((link) => [link, net.ifindex('node1', link)]));
      const runner = testRunner(plane, 'incoming');
      try {
        return withinNetwork(net.namespace('node1'), () =>
          act((frame, link, sum) => runner.run(frame, links.get(link) ?? 0, sum)),
        );
      } finally {
        runner.close();
      }
    },
    close: async () => {
      for (const plane of planes) plane.close();
      await net.close();
    },
  };
}

/** Who sends to whom, and in brackets the same of the packet inside. */
export const ends = (one: ParsedFrame): string =>
  `${one.source}:${one.sourcePort} > ${one.destination}:${one.destinationPort}${one.inside ? ` (${ends(one.inside)})` : ''}`;
export const layers = (one: ParsedFrame): ParsedFrame[] => [one, ...(one.inside ? layers(one.inside) : [])];

export function described({ verdict, frame }: { verdict: number; frame: Buffer }) {
  const [seen] = framesOf([frame]);
  if (!seen) throw new Error('it is no IP packet any more');
  expect(layers(seen).map(({ packet }) => sumsAreRight(packet))).toEqual(layers(seen).map(() => true));
  return { verdict, seen, to: ends(seen).replace(/^(.* > .*):\d+ \(/, '$1 (') };
}
