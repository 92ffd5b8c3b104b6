import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { systemClock } from '../../clock.ts';
import { clusterSchema, execSchema } from '../kubeconfig/schema.ts';
import { Redactor } from '../secret.ts';
import { certificates } from '../testing/certificates.ts';
import { execCredentials } from './exec-plugin.ts';

const folder = testFolder('plugin');
const runs = join(folder, 'runs');
beforeEach(() => writeFileSync(runs, ''));

let nowMs = Date.UTC(2026, 0, 1);
const clock = { ...systemClock, now: () => nowMs };

function credentialsOf(script: string, more: Record<string, unknown> = {}, path = process.env.PATH) {
  const entry = execSchema.parse({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    interactiveMode: 'IfAvailable',
    args: ['-c', `echo run >> ${runs}; ${script}`],
    ...more,
  });
  const cluster = {
    server: 'https://h:6443/p',
    authorities: 'PEM',
    entry: clusterSchema.parse({
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }],
    }),
  };
  return execCredentials(entry, (field) => `users "u": ${field}, in F`, {
    clock,
    env: { PATH: path },
    redactor: new Redactor(),
    cluster,
  });
}

const answer = (status: Record<string, unknown>, apiVersion = 'client.authentication.k8s.io/v1') =>
  `cat <<'END'\n${JSON.stringify({ apiVersion, kind: 'ExecCredential', status })}\nEND`;
const timesRun = () => readFileSync(runs, 'utf8').split('\n').length - 1;

test('one run serves all who wait, and is kept until it expires or is refused', async () => {
  const expirationTimestamp = new Date(nowMs + 60_000).toISOString();
  const credentials = credentialsOf(`sleep 0.1; ${answer({ token: 'tok', expirationTimestamp })}`);
  const [first, second] = await Promise.all([credentials.get(null), credentials.get(null)]);
  expect(first).toBe(second);
  expect(first.authorization?.reveal()).toBe('Bearer tok');
  expect(await credentials.get(null)).toBe(first);
  expect(timesRun()).toBe(1);
  expect(await credentials.get(first)).not.toBe(first);
  expect(timesRun()).toBe(2);
  nowMs += 55_000;
  await credentials.get(null);
  expect(timesRun()).toBe(3);
});

test('a certificate with its key', async () => {
  const { cert, key } = certificates.client;
  const credential = await credentialsOf(answer({ clientCertificateData: cert, clientKeyData: key })).get(null);
  expect(credential.certificate?.cert).toBe(cert);
});

test('it is told about the cluster when it wants to be, and never given a terminal', async () => {
  const info = join(folder, 'info');
  const script = `cat > ${info}.stdin; echo "$KUBERNETES_EXEC_INFO" > ${info}; ${answer({ token: 't' })}`;
  await credentialsOf(script, { provideClusterInfo: true }).get(null);
  expect(readFileSync(`${info}.stdin`, 'utf8')).toBe('');
  expect(JSON.parse(readFileSync(info, 'utf8'))).toEqual({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      cluster: { server: 'https://h:6443/p', 'certificate-authority-data': 'UEVN', config: { audience: 'x' } },
    },
  });
});

test('v1beta1 needs no interactiveMode', async () => {
  const version = 'client.authentication.k8s.io/v1beta1';
  const credentials = credentialsOf(answer({ token: 't' }, version), { apiVersion: version, interactiveMode: null });
  expect((await credentials.get(null)).authorization?.reveal()).toBe('Bearer t');
});

test.each([
  [
    'exits with an error',
    'echo "Unable to locate credentials" >&2; exit 255',
    {},
    'exit code 255: Unable to locate credentials',
  ],
  [
    'is not installed',
    '',
    { command: 'no-such-plugin', installHint: 'brew install it' },
    'not in PATH. brew install it',
  ],
  ['prints nothing', 'true', {}, 'not JSON'],
  ['gives neither token nor certificate', answer({}), {}, 'neither a token nor a certificate'],
  ['prints without end', 'yes', {}, 'too much for a credential'],
  ['is in another version', answer({ token: 't' }, 'client.authentication.k8s.io/v1beta1'), {}, 'another version'],
])('a plug-in that %s', async (_name, script, more, sentence) => {
  await expect(credentialsOf(script, more).get(null)).rejects.toMatchObject({
    code: 'credentials',
    message: expect.stringContaining(sentence),
  });
});

test.each(['', ':', '.', ':/usr/bin'])('with PATH %j, no program is taken from the present folder', async (path) => {
  const planted = join(folder, 'planted-plugin');
  writeFileSync(planted, `#!/bin/sh\necho run >> ${runs}\n${answer({ token: 'theirs' })}\n`, { mode: 0o755 });
  const here = process.cwd();
  process.chdir(folder);
  try {
    await expect(credentialsOf('', { command: 'planted-plugin', args: [] }, path).get(null)).rejects.toThrow(
      'not in PATH',
    );
  } finally {
    process.chdir(here);
  }
  expect(timesRun()).toBe(0);
});

test.each([
  [{ command: null }, 'exec.command'],
  [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, 'exec.apiVersion'],
  [{ interactiveMode: null }, 'exec.interactiveMode'],
  [{ interactiveMode: 'Always' }, 'exec.interactiveMode'],
])('%j is refused without running anything', (more, field) => {
  expect(() => credentialsOf('true', more)).toThrow(field);
  expect(timesRun()).toBe(0);
});

test('of what a plug-in says one line is repeated, masked; the rest is for who asks', async () => {
  const noise = Array.from({ length: 50 }, (_, line) => `trace ${line} password=hunter2-${line}`).join('\\n');
  const failed = credentialsOf(
    `printf 'login failed: token=abc123 for \\033[31mbob\\302\\2332J\\n${noise}\\n' >&2; exit 1`,
  ).get(null);
  const error: unknown = await failed.catch((thrown: unknown) => thrown);
  const { message, cause } = error instanceof Error ? error : new Error('it did not fail');
  expect(message).toContain('login failed: token=‹masked: looks like a credential› for bob\\u009b2J');
  expect(message).not.toMatch(/trace|hunter2|abc123/);
  expect(message.length).toBeLessThan(500);
  expect(String(cause)).toContain('trace 49 password=‹masked');
  expect(String(cause)).not.toMatch(/hunter2|abc123/);
});
