import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ADoor, aDoor, canary, stateOf } from './testing/a-door.ts';
import { actionsOf, filled, routesOf } from './testing/actions.ts';
import { type Attempt, carryOut, dueOf } from './testing/attempts.ts';
import {
  filesOfTheBuild,
  type HeaderFields,
  hostsOf,
  methods,
  originsOf,
  sites,
  spellings,
  steering,
  targetsElsewhere,
} from './testing/door-tables.ts';
import { everyPair } from './testing/every-pair.ts';
import { printLine } from './testing/print-line.ts';
import type { RawRequest } from './testing/raw-request.ts';

let door: ADoor;
let before: Record<string, string>;
beforeAll(async () => {
  door = await aDoor(inject('consoleBuild'));
  before = stateOf(door.state);
});
afterAll(() => door?.close());

const total = { tried: 0, in: 0 };

/** Sends requests that must get nothing, and prints their number. Requests that may be answered are tested as controls. */
async function hold(what: string, attempts: readonly Attempt[]): Promise<void> {
  const hostile = attempts.filter((attempt) => dueOf(door, attempt) !== 'owner');
  const { tried, faults } = await carryOut(door, hostile);
  total.tried += tried;
  total.in += faults.length;
  printLine(`${what}: ${tried} tried, ${faults.length} let in`);
  expect(faults.slice(0, 20)).toEqual([]);
  expect(tried).toBeGreaterThan(0);
}

/** Cookies with and without a valid session. */
function cookieTable(): { what: string; cookie?: string; session: 'valid' | 'none' }[] {
  const { valid, signedOut, expired, otherPort, otherInstallation } = door.cookies;
  const [name = '', value = ''] = valid.split('=');
  const [payload = '', signature = ''] = value.split('.');
  const claims = [
    { id: 'somebody1', since: 0, until: 9e15 },
    { id: '__proto__', since: 0, until: 9e15 },
    { id: '../../etc', since: -1, until: 1e300 },
  ].map((claim) => Buffer.from(JSON.stringify(claim)).toString('base64url'));
  const none = [
    ['signed out', signedOut],
    ['expired', expired],
    ['of another port', otherPort],
    ['of another installation', otherInstallation],
    ['empty', `${name}=`],
    ['only a name', name],
    ['another payload', ...claims.map((claim) => `${name}=${claim}.${signature}`)],
    ['payload without signature', `${name}=${payload}`, `${name}=${payload}.`, `${name}=.${signature}`, `${name}=.`],
    ['another signature', `${name}=${payload}.${'A'.repeat(43)}`, `${name}=${payload}.${signature.slice(0, 20)}`],
    ['in three parts', `${name}=${value}.x`, `${name}=x.${value}`, `${name}=${payload}.${payload}.${signature}`],
    ['in quotes', `${name}="${value}"`],
    ['encoded', `${name}=${encodeURIComponent(value).replaceAll('.', '%2e')}`],
    ['under another name', `x${valid}`, `__Host-${valid}`, `${name}0=${value}`, `${name.toUpperCase()}=${value}`],
    ['very long', `${name}=${'A'.repeat(20_000)}`, `${name}=${value}${'A'.repeat(600)}`],
    ['three hundred', Array.from({ length: 300 }, (_, at) => `${name}=${claims[0]}.${at}`).join('; ')],
    ['not ASCII', `${name}=\u00e4\u00ff`],
    ['objects', `${name}[until]=9`, `${name}=[object Object]`, `${name}={"until":9}`],
  ].flatMap(([what = '', ...cookies]) => cookies.map((cookie) => ({ what, cookie, session: 'none' as const })));
  const forged = `${name}=${claims[0]}.${signature}`;
  return [
    { what: 'none', session: 'none' },
    ...none,
    { what: 'valid', cookie: valid, session: 'valid' },
    { what: 'valid among forged', cookie: `${forged}; ${valid}; ${forged}`, session: 'valid' },
    {
      what: 'valid after three hundred',
      cookie: `${Array.from({ length: 300 }, () => forged).join('; ')}; ${valid}`,
      session: 'valid',
    },
  ];
}

