import { inList } from '#lib/base/words.ts';
import type { TestOutcome } from '#lib/kube/index.ts';
import { faultyNodes, type LargestArrival } from '../partners/faulty-nodes.ts';
import { areaKinds, choosePartners, partnersOf } from '../partners/partners.ts';
import { driversInWords } from './links.ts';
import {
  allOf,
  failed,
  lineOf,
  linesOf,
  type NodeReport,
  notRun,
  type ProbedNode,
  passed,
  type Question,
  silentReport,
} from './report.ts';

/** What arrived from one node at another, or why that is unknown. */
type Path = { readonly from: string; readonly to: string; readonly untested: string | null } & Pick<
  LargestArrival,
  'arrives'
>;

type VxlanTests = Record<'vxlan' | 'full-size' | 'checksums', TestOutcome>;

/** If VXLAN also uses IPv6, a test passes only if it passes in both families; failures of IPv6 say so. */
export function outcomesOfFamilies(
  { nodes, partners = choosePartners(nodes) }: Question,
  reports: ReadonlyMap<string, NodeReport>,
): (node: string) => VxlanTests {
  const partnersByIndex = partnersOf(partners);
  const first = vxlanOutcomes(nodes, partnersByIndex, reports);
  if (nodes.every(({ addressV6 }) => addressV6 === undefined)) return first;
  const second = vxlanOutcomes(
    // Subnets are known for IPv4 only.
    nodes.map(({ addressV6 = null, ...node }) => ({ ...node, address: addressV6, subnet: null })),
    partnersByIndex,
    reports,
  );
  return (node) => {
    const [one, other] = [first(node), second(node)];
    const both = (test: keyof VxlanTests) => worse(one[test], ofIpv6(other[test]));
    return { vxlan: both('vxlan'), 'full-size': both('full-size'), checksums: both('checksums') };
  };
}

const ofIpv6 = (outcome: TestOutcome): TestOutcome =>
  outcome.kind === 'passed' ? outcome : { ...outcome, because: `between addresses of IPv6: ${outcome.because}` };

const gravity = { passed: 0, 'not-run': 1, failed: 2 } as const;

/** The worse of the two, or both if both failed. */
function worse(one: TestOutcome, other: TestOutcome): TestOutcome {
  if (one.kind === 'failed' && other.kind === 'failed') return failed(`${one.because}; ${other.because}`);
  return gravity[other.kind] > gravity[one.kind] ? other : one;
}

/**
 * The VXLAN tests of each node. A test passes once the outcome of every path to and from its peers is known. A lost packet is reported at its destination, or at
 * the one node that explains all losses.
 */
