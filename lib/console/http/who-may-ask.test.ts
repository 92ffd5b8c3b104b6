import { describe, expect, test } from 'vitest';
import { type Ask, whoMayAsk } from './who-may-ask.ts';

const name = 'sb2k7q4x6w5m3n2p7t6v4y5z.localhost';
const host = `${name}:3000`;
const own = `http://${host}`;
const ownFetch = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const form = { origin: own, 'content-length': '10', 'content-type': 'application/json' };

function ask(method: string, target: string, headers: Record<string, string> = {}, hosts = [host]): Ask {
  return { method, target, hosts, header: (name) => headers[name] };
}

/** `refused 421 host.foreign`, `next public`, `to-sign-in /sign-in`. */
function verdict(request: Ask, session: 'valid' | 'none' = 'valid'): string {
  const given = whoMayAsk(request, host, session);
  switch (given.kind) {
    case 'refused':
      return `refused ${given.status} ${given.code}`;
    case 'next':
      return `next ${given.because}`;
    case 'to-sign-in':
      return `to-sign-in ${given.location}`;
    default:
      return given.kind;
  }
}

describe('the Host must be one of ours', () => {
  test.each([
    [[host], 'next session'],
    [[host.toUpperCase()], 'next session'],
    [['127.0.0.1:3000'], 'refused 421 host.foreign'],
    [['localhost:3000'], 'refused 421 host.foreign'],
    [['[::1]:3000'], 'refused 421 host.foreign'],
    [[name], 'refused 421 host.foreign'],
    [[`${name}.:3000`], 'refused 421 host.foreign'],
    [[`${name}:3001`], 'refused 421 host.foreign'],
    [[`other.${host}`], 'refused 421 host.foreign'],
    [['aaaaaaaaaaaaaaaaaaaaaaaa.localhost:3000'], 'refused 421 host.foreign'],
    [['evil.example'], 'refused 421 host.foreign'],
    [['evil.example:3000'], 'refused 421 host.foreign'],
    [[`${host}.evil.example`], 'refused 421 host.foreign'],
    [[`${host}@evil.example`], 'refused 421 host.foreign'],
    [[host, host], 'refused 421 host.foreign'],
    [[host, 'evil.example'], 'refused 421 host.foreign'],
    [[''], 'refused 421 host.foreign'],
    [[], 'refused 421 host.foreign'],
  ])('%j: %s', (hosts, expected) => {
    expect(verdict(ask('GET', '/', {}, hosts))).toBe(expected);
  });
});

test('the refusal of another Host does not say the name', () => {
  const given = whoMayAsk(ask('GET', '/', {}, ['127.0.0.1:3000']), host, 'none');
  expect(JSON.stringify(given)).not.toContain(name);
});

test('where the plain address was asked for, it is all that is answered', () => {
  const to = (request: string) => whoMayAsk(ask('GET', '/', {}, [request]), '127.0.0.1:3000', 'valid').kind;
  expect([to('127.0.0.1:3000'), to('localhost:3000'), to('[::1]:3000')]).toEqual(['next', 'refused', 'refused']);
});

describe('an address is a path and nothing else', () => {
  test.each([
    ['http://evil.example/', 'refused 400 target.form'],
    ['//evil.example/', 'refused 400 target.form'],
    ['/\\evil.example/', 'refused 400 target.form'],
    ['*', 'refused 400 target.form'],
    ['', 'refused 400 target.form'],
    ['/a b', 'refused 400 target.form'],
    ['/ä', 'refused 400 target.form'],
    ['/x/../api/clusters/a/events', 'refused 400 target.form'],
    ['/x/%2e%2E/api/clusters/a/events', 'refused 400 target.form'],
    ['/x/.%2e/api/clusters/a/events', 'refused 400 target.form'],
    ['/./api/clusters/a/events', 'refused 400 target.form'],
    ['/clusters/..', 'refused 400 target.form'],
    ['/clusters/%', 'refused 400 target.form'],
    ['/clusters/%ff', 'refused 400 target.form'],
    ['/clusters/a%2Fb?x=1', 'next session'],
    ['/clusters/a?to=/../b&part=%', 'next session'],
    ['/clusters/..a/.b', 'next session'],
  ])('%j: %s', (target, expected) => {
    expect(verdict(ask('GET', target))).toBe(expected);
  });
});