/** A path for each route of the build, with an existing cluster, and a draft and a run that do not exist. */
function paths(): string[] {
  const names = {
    cluster: door.slug,
    draft: 'draft-000000000000',
    run: '20260101-000000',
    step: 'goal',
    topic: 'kernels',
  };
  return routesOf(inject('consoleBuild')).map((route) => filled(route, names));
}

function asking(method: string, target: string, headers: HeaderFields = [], body?: string): RawRequest {
  const own = method === 'POST' ? ([['Origin', door.own.origin]] as const) : [];
  const length = body === undefined ? [] : ([['Content-Length', `${Buffer.byteLength(body)}`]] as const);
  return {
    method,
    target,
    hosts: [door.own.host],
    headers: [...own, ...headers, ...length],
    ...(body ? { body } : {}),
  };
}

const sameOrigin: HeaderFields = [['Sec-Fetch-Site', 'same-origin']];

/** An action that writes: a new draft for the sandbox. */
function makesADraft(): RawRequest {
  const action = actionsOf(inject('consoleBuild')).find(({ name }) => name === 'enableEbpf');
  if (!action) throw new Error('the build has no action enableEbpf');
  const type: HeaderFields = [
    ['Next-Action', action.id],
    ['Content-Type', 'text/plain;charset=UTF-8'],
  ];
  return asking('POST', `/clusters/${door.slug}`, type, JSON.stringify([door.slug, null]));
}

/** Requests that are admitted unchanged: the controls for all variations of them. */
function bases(): Attempt[] {
  const cookie = door.cookies.valid;
  return [
    { request: asking('GET', '/'), cookie, session: 'valid' },
    { request: asking('GET', `/clusters/${door.slug}/runs`, sameOrigin), cookie, session: 'valid' },
    { request: asking('GET', `/api/clusters/${door.slug}/events`, sameOrigin), cookie, session: 'valid' },
    { request: asking('GET', `/api/clusters/${door.slug}/flows`, sameOrigin), cookie, session: 'valid' },
    { request: makesADraft(), cookie, session: 'valid' },
  ];
}

/** The request with other headers of these names. */
function instead({ request, ...rest }: Attempt, name: RegExp, fields: HeaderFields): Attempt {
  const headers = [...request.headers.filter(([given]) => !name.test(given)), ...fields];
  return { ...rest, request: { ...request, headers } };
}

describe('one thing wrong', () => {
  test('the Host', () =>
    hold(
      'hosts',
      bases().flatMap((base) => hostsOf(door.own).map((hosts) => ({ ...base, request: { ...base.request, hosts } }))),
    ));

  test('the Origin', () =>
    hold(
      'origins',
      bases().flatMap((base) => originsOf(door.own).map((origin) => instead(base, /^Origin$/, origin))),
    ));

  test('where it comes from', () =>
    hold(
      'sites',
      bases().flatMap((base) => sites.map((site) => instead(base, /^Sec-Fetch-/, site))),
    ));

  test('the method', () =>
    hold(
      'methods',
      bases().flatMap((base) => methods.map((method) => ({ ...base, request: { ...base.request, method } }))),
    ));

  test('the cookie, on each route', () => {
    const cookies = cookieTable().filter(({ session }) => session === 'none');
    const reading = paths().flatMap((path) =>
      cookies.map((one) => ({ ...one, request: asking('GET', path, sameOrigin) })),
    );
    const writing = cookies.flatMap((one) => [
      { ...one, request: makesADraft() },
      { ...one, request: asking('POST', '/sign-out', [], '') },
    ]);
    return hold('cookies', [...reading, ...writing]);
  });
});

