import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { resources } from '#lib/spec/index.ts';
import { connect, listContexts } from './connect.ts';
import { loadKubeconfig } from './kubeconfig/load.ts';
import { certificates } from './testing/certificates.ts';
import { json, kubeconfigFor, localServer, nowhere, statusBody } from './testing/local-server.ts';

/** A marker in every place of a kubeconfig that may hold a secret: it must be in no error, whatever goes wrong, nor in what lists contexts. */
const marker = 'MARKER-5e2b81';
const folder = testFolder('secrets');

const b64 = (text: string) => Buffer.from(text).toString('base64');
const plugin = (script: string, more = {}) => ({
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    interactiveMode: 'Never',
    args: ['-c', script, `--client-secret=${marker}`, marker],
    env: [{ name: 'PLUGIN_PASSWORD', value: marker }],
    ...more,
  },
});

const users: Record<string, Record<string, unknown>> = {
  token: { token: marker },
  'token with a line break': { token: `${marker}\n${marker}` },
  password: { username: 'u', password: marker },
  'token and password': { token: marker, username: 'u', password: marker },
  'key that is none': { 'client-certificate-data': b64(certificates.client.cert), 'client-key-data': b64(marker) },
  'key that is no Base64': { 'client-certificate-data': marker, 'client-key-data': `${marker}!` },
  'key without certificate': { 'client-key-data': b64(marker) },
  'plug-in that prints its environment': plugin('env >&2; echo "token: $PLUGIN_PASSWORD" >&2; exit 3'),
  'plug-in that prints its arguments': plugin('echo "bad flag $0 $1" >&2; exit 3'),
  'plug-in that prints nonsense': plugin('echo "{ $PLUGIN_PASSWORD"'),
  'plug-in that answers in another version': plugin(
    `echo '{"apiVersion":"${marker}","kind":"ExecCredential","status":{"token":"${marker}"}}'`,
  ),
  'plug-in with a token': plugin(
    `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${marker}"}}'`,
  ),
  'plug-in that is not there': plugin('', { command: '/nonexistent/plugin', installHint: `get it with ${marker}` }),
  'plug-in of a strange version': plugin('', { apiVersion: 'v0' }),
  'plug-in with terminal': plugin('', { interactiveMode: 'Always' }),
  oidc: {
    'auth-provider': { name: 'oidc', config: { 'id-token': marker, 'client-secret': marker, 'refresh-token': marker } },
  },
  'expired oidc': {
    'auth-provider': {
      name: 'oidc',
      config: { 'id-token': `x.${b64('{"exp":1}')}.${marker}`, 'refresh-token': marker },
    },
  },
  gcp: { 'auth-provider': { name: 'gcp', config: { 'access-token': marker, 'cmd-args': marker } } },
};

const files: Record<string, string> = {
  'broken YAML': `users: [{ name: u, user: { token: ${marker}\n  password: ${marker}: x`,
  'wrong types': `users: [{ name: u, user: { token: [${marker}], exec: { env: [{ name: x, value: { a: ${marker} } }] } } }]`,
  'an enum': `users: [{ name: u, user: { exec: { args: ${marker}, interactiveMode: 3 } } }]`,
  'a server with a password': kubeconfigFor(`https://u:${marker}@127.0.0.1:1`),
  'a proxy that is none': kubeconfigFor('https://h.example', {}, { 'proxy-url': `gopher://u:${marker}@h` }),
  'a proxy that does not answer': kubeconfigFor(
    'https://h.example',
    {},
    { 'proxy-url': `http://u:${marker}@127.0.0.1:1` },
  ),
  'a SOCKS proxy that does not answer': kubeconfigFor(
    'https://h.example',
    {},
    { 'proxy-url': `socks5://u:${marker}@127.0.0.1:1` },
  ),
  'a proxy with a broken user': kubeconfigFor(
    'https://h.example',
    {},
    { 'proxy-url': `http://%:${marker}@127.0.0.1:1` },
  ),
};

/** Everything an error can be made to show: also its causes, stacks and hidden fields. */
function shown(error: unknown): string {
  return `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error, Object.getOwnPropertyNames(Object(error)))} ${String(error)}`;
}

function expectNoSecret(text: string): void {
  for (const form of [marker, b64(marker), b64(`u:${marker}`), encodeURIComponent(b64(marker))])
    expect(text).not.toContain(form);
}

async function failuresWith(kubeconfig: string): Promise<string> {
  const seen: string[] = [];
  const note = (error: unknown) => void seen.push(shown(error));
  seen.push(inspect(await listContexts({ ...nowhere, kubeconfig }).catch(note), { depth: 20, showHidden: true }));
  const config = await loadKubeconfig({ kubeconfig }).catch(note);
  seen.push(
    inspect(config, { depth: 20, showHidden: true }),
    JSON.stringify([...(config?.users ?? []), ...(config?.clusters ?? [])]),
  );
  const kube = await connect({ ...nowhere, kubeconfig }).catch(note);
  if (!kube) return seen.join('\n');
  seen.push(inspect(kube, { depth: 20, showHidden: true }), JSON.stringify(kube));
  const ref = { resource: resources.pods, namespace: 'd', name: 'p' };
  await kube.get(ref, { timeoutMs: 3000 }).catch(note);
  await kube.delete(ref, { timeoutMs: 3000 }).catch(note);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'd', name: 'p' } };
  await kube.create(resources.pods, pod, { timeoutMs: 3000 }).catch(note);
  await kube.exec({ ...ref, container: 'c' }, ['true'], { timeoutMs: 3000 }).catch(note);
  await kube.podGet({ ...ref, port: 1, path: '/' }, { timeoutMs: 3000 }).catch(note);
  await kube.close();
  return seen.join('\n');
}

test.each(Object.keys(users))('%s', async (name) => {
  // A server that echoes what it was sent, as debugging proxies do.
  const server = await localServer((request, response) => {
    const message = `you sent ${JSON.stringify(request.headers)}`;
    const causes = [{ reason: 'FieldValueInvalid', field: 'spec', message }];
    const status = request.method === 'DELETE' ? 500 : request.method === 'POST' ? 422 : 401;
    json(response, status, { ...statusBody(status, 'InternalError'), message, details: { causes } });
  });
  const kubeconfig = join(folder, 'user');
  writeFileSync(kubeconfig, kubeconfigFor(server.url, users[name]));
  const text = await failuresWith(kubeconfig);
  await server.close();
  expectNoSecret(text);
});

test.each(Object.keys(files))('%s', async (name) => {
  const kubeconfig = join(folder, 'file');
  writeFileSync(kubeconfig, files[name] ?? '');
  const text = await failuresWith(kubeconfig);
  expect(text).toContain('KubeError');
  expectNoSecret(text);
});
