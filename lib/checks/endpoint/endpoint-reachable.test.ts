import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { find } from '../testing/find.ts';

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;

const made: Probe = {
  endpoint: { host: '10.0.0.100', port: 6443 },
  name: { resolved: true, addresses: ['10.0.0.100'], by: 'address', records: [], aliases: [] },
  connection: { made: true, latencyMs: 2 },
  latency: { minMs: 1, medianMs: 2 },
  certificate: { verified: true, names: ['10.0.0.100'], issuer: 'kubernetes', expiresAt: '2027-11-21T10:00:00.000Z' },
  ready: { status: 200, ok: true, failing: [] },
  servers: [],
  dialled: ['10.0.0.100:6443'],
  leftAlone: [],
};

const refusal = { ok: false, failing: [], refusesStrangers: true as const };

test.each<[string, Partial<Probe>, string]>([
  ['ready', {}, 'pass'],
  ['answers, and is not ready', { ready: { status: 500, ok: false, failing: [] } }, 'fail'],
  ['a load balancer without a back end', { ready: { status: 503, ok: false, failing: [] } }, 'fail'],
  ['an API server that answers no strangers', { ready: { ...refusal, status: 401 } }, 'pass'],
  ['an API server that refuses strangers this path', { ready: { ...refusal, status: 403 } }, 'pass'],
  ['401 of something else', { ready: { status: 401, ok: false, failing: [] } }, 'unknown'],
  ['403 of something else', { ready: { status: 403, ok: false, failing: [] } }, 'unknown'],
  ['too many requests', { ready: { status: 429, ok: false, failing: [] } }, 'unknown'],
  ['leads elsewhere', { ready: { status: 302, ok: false, failing: [] } }, 'fail'],
  [
    'no connection',
    { connection: { made: false, because: 'timed out after 5 s' }, certificate: null, ready: null },
    'unknown',
  ],
  ['no such name', { name: { resolved: false, because: 'no such name' }, certificate: null, ready: null }, 'unknown'],
])('%s: %s', (_name, seen, expected) => {
  expect(find('endpoint.reachable', { resources: { endpointProbe: { ...made, ...seen } } }).status).toBe(expected);
});

test('what does not answer at an address that is not well formed follows from that', () => {
  const found = (port: number) => {
    const endpoint = { host: '10.0.0.100', port };
    const endpointProbe = { ...made, endpoint, ready: { status: 503, ok: false, failing: [] } };
    return find('endpoint.reachable', { resources: { endpointProbe } }, { endpoint: { ...endpoint, port: `${port}` } });
  };
  expect([found(6443).status, found(6443).followsFrom]).toEqual(['fail', null]);
  expect([found(99_999).status, found(99_999).followsFrom]).toEqual(['fail', 'endpoint.form']);
});

test('no way from here is said to be one from here', () => {
  const endpointProbe = { ...made, connection: { made: false as const, because: 'timed out after 5 s' }, ready: null };
  expect(find('endpoint.reachable', { resources: { endpointProbe } }).because).toBe(
    'The chosen endpoint "10.0.0.100:6443" is not reachable from where the console runs (timed out after 5 s).',
  );
});

test('what failed in it, how long it took, and the API servers behind it are told', () => {
  const failing = { ...made, ready: { status: 500, ok: false, failing: ['etcd', 'ping'] } };
  expect(find('endpoint.reachable', { resources: { endpointProbe: failing } }).because).toContain(
    'answered /readyz with 500: it is not ready (etcd and ping failed).',
  );
  const answering = { connection: made.connection, certificate: made.certificate, ready: made.ready };
  const firewalled = {
    connection: { made: false as const, because: 'no answer within 5 s' },
    certificate: null,
    ready: null,
  };
  const servers = [
    { address: '10.0.0.1:6443', ...answering },
    { address: '10.0.0.2:6443', ...firewalled },
  ];
  const finding = find('endpoint.reachable', { resources: { endpointProbe: { ...made, servers } } });
  expect(finding.status).toBe('pass');
  expect(finding.because).toContain('is ready, within 2 ms. Of the API servers behind it 1 of 2 cannot be asked');
  expect(finding.because).toContain('(10.0.0.2:6443: no answer within 5 s)');
});

test('a local address is not tested, says so, and never passes', () => {
  const because = '127.0.0.1:6443 is a loopback address: it means another machine wherever it is used';
  const left = { address: '127.0.0.1:6443', because: because.slice('127.0.0.1:6443 '.length) };
  const alone = { made: false as const, because, notTested: true as const };
  const blocked = { ...made, connection: alone, certificate: null, ready: null, dialled: [], leftAlone: [left] };
  const finding = find('endpoint.reachable', { resources: { endpointProbe: blocked } });
  expect(finding).toMatchObject({
    status: 'unknown',
    because: `The chosen endpoint "10.0.0.100:6443" is not tested: ${because}.`,
  });
  expect(finding.evidence).toContainEqual({
    object: 'this machine',
    path: 'not dialled',
    value: [because],
  });
  expect(find('endpoint.certificate', { resources: { endpointProbe: blocked } })).toMatchObject({ status: 'unknown' });

  const name = { ...made.name, addresses: ['10.0.0.100', '127.0.0.1'] } as Probe['name'];
  const partly = find('endpoint.reachable', { resources: { endpointProbe: { ...made, name, leftAlone: [left] } } });
  expect(partly).toMatchObject({ status: 'unknown', because: expect.stringContaining(`Not tested: ${because}.`) });
});

test('the evidence names every address that was dialled', () => {
  const dialled = ['10.0.0.100:6443', '10.0.0.1:6443'];
  const finding = find('endpoint.reachable', { resources: { endpointProbe: { ...made, dialled } } });
  expect(finding.evidence).toContainEqual({ object: 'this machine', path: 'dialled', value: dialled });
});

test.each([
  ['is in the ConfigMap, and eBPF is on', 'BPF', undefined, true],
  ['is in the ConfigMap, before the switch', 'Iptables', undefined, false],
  ['was chosen for the switch', 'BPF', { host: '10.0.0.100', port: '6443' }, false],
] as const)(
  'an API server that is away is an outage where its address %s: %s',
  (_where, actual, endpoint, isOutage) => {
    const finding = find(
      'endpoint.reachable',
      {
        installation: { dataplane: { actual } },
        endpoint: { configMap: { host: '10.0.0.100', port: '6443', namespace: 'tigera-operator' } },
        resources: { endpointProbe: { ...made, ready: { status: 503, ok: false, failing: [] } } },
      },
      { endpoint },
    );
    expect([finding.status, finding.outage]).toEqual(['fail', isOutage]);
  },
);
