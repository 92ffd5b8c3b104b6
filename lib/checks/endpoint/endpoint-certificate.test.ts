import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

type Probe = Facts['resources']['endpointProbe'];

const issued = { issuer: 'kubernetes', expiresAt: '2027-11-21T10:00:00.000Z' };

const made: Probe = {
  endpoint: { host: '10.0.0.100', port: 6443 },
  name: { resolved: true, addresses: ['10.0.0.100'], by: 'address', records: [], aliases: [] },
  connection: { made: true, latencyMs: 2 },
  latency: { minMs: 1, medianMs: 2 },
  certificate: { verified: true, names: ['10.0.0.100'], ...issued },
  ready: { status: 200, ok: true, failing: [] },
  servers: [],
  dialled: ['10.0.0.100:6443'],
  leftAlone: [],
};

test.each<[string, Probe, string]>([
  ['verified', made, 'pass'],
  [
    'another name',
    {
      ...made,
      certificate: {
        verified: false,
        names: ['10.0.0.1', 'kubernetes'],
        because: '10.0.0.100 is not among its names',
        ...issued,
      },
    },
    'fail',
  ],
  [
    'no connection',
    { ...made, connection: { made: false, because: 'connection refused' }, certificate: null, ready: null },
    'unknown',
  ],
  [
    'no such name',
    {
      ...made,
      name: { resolved: false, because: 'no such name' },
      connection: { made: false, because: '' },
      certificate: null,
      ready: null,
    },
    'unknown',
  ],
  ['another endpoint was dialled', { ...made, endpoint: { host: '10.0.0.1', port: 6443 } }, 'unknown'],
  ['a dump: nothing is dialled', { because: 'this is a dump' }, 'unknown'],
])('%s: %s', (_name, endpointProbe, expected) => {
  const facts = aFacts();
  const resources = { ...facts.resources, endpointProbe };
  expect(find('endpoint.certificate', { ...facts, resources }).status).toBe(expected);
});

test('it lists the names that the certificate has', () => {
  const certificate = {
    verified: false as const,
    names: ['10.0.0.1', 'kubernetes'],
    because: '10.0.0.100 is not among its names',
  };
  expect(find('endpoint.certificate', { resources: { endpointProbe: { ...made, certificate } } }).because).toBe(
    'The certificate at 10.0.0.100 does not verify: 10.0.0.100 is not among its names. It names 10.0.0.1 and kubernetes.',
  );
});
