import { expect, test } from 'vitest';
import { someChoices } from '#lib/checks/testing/a-facts.ts';
import { sandboxRelease } from '#lib/sandbox/index.ts';
import { manifestsOf } from './manifests-of.ts';

const { signal } = new AbortController();
const cache = () => Promise.reject(new Error('the cache was asked'));
const of = (isSandbox: boolean) => manifestsOf({ isSandbox, cache });
const wanted = { version: 'v3.31.4', file: 'ocp', sha256: sandboxRelease('v3.31.4').manifests.ocp?.sha256 ?? '' };

test('a sandbox makes its files itself, OpenShift’s bundle too, and asks no cache', async () => {
  const manifest = await of(true)(wanted, { choices: someChoices(), signal });
  expect(manifest.sha256).toBe(wanted.sha256);
});

test('a file that it has not is named', async () => {
  const missing = of(true)({ ...wanted, file: 'calico-typha.yaml' }, { choices: someChoices(), signal });
  await expect(missing).rejects.toThrow('A sandbox has no calico-typha.yaml of v3.31.4.');
});

test.each([
  ['a cluster', false, {}],
  ['a sandbox with a source of its own', true, { source: '/srv/calico' }],
])('%s reads the release as this machine keeps it', async (_what, isSandbox, choices) => {
  const manifest = of(isSandbox)(wanted, { choices: someChoices(choices), signal });
  await expect(manifest).rejects.toThrow('the cache was asked');
});
