import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const policy = { kind: 'GlobalNetworkPolicy', namespace: null, name: 'audit', detail: 'ingress rule 1 logs' };

test('no policy that logs passes; unread policies are unknown', () => {
  expect(find('feature.log-action').status).toBe('pass');
  expect(find('feature.log-action', uncover(aFacts(), 'logActions')).status).toBe('unknown');
});

test.each([
  ['v3.29.7', undefined, 'In eBPF mode this release ignores them.'],
  ['v3.30.0', undefined, 'In eBPF mode their lines go to the BPF trace pipe of the node, no longer to the kernel log.'],
  ['v3.29.7', 'v3.31.4', 'In eBPF mode their lines go to the BPF trace pipe of the node, no longer to the kernel log.'],
  [
    null,
    undefined,
    'In eBPF mode they are ignored before v3.30, and written to the BPF trace pipe of the node from v3.30 on.',
  ],
])('installed %s, chosen %s: what happens to the lines', (version, release, expected) => {
  const finding = find(
    'feature.log-action',
    { features: { logActions: [policy] }, installation: { version } },
    { release },
  );
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(finding.because).toBe(`1 policy has rules with the action Log: GlobalNetworkPolicy audit. ${expected}`);
});
