import { expect, test } from 'vitest';
import { valueAt } from '#lib/base/records.ts';
import { aFacts, aNode } from '#lib/checks/testing/a-facts.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { TestOutcome } from '#lib/kube/index.ts';
import { probeObjects } from '#lib/probe/index.ts';
import { type Choices, choicesSchema, type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { measuredFor } from './measured-plan.ts';
import { type PreparedProbe, prepareProbe } from './prepare-probe.ts';
import { flexVolumeFolder, probeImages } from './probe-images.ts';

const agentKey = 'calico-system/DaemonSet/calico-node';
const agent = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { namespace: 'calico-system', name: 'calico-node' },
  spec: {
    template: { spec: { imagePullSecrets: [{ name: 'of-agent' }], containers: [{ name: 'calico-node', image }] } },
  },
});

function running(image: string, spec: object = {}, method: Facts['installation']['method'] = 'operator'): Facts {
  const facts = aFacts();
  return {
    ...facts,
    installation: { ...facts.installation, method, agent: agentKey },
    resources: {
      ...facts.resources,
      objects: {
        [agentKey]: agent(image),
        'Installation/default': {
          apiVersion: 'operator.tigera.io/v1',
          kind: 'Installation',
          metadata: { name: 'default' },
          spec,
        },
      },
    },
  } as Facts;
}

const choices = (given: object) => choicesSchema.parse({ goal: 'enable', ...given });

test('a switch to eBPF brings no image: the probe runs in that of the agent', () => {
  const { agent, brought } = probeImages(running('quay.io/calico/node:v3.31.3'), choices({}));
  expect([agent, brought]).toEqual(['quay.io/calico/node:v3.31.3', []]);
});

test("an upgrade brings the target's images, by registry, path and prefix of the Installation", () => {
  const facts = running('mirror.example/team/own-node:v3.30.7', {
    registry: 'mirror.example/',
    imagePath: 'team',
    imagePrefix: 'own-',
    imagePullSecrets: [{ name: 'mirror' }],
  });
  const { agent, brought, pullSecrets } = probeImages(facts, choices({ goal: 'upgrade', release: 'v3.31.4' }));
  expect(agent).toBe('mirror.example/team/own-node:v3.31.4');
  expect(brought).toContain('mirror.example/team/own-cni:v3.31.4');
  expect(brought.filter((image) => !image.startsWith('mirror.example/team/'))).toEqual([]);
  expect(pullSecrets).toEqual([{ namespace: 'tigera-operator', name: 'mirror' }]);
});

test.each([
  ['one that is named as the others of its release are', 'install', 'v3.31.7', null, 'calico/node:v3.31.7'],
  ['one of a product whose images were not read', 'upgrade', 'v3.31.4', 'TigeraSecureEnterprise', 'running/node:v1'],
] as const)("the probe's own image: %s", (_what, goal, release, variant, image) => {
  const facts = running('running/node:v1', variant === null ? {} : { variant });
  const { agent } = probeImages(facts, choices({ goal, release }));
  expect(agent).toContain(image);
});

test('what runs by a manifest has its images beside each other, and names its own Secrets', () => {
  const facts = running('mirror.example/calico/node:v3.30.7', {}, 'manifest-kdd');
  const { agent, pullSecrets } = probeImages(facts, choices({ goal: 'upgrade', release: 'v3.31.4' }));
  expect(agent).toBe('mirror.example/calico/node:v3.31.4');
  expect(pullSecrets).toEqual([{ namespace: 'calico-system', name: 'of-agent' }]);
});

test('an installation brings all of its release, from the registry that was answered', () => {
  const facts = { ...aFacts(), installation: { ...aFacts().installation, method: 'none', agent: null } } as Facts;
  const answers = choices({ goal: 'install', release: 'v3.31.4', set: { registry: 'mirror.example/' } });
  expect(probeImages(facts, answers).agent).toBe('mirror.example/calico/node:v3.31.4');
  expect(flexVolumeFolder(facts, answers)).toBe('/usr/libexec/kubernetes/kubelet-plugins/volume/exec/');
});

function prepared(facts: Facts, answers: Choices, image: string | null = null): PreparedProbe {
  const made = prepareProbe(facts, answers, { image, nodes: null, nodeSelector: {} });
  if ('because' in made) throw new Error(made.because);
  return made;
}

const runs = running('quay.io/calico/node:v3.31.3');
const upgrade = (given: object = {}) => choices({ goal: 'upgrade', acceptProposals: true, ...given });

test('an upgrade to the release that is proposed is tested in its image, and is not another plan for being spelled out', () => {
  const facts = { ...runs, installation: { ...runs.installation, version: 'v3.31.3' } };
  const { settings, question, plan } = prepared(facts, upgrade());
  expect([settings.image, question.release]).toEqual(['quay.io/calico/node:v3.31.7', 'v3.31.7']);
  expect(plan).toEqual(prepared(facts, upgrade({ release: '3.31.7' })).plan);
  expect(prepared(facts, upgrade(), 'own/tools:v1').settings.images).toContain('quay.io/calico/node:v3.31.7');
});

