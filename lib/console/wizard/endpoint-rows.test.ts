import { describe, expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { type EndpointRows, endpointRows } from './endpoint-rows.ts';
import { aWizardContext } from './testing/a-wizard-context.ts';

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;

const good: Probe = {
  endpoint: { host: 'api.example.org', port: 6443 },
  name: {
    resolved: true,
    addresses: ['198.18.0.20'],
    by: 'dns',
    records: [{ type: 'A', address: '198.18.0.20', ttlSeconds: 30 }],
    aliases: ['lb.example.net'],
  },
  connection: { made: true, latencyMs: 3.4 },
  latency: { minMs: 2.1, medianMs: 3.4 },
  certificate: {
    verified: true,
    names: ['api.example.org', '10.0.0.11'],
    issuer: 'kubernetes',
    expiresAt: '2027-11-21T10:00:00.000Z',
  },
  ready: { status: 200, ok: true, failing: [] },
  servers: [],
  dialled: ['198.18.0.20:6443'],
  leftAlone: [],
};

/** The context's findings are of 2026-11-21, 10:00. */
function seen(probe: Partial<Probe> | { because: string }, apiServers: string[] = []): EndpointRows {
  const endpointProbe = 'because' in probe ? probe : { ...good, ...probe };
  const context = aWizardContext({ facts: { endpoint: { apiServers } } });
  const { facts } = context;
  return endpointRows({ ...context, facts: { ...facts, resources: { ...facts.resources, endpointProbe } } });
}

const rowOf = ({ itself, servers }: EndpointRows, what: string) =>
  [...itself, ...servers].find((row) => row.what === what);

test('an address with everything as it should be', () => {
  const { seen: address, itself } = seen({});
  expect(address).toBe('api.example.org:6443');
  expect(itself.map(({ what, state }) => [what, state])).toEqual([
    ['Name', 'ok'],
    ['Connection', 'ok'],
    ['Certificate', 'ok'],
    ['Expires', 'ok'],
    ['/readyz', 'ok'],
    ['Is it stable?', 'ok'],
  ]);
});

test('records with their time to live, and the names that it leads over', () => {
  expect(rowOf(seen({}), 'Name')?.also).toEqual(['CNAME lb.example.net', 'A 198.18.0.20, TTL 30 s']);
});

const lookedUp = { resolved: true, addresses: ['198.18.0.20'], records: [], aliases: [] } as const;
const named = (name: Probe['name']) => rowOf(seen({ name }), 'Name');

test.each<[string, Probe['name'], string, RegExp]>([
  ['an address', { ...lookedUp, addresses: [], records: [], aliases: [], by: 'address' }, 'ok', /no DNS is needed/],
  [
    'the hosts file only',
    { ...lookedUp, addresses: ['10.0.0.9'], records: [], aliases: [], by: 'machine' },
    'warn',
    /^Only this machine/,
  ],
  [
    'a DNS that is silent',
    { ...lookedUp, addresses: ['10.0.0.9'], records: [], aliases: [], by: 'undecided' },
    'unknown',
    /not tested/,
  ],
  ['no such name', { resolved: false, because: 'no such name' }, 'unknown', /^Not resolved from here: no such name\./],
  [
    'a hosts file that overrules DNS',
    {
      resolved: true,
      by: 'dns',
      addresses: ['127.0.0.1'],
      records: [{ type: 'A', address: '198.18.0.20', ttlSeconds: 30 }],
      aliases: [],
    },
    'warn',
    /goes to 127\.0\.0\.1, which DNS did not name/,
  ],
])('name: %s', (_case, name, state, says) => {
  const row = named(name);
  expect(row?.state).toBe(state);
  expect(row?.says).toMatch(says);
});

describe('certificate', () => {
  const certificate = good.certificate ?? { verified: true, names: [], issuer: null, expiresAt: null };

  test.each([
    ['2027-11-21T10:00:00.000Z', 'ok', 'On 2027-11-21, in 365 days.'],
    ['2026-12-21T10:00:00.000Z', 'ok', 'On 2026-12-21, in 30 days.'],
    [
      '2026-12-21T09:59:00.000Z',
      'warn',
      'On 2026-12-21, in 29 days. From then on every agent refuses it: renew it before.',
    ],
    [
      '2026-11-22T11:00:00.000Z',
      'warn',
      'On 2026-11-22, in 1 day. From then on every agent refuses it: renew it before.',
    ],
    [
      '2026-11-21T11:00:00.000Z',
      'warn',
      'On 2026-11-21, within a day. From then on every agent refuses it: renew it before.',
    ],
    ['2026-11-20T10:00:00.000Z', 'bad', 'It ended on 2026-11-20. Every client refuses it until it is renewed.'],
    [null, 'unknown', 'The certificate has no readable expiry date.'],
  ])('that ends at %s', (expiresAt, state, says) => {
    expect(rowOf(seen({ certificate: { ...certificate, expiresAt } }), 'Expires')).toMatchObject({ state, says });
  });

  test('for whom it is, and who issued it', () => {
    expect(rowOf(seen({}), 'Certificate')?.also).toEqual(['for api.example.org, 10.0.0.11', 'issued by kubernetes']);
  });

  test('thousands of names are told as such', () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `n${at}.example.org`);
    const [first = ''] = rowOf(seen({ certificate: { ...certificate, names } }), 'Certificate')?.also ?? [];
    expect(first).toMatch(/n15\.example\.org and 1984 more$/);
  });

  test('one that does not verify is asked for nothing', () => {
    const shown = seen({
      certificate: { ...certificate, verified: false, because: 'it is for other names' },
      ready: null,
    });
    expect(rowOf(shown, 'Certificate')).toMatchObject({
      state: 'bad',
      says: 'Does not verify for api.example.org: it is for other names.',
    });
    expect(rowOf(shown, '/readyz')).toMatchObject({ state: 'unknown', says: expect.stringMatching(/^Not asked/) });
  });

  test.each([
    ['The certificate of 10.0.0.1 has expired.', /: The certificate of 10\.0\.0\.1 has expired\.$/],
    ['10.0.0.1 does not answer with TLS. Is the address right?', /Is the address right\?$/],
  ])('a reason that is a sentence ends once: %s', (because, says) => {
    const shown = seen({ certificate: { ...certificate, verified: false, because }, ready: null });
    expect(rowOf(shown, 'Certificate')?.says).toMatch(says);
    const none = { verified: false as const, names: [], issuer: null, expiresAt: null, because };
    expect(rowOf(seen({ certificate: none, ready: null }), 'Certificate')?.says).toMatch(says);
  });

  test('a handshake that broke off shows none, and no row says when it ends', () => {
    const broken = {
      verified: false,
      names: [],
      issuer: null,
      expiresAt: null,
      because: 'the TLS handshake broke off',
    } as const;
    const shown = seen({ certificate: { ...broken, names: [] }, ready: null });
    expect(rowOf(shown, 'Certificate')?.says).toBe('None could be read: the TLS handshake broke off.');
    expect(rowOf(shown, 'Expires')).toBeUndefined();
  });
});

