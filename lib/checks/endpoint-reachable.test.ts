import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { find } from './testing/find.ts';

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;

const made: Probe = {
  endpoint: { host: '10.0.0.100', port: 6443 },
  name: { resolved: true, addresses: ['10.0.0.100'], by: 'address', records: [], aliases: [] },
  connection: { made: true, latencyMs: 2 },
  latency: { minMs: 1, medianMs: 2 },
  certificate: { verified: true, names: ['10.0.0.100'], issuer: 'kubernetes', expiresAt: '2027-11-21T10:00:00.000Z' },
  ready: { status: 200, ok: true, failing: [] },
  servers: [],
};

test.each<[string, Partial<Probe>, string]>([
  ['ready', {}, 'pass'],
  ['answers, and is not ready', { ready: { status: 500, ok: false, failing: [] } }, 'fail'],
  ['a load balancer without a back end', { ready: { status: 503, ok: false, failing: [] } }, 'fail'],
  ['refuses our credentials', { ready: { status: 401, ok: false, failing: [] } }, 'unknown'],
  ['refuses us this path', { ready: { status: 403, ok: false, failing: [] } }, 'unknown'],
  [
    'no connection',
    { connection: { made: false, because: 'timed out after 5 s' }, certificate: null, ready: null },
    'unknown',
  ],
  ['no such name', { name: { resolved: false, because: 'no such name' }, certificate: null, ready: null }, 'unknown'],
])('%s: %s', (_name, seen, expected) => {
  expect(find('endpoint.reachable', { resources: { endpointProbe: { ...made, ...seen } } }).status).toBe(expected);
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
