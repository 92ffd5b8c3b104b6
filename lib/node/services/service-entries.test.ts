import { expect, test } from 'vitest';
import type { ReadSlice } from './endpoints.ts';
import type { ServiceEntries } from './entries.ts';
import { nodeAddresses, nodeView } from './node-view.ts';
import { frontText, type ReadService, serviceEntries } from './service-entries.ts';
import { aNode, aService, aSlice } from './testing/objects.ts';

const nodes = new Map([
  ['node-1', nodeAddresses(aNode('node-1', '192.168.0.1', zoned('a')))],
  ['node-2', nodeAddresses(aNode('node-2', '192.168.0.2', zoned('b')))],
]);
const onNode1 = nodeView('node-1', nodes);

function zoned(zone: string) {
  return { metadata: { labels: { 'topology.kubernetes.io/zone': zone } } };
}

const entriesOf = (service: ReadService, slices: readonly ReadSlice[] = []) => serviceEntries(service, slices, onNode1);
const fronts = ({ ports }: ServiceEntries) =>
  ports.flatMap((port) => port.fronts.map((front) => [frontText(front), ...front.flags].join(' ')));
const lists = ({ ports }: ServiceEntries) =>
  ports.map(({ lists: { cluster, local } }) => [cluster, local].map((list) => list.map((one) => one.address)));

const nodePort = { name: 'http', protocol: 'TCP', port: 80, nodePort: 30_080 };
const balanced = { type: 'LoadBalancer', ports: [nodePort] };
const ingress = (...all: object[]) => ({ status: { loadBalancer: { ingress: all } } });

test.each<[string, ReadService, string[]]>([
  ['ClusterIP', aService(), ['10.96.0.7:80/TCP']],
  ['headless', aService({ clusterIP: 'None', clusterIPs: ['None'] }), []],
  ['ExternalName', aService({ type: 'ExternalName', clusterIP: '', clusterIPs: [] }), []],
  [
    'of another proxy',
    aService({}, { metadata: { labels: { 'service.kubernetes.io/service-proxy-name': 'mine' } } }),
    [],
  ],
  [
    'of another proxy by an empty label',
    aService({}, { metadata: { labels: { 'service.kubernetes.io/service-proxy-name': '' } } }),
    [],
  ],
  ['labelled headless', aService({}, { metadata: { labels: { 'service.kubernetes.io/headless': '' } } }), []],
  ['NodePort', aService({ type: 'NodePort', ports: [nodePort] }), ['10.96.0.7:80/TCP', '0.0.0.0:30080/TCP node-port']],
  [
    'LoadBalancer',
    aService(balanced, ingress({ ip: '203.0.113.9' })),
    ['10.96.0.7:80/TCP', '0.0.0.0:30080/TCP node-port', '203.0.113.9:80/TCP'],
  ],
  [
    'LoadBalancer without node ports',
    aService({ type: 'LoadBalancer' }, ingress({ ip: '203.0.113.9' })),
    ['10.96.0.7:80/TCP', '203.0.113.9:80/TCP'],
  ],
  [
    'ipMode Proxy',
    aService(balanced, ingress({ ip: '203.0.113.9', ipMode: 'Proxy' })),
    ['10.96.0.7:80/TCP', '0.0.0.0:30080/TCP node-port'],
  ],
  ['an ingress that was left behind', aService({}, ingress({ ip: '203.0.113.9' })), ['10.96.0.7:80/TCP']],
  [
    'a load balancer by name',
    aService(balanced, ingress({ hostname: 'lb.example' })),
    ['10.96.0.7:80/TCP', '0.0.0.0:30080/TCP node-port'],
  ],
  ['externalIPs', aService({ externalIPs: ['198.51.100.1'] }), ['10.96.0.7:80/TCP', '198.51.100.1:80/TCP']],
  [
    'both families',
    aService({ type: 'NodePort', clusterIPs: ['10.96.0.7', 'fd00::7'], ports: [nodePort] }),
    ['10.96.0.7:80/TCP', '0.0.0.0:30080/TCP node-port', '[fd00::7]:80/TCP', '[::]:30080/TCP node-port'],
  ],
  [
    'policies Local',
    aService(
      { ...balanced, externalTrafficPolicy: 'Local', internalTrafficPolicy: 'Local' },
      ingress({ ip: '203.0.113.9' }),
    ),
    [
      '10.96.0.7:80/TCP inside-local outside-local',
      '0.0.0.0:30080/TCP outside-local node-port',
      '203.0.113.9:80/TCP outside-local',
    ],
  ],
  [
    'source ranges limit the load balancer alone',
    aService(
      { ...balanced, externalIPs: ['198.51.100.1'], loadBalancerSourceRanges: [' 10.0.0.0/8 '] },
      ingress({ ip: '203.0.113.9' }),
    ),
    ['10.96.0.7:80/TCP', '0.0.0.0:30080/TCP node-port', '203.0.113.9:80/TCP source-ranges', '198.51.100.1:80/TCP'],
  ],
  [
    'ranges of one family leave the other one open',
    aService(
      { type: 'LoadBalancer', clusterIPs: ['fd00::7'], loadBalancerSourceRanges: ['10.0.0.0/8'] },
      ingress({ ip: '2001:db8::9' }),
    ),
    ['[fd00::7]:80/TCP', '[2001:db8::9]:80/TCP'],
  ],
  [
    'ranges that nobody can read let nobody in',
    aService({ type: 'LoadBalancer', loadBalancerSourceRanges: ['everybody'] }, ingress({ ip: '203.0.113.9' })),
    ['10.96.0.7:80/TCP', '203.0.113.9:80/TCP source-ranges'],
  ],
  ['affinity', aService({ sessionAffinity: 'ClientIP' }), ['10.96.0.7:80/TCP affinity']],
  ['UDP', aService({ ports: [{ name: 'dns', protocol: 'UDP', port: 53 }] }), ['10.96.0.7:53/UDP']],
  [
    'SCTP is left out',
    aService({
      ports: [
        { name: 's', protocol: 'SCTP', port: 53 },
        { name: 'http', port: 80 },
      ],
    }),
    ['10.96.0.7:80/TCP'],
  ],
  // Such a Service has not passed an API server's validation.
  [
    'an external address that would be every NodePort',
    aService({
      externalIPs: [
        '0.0.0.0',
        '::',
        '127.0.0.1',
        '::1',
        '169.254.1.1',
        '224.0.0.1',
        '255.255.255.255',
        'ff02::1',
        'fe80::1',
        '::ffff:127.0.0.1',
      ],
    }),
    ['10.96.0.7:80/TCP'],
  ],
  [
    'a mapped address is the IPv4 one',
    aService({ externalIPs: ['::ffff:198.51.100.1'] }),
    ['10.96.0.7:80/TCP', '198.51.100.1:80/TCP'],
  ],
  [
    'ports that are none',
    aService({
      ports: [
        { name: 'a', port: 0 },
        { name: 'b', port: 70_000 },
        { name: 'c', port: '80' },
        { name: 'd', port: 1.5 },
        null,
      ],
    }),
    [],
  ],
  [
    'two ports of one name',
    aService({
      ports: [
        { name: 'a', port: 80 },
        { name: 'a', port: 81 },
      ],
    }),
    ['10.96.0.7:80/TCP'],
  ],
  ['a Service of nonsense', aService({ type: 7, clusterIP: ['x'], clusterIPs: 'y', ports: 'z' }), []],
])('fronts of %s', (_what, service, expected) => {
  expect(fronts(entriesOf(service))).toEqual(expected);
});

