import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { runCommand } from '../testing/run-command.ts';
import { plan } from './plan.ts';

const state = testFolder('plan-set');

test.each([
  ['standard', 'foo=1', '"foo" is not a field of the Installation on this cluster'],
  ['standard', 'calicoNetwork.foo.bar=1', '"calicoNetwork.foo.bar" is not a field of the Installation on this cluster'],
  ['standard', 'calicoNetwork.mtu=none', '"calicoNetwork.mtu" is refused by the API server: Invalid value'],
  ['empty', 'foo=1', 'spec.foo: is not a field of Calico'],
])('--sandbox %s --set %s is refused by the name of the field', async (sandbox, set, says) => {
  const planned = runCommand(plan, ['--sandbox', sandbox, '--instant', '--set', set], 100, { XDG_STATE_HOME: state });
  await expect(planned).rejects.toMatchObject({ name: 'PlanError', message: expect.stringContaining(says) });
});

test('--set takes a field of the release that nothing here reads', async () => {
  const argv = ['--sandbox', 'standard', '--instant', '--set', 'typhaMetricsPort=9093'];
  const { out } = await runCommand(plan, argv, 100, { XDG_STATE_HOME: state });
  expect(out).toContain('typhaMetricsPort: 9093');
});