test('every two values of two parts of a request together', () => {
  const rows = everyPair({
    path: [...paths(), '/sign-out', '/_next/image', '/api', '/api/', '/nowhere', '/_next/static/../../api/x'],
    hosts: hostsOf(door.own),
    origin: originsOf(door.own),
    site: sites,
    cookie: cookieTable(),
    method: methods,
    steer: [[], ...steering(door.own)],
  });
  const attempts = rows.map(({ path, hosts, origin, site, cookie, method, steer }) => ({
    request: { method, target: path, hosts, headers: [...origin, ...site, ...steer] },
    ...cookie,
  }));
  return hold('pairs', attempts);
});

describe('other ways to say it', () => {
  test('paths that something may read as others, without a session', () => {
    const inner = [`/clusters/${door.slug}`, `/api/clusters/${door.slug}/events`];
    const targets = [...inner.flatMap(spellings), ...targetsElsewhere(door.own), ...filesOfTheBuild];
    const requests = targets.flatMap((target) => [
      asking('GET', target, sameOrigin),
      asking('HEAD', target, sameOrigin),
      { ...makesADraft(), target },
    ]);
    return hold(
      'paths',
      requests.map((one) => ({ request: one, session: 'none' })),
    );
  });

  test('headers that steer a proxy, Next or an application, without a session', () => {
    const requests = [
      ...bases().map(({ request: one }) => one),
      asking('GET', '/sign-in'),
      asking('GET', '/favicon.ico'),
    ];
    return hold(
      'steering headers',
      requests.flatMap((one) =>
        steering(door.own).map((fields) => ({
          request: { ...one, headers: [...one.headers, ...fields] },
          session: 'none' as const,
        })),
      ),
    );
  });

  test('the same headers on what another site asks, with the session', () => {
    const foreign: HeaderFields = [
      ['Origin', 'http://evil.example'],
      ['Sec-Fetch-Site', 'cross-site'],
    ];
    return hold(
      'steering headers from elsewhere',
      bases().flatMap((base) =>
        steering(door.own).flatMap((fields) => [
          instead(base, /^(?:Origin|Sec-Fetch-\w+)$/, [...foreign, ...fields]),
          { ...instead(base, /^$/, fields), request: { ...base.request, hosts: ['evil.example'] } },
        ]),
      ),
    );
  });
});

describe('afterwards', () => {
  test('nothing was written, and the session is as good as before', async () => {
    expect(stateOf(door.state)).toEqual(before);
    expect((await door.read('/')).body).toContain(canary);
    printLine(`hostile requests: ${total.tried} tried, ${total.in} let in`);
  });

  test('the same machinery lets in what is right: each base, each spelling of our Host, each cookie with a session', async () => {
    const right = [
      ...bases(),
      ...bases().map((base) => ({ ...base, request: { ...base.request, hosts: [door.own.host.toUpperCase()] } })),
      ...cookieTable()
        .filter(({ session }) => session === 'valid')
        .map((one) => ({ ...one, request: asking('GET', '/') })),
    ];
    expect(right.map((attempt) => dueOf(door, attempt))).toEqual(right.map(() => 'owner'));
    for (const { request, cookie } of right) {
      const { answers } = await door.ask(request, cookie);
      expect([request, answers[0]?.status]).toEqual([request, 200]);
      if (request.target === '/') expect(answers[0]?.body).toContain(canary);
    }
    expect(stateOf(door.state)).not.toEqual(before);
  });

  test('what is odd and comes from the owner ends in no fault either', async () => {
    const cookie = door.cookies.valid;
    const odd = [
      ...[...spellings(`/clusters/${door.slug}/runs`), ...filesOfTheBuild].map((target) =>
        asking('GET', target, sameOrigin),
      ),
      ...steering(door.own).map((fields) => asking('GET', `/clusters/${door.slug}/runs`, fields)),
    ].map((request): Attempt => ({ request, cookie, session: 'valid' }));
    const { tried, right, faults } = await carryOut(door, odd);
    printLine(`odd requests of the owner: ${tried + right} tried, ${faults.length} faults`);
    expect(faults.slice(0, 20)).toEqual([]);
  });
});
