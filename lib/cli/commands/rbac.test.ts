import { expect, test } from 'vitest';
import { runCommand } from '../testing/run-command.ts';
import { rbac } from './rbac.ts';

const asked = (...argv: string[]) => runCommand(rbac, ['--goal', 'upgrade', '-o', 'json', ...argv], 200);
const places = async (...argv: string[]) => {
  const { items } = JSON.parse((await asked(...argv)).out) as { items: { metadata: { namespace?: string } }[] };
  return items.map(({ metadata: { namespace } }) => namespace);
};

test('Roles stand where Helm is said to keep releases of Calico too', async () => {
  expect(await places()).not.toContain('platform');
  expect(await places('--helm-namespace', 'platform')).toContain('platform');
});

test('what cannot be a namespace is refused with its flag', async () => {
  await expect(asked('--helm-namespace', 'a --role=admin')).rejects.toThrow(
    '--helm-namespace: "a --role=admin" cannot be a namespace',
  );
});
