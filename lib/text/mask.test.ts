import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMasked, mask, maskedAt, maskedData, maskedText, secretIn } from './mask.ts';
import { programOutput } from './program-output.ts';
import { secretByName } from './secret-names.ts';

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQ\nEAx+hunter2\n-----END RSA PRIVATE KEY-----';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2';

test.each([
  [`key: ${pem}\nnext: line`, 'hunter2', 'key: ‹masked: looks like a private key›\nnext: line'],
  [
    `line one\n${pem.slice(pem.indexOf('\n') + 1)}\nnext`,
    'hunter2',
    'line one\n‹masked: looks like a private key›\nnext',
  ],
  [Buffer.from(pem).toString('base64'), 'MIIE', mask('looks like a private key')],
  [jwt, 'hunter2', mask('looks like a token')],
  ['k8s-aws-v1.aHVudGVyMg', 'aHVudGVy', mask('looks like a token')],
  ['ghp_hunter2hunter2hunter2hunter2', 'hunter2', mask('looks like a token')],
  ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN', mask('looks like a key')],
  ['Authorization: Bearer abc', 'abc', 'Authorization: Bearer ‹masked: looks like a credential›'],
  ['basic aHVudGVyMjpodW50ZXIy', 'aHVudGVy', 'basic ‹masked: looks like a credential›'],
  ['http://user:hunter2@proxy:3128/', 'hunter2', 'http://‹masked: looks like a password›@proxy:3128/'],
  [
    'https://x/?a=1&access_token=hunter2&b=2',
    'hunter2',
    'https://x/?a=1&access_token=‹masked: looks like a credential›&b=2',
  ],
  ['{"password":"hun\\"ter2","user":"bob"}', 'ter2', '{"password":"‹masked: looks like a credential›","user":"bob"}'],
  [
    'apiVersion: v1\npassword: hunter2\nuser: bob',
    'hunter2',
    'apiVersion: v1\npassword: ‹masked: looks like a credential›\nuser: bob',
  ],
  ["--client-secret='hunter2'", 'hunter2', "--client-secret='‹masked: looks like a credential›'"],
])('in %j the secret is masked, and the rest stays', (text, secret, expected) => {
  expect(maskedText(text)).toBe(expected);
  expect(maskedText(text)).not.toContain(secret);
  expect(maskedText(maskedText(text))).toBe(maskedText(text));
  expect(secretIn(text)).not.toBeNull();
  expect(isMasked(maskedText(text))).toBe(true);
});

test.each([
  'worker-3 has kernel 4.15, 5.3 is needed',
  'tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token',
  'the bearer of bad news, a basic rule',
  'automountServiceAccountToken: true',
  'https://10.0.0.1:6443/api/v1/nodes?limit=500&continue=abc',
  'clientConnection:\n  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf\nmode: ipvs',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'password: $' + '{FROM_ENV}',
  'sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
])('no secret is seen in %j', (text) => {
  expect(maskedText(text)).toBe(text);
  expect(secretIn(text)).toBeNull();
});

test.each([
  ['DB_PASSWORD', 'a password'],
  ['password.b64', 'a password'],
  ['pwd', 'a password'],
  ['GITHUB_TOKEN_2', 'a token'],
  ['clientSecret', 'a secret'],
  ['CLIENT_SECRET', 'a secret'],
  ['apiKey', 'a key'],
  ['aws_secret_access_key', 'a key'],
  ['.dockerconfigjson', 'a credential'],
  ['secretName', null],
  ['tokenFile', null],
  ['imagePullSecrets', null],
  ['kind', null],
  ['publicKey', null],
  ['key', null],
])('a value of the name %s looks like %s', (name, looksLike) => {
  expect(secretByName(name)).toBe(looksLike);
});