test('where nothing of the target could be asked for, its images are not said to come', () => {
  expect(prepared(runs, upgrade({ release: 'v3.99.1' })).question.imagesNotTested).toMatch(/v3\.99\.1/);
  expect(prepared(runs, choices({})).question.imagesNotTested).toBeUndefined();
});

test('VXLAN is tested between addresses of IPv6 too where there are pools of both families', () => {
  const nodes = [
    aNode({ name: 'both', addresses: ['192.0.2.1', '2001:db8::1'] }),
    aNode({ name: 'taken', addresses: ['192.0.2.2'], calicoAddresses: ['192.0.2.2/24', '2001:db8::2/64'] }),
    aNode({ name: 'one', addresses: ['192.0.2.3'] }),
  ];
  const [v4, v6] = [aPool('10.0.0.0/16'), aPool('2001:db8:1::/64')];
  const sentBetween = (pools: Facts['pools']) => {
    const { addresses, addressesV6 } = prepared({ ...runs, nodes, pools }, upgrade()).settings;
    return [addresses, addressesV6];
  };
  expect(sentBetween([v4, v6])).toEqual([
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
    ['2001:db8::1', '2001:db8::2', null],
  ]);
  expect(sentBetween([v4])[1]).toBeUndefined();
  expect(sentBetween([v4, { ...v6, disabled: true }])[1]).toBeUndefined();
});

const ofVxlan: NodeTest[] = ['vxlan', 'full-size', 'checksums', 'foreign-source'];
const aPool = (cidr: string) =>
  ({ name: cidr, cidr, encapsulation: 'VXLAN', natOutgoing: true, disabled: false }) as const;

const services = { api: { host: '10.96.0.1', port: '443' }, dns: { host: '10.96.0.10', port: '53' } };
const noServices = { api: null, dns: null };
const withoutProxy: Facts['proxy'] = { ...runs.proxy, kind: 'none', running: false, pods: null };
const onEbpf: Facts = {
  ...runs,
  installation: { ...runs.installation, dataplane: { ...runs.installation.dataplane, actual: 'BPF' } },
};

const toRelease = (release: string) => upgrade({ release });
const install = (given: object = {}) => choices({ goal: 'install', release: 'v3.31.4', ...given });
const nothing = { ...aFacts(), installation: { ...aFacts().installation, method: 'none', agent: null } } as Facts;

test.each<[string, Facts, Choices, Choices, NodeTest[]]>([
  ['the same plan', runs, toRelease('v3.31.4'), toRelease('v3.31.4'), []],
  ['another release', runs, toRelease('v3.31.4'), toRelease('v3.30.7'), ['programs', 'images']],
  ['an upgrade after a switch', runs, choices({}), toRelease('v3.30.7'), ['programs', 'images']],
  ['another registry', nothing, install(), install({ set: { registry: 'mirror.example/' } }), ['images']],
  ['another FlexVolume folder', nothing, install({ platform: 'generic' }), install({ platform: 'gke' }), ['mounts']],
])('a measurement for one plan is none for another: %s', (_what, facts, then, now, expected) => {
  const passed: TestOutcome = { kind: 'passed' };
  const tests = Object.fromEntries(nodeTestIds.map((id) => [id, passed])) as Record<NodeTest, TestOutcome>;
  const measured = { endpoint: null, plan: prepared(facts, then, 'x').plan, nodes: [{ node: 'a', ms: 1, tests }] };
  const [node] = measuredFor({ ...facts, measured }, now).measured?.nodes ?? [];
  expect(nodeTestIds.filter((id) => node?.tests[id]?.kind === 'not-run')).toEqual(expected);
});

test.each<[string, Partial<Facts>, object, NodeTest[]]>([
  ['nothing', {}, {}, []],
  ['a pool of IPv6', { pools: [aPool('10.0.0.0/16'), aPool('2001:db8:1::/64')] }, {}, ofVxlan],
  ['another pool of IPv4', { pools: [aPool('10.0.0.0/16'), aPool('10.9.0.0/16')] }, {}, []],
  [
    'ranges of which the agents take theirs',
    {},
    { nodeAddressAutodetectionV4: { cidrs: ['203.0.113.0/24'] } },
    ofVxlan,
  ],
])('what was measured before %s was added holds for what it measured', (_what, added, calicoNetwork, expected) => {
  const nodes = [aNode({ name: 'a', addresses: ['192.0.2.1', '203.0.113.1', '2001:db8::1'] })];
  const then = { ...running('x/node:v3.31.4'), nodes, pools: [aPool('10.0.0.0/16')] };
  const now = { ...running('x/node:v3.31.4', { calicoNetwork }), nodes, pools: then.pools, ...added };
  const { question, plan } = prepared(then, choices({}));
  const passed: TestOutcome = { kind: 'passed' };
  const tests = Object.fromEntries(nodeTestIds.map((id) => [id, passed])) as Record<NodeTest, TestOutcome>;
  const addresses = question.nodes.flatMap(({ address, addressV6 }) =>
    [address, addressV6].filter((one) => one != null),
  );
  const measured = { endpoint: null, plan, nodes: [{ node: 'a', ms: 1, addresses, tests }] };
  const [node] = measuredFor({ ...now, measured }, choices({})).measured?.nodes ?? [];
  expect(nodeTestIds.filter((id) => node?.tests[id]?.kind === 'not-run')).toEqual(expected);
});