test.each<[Probe['ready'], string, string]>([
  [
    { status: 500, ok: false, failing: ['etcd', 'poststarthook/rbac'] },
    'bad',
    'Not ready (500); failing: etcd, poststarthook/rbac.',
  ],
  [{ status: 500, ok: false, failing: [] }, 'bad', 'Not ready (500), and names no failing part.'],
  [{ status: 403, ok: false, failing: [] }, 'unknown', 'Answered 403, which does not tell whether it is ready.'],
  [
    { status: 401, ok: false, failing: [], refusesStrangers: true },
    'ok',
    'An API server answered 401: without credentials it does not tell whether it is ready, and none are sent.',
  ],
  [null, 'unknown', 'Asked; no readable answer.'],
])('/readyz: %j', (ready, state, says) => {
  expect(rowOf(seen({ ready }), '/readyz')).toMatchObject({ state, says });
});

test('an address that nobody answers at has neither certificate nor /readyz', () => {
  const connection = { made: false, because: 'no answer within 5 s' } as const;
  const { itself } = seen({ connection, latency: null, certificate: null, ready: null });
  expect(itself.map(({ what, state }) => [what, state])).toEqual([
    ['Name', 'ok'],
    ['Connection', 'unknown'],
    ['Is it stable?', 'ok'],
  ]);
});

describe('each API server behind it', () => {
  const { connection, certificate, ready } = good;
  const server = { address: '10.0.0.11:6443', connection, certificate, ready };
  const of = (probed: Probe['servers'][number]) => rowOf(seen({ servers: [probed] }), '10.0.0.11:6443');

  test('that is ready', () => {
    expect(of(server)).toMatchObject({ state: 'ok', says: 'Connected in 3.4 ms; ready (200).' });
  });
  test('that a firewall keeps from here is unknown, and no fault', () => {
    const refused = { made: false, because: 'no answer within 5 s' } as const;
    expect(of({ ...server, connection: refused, certificate: null, ready: null })).toMatchObject({
      state: 'unknown',
      says: 'Cannot be asked from here: no answer within 5 s.',
    });
  });
  test('whose own certificate ends soon, though the others are good for a year', () => {
    const soon = certificate && { ...certificate, expiresAt: '2026-11-30T10:00:00.000Z' };
    expect(of({ ...server, certificate: soon })).toMatchObject({
      state: 'warn',
      says: 'Connected in 3.4 ms; ready (200). Its certificate ends on 2026-11-30, in 9 days.',
    });
  });
  test('that is not ready', () => {
    expect(of({ ...server, ready: { status: 500, ok: false, failing: ['etcd'] } })).toMatchObject({
      state: 'bad',
      says: 'Connected in 3.4 ms; not ready (500); failing: etcd.',
    });
  });
  test('none is known, or none may be dialled', () => {
    expect(seen({}).servers).toMatchObject([{ state: 'unknown', says: expect.stringMatching(/names no API server/) }]);
    const leftAlone = [{ address: '127.0.0.1:6443', because: 'is a loopback address' }];
    expect(seen({ leftAlone }, ['127.0.0.1:6443']).servers).toMatchObject([
      { what: '127.0.0.1:6443', state: 'unknown', says: 'Not tested: it is a loopback address.' },
    ]);
  });
});

test('where nothing is dialled, that is said, with its reason', () => {
  const { seen: address, itself, servers } = seen({ because: 'from a dump or a sandbox nothing is dialled' });
  expect([address, servers]).toEqual([null, []]);
  expect(itself[0]).toMatchObject({
    state: 'unknown',
    says: 'Not tried: from a dump or a sandbox nothing is dialled.',
  });
});
