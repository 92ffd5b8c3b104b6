import { expect, test } from 'vitest';
import { bpfFeatures, type NodeTest } from '#lib/spec/index.ts';
import type { ProbeLine } from './line.ts';
import { measurementsOf } from './measurements.ts';
import type { NodeReport } from './outcomes/report.ts';

const names = ['a', 'b', 'c'];
const addressOf = (name: string) => `10.0.0.${names.indexOf(name) + 1}`;
const question = {
  nodes: names.map((name) => ({
    name,
    distribution: { id: 'ubuntu' },
    architecture: 'amd64',
    address: addressOf(name),
  })),
  endpoint: null,
  interfacePattern: null,
  release: 'v3.31.4',
};
type Lines = Readonly<Record<string, readonly ProbeLine[]>>;
const report = (node: string, lines: readonly ProbeLine[]): NodeReport => ({
  node,
  host: lines,
  pod: { because: 'there is none' },
});

/** The lines `node test: kind, why` of both VXLAN tests. `replaced` replaces the output of nodes. */
function vxlan(replaced: Lines): string[] {
  const heard = (node: string): ProbeLine[] =>
    names
      .filter((other) => other !== node)
      .map((other) => ({ v: 1, probe: 'vxlan', peer: addressOf(other), arrives: 'full' }));
  const reports = names.map((node) =>
    report(node, [{ v: 1, probe: 'vxlan-sending', tunnels: 2 }, ...(replaced[node] ?? heard(node))]),
  );
  return measurementsOf(question, reports).flatMap(({ node, tests }) =>
    (['vxlan', 'full-size'] as const).map((id) => {
      const outcome = tests[id];
      return `${node} ${id}: ${outcome.kind}${outcome.kind === 'passed' ? '' : `, ${outcome.because}`}`;
    }),
  );
}

const from = (peer: string, arrives: 'small' | 'full' = 'full'): ProbeLine => ({
  v: 1,
  probe: 'vxlan',
  peer: addressOf(peer),
  arrives,
});
const not = (peer: string, because: string, lacks?: 'route'): ProbeLine => ({
  v: 1,
  probe: 'vxlan-not',
  peer: addressOf(peer),
  because,
  ...(lacks === undefined ? {} : { lacks }),
});

test('no route to a peer fails the node that has none, and leaves the peer untested', () => {
  expect(vxlan({ a: [not('b', 'no route leads there', 'route'), from('c')] })).toEqual([
    'a vxlan: failed, no route leads to b',
    'a full-size: not-run, a to b: no route leads there',
    'b vxlan: not-run, a to b: no route leads there',
    'b full-size: not-run, a to b: no route leads there',
    'c vxlan: passed',
    'c full-size: passed',
  ]);
});

test('a pair that could not be tested keeps both its ends from passing', () => {
  expect(vxlan({ a: [not('b', 'RTNETLINK answers: File exists'), from('c')] })).toEqual([
    'a vxlan: not-run, a to b: RTNETLINK answers: File exists',
    'a full-size: not-run, a to b: RTNETLINK answers: File exists',
    'b vxlan: not-run, a to b: RTNETLINK answers: File exists',
    'b full-size: not-run, a to b: RTNETLINK answers: File exists',
    'c vxlan: passed',
    'c full-size: passed',
  ]);
});

test('where VXLAN goes between addresses of IPv6 too, what is wrong with these is said', () => {
  const v6 = (name: string) => `fd00::${names.indexOf(name) + 1}`;
  const nodes = question.nodes.map((node) => ({ ...node, addressV6: node.name === 'c' ? null : v6(node.name) }));
  const linesOf = (node: string): ProbeLine[] =>
    names
      .filter((other) => other !== node)
      .flatMap((other) => [
        from(other),
        ...(node === 'b' ? [] : [{ v: 1, probe: 'vxlan', peer: v6(other), arrives: 'full' } as const]),
      ]);
  const reports = names.map((node) => report(node, [{ v: 1, probe: 'vxlan-sending', tunnels: 4 }, ...linesOf(node)]));
  expect(measurementsOf({ ...question, nodes }, reports).map(({ node, tests }) => [node, tests.vxlan])).toEqual([
    ['a', { kind: 'not-run', because: 'between addresses of IPv6: c has no address' }],
    ['b', { kind: 'failed', because: 'between addresses of IPv6: nothing arrives there from a' }],
    ['c', { kind: 'not-run', because: 'between addresses of IPv6: c has no address' }],
  ]);
});

