import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileAddress, publicAddress, redirectFault, sourceAddress } from './source-address.ts';

test('the bundle for OpenShift is built, not committed, so it lies elsewhere at the public address; a mirror has it beside the manifests', () => {
  expect(fileAddress(publicAddress, 'v3.31.4', 'ocp.tgz')).toBe(
    'https://github.com/projectcalico/calico/releases/download/v3.31.4/ocp.tgz',
  );
  expect(fileAddress('https://m.example', 'v3.31.4', 'ocp.tgz')).toBe('https://m.example/v3.31.4/manifests/ocp.tgz');
});

test.each([
  ['https://a.example/x', 'https://b.example/y', true],
  ['https://a.example/x', 'http://a.example/x', false],
  ['https://a.example/x', 'http://127.0.0.1/x', false],
  ['http://127.0.0.1:1/x', 'http://127.0.0.1:2/x', true],
  ['http://127.0.0.1:1/x', 'http://127.0.0.1.example/x', false],
  ['http://127.0.0.1:1/x', 'https://a.example/x', true],
  ['http://mirror.example/x', 'http://mirror.example/y', false],
  ['https://a.example/x', 'https://me@b.example/y', false],
  ['https://a.example/x', 'data:text/plain,x', false],
])('from %s to %s: %s', (from, to, isFollowed) => {
  expect(redirectFault(new URL(from), new URL(to)) === null).toBe(isFollowed);
});

test('whatever is given as an address: refused by a sentence, or a base of the same host without anything secret', () => {
  const piece = fc.constantFrom(
    'https://',
    'http://',
    'me:hunter2@',
    'hunter2@',
    'm.example',
    '127.0.0.1',
    '[::1]',
    ':8080',
    '/',
    '/calico',
    '/v3.31.4',
    '/manifests',
    '?hunter2',
    '#hunter2',
    '//',
    '\\\\',
    '..',
    '%2e%2e',
    ' ',
    'hunter2',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
      const text = pieces.join('');
      let base: string;
      try {
        base = sourceAddress(text, 'v3.31.4', {});
      } catch (error) {
        expect(error).toMatchObject({ code: 'release.source', message: expect.stringMatching(/\.$/) });
        return;
      }
      const address = new URL(fileAddress(base, 'v3.31.4', 'tigera-operator.yaml'));
      expect(address.origin).toBe(new URL(text).origin);
      expect(address.username + address.password + address.search + address.hash).toBe('');
      expect(address.protocol === 'https:' || ['127.0.0.1', '[::1]'].includes(address.hostname)).toBe(true);
      expect(address.pathname).toMatch(/\/v3\.31\.4\/manifests\/tigera-operator\.yaml$/);
    }),
    { numRuns: 1000 },
  );
});

test('a secret is not repeated', () => {
  for (const text of [
    'https://me:hunter2@m.example/',
    'https://m.example/?t=hunter2',
    'hunter2:hunter2//x',
    'https://hunter2@',
  ])
    expect(() => sourceAddress(text, 'v3.31.4', {})).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
});
