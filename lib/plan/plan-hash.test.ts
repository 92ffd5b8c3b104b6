import { expect, test } from 'vitest';
import { planHash } from './plan-hash.ts';
import { aPlan } from './testing/a-cluster.ts';

test('two plans that do the same have the same hash, whenever and however they were made', () => {
  const plan = aPlan();
  expect(plan.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(planHash(plan)).toBe(plan.hash);
  const later = {
    ...plan,
    madeAt: '2030-01-01T00:00:00.000Z',
    warnings: ['The certificate of api.example:6443 is not verified.'],
    findings: { ...plan.findings, verdict: 'blocked' as const },
    operations: plan.operations.map((operation) => ({
      ...operation,
      diff: 'another',
      previewed: 'dry-run' as const,
      undo: operation.undo && { ...operation.undo, diff: 'another' },
    })),
  };
  expect(planHash(later)).toBe(plan.hash);
  expect(planHash(JSON.parse(JSON.stringify(plan)))).toBe(plan.hash);
});

test.each([
  ['another address', aPlan({}, { endpoint: { host: '10.0.0.101', port: '6443' } })],
  ['another cluster', { ...aPlan(), cluster: 'other' }],
  ['another UID', { ...aPlan(), clusterUid: 'other' }],
  ['one operation less', { ...aPlan(), operations: aPlan().operations.slice(1) }],
  ['another deadline', { ...aPlan(), operations: aPlan().operations.map((one) => ({ ...one, deadlineSeconds: 1 })) }],
])('%s: another hash', (_title, plan) => {
  expect(planHash(plan)).not.toBe(aPlan().hash);
});
