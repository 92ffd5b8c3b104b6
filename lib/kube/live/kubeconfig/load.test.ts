import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { connect, listContexts } from '../connect.ts';
import { kubeconfigFor, nowhere } from '../testing/local-server.ts';
import { loadKubeconfig } from './load.ts';

const folder = testFolder('kubeconfig');

function file(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

test('of a list, the first file with an entry wins it whole, and missing files are skipped', async () => {
  const first = file('a/config', 'users: [{ name: u, user: { username: first } }]\ncurrent-context: one\n');
  const second = file(
    'b/config',
    'users: [{ name: u, user: { username: second, tokenFile: t } }, { name: v, user: { tokenFile: t } }]\ncurrent-context: two\n',
  );
  const env = { KUBECONFIG: [join(folder, 'missing'), first, '', second].join(delimiter) };
  const config = await loadKubeconfig({ env, home: folder });
  expect(config.users.get('u')?.value).toMatchObject({ username: 'first', tokenFile: null });
  expect(config.users.get('v')?.value.tokenFile).toBe(join(folder, 'b', 't'));
  expect(config.currentContext).toEqual({ value: 'one', file: first });
});

test('paths are relative to their file, a plug-in without a slash is looked up in PATH', async () => {
  const path = file(
    'c/config',
    `users: [{ name: a, user: { client-key: k.pem, exec: { command: ./x } } }, { name: b, user: { exec: { command: aws } } }]
clusters: [{ name: c, cluster: { server: h, certificate-authority: /abs/ca.pem } }]`,
  );
  const config = await loadKubeconfig({ kubeconfig: path });
  expect(config.users.get('a')?.value['client-key']).toBe(join(folder, 'c', 'k.pem'));
  expect(config.users.get('a')?.value.exec?.command).toBe(join(folder, 'c', 'x'));
  expect(config.users.get('b')?.value.exec?.command).toBe('aws');
  expect(config.clusters.get('c')?.value['certificate-authority']).toBe('/abs/ca.pem');
});

test('without any file nothing is invented', async () => {
  expect(await listContexts(nowhere)).toEqual([]);
  await expect(connect(nowhere)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('--kubeconfig'),
  });
});

test.each([
  [
    'a missing file names the flag',
    { kubeconfig: '/nonexistent/config' },
    '--kubeconfig /nonexistent/config: there is no such file',
  ],
  ['a folder', { kubeconfig: tmpdir() }, 'this is a directory'],
  ['no YAML', { kubeconfig: file('bad.yaml', 'a: [1\nb') }, 'is not YAML'],
  ['a list where a map is needed', { kubeconfig: file('list.yaml', '- 1') }, 'the file, in'],
  [
    'a number for a token',
    { kubeconfig: file('num.yaml', 'users: [{name: u, user: {token: 12345}}]') },
    'users[0].user.token, in',
  ],
  ['a name twice', { kubeconfig: file('twice.yaml', 'users: [{name: u}, {name: u}]') }, 'the name "u" is there twice'],
  [
    'no current-context',
    { kubeconfig: file('none.yaml', 'contexts: [{name: x, context: {}}]') },
    'one of "x" is needed',
  ],
  [
    'no such context',
    { kubeconfig: file('ok.yaml', kubeconfigFor('h')), context: 'zz' },
    '--context: there is no context "zz"; there are "here"',
  ],
  [
    'a context without cluster',
    { kubeconfig: file('nc.yaml', 'contexts: [{name: x, context: {cluster: c}}]'), context: 'x' },
    'contexts "x": cluster, in',
  ],
  [
    'a server with a password',
    { kubeconfig: file('pw.yaml', kubeconfigFor('https://u:p@h')) },
    'clusters "local": server, in',
  ],
  [
    'a CA and insecure',
    {
      kubeconfig: file(
        'ci.yaml',
        kubeconfigFor(
          'h',
          {},
          {
            'insecure-skip-tls-verify': true,
            'certificate-authority-data': Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64'),
          },
        ),
      ),
    },
    'insecure-skip-tls-verify',
  ],
])('%s', async (_name, options, sentence) => {
  await expect(connect({ ...nowhere, ...options })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(sentence),
  });
});

test('a YAML bomb is refused quickly', async () => {
  const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`);
  const path = file('bomb.yaml', `l0: &l0 [x]\n${levels.join('\n')}`);
  await expect(connect({ ...nowhere, kubeconfig: path })).rejects.toMatchObject({ code: 'invalid' });
  const deep = file('deep.yaml', '['.repeat(200_000));
  await expect(connect({ ...nowhere, kubeconfig: deep })).rejects.toMatchObject({ code: 'invalid' });
});

test('the pod it runs in is a cluster, also beside a kubeconfig', async () => {
  file('sa/token', 'in-cluster-token');
  const options = {
    ...nowhere,
    env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' },
    serviceAccountFolder: join(folder, 'sa'),
  };
  expect((await listContexts(options)).map(({ name, current }) => [name, current])).toEqual([['in-cluster', true]]);
  expect((await connect(options)).name).toBe('in-cluster');
  const both = { ...options, env: { ...options.env, KUBECONFIG: file('both.yaml', kubeconfigFor('h')) } };
  expect((await listContexts(both)).map(({ name, current }) => [name, current])).toEqual([
    ['here', true],
    ['in-cluster', false],
  ]);
  expect((await connect({ ...both, context: 'in-cluster' })).name).toBe('in-cluster');
});

test('a broken context is listed with its problem, and certificates that are not verified with a warning', async () => {
  const path = file(
    'mixed.yaml',
    `clusters: [{name: c, cluster: {server: 'https://rancher.example/k8s/clusters/c-xyz', insecure-skip-tls-verify: true}}]
contexts: [{name: good, context: {cluster: c, namespace: ns}}, {name: bad, context: {cluster: gone}}]`,
  );
  const [good, bad] = await listContexts({ ...nowhere, kubeconfig: path });
  expect(good).toMatchObject({ server: 'rancher.example/k8s/clusters/c-xyz', namespace: 'ns', problem: null });
  expect(good?.warnings.join()).toContain('not verified');
  expect(bad).toMatchObject({ server: null, problem: expect.stringContaining('there is no cluster "gone"') });
});