test('a way between two zones over which no whole packet passes is told as that, and so is one between subnets', () => {
  const all = ['a', 'b', 'c', 'd'];
  const at = (name: string) => `10.0.0.${all.indexOf(name) + 1}`;
  const sideOf = (name: string) => (name < 'c' ? 'left' : 'right');
  const outcomesBy = (kind: 'zone' | 'subnet') =>
    measurementsOf(
      {
        ...question,
        nodes: all.map((name) => ({
          ...{ name, distribution: { id: 'ubuntu' }, architecture: 'amd64', address: at(name) },
          [kind]: sideOf(name),
        })),
      },
      all.map((node) =>
        report(node, [
          { v: 1, probe: 'vxlan-sending', tunnels: 3 },
          ...all
            .filter((other) => other !== node)
            .map((other): ProbeLine => {
              const isLost = sideOf(other) === 'left' && sideOf(node) === 'right';
              return { v: 1, probe: 'vxlan', peer: at(other), arrives: isLost ? 'small' : 'full' };
            }),
        ]),
      ),
    ).map(({ tests }) => tests['full-size']);
  for (const kind of ['zone', 'subnet'] as const) {
    const because = `no packet of full size arrives in ${kind} right from ${kind} left`;
    expect(outcomesBy(kind)).toEqual([
      ...[{ kind: 'passed' }, { kind: 'passed' }],
      ...[
        { kind: 'failed', because },
        { kind: 'failed', because },
      ],
    ]);
  }
});

const fine = bpfFeatures.map(({ feature }) => feature);
const features = (fields: Partial<Extract<ProbeLine, { probe: 'features' }>> = {}): ProbeLine => ({
  ...{ v: 1, probe: 'features', jit: 1, btf: true, available: fine, missing: [], exit: 0 },
  ...fields,
});
type QuestionOf = { id?: string; release?: string };
const programs = (
  line: ProbeLine,
  kernel = '6.8.0-45-generic',
  { id = 'ubuntu', release = 'v3.31.4' }: QuestionOf = {},
) => outcome('programs', [{ v: 1, probe: 'node', boot: 'x', kernel }, line], { id, release });

/** The outcome for node a with this output. */
function outcome(test: NodeTest, lines: readonly ProbeLine[], { id = 'ubuntu', release = 'v3.31.4' }: QuestionOf = {}) {
  const nodes = question.nodes.map((node) => ({ ...node, distribution: { id } }));
  const outcome = measurementsOf({ ...question, nodes, release }, [report('a', lines)])[0]?.tests[test];
  return outcome?.kind === 'passed' ? 'passed' : `${outcome?.kind}: ${outcome?.because}`;
}

test.each<[string, string, string]>([
  ['all is there', programs(features()), 'passed'],
  ['in a network namespace of its own', programs(features({ jit: null })), 'passed'],
  ['one is missing', programs(features({ missing: ['lpm_trie'] })), 'failed: kernel 6.8.0-45-generic lacks lpm_trie'],
  ['nothing is said of one', programs(features({ available: fine.slice(1) })), 'not-run: bpftool did not say of sched'],
  ['bpftool was cut off', programs(features({ exit: 124 })), 'not-run: bpftool ended with 124'],
  ['no compiler', programs(features({ jit: 0 })), 'not-run: its kernel compiles no programs'],
  [
    'older than the documentation asks for',
    programs(features(), '5.4.0-150-generic'),
    'not-run: not verified that kernel 5.4.0-150',
  ],
  [
    'built without a part',
    programs(features(), '5.15.0-1050-kvm'),
    'not-run: not verified that kernel 5.15.0-1050-kvm',
  ],
  ['of nobody knows what', programs(features(), '6.8.0', { id: 'unknown' }), 'not-run: not verified that kernel 6.8.0'],
  [
    'a known fault',
    programs(features(), '6.12.60', { release: 'v3.31.1' }),
    'not-run: not verified that kernel 6.12.60',
  ],
  ['the fault, repaired', programs(features(), '6.12.60'), 'passed'],
])('programs: %s', (_name, is, begin) => {
  expect(is.slice(0, begin.length)).toBe(begin);
});

