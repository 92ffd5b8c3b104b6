import { interfacePattern } from '#lib/base/interface-pattern.ts';
import { hostAndPort } from '#lib/base/ip.ts';
import { counted, inList } from '#lib/base/words.ts';
import type { NodeMeasurement, TestOutcome } from '#lib/kube/index.ts';
import {
  belowAdvice,
  bpfFeatures,
  bpfMapsKb,
  felixDefaults,
  inAnyRange,
  kernelFlavourOf,
  kernelGates,
  kernelVerdict,
} from '#lib/spec/index.ts';
import { embeddingPrograms } from './embedding-programs.ts';
import { askedServices, type ProbedLink, type ProbeLine } from './line.ts';
import type { ProbeSettings } from './objects.ts';
import { faultyNodes, type Heard } from './partners/faulty-nodes.ts';
import { areaKinds, choosePartners, type Partners, type Placed, partnersOf } from './partners/partners.ts';

/** What a node's two pods said; `because`: why one said nothing, as a phrase about it. */
export type NodeReport = {
  readonly node: string;
  readonly host: readonly ProbeLine[] | { readonly because: string };
  readonly pod: readonly ProbeLine[] | { readonly because: string };
  /** Whether the images that the plan brings there were pulled; left out: only that of these pods was asked for. */
  readonly images?: TestOutcome;
};

export type ProbedNode = Placed & {
  readonly name: string;
  readonly distribution: { readonly id: string; readonly version?: string | null };
  readonly architecture: string;
  /** IPv4, between which VXLAN goes; null: it has none. */
  readonly address: string | null;
  /** IPv6, between which it goes too; null: it has none; left out: none goes there. */
  readonly addressV6?: string | null;
};

