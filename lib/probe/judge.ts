import { interfacePattern } from '#lib/base/interface-pattern.ts';
import type { NodeMeasurement, TestOutcome } from '#lib/kube/index.ts';
import { bpfFeatures, felixDefaults, kernelVerdict } from '#lib/spec/index.ts';
import { faultyNodes, type Heard } from './faulty-nodes.ts';
import type { ProbedLink, ProbeLine } from './line.ts';
import { peersOf } from './pairs.ts';

/** What a node's two pods said; `because`: why one said nothing, as a phrase about it. */
export type NodeReport = {
  readonly node: string;
  readonly host: readonly ProbeLine[] | { readonly because: string };
  readonly pod: readonly ProbeLine[] | { readonly because: string };
};

export type ProbedNode = {
  readonly name: string;
  readonly distribution: { readonly id: string };
  readonly architecture: string;
  /** IPv4, between which VXLAN goes; null: it has none. */
  readonly address: string | null;
};

export type Question = {
  /** In the order of ADDRESSES. */
  readonly nodes: readonly ProbedNode[];
  readonly endpoint: { readonly host: string; readonly port: string } | null;
  /** Of FelixConfiguration; null: Calico's own. */
  readonly interfacePattern: string | null;
};

const passed: TestOutcome = { kind: 'passed' };
const failed = (because: string): TestOutcome => ({ kind: 'failed', because });
const notRun = (because: string): TestOutcome => ({ kind: 'not-run', because });

type Named<P extends ProbeLine['probe']> = Extract<ProbeLine, { probe: P }>;

function told<P extends ProbeLine['probe']>(lines: readonly ProbeLine[], probe: P): Named<P> | undefined {
  return lines.find((line): line is Named<P> => line.probe === probe);
}

function all<P extends ProbeLine['probe']>(lines: readonly ProbeLine[], probe: P): Named<P>[] {
  return lines.filter((line): line is Named<P> => line.probe === probe);
}

const linesOf = (said: NodeReport['host']): readonly ProbeLine[] => ('because' in said ? [] : said);

/** What the nodes said, as the outcome of each test. Of other nodes and addresses than were asked about, nothing is believed. */
export function judge(question: Question, reports: readonly NodeReport[]): NodeMeasurement[] {
  const byNode = new Map(reports.map((report) => [report.node, report]));
  const vxlan = judgeVxlan(question, byNode);
  return question.nodes.map((node) => {
    const report = byNode.get(node.name) ?? silent(node.name);
    const host = endpointOutcome(question, report.host);
    const said = told(linesOf(report.host), 'endpoint');
    const of = (judged: (lines: readonly ProbeLine[]) => TestOutcome): TestOutcome =>
      'because' in report.host ? notRun(report.host.because) : judged(report.host);
    return {
      node: node.name,
      ms: host.kind === 'passed' && said?.ok ? said.ms : null,
      asked: 'connection',
      tests: {
        'endpoint-from-host': host,
        'endpoint-from-pod': endpointOutcome(question, report.pod),
        programs: of((lines) => programs(node, lines)),
        mounts: of(mounts),
        interfaces: of((lines) => interfaces(question, node, lines)),
        ...vxlan(node.name),
      },
    };
  });
}

const silent = (node: string): NodeReport => {
  const nothing = { because: 'no pod reported from there' };
  return { node, host: nothing, pod: nothing };
};

function endpointOutcome({ endpoint }: Question, said: NodeReport['host']): TestOutcome {
  if (endpoint === null) return notRun('there is no address to test');
  if ('because' in said) return notRun(said.because);
  const line = told(said, 'endpoint');
  if (line === undefined || line.host !== endpoint.host || line.port !== endpoint.port) return notRun('it did not say');
  return line.ok ? passed : failed(`${endpoint.host}:${endpoint.port}: ${line.because}`);
}

/** A feature that is missing can only fail; that all are there counts on a kernel that is known to run this (issue: measured beats assumed). */
function programs(node: ProbedNode, lines: readonly ProbeLine[]): TestOutcome {
  const [kernel, features] = [told(lines, 'node')?.kernel, told(lines, 'features')];
  if (kernel === undefined || features === undefined) return notRun('it did not say');
  if (!['amd64', 'arm64', ''].includes(node.architecture)) return failed(`there are none for ${node.architecture}`);
  if (features.available.length === 0) return notRun('bpftool said nothing');
  const missing = bpfFeatures.filter(({ feature }) => features.missing.includes(feature));
  if (missing.length > 0)
    return failed(
      `kernel ${kernel} lacks ${missing.map(({ feature, neededFor }) => `${feature} (${neededFor})`).join(', ')}`,
    );
  const { has, floor } = kernelVerdict({ distribution: node.distribution, kernel });
  if (has === 'no') return failed(`kernel ${kernel}, ${floor} is needed`);
  return has === 'yes' ? passed : notRun(`kernel ${kernel} is not known to run them`);
}