describe('what changes something comes from a page of ours', () => {
  test.each<[string, Ask, string]>([
    ['our own page', ask('POST', '/clusters/a', form), 'next session'],
    ['no Origin', ask('POST', '/clusters/a', { 'content-length': '10' }), 'refused 403 origin.foreign'],
    ['a foreign Origin', ask('POST', '/', { ...form, origin: 'http://evil.example' }), 'refused 403 origin.foreign'],
    ['an opaque Origin', ask('POST', '/', { ...form, origin: 'null' }), 'refused 403 origin.foreign'],
    ['another port', ask('POST', '/', { ...form, origin: `http://${name}:8080` }), 'refused 403 origin.foreign'],
    ['the same name over TLS', ask('POST', '/', { ...form, origin: `https://${host}` }), 'refused 403 origin.foreign'],
    ['the bare address', ask('POST', '/', { ...form, origin: 'http://127.0.0.1:3000' }), 'refused 403 origin.foreign'],
    [
      'the name above ours',
      ask('POST', '/', { ...form, origin: 'http://localhost:3000' }),
      'refused 403 origin.foreign',
    ],
    [
      'a sign-in from elsewhere',
      ask('POST', '/sign-in', { ...form, origin: 'http://evil.example' }),
      'refused 403 origin.foreign',
    ],
    [
      'a sign-out from elsewhere',
      ask('POST', '/sign-out', { ...form, origin: 'http://evil.example' }),
      'refused 403 origin.foreign',
    ],
    ['a method we do not use', ask('DELETE', '/', form), 'refused 405 method.unknown'],
    ['a preflight', ask('OPTIONS', '/', { ...form, origin: 'http://evil.example' }), 'refused 403 origin.foreign'],
    ['TRACE', ask('TRACE', '/', form), 'refused 405 method.unknown'],
  ])('%s', (_, request, expected) => {
    expect(verdict(request)).toBe(expected);
  });
});

describe('what can be read or embedded is not for other sites', () => {
  test.each<[string, Ask, string]>([
    ['a stream for our page', ask('GET', '/api/clusters/a/events', ownFetch), 'next session'],
    ['a stream by Origin, from an older browser', ask('GET', '/api/x', { origin: own }), 'next session'],
    ['a stream for nobody in particular', ask('GET', '/api/x'), 'refused 403 site.foreign'],
    [
      'a stream typed into the address bar',
      ask('GET', '/api/x', { ...link, 'sec-fetch-site': 'none' }),
      'refused 403 site.foreign',
    ],
    ['a stream for another site', ask('GET', '/api/x', { 'sec-fetch-site': 'cross-site' }), 'refused 403 site.foreign'],
    [
      'a download that another site links to',
      ask('GET', '/api/x', { ...link, 'sec-fetch-site': 'cross-site' }),
      'refused 403 site.foreign',
    ],
    [
      'a stream for another port of this machine',
      ask('GET', '/api/x', { 'sec-fetch-site': 'same-site' }),
      'refused 403 site.foreign',
    ],
    [
      'another site that claims our Origin too',
      ask('GET', '/api/x', { origin: own, 'sec-fetch-site': 'cross-site' }),
      'refused 403 site.foreign',
    ],
    [
      'our page with a foreign Origin',
      ask('GET', '/api/x', { ...ownFetch, origin: 'http://evil.example' }),
      'refused 403 site.foreign',
    ],
    ['/API is no stream of ours, and needs a session like any page', ask('GET', '/API/x'), 'next session'],
    ['a page from the address bar', ask('GET', '/', { ...link, 'sec-fetch-site': 'none' }), 'next session'],
    ['a page that another site links to', ask('GET', '/', { ...link, 'sec-fetch-site': 'cross-site' }), 'next session'],
    [
      'a page in a frame of another site',
      ask('GET', '/', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }),
      'refused 403 site.foreign',
    ],
    [
      'a page as a script of another port',
      ask('GET', '/', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script', 'sec-fetch-site': 'same-site' }),
      'refused 403 site.foreign',
    ],
    [
      'a script of ours on another site',
      ask('GET', '/_next/static/chunks/a.js', {
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'script',
        'sec-fetch-site': 'cross-site',
      }),
      'refused 403 site.foreign',
    ],
    ['HEAD is judged as GET', ask('HEAD', '/api/x'), 'refused 403 site.foreign'],
  ])('%s', (_, request, expected) => {
    expect(verdict(request)).toBe(expected);
  });
});

test.each([
  ['/sign-out', 'sign-out'],
  ['/sign-out/everywhere', 'sign-out-everywhere'],
  ['/seen', 'seen'],
])('POST %s is answered at the door, for a session and from our own page only', (path, kind) => {
  const foreign = ask('POST', path, { ...form, origin: `http://${name}:8080` });
  expect(verdict(ask('POST', path, form))).toBe(kind);
  expect(verdict(ask('POST', path, form), 'none')).toBe('refused 401 session.missing');
  expect(verdict(foreign)).toBe('refused 403 origin.foreign');
  expect(verdict(ask('GET', path))).toBe('next session');
});

