import { describe, expect, test } from 'vitest';
import { redact } from './redact.ts';

describe('secrets do not reach the log', () => {
  test.each([
    ['GET https://10.0.0.1 Authorization: Bearer abc.def-123', 'abc.def-123'],
    ['authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA=='],
    ['bearer sha256~Zm9vYmFy', 'Zm9vYmFy'],
    ['token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl was refused', 'eyJzdWIiOiJ4In0'],
    ['k8s-aws-v1.aHR0cHM6Ly9zdHMuYW1hem9uYXdzLmNvbQ', 'aHR0cHM6'],
    ['http://user:hunter2@proxy.example:3128/', 'hunter2'],
    ['http://ghp_onlyatoken@git.example/', 'ghp_onlyatoken'],
    ['http://127.0.0.1:3000/sign-in#key=AAAABBBBCCCCDDDD', 'AAAABBBB'],
    ['https://x.example/?a=1&access_token=s3cret&b=2', 's3cret'],
    ['https://sts.example/?X-Amz-Signature=deadbeef', 'deadbeef'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQ\nEAx\n-----END RSA PRIVATE KEY-----', 'MIIEpAIB'],
    ['-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIcut off here', 'MHcCAQEE'],
    ['client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo=', 'LS0tLS1C'],
    ['"client-certificate-data": "TUlJQ2RH"', 'TUlJQ2RH'],
    ['{"password":"hun ter2"}', 'ter2'],
    ["password='hunter2 and more'", 'and more'],
    ['--client-secret=hunter2', 'hunter2'],
    ['token: abcdef', 'abcdef'],
    ['Cookie: theme=dark; signalbox_3000=eyJpZCI6.c2ln', 'c2ln'],
    ['Set-Cookie: signalbox_3000=abc.def; Path=/', 'abc.def'],
  ])('%s', (text, secret) => {
    const shown = redact(text);
    expect(shown).not.toContain(secret);
    expect(shown).toContain('‹masked: looks like a ');
  });

  test.each([
    'worker-3 has kernel 4.15, 5.3 is needed',
    'GET https://10.0.0.1:6443/api/v1/nodes?limit=500&continue=abc: 403',
    'Error: nope\n    at file:///srv/signalbox/lib/kube/live/secret.ts:10:3',
    'refused POST /sign-in: key.used',
    'the bearer of bad news',
  ])('and the rest stays: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

test('an entry moves no terminal and turns no text around', () => {
  expect(redact('a\u001b[2Jb\rc\u202ed\u0000e')).toBe('a\\u001b[2Jb\\u000dc\\u202ed\\u0000e');
});

test('a long line is looked through once, not once for each of its words', () => {
  const line = 'a.'.repeat(150_000);
  expect(redact(line)).toBe(line);
});
