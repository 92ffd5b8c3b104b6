import fc from 'fast-check';
import { expect, test } from 'vitest';
import { yamlDiff } from './diff.ts';
import { lineDiff } from './line-diff.ts';

const configMap = (data: Record<string, unknown>, metadata: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b', ...metadata },
  data,
});

test('a changed field is shown with what is around it', () => {
  expect(yamlDiff(configMap({ host: '10.0.0.1', port: '6443' }), configMap({ port: '6443', host: '10.0.0.2' }))).toBe(
    [
      '--- b/ConfigMap/a',
      '+++ b/ConfigMap/a',
      '@@ -4,5 +4,5 @@',
      '   name: a',
      '   namespace: b',
      ' data:',
      '-  host: 10.0.0.1',
      '+  host: 10.0.0.2',
      '   port: "6443"',
      '',
    ].join('\n'),
  );
});

test('an object that comes or goes', () => {
  expect(yamlDiff(null, configMap({ a: 'b' }))).toMatch(
    /^--- \/dev\/null\n\+\+\+ b\/ConfigMap\/a\n@@ -0,0 \+1,7 @@\n\+apiVersion: v1\n/,
  );
  expect(yamlDiff(configMap({ a: 'b' }), null)).toContain('@@ -1,7 +0,0 @@');
});

test('what the server keeps for itself is no difference', () => {
  const bookkeeping = {
    resourceVersion: '7',
    uid: 'u',
    generation: 2,
    creationTimestamp: 'now',
    managedFields: [{}],
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  };
  expect(
    yamlDiff({ ...configMap({ a: 'b' }, { annotations: {} }), status: { x: 1 } }, configMap({ a: 'b' }, bookkeeping)),
  ).toBe('');
});

test.each([
  ['a Secret', { kind: 'Secret', metadata: { name: 's' }, data: { 'tls.key': 'c2VjcmV0' } }],
  ['stringData', { kind: 'Secret', metadata: { name: 's' }, stringData: { anything: 'c2VjcmV0' } }],
  ['a key that says so', { kind: 'X', metadata: {}, spec: { registryPassword: 'c2VjcmV0' } }],
  ['a variable', { kind: 'X', metadata: {}, spec: { env: [{ name: 'DB_PASSWORD', value: 'c2VjcmV0' }] } }],
  ['a URL', { kind: 'X', metadata: {}, spec: { proxy: 'https://user:c2VjcmV0@proxy:3128' } }],
  ['a token', { kind: 'X', metadata: {}, spec: { x: 'Bearer c2VjcmV0c2VjcmV0' } }],
  ['an argument', { kind: 'X', metadata: {}, spec: { args: ['--token=c2VjcmV0'] } }],
  ['a private key', { kind: 'X', metadata: {}, data: { x: '-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n' } }],
  [
    'a kubeconfig',
    { kind: 'X', metadata: {}, data: { kubeconfig: 'users:\n- user:\n    client-key-data: c2VjcmV0\n' } },
  ],
])('the credential in %s is never shown, and is seen to change', (_title, object) => {
  const other = JSON.parse(JSON.stringify(object).replaceAll('c2VjcmV0', 'b3RoZXJz'));
  expect(yamlDiff(null, object)).not.toContain('c2VjcmV0');
  const change = yamlDiff(other, object);
  expect(change).toMatch(/‹masked: [^›]+; changed›/);
  expect(change).not.toMatch(/c2VjcmV0|b3RoZXJz/);
  expect(yamlDiff(object, object)).toBe('');
});

test.each([
  [{ spec: { automountServiceAccountToken: true } }],
  [{ spec: { imagePullSecrets: [{ name: 'registry' }] } }],
  [{ spec: { volumes: [{ secret: { secretName: 'tls' } }] } }],
  [{ spec: { serviceAccountTokenExpirationSeconds: 3600 } }],
])('%j is no credential', (object) => {
  expect(yamlDiff(null, { kind: 'X', metadata: {}, ...object })).not.toContain('‹masked');
});

test('names with line breaks do not make lines of their own', () => {
  expect(yamlDiff(null, { kind: 'X', metadata: { name: 'a\n+++ b' } }).split('\n')[1]).toBe('+++ X/a\\u000a+++ b');
});

const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });

test('a line diff leads from the one text to the other, in as few edits as there can be', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const changes = lineDiff(before, after);
      const side = (other: string) => changes.filter(({ kind }) => kind !== other).map(({ text }) => text);
      expect(side('added')).toEqual(before);
      expect(side('removed')).toEqual(after);
      const same = changes.filter(({ kind }) => kind === 'same').length;
      expect(same).toBe(longestCommon(before, after));
    }),
  );
});

function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const one of before) {
    const next = [0];
    after.forEach((other, index) => {
      next.push(one === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}

test('texts that have nothing in common are replaced without a long search', () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
  const after = Array.from({ length: 20_000 }, (_, index) => `b${index}`);
  const began = process.cpuUsage();
  expect(lineDiff(before, after)).toHaveLength(40_000);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(3_000);
});

test('a long text is looked through for credentials once, not once for each of its letters', () => {
  const object = (note: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { note } });
  expect(yamlDiff(object('short'), object('x'.repeat(200_000)))).toContain('-  note: short');
  expect(yamlDiff(object('short'), object('HTTP://user:hunter2@host'))).not.toContain('hunter2');
});
