import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, aTigeraStatus, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

type Statuses = Facts['resources']['tigeraStatuses'];

test.each<[string, Statuses, string]>([
  ['all Available', [aTigeraStatus('calico'), aTigeraStatus('ippools')], 'pass'],
  [
    'one Degraded',
    [aTigeraStatus('calico'), aTigeraStatus('ippools', { Available: 'True', Degraded: 'True' })],
    'fail',
  ],
  ['one not Available', [aTigeraStatus('calico', { Available: 'False', Degraded: 'False' })], 'fail'],
  ['one of which it is not known', [aTigeraStatus('calico', { Available: 'Unknown' })], 'fail'],
  ['one that tells nothing', [aTigeraStatus('calico', {})], 'fail'],
  ['none at all', [], 'fail'],
])('%s', (_name, tigeraStatuses, expected) => {
  expect(find('install.status-healthy', { resources: { tigeraStatuses } }).status).toBe(expected);
});

test("the operator's own words are shown", () => {
  const conditions = [
    {
      type: 'Degraded',
      status: 'True',
      reason: 'ResourceUpdateError',
      message: 'Pod calico-system/calico-node-x has crash looping container: calico-node',
      since: null,
      observedGeneration: 4,
    },
  ];
  const finding = find('install.status-healthy', { resources: { tigeraStatuses: [{ name: 'calico', conditions }] } });
  expect(subjectLines(finding)).toEqual([
    'TigeraStatus calico: Degraded: Pod calico-system/calico-node-x has crash looping container: calico-node',
  ]);
});

test('a status left behind by kube-proxy management can be deleted', () => {
  const tigeraStatuses = [aTigeraStatus('calico'), aTigeraStatus('kubeproxy-monitor', { Available: 'Unknown' })];
  expect(find('install.status-healthy', { resources: { tigeraStatuses } }).remedy.command).toBe(
    'kubectl delete tigerastatus kubeproxy-monitor',
  );
});

test('a manifest install, or none, has no status; an unread one is unknown', () => {
  expect(find('install.status-healthy', { installation: { method: 'manifest-kdd' } }).status).toBe('skipped');
  expect(find('install.status-healthy', { installation: { method: 'none' } }).status).toBe('skipped');
  const facts = uncover(aFacts({ resources: { tigeraStatuses: [] } }), 'tigeraStatuses');
  expect(find('install.status-healthy', facts).status).toBe('unknown');
});