test.each([
  [256, 1],
  [257, 3],
  [5_000, 40],
])('every one of %i nodes is tested, by %i DaemonSets, of which none names the nodes of another', (there, groups) => {
  const nodes = Array.from({ length: there }, (_, index) =>
    aNode({
      name: `n${index}`,
      addresses: [`10.0.${index >> 8}.${index & 255}`],
      zone: `zone-${index % 3}`,
      link: `rack=${index % 7}`,
    }),
  );
  const { question, settings } = prepared({ ...runs, nodes }, choices({}));
  expect(question.nodes[8]?.link).toBe('rack=1');
  expect(new Set(question.nodes.map(({ name }) => name)).size).toBe(there);
  expect(new Set(question.nodes.map(({ zone, subnet }) => `${zone} ${subnet}`)).has('zone-2 10.0.0.0/24')).toBe(true);
  const daemonSets = probeObjects(settings).flatMap((object) => {
    const text = JSON.stringify(object);
    if (object.kind !== 'DaemonSet' || !text.includes('"host"')) return [];
    // Only the DaemonSet holds the names of nodes, not each of its pods.
    expect(
      text.length - JSON.stringify(valueAt(object, ['spec', 'template', 'spec', 'affinity']) ?? '').length,
    ).toBeLessThan(64_000);
    return [text.match(/(?<="values":\[")n\d+/g) ?? []];
  });
  expect(daemonSets).toHaveLength(groups);
  expect(daemonSets.flat().sort()).toEqual(groups === 1 ? [] : nodes.map(({ name }) => name).sort());
});

test.each<[string, Facts, Choices, Facts['endpoint']['services']]>([
  ['a switch', runs, choices({}), services],
  ['an install, whose plan makes what serves them', nothing, install(), noServices],
  ['a switch where nothing serves them', { ...runs, proxy: withoutProxy }, choices({}), noServices],
  ['an upgrade where eBPF serves them', { ...onEbpf, proxy: withoutProxy }, upgrade(), services],
])(
  'Services are asked where something serves them and somebody looks at the answer: %s',
  (_what, facts, answers, expected) => {
    const made = prepared({ ...facts, endpoint: { ...facts.endpoint, services } }, answers, 'x');
    expect([made.settings.services, made.question.services]).toEqual([expected, expected]);
  },
);

test('nodes are asked for every API server behind the API, and for a bounded number of them', () => {
  const apiServers = [
    '10.0.0.5:6443',
    '[fd00::5]:6443',
    'not an address',
    ...Array.from({ length: 40 }, (_, index) => `10.9.0.${index}:6443`),
  ];
  const { settings, question } = prepared({ ...runs, endpoint: { ...runs.endpoint, apiServers } }, choices({}));
  expect(settings.apiServers?.slice(0, 2)).toEqual([
    { host: '10.0.0.5', port: '6443' },
    { host: 'fd00::5', port: '6443' },
  ]);
  expect([settings.apiServers?.length, question.apiServers]).toEqual([15, settings.apiServers]);
});

test.each<[string, Parameters<typeof aNode>[0], object, string | null]>([
  ["the node's own", { addresses: ['203.0.113.1', '10.0.0.1'] }, {}, '203.0.113.1'],
  [
    'what its agent took',
    { addresses: ['10.0.0.1'], calicoAddresses: ['172.16.0.1/24', 'fd00::1/64'] },
    {},
    '172.16.0.1',
  ],
  ['what is no address', { addresses: ['10.0.0.1'], calicoAddresses: ['$(reboot)/24'] }, {}, '10.0.0.1'],
  ['in the ranges', { addresses: ['203.0.113.1', '10.0.0.1'] }, { cidrs: ['10.0.0.0/8'] }, '10.0.0.1'],
  ['of IPv6 alone', { addresses: ['fd00::1'] }, {}, 'fd00::1'],
  ['none', { addresses: [] }, {}, null],
])(
  'VXLAN is tested between the addresses that Calico uses: %s',
  (_what, node, nodeAddressAutodetectionV4, expected) => {
    const facts = running('quay.io/calico/node:v3.31.3', { calicoNetwork: { nodeAddressAutodetectionV4 } });
    const { settings, question } = prepared({ ...facts, nodes: [aNode(node)] }, choices({}));
    expect([settings.addresses, question.nodes[0]?.address]).toEqual([[expected], expected]);
  },
);

test('a cluster whose nodes nobody may list is offered no test of none', () => {
  const made = prepareProbe({ ...runs, nodes: [] }, choices({}), { image: null, nodes: null, nodeSelector: {} });
  expect(made).toEqual({ because: 'No node was read, so none can be tested.' });
});