describe('without a session', () => {
  test.each<[string, Ask, string]>([
    ['the sign-in page', ask('GET', '/sign-in'), 'next public'],
    ['and with where to go on', ask('GET', '/sign-in?to=%2Fx'), 'next public'],
    ['a script of it', ask('GET', '/_next/static/chunks/0a~b.c-1_d.js'), 'next public'],
    ['the icon', ask('GET', '/icon.svg'), 'next public'],
    ['a key', ask('POST', '/sign-in', form), 'sign-in'],
    ['a page', ask('GET', '/'), 'to-sign-in /sign-in'],
    [
      'a deep page is come back to',
      ask('GET', '/clusters/a?x=1&y'),
      'to-sign-in /sign-in?to=%2Fclusters%2Fa%3Fx%3D1%26y',
    ],
    ['a path without end is not', ask('GET', `/${'a'.repeat(1000)}`), 'to-sign-in /sign-in'],
    ['a stream', ask('GET', '/api/x', ownFetch), 'refused 401 session.missing'],
    ['data for the router', ask('GET', '/clusters/a', { ...ownFetch, rsc: '1' }), 'refused 401 session.missing'],
    ['an action', ask('POST', '/clusters/a', { ...form, 'next-action': 'abc' }), 'refused 401 session.missing'],
    [
      'an action on a page that is public',
      ask('POST', '/icon.svg', { ...form, 'next-action': 'abc' }),
      'refused 401 session.missing',
    ],
    [
      'an action that is put to the sign-in page is taken for a key',
      ask('POST', '/sign-in', { ...form, 'next-action': 'abc' }),
      'sign-in',
    ],
    ['the same with a query', ask('POST', '/sign-in?x', { ...form, 'next-action': 'abc' }), 'sign-in'],
    ['a sign-out', ask('POST', '/sign-out', form), 'refused 401 session.missing'],
    ['what lies beside the sign-in page', ask('GET', '/sign-in/x'), 'to-sign-in /sign-in?to=%2Fsign-in%2Fx'],
    ['another spelling of it', ask('GET', '/Sign-In'), 'to-sign-in /sign-in?to=%2FSign-In'],
    ['a way out of the static files', ask('GET', '/_next/static/../../clusters'), 'refused 400 target.form'],
    ['an encoded one', ask('GET', '/_next/static/%2e%2e/x'), 'refused 400 target.form'],
    [
      'images that Next would make',
      ask('GET', '/_next/image?url=x'),
      'to-sign-in /sign-in?to=%2F_next%2Fimage%3Furl%3Dx',
    ],
  ])('%s', (_, request, expected) => {
    expect(verdict(request, 'none')).toBe(expected);
  });
});

describe('bodies are short and say how long they are', () => {
  test.each<[string, Ask, string]>([
    ['a megabyte', ask('POST', '/', { ...form, 'content-length': '1048576' }), 'next session'],
    ['one more', ask('POST', '/', { ...form, 'content-length': '1048577' }), 'refused 413 body.long'],
    ['a key of 5 KiB', ask('POST', '/sign-in', { ...form, 'content-length': '5120' }), 'refused 413 body.long'],
    ['no length', ask('POST', '/', { origin: own }), 'refused 411 body.length'],
    [
      'an action that Next sends on to its page',
      ask('POST', '/clusters/[cluster]/runs', { origin: own, 'next-action': 'a', 'x-action-forwarded': '1' }),
      'next session',
    ],
    [
      'the same to the sign-in',
      ask('POST', '/sign-in', { origin: own, 'next-action': 'a', 'x-action-forwarded': '1' }),
      'refused 411 body.length',
    ],
    [
      'the same from elsewhere',
      ask('POST', '/', { origin: 'http://evil.example', 'next-action': 'a', 'x-action-forwarded': '1' }),
      'refused 403 origin.foreign',
    ],
    ['in chunks', ask('POST', '/', { ...form, 'transfer-encoding': 'chunked' }), 'refused 411 body.length'],
    ['a question with a body', ask('GET', '/', { 'content-length': '3' }), 'refused 400 body.unexpected'],
    ['a question with chunks', ask('GET', '/', { 'transfer-encoding': 'chunked' }), 'refused 400 body.unexpected'],
    ['an upgrade', ask('GET', '/', { upgrade: 'websocket' }), 'refused 400 upgrade.refused'],
  ])('%s', (_, request, expected) => {
    expect(verdict(request)).toBe(expected);
  });
});