const at = (address: string, nodeName: string, more: object = {}) => ({ addresses: [address], nodeName, ...more });
const ready = { conditions: { ready: true } };
const unready = { conditions: { ready: false } };
const ending = { conditions: { ready: false, serving: true, terminating: true } };
const dead = { conditions: { ready: false, serving: false, terminating: true } };
const zone = (name: string, more: object = {}) => ({ hints: { forZones: [{ name }] }, ...more });
const forNode = (name: string) => ({ hints: { forNodes: [{ name }], forZones: [{ name: 'a' }] } });

test.each<[string, object[], string[], string[]]>([
  ['nothing', [], [], []],
  [
    'those of this node first',
    [at('10.0.2.1', 'node-2'), at('10.0.1.1', 'node-1')],
    ['10.0.1.1', '10.0.2.1'],
    ['10.0.1.1'],
  ],
  ['what is not said of ready means yes', [at('10.0.2.1', 'node-2', { conditions: {} })], ['10.0.2.1'], []],
  ['not ready', [at('10.0.1.1', 'node-1', unready), at('10.0.2.1', 'node-2', ready)], ['10.0.2.1'], []],
  [
    'ending ones where none is ready',
    [at('10.0.1.1', 'node-1', ending), at('10.0.2.1', 'node-2', dead)],
    ['10.0.1.1'],
    ['10.0.1.1'],
  ],
  [
    'ending ones of this node for Local alone',
    [at('10.0.1.1', 'node-1', ending), at('10.0.2.1', 'node-2', ready)],
    ['10.0.2.1'],
    ['10.0.1.1'],
  ],
  ['all gone', [at('10.0.1.1', 'node-1', dead), at('10.0.2.1', 'node-2', unready)], [], []],
  [
    'hints of zones',
    [at('10.0.1.1', 'node-1', zone('b')), at('10.0.2.1', 'node-2', zone('a'))],
    ['10.0.2.1'],
    ['10.0.1.1'],
  ],
  [
    'one without a hint: none counts',
    [at('10.0.1.1', 'node-1', zone('b')), at('10.0.2.1', 'node-2')],
    ['10.0.1.1', '10.0.2.1'],
    ['10.0.1.1'],
  ],
  [
    'hints for other zones alone: none counts',
    [at('10.0.1.1', 'node-1', zone('b')), at('10.0.2.1', 'node-2', zone('c'))],
    ['10.0.1.1', '10.0.2.1'],
    ['10.0.1.1'],
  ],
  [
    'what is not ready needs no hint',
    [at('10.0.1.1', 'node-1', unready), at('10.0.2.1', 'node-2', zone('a')), at('10.0.2.2', 'node-2', zone('b'))],
    ['10.0.2.1'],
    [],
  ],
  [
    'hints of nodes before those of zones',
    [at('10.0.1.1', 'node-1', forNode('node-1')), at('10.0.2.1', 'node-2', forNode('node-2'))],
    ['10.0.1.1'],
    ['10.0.1.1'],
  ],
  [
    'hints of nodes for others: those of zones',
    [
      at('10.0.2.1', 'node-2', forNode('node-2')),
      at('10.0.2.2', 'node-2', { hints: { forNodes: [{ name: 'node-3' }], forZones: [{ name: 'b' }] } }),
    ],
    ['10.0.2.1'],
    [],
  ],
  [
    'addresses that no pod has',
    [at('127.0.0.1', 'node-1'), at('169.254.169.254', 'node-1'), at('x', 'node-1'), at('fd00::1', 'node-1')],
    [],
    [],
  ],
  ['the second address is ignored', [{ addresses: ['10.0.2.1', '10.0.2.2'], nodeName: 'node-2' }], ['10.0.2.1'], []],
])('backends: %s', (_what, endpoints, cluster, local) => {
  const slice = aSlice(endpoints as Record<string, unknown>[]);
  expect(lists(entriesOf(aService(), [slice]))).toEqual([[cluster, local]]);
});