test('data keep their names and places', () => {
  const applied = JSON.stringify({ kind: 'Secret', data: { anything: 'aHVudGVyMg==' } });
  const data = {
    kind: 'ConfigMap',
    metadata: {
      name: 'app',
      annotations: { note: 'plain', 'kubectl.kubernetes.io/last-applied-configuration': applied },
    },
    data: { host: '10.0.0.1', port: '6443', 'db.password': 'hunter2', 'app.yaml': 'token: hunter2\nhost: x\n' },
    env: [
      { name: 'API_TOKEN', value: 'hunter2' },
      { name: 'HOST', value: 'x' },
    ],
    evidence: [{ object: 'ConfigMap/app', path: "data['token']", value: 'hunter2' }],
    secret: { kind: 'Secret', data: { a: 'aHVudGVyMg==' } },
    pull: { imagePullSecrets: [{ name: 'registry' }] },
  };
  const masked = maskedData(data);
  expect(JSON.stringify(masked)).not.toMatch(/hunter2|aHVudGVy/);
  expect(masked).toMatchObject({
    metadata: { name: 'app', annotations: { note: 'plain' } },
    data: {
      host: '10.0.0.1',
      port: '6443',
      'db.password': mask('looks like a password'),
      'app.yaml': expect.stringContaining('host: x'),
    },
    env: [{ name: 'API_TOKEN', value: mask('looks like a token') }, { value: 'x' }],
    evidence: [{ object: 'ConfigMap/app', path: "data['token']", value: mask('looks like a token') }],
    secret: { data: { a: mask('a value of a Secret') } },
    pull: { imagePullSecrets: [{ name: 'registry' }] },
  });
  expect(maskedData(masked)).toEqual(masked);
  expect([maskedAt('spec.password', 'x'), maskedAt('spec.host', 'x')]).toEqual([mask('looks like a password'), 'x']);
});

test('a deep value ends', () => {
  let nested: unknown = 'x';
  for (let depth = 0; depth < 5_000; depth++) nested = { nested };
  expect(JSON.stringify(maskedData(nested))).toContain('too deep');
});

/** Beginnings of what each pattern looks for, without the end that it expects. */
const beginnings = [
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN A PRIVATE KEY',
  'LS0tLS1CRUdJTi',
  'eyJ',
  'eyJ-eyJ-',
  'eyJabcd.',
  'bearer ',
  'Bearer a',
  'basic\t',
  '://',
  '://a:',
  '://user:pw',
  '?token=',
  '&x-amz-',
  '?aaa-token',
  'password',
  'token: "',
  "secret='",
  'token="\\',
  'cookie: ',
  'signalbox_1',
  'ghp_',
  'xoxb-',
  'AKIA',
  'x',
  'x\n',
  'MIIEpAIBAAKCAQEA\n',
  'a.',
  ' ',
  '"',
  '=',
  '-',
  'authorization: bearer ',
  'sha256~',
  '‹masked',
  '\u001b[',
  '[31',
  '_-',
];

test.each(beginnings)('a text of 200 kB that only begins with %j is looked through once', (beginning) => {
  const text = beginning.repeat(Math.ceil(200_000 / beginning.length));
  const before = process.cpuUsage();
  maskedText(text);
  secretIn(text);
  maskedData({ [beginning]: text, note: text });
  programOutput(text);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});

test('masking a masked text again adds almost nothing', () => {
  const part = fc.oneof(
    fc.constantFrom(...beginnings, pem, jwt, 'hunter2', '\n', '@', '›'),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const once = maskedText(parts.join(''));
      expect(once).not.toContain('MIIEpAIBAAKCAQ\nEAx+hunter2');
      expect(maskedText(once).length).toBeLessThanOrEqual(once.length + 200);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['\u001b[31mUnable to locate credentials\u001b[0m\n', 'Unable to locate credentials'],
  ['could not find the profile production-administrators', 'could not find the profile production-administrators'],
  ['WARNING: file is group-readable\nError: UPGRADE FAILED: x\ntrace', 'Error: UPGRADE FAILED: x'],
  ['got 8f3a9c1b2d4e5f60718293a4b5c6d7e8\nmore', 'got ‹masked: looks like a credential›'],
  [`${'long '.repeat(100)}`, `${'long '.repeat(40)}…`],
  ['', ''],
])('of %j a sentence repeats %j', (stderr, line) => {
  expect(programOutput(stderr).line).toBe(line);
});

test('the rest is there for who asks', () => {
  expect(programOutput('one\ntwo \u009b password=hunter2').whole).toBe(
    'one\ntwo \\u009b password=‹masked: looks like a credential›',
  );
  expect(programOutput('one').whole).toBeNull();
  expect(programOutput('line\n'.repeat(100_000)).whole?.length).toBeLessThan(9_000);
});

test('a name of many digits is judged at once, wherever they end', () => {
  const began = process.cpuUsage();
  for (const end of ['x', '-', 'token', 'b64x']) secretByName(`${'0'.repeat(60)}${end}`);
  expect(secretByName(`token_${'0'.repeat(60)}`)).toBe('a token');
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
});