test.each<[string, Record<string, boolean>, string[]]>([
  ['all reach it', { a: true, b: true }, []],
  ['one does not', { a: true, b: false }, ['b: an API server that others reach, 10.0.0.9:6443: no answer']],
  ['it is away', { a: false, b: false }, []],
])('an API server behind the address: %s', (_what, oks, expected) => {
  const address = { host: '10.0.0.9', port: '6443' };
  const endpoint = { host: 'api.example.test', port: '443' };
  const server = (ok: boolean): ProbeLine => ({
    ...{ v: 1, probe: 'api-server', ...address },
    ...(ok ? { ok, ms: 1 } : { ok, because: 'no answer' }),
  });
  const reports = Object.entries(oks).map(([node, ok]) =>
    report(node, [{ v: 1, probe: 'endpoint', ...endpoint, ok: true, ms: 1 }, server(ok)]),
  );
  const failing = measurementsOf({ ...question, endpoint, apiServers: [address] }, reports).flatMap(
    ({ node, tests }) => {
      const one = tests['endpoint-from-host'];
      return one.kind === 'failed' ? [`${node}: ${one.because}`] : [];
    },
  );
  expect(failing).toEqual(expected);
});

test.each<[string, boolean, Record<string, boolean>, string]>([
  ['all answer', true, { '10.0.0.8': true, '10.0.0.9': true }, 'passed'],
  ['one does not', true, { '10.0.0.8': true, '10.0.0.9': false }, '1 of its 2 addresses, 10.0.0.9: no answer'],
  ['the first does not', false, { '10.0.0.8': false, '10.0.0.9': true }, '1 of its 2 addresses, 10.0.0.8: no answer'],
  ['it has one that does not', false, {}, 'no answer'],
])('addresses of the name: %s', (_what, first, oks, expected) => {
  const endpoint = { host: 'api.example.test', port: '443' };
  const answer = (ok: boolean) => (ok ? { ok, ms: 1 } : { ok, because: 'no answer' });
  const lines: ProbeLine[] = [
    { v: 1, probe: 'endpoint', ...endpoint, ...answer(first) },
    ...Object.entries(oks).map(
      ([host, ok]): ProbeLine => ({ v: 1, probe: 'endpoint-address', host, port: '443', ...answer(ok) }),
    ),
  ];
  const outcome = measurementsOf({ ...question, endpoint }, [report('a', lines)])[0]?.tests['endpoint-from-host'];
  expect(outcome?.kind === 'failed' ? outcome.because : outcome?.kind).toBe(
    expected === 'passed' ? expected : `api.example.test:443: ${expected}`,
  );
});

type Link = Extract<ProbeLine, { probe: 'link' }>['data'][number];
const link = (ifname: string, fields: Partial<Link> = {}) => ({
  ...({ v: 1, probe: 'link' } as const),
  data: [{ ifname, mtu: 1500, addr_info: [], ...fields }],
});
const own = { addr_info: [{ local: addressOf('a') }] };
const vlan = { linkinfo: { info_kind: 'vlan' } };

test.each<[string, ProbeLine[], string]>([
  ['none', [link('eth0', own)], 'passed'],
  ['it carries the address', [link('eth0.7', { ...own, ...vlan, link: 'eth0' })], 'failed: eth0.7, through'],
  [
    'it lies on it',
    [link('eth0', own), link('eth0.7', { ...vlan, link: 'eth0' })],
    'failed: eth0.7 has a VLAN tag and',
  ],
  ['below a bridge', [link('br0', own), link('eth0.7', { ...vlan, master: 'br0' })], 'failed: eth0.7, through'],
  [
    'on a part of a bond',
    [link('bond0', own), link('eth1', { master: 'bond0' }), link('eth1.7', { ...vlan, link: 'eth1' })],
    'failed: eth1.7 has a VLAN tag and lies on eth1',
  ],
  ['elsewhere', [link('eth0', own), link('eth1'), link('eth1.7', { ...vlan, link: 'eth1' })], 'passed'],
  ['nothing was said', [], 'not-run: it did not say'],
])('VLAN devices: %s', (_name, lines, begin) => {
  expect(outcome('vlan-devices', lines).slice(0, begin.length)).toBe(begin);
});

test('a link with the address that was not listed is no missing one', () => {
  const others = [link('eth1')];
  expect(outcome('interfaces', others)).toMatch(/^failed: no interface carries/);
  expect(outcome('interfaces', [...others, { v: 1, probe: 'links-left', count: 9 }])).toMatch(/^not-run: no interface/);
});

