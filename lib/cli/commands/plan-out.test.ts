import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { runCommand } from '../testing/run-command.ts';
import { plan } from './plan.ts';

test('a plan is private, also in a file that everybody could read before', async () => {
  const state = testFolder('plan-out');
  const path = join(state, 'plan.json');
  writeFileSync(path, '{}');
  chmodSync(path, 0o644);
  const argv = ['--sandbox', 'standard', '--instant', '--out', path];
  const { err } = await runCommand(plan, argv, 100, { XDG_STATE_HOME: state });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(err).not.toContain('keeps its mode');
});
