import { expect, test } from 'vitest';
import { platformKinds } from '#lib/spec/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const unsupported: readonly string[] = ['gke', 'tkg', 'rke'];

test.each(platformKinds)('%s', (kind) => {
  expect(find('platform.supported', { platform: { kind } }).status).toBe(unsupported.includes(kind) ? 'fail' : 'pass');
});

test('choosing another platform does not make GKE one that works, and choosing GKE counts', () => {
  expect(find('platform.supported', { platform: { kind: 'gke' } }, { platform: 'kubeadm' }).status).toBe('fail');
  expect(find('platform.supported', {}, { platform: 'gke' })).toMatchObject({
    status: 'fail',
    because:
      'Google Kubernetes Engine (GKE) was chosen, where eBPF mode is not supported; what was read shows kubeadm.',
    remedy: { steps: [expect.stringContaining('Choose the platform that this cluster runs on'), 'Check again.'] },
  });
});

test('RKE2 passes with a note', () => {
  expect(find('platform.supported', { platform: { kind: 'rke2' } }).because).toMatch(
    /^eBPF mode is supported on RKE2\. The service proxy/,
  );
});

test('a platform that cannot be told is unknown, unless it was chosen', () => {
  const facts = uncover(aFacts({ platform: { kind: 'generic' } }), 'platform');
  expect(find('platform.supported', facts).status).toBe('unknown');
  expect(find('platform.supported', facts, { platform: 'eks' }).status).toBe('pass');
});

test('kubeadm without its nodes may be TKG: unknown', () => {
  expect(find('platform.supported', uncover(aFacts(), 'nodes')).status).toBe('unknown');
});
