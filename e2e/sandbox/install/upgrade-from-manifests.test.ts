import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checks, runChecks } from '#lib/checks/index.ts';
import { collectFacts } from '#lib/facts/index.ts';
import { openDump } from '#lib/kube/index.ts';
import type { Choices } from '#lib/spec/index.ts';

/** Calico's published files as a dump, like a cluster that was made from these files alone. */
const folder = process.env.SIGNALBOX_CALICO_DIR ?? '';
const isAway = !existsSync(join(folder, 'v3.24.6'));

const moved = 'fail warning upgrade.registry-moved';
const notes = 'fail info upgrade.path';
const move = 'fail info upgrade.recommend-move';
const behind = 'fail info upgrade.crd-behind';
const placeholder = 'fail blocking upgrade.manual-changes';

const operator = ['tigera-operator.yaml', 'custom-resources.yaml'];

type Case = readonly [files: readonly string[], installed: string, fails: readonly string[]];
const cases: readonly Case[] = [
  [['v3.24.6/calico.yaml'], 'manifest-kdd calico v3.24.5', [notes, behind, moved, move]],
  [['v3.24.6/calico-policy-only.yaml'], 'manifest-kdd policy-only v3.24.5', [notes, behind, moved, move]],
  [['v3.24.6/calico-etcd.yaml'], 'manifest-etcd calico-etcd v3.24.5', [notes, placeholder, moved, move]],
  [['v3.24.6/canal-etcd.yaml'], 'manifest-etcd canal-etcd v3.24.5', [notes, placeholder, moved, move]],
  [operator.map((file) => `v3.24.6/${file}`), 'operator null v3.24.5', [notes, behind, moved]],
  [['v3.27.5/calico.yaml'], 'manifest-kdd calico v3.27.5', [notes, behind, moved, move]],
  [['v3.27.5/canal.yaml'], 'manifest-kdd canal v3.27.5', [notes, behind, moved, move]],
  [operator.map((file) => `v3.27.5/${file}`), 'operator null v3.27.5', [notes, behind, moved]],
  [['v3.31.4/calico.yaml'], 'manifest-kdd calico v3.31.4', [move]],
];

/** The kinds that such a dump lacks. Findings name them, and no check passes because of their absence. */
const notInTheFiles = [
  'upgrade.cli-version',
  'upgrade.host-endpoints',
  'upgrade.allow-all-upgrade',
  'upgrade.sidecars',
];

test.skipIf(isAway).each(cases)('%s: %s', async (files, installed, fails) => {
  const kube = await openDump(files.map((file) => join(folder, file)));
  const goal = 'upgrade' as const;
  const choices: Choices = { goal, release: 'v3.31.4', acceptProposals: true, acknowledge: {}, fix: [], set: {} };
  const facts = await collectFacts({ kube, choices });
  const { method, manifest, version } = facts.installation;
  expect(`${method} ${manifest} ${version}`).toBe(installed);

  const { findings } = runChecks(facts, choices, { now: '2026-11-21T10:00:00.000Z' });
  const own = findings.filter(({ id }) => id.startsWith('upgrade.'));
  expect(own.map(({ id }) => id)).toEqual(checks.filter(({ id }) => id.startsWith('upgrade.')).map(({ id }) => id));
  const failures = own.filter(({ status }) => status === 'fail').map(({ id, severity }) => `fail ${severity} ${id}`);
  expect(failures).toEqual(fails);
  for (const { id, status, because, remedy } of own.filter((one) => one.status === 'unknown')) {
    expect(because, id).toMatch(/Not read: |was not read|known only/);
    expect(remedy.steps.length, `${id} ${status}`).toBeGreaterThan(0);
  }
  const byId = new Map(own.map(({ id, status }) => [id, status]));
  for (const id of notInTheFiles) expect(byId.get(id), id).toBe('unknown');
});
