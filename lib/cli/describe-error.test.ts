import { expect, test } from 'vitest';
import { KubeError } from '#lib/kube/index.ts';
import { describeError } from './describe-error.ts';

const textOf = (error: KubeError) => describeError(error, false).text;

test('--timeout is named only where it sets the limit that has passed', () => {
  const late = 'api.example:6443 gave no complete answer within 30 s.';
  expect(textOf(new KubeError('timeout', late, { limit: 'connection' }))).toContain('--timeout');
  const command = 'The command in calico-system/calico-node-x took longer than 20 s.';
  expect(textOf(new KubeError('timeout', command))).toBe(`signalbox: ${command}\n`);
});

test('a refusal names the command that prints Roles', () => {
  expect(textOf(new KubeError('forbidden', 'These credentials may not.'))).toContain('`signalbox rbac`');
});