test('an endpoint that stands in two slices while it moves is one, and ready where one of them says so', () => {
  const slices = [aSlice([at('10.0.2.1', 'node-2', unready)]), aSlice([at('10.0.2.1', 'node-2', ready)])];
  expect(lists(entriesOf(aService(), slices))).toEqual([[['10.0.2.1'], []]]);
});

test('slices of another family, protocol or port name are of other ports', () => {
  const slices = [
    aSlice(['10.0.2.1'], { addressType: 'FQDN' }),
    aSlice(['10.0.2.2'], { ports: [{ name: 'http', protocol: 'UDP', port: 8080 }] }),
    aSlice(['10.0.2.3'], { ports: [{ name: 'https', protocol: 'TCP', port: 8443 }] }),
    aSlice(['10.0.2.4'], { ports: [{ name: 'http', protocol: 'TCP', port: null }] }),
  ];
  expect(lists(entriesOf(aService(), slices))).toEqual([[[], []]]);
});

test('a backend knows its node, whether that is this one, and whether it has its address', () => {
  const slice = aSlice([at('192.168.0.2', 'node-2'), at('10.0.9.9', 'node-9'), { addresses: ['198.18.0.1'] }]);
  const [port] = entriesOf(aService(), [slice]).ports;
  expect(port?.lists.cluster.map((one) => [one.address, one.node, one.isHost])).toEqual([
    ['10.0.9.9', '::', false],
    ['192.168.0.2', '192.168.0.2', true],
    ['198.18.0.1', '::', false],
  ]);
});

test("Calico's own address of a node goes before the node's first one", () => {
  const node = aNode('node-3', '192.168.0.3', {
    metadata: { annotations: { 'projectcalico.org/IPv4Address': '172.16.0.3/24' } },
  });
  const view = nodeView('node-1', new Map([['node-3', nodeAddresses(node)]]));
  expect(view.whereIs('node-3', '', 4).node).toBe('172.16.0.3');
});

test.each([
  ['Local', 'LoadBalancer', { port: 31_000, localReady: 2 }],
  ['Cluster', 'LoadBalancer', null],
  ['Local', 'NodePort', null],
])('a health check for policy %s of a %s', (externalTrafficPolicy, type, expected) => {
  const service = aService({
    type,
    externalTrafficPolicy,
    healthCheckNodePort: 31_000,
    ports: [
      { name: 'http', port: 80 },
      { name: 'other', port: 81 },
    ],
  });
  const slice = aSlice(
    [at('10.0.1.1', 'node-1'), at('10.0.1.2', 'node-1'), at('10.0.1.3', 'node-1', ending), at('10.0.2.1', 'node-2')],
    {
      ports: [
        { name: 'http', port: 8080 },
        { name: 'other', port: 8081 },
      ],
    },
  );
  expect(entriesOf(service, [slice]).healthCheck).toEqual(expected);
});

test('addresses and protocols that cannot be served are reported', () => {
  const service = aService({
    externalIPs: ['127.0.0.1'],
    ports: [
      { name: 's', protocol: 'SCTP', port: 1 },
      { name: 'x', protocol: 'IGMP', port: 1 },
    ],
  });
  expect(entriesOf(service).problems.map(({ code }) => code)).toEqual(['address', 'sctp', 'protocol']);
});

test.each([
  [null, 10_800],
  [60, 60],
  [0, 10_800],
  [90_000, 10_800],
])('affinity of %s seconds is kept for %i', (timeoutSeconds, expected) => {
  const service = aService({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds } } });
  expect(entriesOf(service).ports[0]?.affinityS).toBe(expected);
});