function vxlanOutcomes(
  nodes: readonly ProbedNode[],
  partners: readonly (readonly number[])[],
  reports: ReadonlyMap<string, NodeReport>,
): (node: string) => VxlanTests {
  const linesAt = (node: string) => linesOf(reports.get(node)?.host ?? []);
  const peers = new Map(
    nodes.map(({ name }, index) => [name, (partners[index] ?? []).flatMap((other) => nodes[other] ?? [])]),
  );
  const refusal = (node: ProbedNode, peer: ProbedNode) =>
    allOf(linesAt(node.name), 'vxlan-not').find((one) => one.peer === peer.address);
  const paths = nodes.flatMap((to) =>
    (peers.get(to.name) ?? []).map((from): Path => {
      const sizes = allOf(linesAt(to.name), 'vxlan').flatMap(({ peer, arrives }) =>
        peer === from.address ? [arrives] : [],
      );
      // An answer to a datagram in two parts proves full size. If the card computes wrong checksums, the test packets themselves may not arrive at
      // all.
      const answered = answerTo(from, to.address) === 'software';
      const arrives = answered || sizes.includes('full') ? 'full' : (sizes[0] ?? 'none');
      const untested = absent(from) ?? absent(to) ?? refused(from, to) ?? refused(to, from);
      return { from: from.name, to: to.name, arrives, untested };
    }),
  );
  // Indexed by both ends, because searching all paths of thousands of nodes for each node would be too slow.
  const pathsOf = new Map(nodes.map(({ name }): [string, Path[]] => [name, []]));
  for (const path of paths) for (const end of [path.from, path.to]) pathsOf.get(end)?.push(path);
  function answerTo({ name }: ProbedNode, address: string | null) {
    return allOf(linesAt(name), 'vxlan-answer').find(({ peer }) => peer === address)?.sums;
  }
  function absent({ name, address }: ProbedNode): string | null {
    if (address === null) return `${name} has no address`;
    const own = allOf(linesAt(name), 'vxlan-not').find(({ peer }) => peer === undefined || peer === address);
    if (own !== undefined) return `${name}: ${own.because}`;
    return lineOf(linesAt(name), 'vxlan-sending') === undefined ? `${name} did not send` : null;
  }
  function refused(node: ProbedNode, peer: ProbedNode): string | null {
    const line = refusal(node, peer);
    return line === undefined ? null : `${node.name} to ${peer.name}: ${line.because}`;
  }
  const noRoute = new Map(
    nodes.flatMap((node) => {
      const lost = (peers.get(node.name) ?? []).filter((peer) => refusal(node, peer)?.lacks === 'route');
      const names = lost.map(({ name }) => name);
      return names.length === 0 ? [] : [[node.name, `no route leads to ${inList(names, 4)}`]];
    }),
  );
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const tested = paths.filter(({ untested }) => untested === null);
  const areas = areaKinds.map((kind) => ({
    kind,
    of: (node: string) => byName.get(node)?.[kind] ?? null,
  }));
  const any = faultyNodes(tested, ({ arrives }) => arrives !== 'none', 'nothing', areas);
  const through = tested.filter(({ arrives }) => arrives !== 'none');
  const fullSize = faultyNodes(through, ({ arrives }) => arrives === 'full', 'no packet of full size', areas);
  // Reported at the sender: the answer comes back with a checksum computed in software.
  const sums = paths.flatMap((path): (Path & { sums: 'offloaded' | 'software' })[] => {
    const [from, to] = [byName.get(path.from), byName.get(path.to)];
    const answer = from && to && answerTo(from, to.address);
    return answer === undefined ? [] : [{ ...path, sums: answer }];
  });
  const summed = new Set(sums.map(({ from, to }) => `${from} ${to}`));
  const spoilt = faultyNodes(
    sums.map(({ sums: kind, ...path }) => ({
      ...path,
      arrives: kind === 'offloaded' ? ('full' as const) : ('none' as const),
    })),
    ({ arrives }) => arrives === 'full',
    'no packet with a right sum',
  );
  function sumsOf(node: string): TestOutcome {
    const report = reports.get(node) ?? silentReport(node);
    if ('because' in report.host) return notRun(report.host.because);
    const fault = spoilt.get(node);
    if (fault !== undefined) return failed(`${fault}${driversInWords(nodes, report)}`);
    const open = pathsOf.get(node)?.find(({ from, to }) => from === node && !summed.has(`${from} ${to}`));
    return open === undefined
      ? passed
      : notRun(open.untested ?? `${open.to} did not answer: a firewall there may drop what comes out of the tunnel`);
  }
  const tests = (node: string, among: ReadonlySet<Path>, faults: ReadonlyMap<string, string>): TestOutcome => {
    const report = reports.get(node) ?? silentReport(node);
    if ('because' in report.host) return notRun(report.host.because);
    const fault = faults.get(node);
    if (fault !== undefined) return failed(fault);
    const open = (pathsOf.get(node) ?? []).filter((path) => !among.has(path));
    if (open.length === 0) return passed;
    return notRun(
      open.find(({ untested }) => untested !== null)?.untested ?? 'nothing came through on one of its paths',
    );
  };
  const lost = new Map([...any, ...noRoute].map(([node]) => [node, phrases(any.get(node), noRoute.get(node))]));
  const [allTested, allThrough] = [new Set(tested), new Set(through)];
  return (node: string) => ({
    vxlan: tests(node, allTested, lost),
    'full-size': tests(node, allThrough, fullSize),
    checksums: sumsOf(node),
  });
}

const phrases = (...words: readonly (string | undefined)[]) => words.filter((one) => one !== undefined).join(', and ');
