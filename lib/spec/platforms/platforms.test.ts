import { expect, test } from 'vitest';
import { platformKinds } from '../choices.ts';
import { keyMatches, platformSigns } from './platform-signs.ts';
import { cloudOf, platforms } from './platforms.ts';

test('every kind has its row, and every sign names a kind', () => {
  expect(Object.keys(platforms).sort()).toEqual([...platformKinds].sort());
  for (const { platform } of platformSigns) expect(platforms[platform].kind).toBe(platform);
});

test('the spec’s three unsupported platforms, and no other', () => {
  const unsupported = platformKinds.filter((kind) => !platforms[kind].ebpf.supported);
  expect(unsupported).toEqual(['gke', 'tkg', 'rke']);
});

test('clouds by providerID', () => {
  expect(cloudOf('aws:///eu-west-1a/i-0123')?.nameserver).toBe('169.254.169.253');
  expect(cloudOf('kind://docker/kind/kind-worker')).toBeNull();
  expect(cloudOf(null)).toBeNull();
});

test('keys with an open end', () => {
  expect(keyMatches('com.docker.ucp*', 'com.docker.ucp.collection')).toBe(true);
  expect(keyMatches('kubernetes.azure.com/cluster', 'kubernetes.azure.com/cluster-x')).toBe(false);
});
