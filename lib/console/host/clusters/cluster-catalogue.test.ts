import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { kubeconfigText } from '#lib/kube/index.ts';
import { clusterCatalogue, kubeconfigNamed } from './cluster-catalogue.ts';

/** A kubeconfig with contexts of these names, all of one cluster. */
async function contexts(...names: string[]) {
  const stateFolder = testFolder('cluster-catalogue');
  const kubeconfig = join(stateFolder, 'config');
  await writeFile(
    kubeconfig,
    kubeconfigText({
      clusters: { c: { server: 'https://127.0.0.1:1' } },
      users: { u: { token: 'x' } },
      contexts: names.map((name) => [name, 'c', 'u']),
    }),
  );
  const all = await clusterCatalogue({ env: {}, kubeconfig, stateFolder }).all();
  return all.filter(({ kind }) => kind === 'kubeconfig');
}

test('names are data: markup, slashes and letters of any script stay as they are', async () => {
  const names = ['..', '../../etc', '<b>x</b>', 'a/b:c', 'A', 'a', 'café', 'cafe\u0301', 'ключ', '__proto__', ' '];
  const found = await contexts(...names);
  expect(found.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(found.every(({ problem }) => problem === null)).toBe(true);
  expect(new Set(found.map(({ slug }) => slug)).size).toBe(names.length);
  for (const { slug } of found) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test.each([
  ['\u202egnitset\u202c', '\\u202egnitset\\u202c'],
  ['prod\u200b', 'prod\\u200b'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['a\nb', 'a\\u000ab'],
])('%j cannot be seen for what it is: shown as %j, and not used', async (name, shown) => {
  expect(await contexts(name)).toMatchObject([{ name: shown, problem: expect.stringMatching(/Rename it/) }]);
});

test.each([
  ['a flag', {}, '/srv/config', { file: '/srv/config' }],
  ['a variable with one file', { KUBECONFIG: '/a' }, undefined, { file: '/a' }],
  ['a variable with several', { KUBECONFIG: '/a::/b:/a' }, undefined, { files: '/a:/b' }],
  ['both: the flag alone counts', { KUBECONFIG: '/a:/b' }, '/srv/config', { file: '/srv/config' }],
  ['nothing: kubectl finds it by itself', { HOME: '/home/me' }, undefined, null],
])('the kubeconfig that commands name, from %s', (_from, env, kubeconfig, named) => {
  expect(kubeconfigNamed(env, kubeconfig)).toEqual(named);
});

test('an entry of a kubeconfig says where it stands, and a sandbox stands in none', async () => {
  const [entry] = await contexts('prod');
  expect(entry?.kubeconfig).toEqual({ file: expect.stringMatching(/^\/.*config$/) });
});