const serving = (fields: Partial<Extract<ProbeLine, { probe: 'proxy' }>>): ProbeLine => ({
  v: 1,
  probe: 'proxy',
  processes: [],
  rules: false,
  ipvs: false,
  healthPort: null,
  ...fields,
});
const process = (group: string) => ({ group, mode: '' });

test.each<[string, ProbeLine, string, string]>([
  ['nothing', serving({}), 'none', 'passed passed passed'],
  ['rules alone', serving({ rules: true }), 'rules', 'passed passed passed'],
  [
    'in a pod',
    serving({
      processes: [process('/kubepods.slice/kubepods-besteffort.slice/cri-containerd-0a.scope')],
      healthPort: 'kube-proxy',
    }),
    'in-pod',
    'passed passed passed',
  ],
  [
    'a service of the system',
    serving({ processes: [process('/system.slice/kube-proxy.service')] }),
    'outside',
    'failed passed passed',
  ],
  [
    'a runtime that is one',
    serving({ processes: [process('/system.slice/docker.service/kubepods/pod0a/0b')] }),
    'in-pod',
    'passed passed passed',
  ],
  ['IPVS', serving({ ipvs: true }), 'none', 'passed failed passed'],
  ['IPVS by its flag', serving({ processes: [{ group: '', mode: 'ipvs' }] }), 'in-pod', 'passed failed passed'],
  ['IPVS by its own word', serving({ mode: 'ipvs' }), 'rules', 'passed failed passed'],
  [
    'iptables by its own word, set to IPVS',
    serving({ processes: [{ group: '', mode: 'ipvs' }], mode: 'iptables' }),
    'in-pod',
    'passed passed passed',
  ],
  [
    'a distribution whose proxy answers',
    serving({ embedding: ['k3s'], mode: 'nftables' }),
    'rules',
    'passed passed passed',
  ],
  ['another at its port', serving({ healthPort: 'haproxy' }), 'none', 'passed passed failed'],
  ['a distribution in one process', serving({ healthPort: 'k3s-server' }), 'none', 'passed passed passed'],
  ['what may have one in it', serving({ embedding: ['k3s-server'] }), 'null', 'passed passed passed'],
  ['that, with rules', serving({ embedding: ['hyperkube'], rules: true }), 'rules', 'passed passed passed'],
  ['one that is not to be seen', serving({ healthPort: '' }), 'none', 'passed passed not-run'],
])('what serves Services: %s', (_what, line, serves, kinds) => {
  const [node] = measurementsOf(question, [report('a', [line])]);
  const tests = (['service-proxy', 'ipvs', 'health-port'] as const).map((id) => node?.tests[id].kind);
  expect([String(node?.proxy), tests.join(' ')]).toEqual([serves, kinds]);
});

test('a node with too little memory for the maps takes no programs', () => {
  const [node] = measurementsOf(question, [
    report('a', [{ v: 1, probe: 'node', boot: 'b', kernel: '6.8.0-45-generic' }, features({ memoryKb: 100_000 })]),
  ]);
  expect(node?.tests.programs).toMatchObject({ kind: 'failed', because: expect.stringContaining('97 MiB') });
});

const answers = (peer: string, sums: 'offloaded' | 'software' = 'offloaded'): ProbeLine => ({
  v: 1,
  probe: 'vxlan-answer',
  peer: addressOf(peer),
  sums,
});

test.each<[string, Lines, string[]]>([
  ['everybody answers', {}, ['a passed', 'b passed', 'c passed']],
  [
    'to one only what software computed arrives',
    { b: [answers('a', 'software'), answers('c', 'software')] },
    ['a passed', 'b failed, no packet with a right sum of it arrives at any node', 'c passed'],
  ],
  [
    'whose card is known',
    {
      b: [
        answers('a', 'software'),
        answers('c', 'software'),
        { ...link('bond0', { addr_info: [{ local: addressOf('b') }] }), driver: '' },
        { ...link('ens192', { master: 'bond0' }), driver: 'vmxnet3' },
        { ...link('ens224'), driver: 'e1000' },
      ],
    },
    ['a passed', 'b failed, no packet with a right sum of it arrives at any node (driver: vmxnet3)', 'c passed'],
  ],
  [
    'one path',
    { a: [answers('b', 'software'), answers('c')] },
    ['a passed', 'b failed, no packet with a right sum arrives there from a', 'c passed'],
  ],
  [
    'a firewall that answers nobody',
    { a: [answers('b')], b: [answers('a')] },
    [
      'a not-run, c did not answer: a firewall there may drop what comes out of the tunnel',
      'b not-run, c did not answer: a firewall there may drop what comes out of the tunnel',
      'c passed',
    ],
  ],
])('sums that a network card computes: %s', (_what, replaced, expected) => {
  const all = (node: string) => names.filter((other) => other !== node).map((other) => answers(other));
  const reports = names.map((node) =>
    report(node, [{ v: 1, probe: 'vxlan-sending', tunnels: 2 }, ...(replaced[node] ?? all(node))]),
  );
  const result = measurementsOf(question, reports).map(({ node, tests: { checksums } }) =>
    checksums.kind === 'passed' ? `${node} passed` : `${node} ${checksums.kind}, ${checksums.because}`,
  );
  expect(result).toEqual(expected);
});