export type Question = {
  /** In the order of ADDRESSES. */
  readonly nodes: readonly ProbedNode[];
  /** Who tests with whom, by their places; left out: as is chosen for these. */
  readonly partners?: Partners;
  readonly endpoint: { readonly host: string; readonly port: string } | null;
  /** That every pod asks; left out: none is known. */
  readonly services?: ProbeSettings['services'];
  /** Those behind the API's Service; left out: none is known. */
  readonly apiServers?: readonly { readonly host: string; readonly port: string }[];
  /** Of FelixConfiguration; null: Calico's own. */
  readonly interfacePattern: string | null;
  /** Of Calico, that runs after the plan; null: not known. */
  readonly release: string | null;
  /** Whether packets with the address of another node were asked for. */
  readonly dsr?: boolean;
  /** Why what the plan brings could not be asked for, as a phrase; left out: it was, or the plan brings nothing. */
  readonly untoldImages?: string;
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
export function measurementsOf(question: Question, reports: readonly NodeReport[]): NodeMeasurement[] {
  const byNode = new Map(reports.map((report) => [report.node, report]));
  const vxlan = outcomesOfFamilies(question, byNode);
  const reached = reachedServers(question, reports);
  return question.nodes.map((node) => {
    const report = byNode.get(node.name) ?? silent(node.name);
    const host = endpointOutcome(question, report.host, reached);
    const said = told(linesOf(report.host), 'endpoint');
    const of = (judged: (lines: readonly ProbeLine[]) => TestOutcome): TestOutcome =>
      'because' in report.host ? notRun(report.host.because) : judged(report.host);
    return {
      node: node.name,
      ms: host.kind === 'passed' && said?.ok ? said.ms : null,
      asked: 'connection',
      addresses: [node.address, node.addressV6].filter((one) => typeof one === 'string'),
      linkMtu: linkMtu(node, linesOf(report.host)),
      proxy: whatServes(told(linesOf(report.host), 'proxy')),
      tests: {
        'endpoint-from-host': host,
        'endpoint-from-pod': endpointOutcome(question, report.pod, reached),
        ...servicesOutcomes(question, report),
        programs: of((lines) => programs(question, node, lines)),
        mounts: of(mounts),
        interfaces: of((lines) => interfaces(question, node, lines)),
        'vlan-devices': of((lines) => vlanDevices(node, lines)),
        'service-proxy': of(serviceProxy),
        ipvs: of(ipvs),
        'health-port': of(healthPort),
        ...vxlan(node.name),
        ...(question.dsr ? { 'foreign-source': of((lines) => foreignSource(question, byNode, node, lines)) } : {}),
        images: imagesOutcome(question, report.images ?? of(() => passed)),
      },
    };
  });
}

const silent = (node: string): NodeReport => {
  const nothing = { because: 'no pod reported from there' };
  return { node, host: nothing, pod: nothing };
};

/** What nobody could ask for did not come, however well the others did. */
function imagesOutcome({ untoldImages }: Question, outcome: TestOutcome): TestOutcome {
  return outcome.kind === 'passed' && untoldImages !== undefined ? notRun(untoldImages) : outcome;
}

/** API servers that some node reaches. One that none does is no fault of a node. */
function reachedServers({ apiServers = [] }: Question, reports: readonly NodeReport[]): ReadonlySet<string> {
  const asked = new Set(apiServers.map(hostAndPort));
  const answers = reports.flatMap(({ host, pod }) => [host, pod].flatMap((said) => all(linesOf(said), 'api-server')));
  return new Set(answers.flatMap((line) => (line.ok && asked.has(hostAndPort(line)) ? [hostAndPort(line)] : [])));
}

/**
 * The address itself, each of those that its name has there, and every API server behind the API's Service that another pod of the test reaches: of one that is let through to a load balancer
 * alone, connections to the ClusterIP fail by turns (pain A14).
 */
function endpointOutcome({ endpoint }: Question, said: NodeReport['host'], reached: ReadonlySet<string>): TestOutcome {
  if (endpoint === null) return notRun('there is no address to test');
  if ('because' in said) return notRun(said.because);
  const line = told(said, 'endpoint');
  if (line === undefined || line.host !== endpoint.host || line.port !== endpoint.port) return notRun('it did not say');
  const asked = `${endpoint.host}:${endpoint.port}`;
  // Which of them does not answer says more than that the name, which leads to it first, does not.
  const addresses = all(said, 'endpoint-address').filter(({ port }) => port === endpoint.port);
  const away = addresses.flatMap((one) => (one.ok ? [] : [`${one.host}: ${one.because}`]));
  if (away.length > 0) return failed(`${asked}: ${away.length} of its ${addresses.length} addresses, ${away[0]}`);
  if (!line.ok) return failed(`${asked}: ${line.because}`);
  const lost = all(said, 'api-server').flatMap((one) =>
    !one.ok && reached.has(hostAndPort(one)) ? [`${hostAndPort(one)}: ${one.because}`] : [],
  );
  return lost.length === 0
    ? passed
    : failed(`an API server that others reach, ${lost[0]}${lost.length > 1 ? `, and ${lost.length - 1} more` : ''}`);
}

/** From the host and from a pod, where there is something to ask. */
function servicesOutcomes({ services }: Question, { host, pod }: NodeReport): Partial<NodeMeasurement['tests']> {
  const asked = services === undefined ? [] : asking(services);
  if (asked.length === 0) return {};
  const outcome = (said: NodeReport['host']): TestOutcome => {
    if ('because' in said) return notRun(said.because);
    const lines = asked.map(({ probe, place, words }) => {
      const line = said.find((one) => one.probe === probe && one.host === place.host && one.port === place.port);
      return { words: `${words}, ${hostAndPort(place)}`, line: line as Named<typeof probe> | undefined };
    });
    const silent = lines.flatMap(({ words, line }) => (line?.ok === false ? [`${words}: ${line.because}`] : []));
    if (silent.length > 0) return failed(silent.join('; '));
    const untold = lines.find(({ line }) => line === undefined);
    return untold === undefined ? passed : notRun(`it did not say of ${untold.words}`);
  };
  return { 'services-from-host': outcome(host), 'services-from-pod': outcome(pod) };
}

type AskedService = (typeof askedServices)[number];

const servicesAsked: Record<AskedService, { readonly of: 'api' | 'dns'; readonly words: string }> = {
  'service-api': { of: 'api', words: 'the ClusterIP of the API' },
  'service-dns-udp': { of: 'dns', words: 'cluster DNS over UDP' },
  'service-dns-tcp': { of: 'dns', words: 'cluster DNS over TCP' },
};

function asking(services: NonNullable<ProbeSettings['services']>) {
  return askedServices.flatMap((probe) => {
    const { of, words } = servicesAsked[probe];
    const place = services[of];
    return place === null ? [] : [{ probe, place, words }];
  });
}

/**
 * A feature that is missing can only fail. That all are there counts on a kernel on which Calico's documentation says that this runs, and of which no
 * fault with this release is known: nothing here loads the release's programs.
 */
function programs({ release }: Question, node: ProbedNode, lines: readonly ProbeLine[]): TestOutcome {
  const [kernel, features] = [told(lines, 'node')?.kernel, told(lines, 'features')];
  if (kernel === undefined || features === undefined) return notRun('it did not say');
  if (!['amd64', 'arm64', ''].includes(node.architecture)) return failed(`there are none for ${node.architecture}`);
  if (features.available.length + features.missing.length === 0) return notRun('bpftool said nothing');
  const missing = bpfFeatures.filter(({ feature }) => features.missing.includes(feature));
  if (missing.length > 0)
    return failed(
      `kernel ${kernel} lacks ${missing.map(({ feature, neededFor }) => `${feature} (${neededFor})`).join(', ')}`,
    );
  const { has, floor } = kernelVerdict({ distribution: node.distribution, kernel });
  if (has === 'no') return failed(`kernel ${kernel}, ${floor} is needed`);
  if (features.exit !== 0) return notRun(`bpftool ended with ${features.exit}`);
  const untold = bpfFeatures.filter(({ feature }) => !features.available.includes(feature));
  if (untold.length > 0) return notRun(`bpftool did not say of ${untold.map(({ feature }) => feature).join(', ')}`);
  const { memoryKb } = features;
  if (typeof memoryKb === 'number' && memoryKb < bpfMapsKb.least)
    return failed(`${Math.floor(memoryKb / 1024)} MiB of memory are left, and its maps take ${bpfMapsKb.least / 1024}`);
  // Null: only the machine's first network namespace tells, which is not that of a node in a container. The interpreter runs programs too.
  if (features.jit === 0) return notRun('its kernel compiles no programs (net.core.bpf_jit_enable is 0)');
  const doubt = has === 'yes' ? doubtAbout({ ...node, kernel }, release) : 'it tells no version';
  return doubt === null ? passed : notRun(`kernel ${kernel} is not known to run them: ${doubt}`);
}

/** Why a kernel that is new enough, with all features, may still refuse the programs of a release; null: nothing speaks against it. */
function doubtAbout(node: ProbedNode & { readonly kernel: string }, release: string | null): string | null {
  if (node.distribution.id === 'unknown') return 'its distribution is none that is known here';
  const flavour = kernelFlavourOf(node.kernel);
  if (flavour !== null) return `it was built without ${flavour.lacks}`;
  const advised = belowAdvice(
    { kernel: node.kernel, distribution: { version: null, ...node.distribution } },
    'generic',
  );
  if (advised !== null) return `Calico's documentation asks for ${advised}`;
  const gate = kernelGates.find(
    ({ action, kernel, toRelease }) =>
      action === 'block' &&
      inAnyRange(node.kernel, kernel ?? []) !== 'no' &&
      (release === null || inAnyRange(release, toRelease ?? []) !== 'no'),
  );
  return gate === undefined ? null : `${gate.condition} goes wrong`;
}

function mounts(lines: readonly ProbeLine[]): TestOutcome {
  const said = told(lines, 'mounts');
  if (said === undefined) return notRun('it did not say');
  const { bpffs, cgroup, flexvolume } = said;
  if (!bpffs.known && !bpffs.mounted) return failed('the kernel has no bpffs');
  if (!cgroup.known && !cgroup.mounted) return failed('the kernel has no cgroup2');
  if (!cgroup.mounted && !cgroup.writable) return failed(`${cgroup.path} cannot be made: its folder is read-only`);
  if (flexvolume?.writable === false) return failed(`${flexvolume.path} cannot be made: its folder is read-only`);
  return passed;
}

/** A service of the system; what runs in a pod is in a group of its container. */
const unitOf = (group: string): string | null => /(?:^|\/)([^/]+\.service)$/.exec(group)?.[1] ?? null;

function whatServes(said: Named<'proxy'> | undefined): NodeMeasurement['proxy'] {
  if (said === undefined) return null;
  if (said.processes.some(({ group }) => unitOf(group) !== null)) return 'outside';
  if (said.processes.length > 0) return 'in-pod';
  if (said.rules || said.mode) return 'rules';
  // Theirs may keep its rules where the script does not look.
  return (said.embedding ?? []).length > 0 ? null : 'none';
}

/** No plan turns one off that is a service of the node (pain B1). */
function serviceProxy(lines: readonly ProbeLine[]): TestOutcome {
  const said = told(lines, 'proxy');
  if (said === undefined) return notRun('it did not say');
  const unit = said.processes.map(({ group }) => unitOf(group)).find((one) => one !== null);
  return unit === undefined ? passed : failed(`kube-proxy runs as a service of the system, ${unit}`);
}

/** What IPVS leaves holds Services' addresses also once its proxy is gone (pain B3). */
function ipvs(lines: readonly ProbeLine[]): TestOutcome {
  const said = told(lines, 'proxy');
  if (said === undefined) return notRun('it did not say');
  const { ipvsServices: serves = 0 } = said;
  if (said.ipvs)
    return failed(
      `it has the device kube-ipvs0${serves > 0 ? `, and IPVS serves ${counted(serves, 'address', 'addresses')}` : ''}`,
    );
  // What runs is not always what was asked for: older ones fall back to iptables.
  if (said.mode) return said.mode === 'ipvs' ? failed('its kube-proxy says that it runs in IPVS mode') : passed;
  return said.processes.some(({ mode }) => mode === 'ipvs') ? failed('its kube-proxy is set to IPVS mode') : passed;
}

function healthPort(lines: readonly ProbeLine[]): TestOutcome {
  const said = told(lines, 'proxy');
  if (said === undefined) return notRun('it did not say');
  const { healthPort: owner } = said;
  if (owner === null || proxyProcesses.some((one) => owner.startsWith(one))) return passed;
  return owner === ''
    ? notRun('something listens at port 10256, and its name is not to be seen')
    : failed(`${owner} listens at port 10256`);
}

/** What rightly answers there: kube-proxy and what has it in one process, and Calico's agent in its place (pain B2). */
const proxyProcesses = ['kube-proxy', 'calico-node', ...embeddingPrograms];

function interfaces({ interfacePattern: given }: Question, node: ProbedNode, lines: readonly ProbeLine[]): TestOutcome {
  const carrying = carryingLinks(node, lines);
  if ('untold' in carrying) return carrying.untold;
  const pattern = interfacePattern(given ?? felixDefaults.bpfDataIfacePattern);
  if (pattern.kind !== 'usable') return notRun('the pattern of FelixConfiguration cannot be judged here');
  const missed = carrying.links.find(({ ifname }) => !pattern.matches(ifname));
  return missed === undefined
    ? passed
    : failed(`${missed.ifname}, which carries its address, is not matched by bpfDataIfacePattern`);
}

/** Tags are not read on the link that carries the address, on those below it, nor where tagged links lie on one of these (pain D5). */
function vlanDevices(node: ProbedNode, lines: readonly ProbeLine[]): TestOutcome {
  const carrying = carryingLinks(node, lines);
  if ('untold' in carrying) return carrying.untold;
  const links = linksOfNode(lines);
  const way = new Set(carrying.links);
  for (const link of way)
    for (const other of links) if (other.ifname === link.link || other.master === link.ifname) way.add(other);
  const names = new Set([...way].map(({ ifname }) => ifname));
  const tagged = links.find((link) => kindOf(link) === 'vlan' && (way.has(link) || names.has(link.link ?? '')));
  if (tagged === undefined) return passed;
  return failed(
    way.has(tagged)
      ? `${tagged.ifname}, through which its address is reached, has a VLAN tag`
      : `${tagged.ifname} has a VLAN tag and lies on ${tagged.link}, through which its address is reached`,
  );
}

const linksOfNode = (lines: readonly ProbeLine[]) => all(lines, 'link').flatMap(({ data }) => data);
const kindOf = ({ linkinfo }: ProbedLink) => linkinfo?.info_kind ?? '';

/** Links that carry the node's address; where it has none among them, those of its default routes. */
function carryingLinks(
  node: ProbedNode,
  lines: readonly ProbeLine[],
): { readonly links: readonly ProbedLink[] } | { readonly untold: TestOutcome } {
  const links = linksOfNode(lines);
  if (links.length === 0) return { untold: notRun('it did not say') };
  const defaults = new Set((told(lines, 'routes')?.data ?? []).map(({ dev }) => dev));
  const addressed = links.filter((link) => link.addr_info.some(({ local }) => local === node.address));
  const carrying = addressed.length > 0 ? addressed : links.filter(({ ifname }) => defaults.has(ifname));
  if (carrying.length > 0) return { links: carrying };
  const because = 'no interface carries its address or a default route';
  const left = told(lines, 'links-left')?.count ?? 0;
  return { untold: left > 0 ? notRun(`${because}, of those that were listed: ${left} were not`) : failed(because) };
}

/** The largest packet that each link with the node's address takes, in bytes; null: it did not say. */
function linkMtu(node: ProbedNode, lines: readonly ProbeLine[]): number | null {
  const carrying = carryingLinks(node, lines);
  return 'untold' in carrying ? null : Math.min(...carrying.links.map(({ mtu }) => mtu));
}

/** From one node to another that it tests with: what arrived, or why nobody could tell. */
type Path = { readonly from: string; readonly to: string; readonly untested: string | null } & Pick<Heard, 'arrives'>;

type VxlanTests = Record<'vxlan' | 'full-size' | 'checksums', TestOutcome>;

/** Where VXLAN goes between addresses of IPv6 too, a test passes that passes in both; of IPv6 that is said. */
function outcomesOfFamilies(
  { nodes, partners = choosePartners(nodes) }: Question,
  reports: ReadonlyMap<string, NodeReport>,
): (node: string) => VxlanTests {
  const partnersByPlace = partnersOf(partners);
  const first = vxlanOutcomes(nodes, partnersByPlace, reports);
  if (nodes.every(({ addressV6 }) => addressV6 === undefined)) return first;
  const second = vxlanOutcomes(
    // Subnets are those of IPv4.
    nodes.map(({ addressV6 = null, ...node }) => ({ ...node, address: addressV6, subnet: null })),
    partnersByPlace,
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

/** Both, where both failed. */
function worse(one: TestOutcome, other: TestOutcome): TestOutcome {
  if (one.kind === 'failed' && other.kind === 'failed') return failed(`${one.because}; ${other.because}`);
  return gravity[other.kind] > gravity[one.kind] ? other : one;
}

/**
 * The tests of VXLAN, for each node, which passes once every path to and from its peers was judged. A packet that was seen nowhere is told where it
 * should have come out, or of the one node that explains all.
 */
function vxlanOutcomes(
  nodes: readonly ProbedNode[],
  partners: readonly (readonly number[])[],
  reports: ReadonlyMap<string, NodeReport>,
): (node: string) => VxlanTests {
  const linesAt = (node: string) => linesOf(reports.get(node)?.host ?? []);
  const peers = new Map(
    nodes.map(({ name }, place) => [name, (partners[place] ?? []).flatMap((other) => nodes[other] ?? [])]),
  );
  const refusal = (node: ProbedNode, peer: ProbedNode) =>
    all(linesAt(node.name), 'vxlan-not').find((one) => one.peer === peer.address);
  const paths = nodes.flatMap((to) =>
    (peers.get(to.name) ?? []).map((from): Path => {
      const sizes = all(linesAt(to.name), 'vxlan').flatMap(({ peer, arrives }) =>
        peer === from.address ? [arrives] : [],
      );
      // Who got an answer to a datagram in two parts sent one of full size; where its card spoils sums, the test packets themselves may arrive nowhere.
      const answered = answerTo(from, to.address) === 'software';
      const arrives = answered || sizes.includes('full') ? 'full' : (sizes[0] ?? 'none');
      const untested = absent(from) ?? absent(to) ?? refused(from, to) ?? refused(to, from);
      return { from: from.name, to: to.name, arrives, untested };
    }),
  );
  // By both their ends, in order: of all paths of thousands of nodes none can look for its own.
  const pathsOf = new Map(nodes.map(({ name }): [string, Path[]] => [name, []]));
  for (const path of paths) for (const end of [path.from, path.to]) pathsOf.get(end)?.push(path);
  function answerTo({ name }: ProbedNode, address: string | null) {
    return all(linesAt(name), 'vxlan-answer').find(({ peer }) => peer === address)?.sums;
  }
  function absent({ name, address }: ProbedNode): string | null {
    if (address === null) return `${name} has no address`;
    const own = all(linesAt(name), 'vxlan-not').find(({ peer }) => peer === undefined || peer === address);
    if (own !== undefined) return `${name}: ${own.because}`;
    return told(linesAt(name), 'vxlan-sending') === undefined ? `${name} did not send` : null;
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
  const whole = faultyNodes(through, ({ arrives }) => arrives === 'full', 'no packet of full size', areas);
  // Who sends is told: the answer comes back in a sum of software.
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
    const report = reports.get(node) ?? silent(node);
    if ('because' in report.host) return notRun(report.host.because);
    const fault = spoilt.get(node);
    if (fault !== undefined) return failed(`${fault}${driversInWords(nodes, report)}`);
    const open = pathsOf.get(node)?.find(({ from, to }) => from === node && !summed.has(`${from} ${to}`));
    return open === undefined
      ? passed
      : notRun(open.untested ?? `${open.to} did not answer: a firewall there may drop what comes out of the tunnel`);
  }
  const tests = (node: string, among: ReadonlySet<Path>, faults: ReadonlyMap<string, string>): TestOutcome => {
    const report = reports.get(node) ?? silent(node);
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
    'full-size': tests(node, allThrough, whole),
    checksums: sumsOf(node),
  });
}

/** Of its network cards: which of them compute wrong sums is known by their drivers (pain D3). */
function driversInWords(nodes: readonly ProbedNode[], { node, host }: NodeReport): string {
  const probed = nodes.find(({ name }) => name === node);
  const carrying = probed && carryingLinks(probed, linesOf(host));
  if (carrying === undefined || 'untold' in carrying) return '';
  const names = new Set(carrying.links.map(({ ifname }) => ifname));
  const drivers = all(linesOf(host), 'link').flatMap(({ driver, data }) =>
    driver && data.some(({ ifname, master }) => names.has(ifname) || names.has(master ?? '')) ? [driver] : [],
  );
  return drivers.length > 0 ? ` (driver: ${[...new Set(drivers)].join(', ')})` : '';
}

/** The node that sends with the address of another one names who ought to hear it, and that one says whether it did. */
function foreignSource(
  { nodes }: Question,
  reports: ReadonlyMap<string, NodeReport>,
  node: ProbedNode,
  lines: readonly ProbeLine[],
): TestOutcome {
  const sending = told(lines, 'dsr-sending');
  if (sending === undefined) return notRun(told(lines, 'dsr-not')?.because ?? 'it sent none');
  const peer = nodes.find(({ address }) => address === sending.peer);
  const heard = linesOf(reports.get(peer?.name ?? '')?.host ?? []);
  if (peer === undefined || !told(heard, 'dsr-listening')?.peers.some((address) => address === node.address))
    return notRun(`${peer?.name ?? sending.peer} did not listen`);
  if (all(heard, 'dsr').some((line) => line.peer === node.address)) return passed;
  return all(heard, 'vxlan').every((line) => line.peer !== node.address)
    ? notRun(`nothing that it sends arrives at ${peer.name}, with its own address neither`)
    : failed(`what it sends with the address ${sending.as} does not arrive at ${peer.name}`);
}

const phrases = (...words: readonly (string | undefined)[]) => words.filter((one) => one !== undefined).join(', and ');
