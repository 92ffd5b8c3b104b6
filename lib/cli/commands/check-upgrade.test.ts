import { expect, test } from 'vitest';
import type { Command } from '../command.ts';
import { runCommand } from '../testing/run-command.ts';
import { check } from './check.ts';
import { spec } from './spec.ts';

const run = (command: Command, ...argv: string[]) => runCommand(command, argv, 100);

const upgrading = (sandbox: string, ...more: string[]) =>
  run(check, '--goal', 'upgrade', '--sandbox', sandbox, '--instant', ...more);

test('what an upgrade would delete blocks, and is a failure for CI', async () => {
  const { code, out } = await upgrading('owner-references', '--release', 'v3.31.4', '-o', 'junit');
  expect(code).toBe(3);
  expect(out).toMatch(/name="upgrade\.owner-references"><failure type="blocking" message="1 object is owned by/);
  // A note is no failure, and what does not apply is skipped.
  expect(out).toMatch(/name="upgrade\.recommend-move"\/>/);
  expect(out).toMatch(/name="install\.imageset"><skipped message="Calico was installed by manifest/);
});

test('a release that nobody chose is proposed, with the command that chooses it', async () => {
  const { code, out } = await upgrading('standard');
  expect(code).toBe(0);
  expect(out).toContain('v3.31.7 is proposed, the newest patch that is known, and not accepted yet.');
  expect(out).toContain('signalbox check --goal upgrade --release v3.31.7');
});

test('what is no release blocks, and is told once', async () => {
  const { code, out } = await upgrading('standard', '--release', 'latest');
  expect(code).toBe(3);
  expect(out.match(/is not a release of Calico/g)).toHaveLength(1);
});

test('a sandbox holds its definitions against the release that it would make itself', async () => {
  const { out } = await upgrading('standard', '--release', 'v3.31.7', '--all');
  expect(out).toContain('✓ upgrade.crd-behind');
});

test('the gates name the checks that report them', async () => {
  const { out } = await run(spec, 'gates');
  expect(out).toMatch(/^V5 {2}change\n[\s\S]*? {4}Check: upgrade\.owner-references, network\.offload$/m);
  expect(out.match(/^ {4}Check: /gm)).toHaveLength(22);
});