test('a card that spoils sums is no path that is too narrow: the answer to a datagram in two parts shows full size', () => {
  const others = (node: string) => names.filter((other) => other !== node);
  const arrived = (peer: string): ProbeLine => ({
    v: 1,
    probe: 'vxlan',
    peer: addressOf(peer),
    arrives: peer === 'b' ? 'small' : 'full',
  });
  const reports = names.map((node) =>
    report(node, [
      { v: 1, probe: 'vxlan-sending', tunnels: 2 },
      ...others(node).flatMap((other) => [arrived(other), answers(other, node === 'b' ? 'software' : 'offloaded')]),
    ]),
  );
  const result = measurementsOf(question, reports).map(
    ({ tests }) => `${tests['full-size'].kind} ${tests.checksums.kind}`,
  );
  expect(result).toEqual(['passed passed', 'passed failed', 'passed passed']);
});

const sends = (peer: string, as = 'c'): ProbeLine => ({
  ...{ v: 1, probe: 'dsr-sending' },
  ...{ peer: addressOf(peer), as: addressOf(as) },
});
const listening: ProbeLine = { v: 1, probe: 'dsr-listening', peers: names.map(addressOf) };
const plain = (peer: string): ProbeLine => ({ v: 1, probe: 'vxlan', peer: addressOf(peer), arrives: 'full' });
const hears = (peer: string): ProbeLine => ({ v: 1, probe: 'dsr', peer: addressOf(peer) });

test.each<[string, Lines, string]>([
  [
    'nothing of it arrives',
    { a: [sends('b')], b: [hears('c')], c: [] },
    'not-run: nothing that it sends arrives at b, with its own address neither',
  ],
  ['it arrives', { a: [sends('b')], b: [hears('a')] }, 'passed'],
  [
    'another one arrives',
    { a: [sends('b')], b: [hears('c'), plain('a')] },
    'failed: what it sends with the address 10.0.0.3 does not arrive at b',
  ],
  [
    'it arrives elsewhere',
    { a: [sends('b')], b: [plain('a')], c: [hears('a')] },
    'failed: what it sends with the address 10.0.0.3 does not arrive at b',
  ],
  ['none was asked for', {}, 'not-run: it sent none'],
  ['it cannot', { a: [{ v: 1, probe: 'dsr-not', because: 'no router' }] }, 'not-run: no router'],
  [
    'to nobody that is known',
    { a: [{ v: 1, probe: 'dsr-sending', peer: '10.9.9.9', as: '10.0.0.3' }] },
    'not-run: 10.9.9.9 did not listen',
  ],
])('packets with the address of another node: %s', (_what, replaced, expected) => {
  const reports = names.map((node) =>
    report(node, [{ v: 1, probe: 'vxlan-sending', tunnels: 2 }, listening, ...(replaced[node] ?? [])]),
  );
  const result = measurementsOf({ ...question, dsr: true }, reports).find(({ node }) => node === 'a')?.tests[
    'foreign-source'
  ];
  expect(result?.kind === 'passed' ? result.kind : `${result?.kind}: ${result?.because}`).toBe(expected);
});

test('where nobody listens, what does not arrive there says nothing of the network', () => {
  const reports = names.map((node) =>
    report(node, node === 'a' ? [sends('b')] : [{ v: 1, probe: 'vxlan-sending', tunnels: 2 }]),
  );
  const result = measurementsOf({ ...question, dsr: true }, reports).find(({ node }) => node === 'a')?.tests[
    'foreign-source'
  ];
  expect(result).toEqual({ kind: 'not-run', because: 'b did not listen' });
});