function mounts(lines: readonly ProbeLine[]): TestOutcome {
  const said = told(lines, 'mounts');
  if (said === undefined) return notRun('it did not say');
  const { bpffs, cgroup } = said;
  if (!bpffs.known && !bpffs.mounted) return failed('the kernel has no bpffs');
  if (!cgroup.known && !cgroup.mounted) return failed('the kernel has no cgroup2');
  if (!cgroup.mounted && !cgroup.writable) return failed(`${cgroup.path} cannot be made: its folder is read-only`);
  return passed;
}

/** Links that carry the node's address; where it has none among them, those of its default routes. */
function interfaces({ interfacePattern: given }: Question, node: ProbedNode, lines: readonly ProbeLine[]): TestOutcome {
  const links = all(lines, 'link').flatMap(({ data }) => data);
  if (links.length === 0) return notRun('it did not say');
  const defaults = new Set((told(lines, 'routes')?.data ?? []).map(({ dev }) => dev));
  const addressed = links.filter((link) => link.addr_info.some(({ local }) => local === node.address));
  const carrying = addressed.length > 0 ? addressed : links.filter(({ ifname }) => defaults.has(ifname));
  if (carrying.length === 0) return failed('no interface carries its address or a default route');
  const pattern = interfacePattern(given ?? felixDefaults.bpfDataIfacePattern);
  if (pattern.kind !== 'usable') return notRun('the pattern of FelixConfiguration cannot be judged here');
  for (const link of carrying) {
    const kind = kindOf(link);
    if (kind === 'vlan') return failed(`${link.ifname}, which carries its address, has a VLAN tag`);
    if (!pattern.matches(link.ifname))
      return failed(`${link.ifname}, which carries its address, is not matched by bpfDataIfacePattern`);
  }
  return passed;
}

const kindOf = ({ linkinfo }: ProbedLink) => linkinfo?.info_kind ?? '';

/** Both tests of VXLAN, for each node. A packet that was seen nowhere is told where it should have come out, or of the one node that explains all. */
function judgeVxlan({ nodes }: Question, reports: ReadonlyMap<string, NodeReport>) {
  const linesAt = (node: string) => linesOf(reports.get(node)?.host ?? []);
  const isSending = (node: string) => told(linesAt(node), 'vxlan-sending') !== undefined;
  const refused = (node: string) => all(linesAt(node), 'vxlan-not');
  const pairs: Heard[] = [];
  for (const [place, to] of nodes.entries()) {
    if (to.address === null || !isSending(to.name)) continue;
    const arrivals = new Map<string, 'small' | 'full'>();
    for (const { peer, arrives } of all(linesAt(to.name), 'vxlan'))
      if (arrivals.get(peer) !== 'full') arrivals.set(peer, arrives);
    const without = new Set(refused(to.name).map(({ peer }) => peer));
    for (const other of peersOf(place, nodes.length)) {
      const from = nodes[other];
      if (!from || from.address === null || !isSending(from.name) || without.has(from.address)) continue;
      if (refused(from.name).some(({ peer }) => peer === to.address)) continue;
      pairs.push({ from: from.name, to: to.name, arrives: arrivals.get(from.address) ?? 'none' });
    }
  }
  const any = faultyNodes(pairs, ({ arrives }) => arrives !== 'none', 'nothing');
  const through = pairs.filter(({ arrives }) => arrives !== 'none');
  const whole = faultyNodes(through, ({ arrives }) => arrives === 'full', 'no packet of full size');
  const tests = (node: string, among: readonly Heard[], faults: ReadonlyMap<string, string>): TestOutcome => {
    const report = reports.get(node) ?? silent(node);
    if ('because' in report.host) return notRun(report.host.because);
    const fault = faults.get(node);
    if (fault !== undefined) return failed(fault);
    if (among.some(({ from, to }) => from === node || to === node)) return passed;
    if (nodes.length === 1) return passed;
    return notRun(refused(node)[0]?.because ?? 'no other node was there to test with');
  };
  return (node: string) => ({
    vxlan: tests(node, pairs, any),
    'full-size': tests(node, through, whole),
  });
}
