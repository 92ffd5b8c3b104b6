import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Kube } from '#lib/kube/index.ts';
import { ownIdentity } from '#lib/run/index.ts';
import { clusterSlug } from '../clusters/cluster-slug.ts';
import { aConsole, closeConsoles } from '../testing/a-console.ts';
import { failureOf, okValue, standard } from '../testing/a-page.ts';
import { aSharedCluster } from '../testing/shared-cluster.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await closeConsoles();
  for (const close of closing.splice(0)) await close();
});

/** A cluster that counts whole readings (each lists its Services once) and reviews of permissions. */
async function counted(like?: string) {
  const shared = await aSharedCluster(like);
  closing.push(() => shared.stage.close());
  const readings = { facts: 0, access: 0 };
  const { ours } = shared.stage;
  const kube: Kube = {
    ...ours,
    list: (resource, options) => {
      if (resource.plural === 'services') readings.facts++;
      return ours.list(resource, options);
    },
    allowed: (rules, options) => {
      readings.access++;
      return ours.allowed(rules, options);
    },
  };
  const { host } = await shared.console({ identity: await ownIdentity(testFolder('assessments')), kube });
  return { host, slug: shared.slug, readings };
}

test('facts are read when an answer decides what is read, or when it is asked for; drafts share them', async () => {
  const { host, slug, readings } = await counted();
  const draft = okValue(await host.createDraft(slug, 'enable'));
  okValue(await host.assess(slug, draft.id, 'kept'));
  okValue(await host.findings(slug, 'kept'));
  okValue(await host.review(slug, okValue(await host.createDraft(slug, 'enable')).id, 'kept'));
  expect(readings).toEqual({ facts: 1, access: 1 });

  const saved = okValue(await host.answer(slug, draft.id, 1, 'proxy', { keepProxy: true }));
  const { findings } = okValue(await host.assess(slug, draft.id, 'kept'));
  expect(findings.verdict).toBe('blocked');
  expect(readings).toEqual({ facts: 1, access: 1 });

  const endpoint = { host: '10.0.0.11', port: '6443' };
  okValue(await host.answer(slug, draft.id, saved.revision, 'endpoint', { endpoint }));
  const judged = okValue(await host.assess(slug, draft.id, 'kept')).findings.findings;
  expect(judged.find(({ id }) => id === 'endpoint.present')?.status).toBe('pass');
  expect(readings).toEqual({ facts: 2, access: 1 });

  okValue(await host.assess(slug, draft.id, 'again'));
  expect(readings).toEqual({ facts: 3, access: 2 });
});

test('each command of a finding names the cluster that was looked at, and not whichever is current where it is pasted', async () => {
  const { host, slug } = await counted();
  const { findings, flags } = okValue(await host.findings(slug, 'kept'));
  const named = / --context shared --kubeconfig \/\S+\/config$/;
  expect(flags).toMatchObject({ signalbox: expect.stringMatching(named), kubectl: expect.stringMatching(named) });
  const lines = findings.findings.flatMap(({ remedy }) => remedy.command?.split('\n') ?? []);
  expect(lines).toContain(`signalbox preflight${flags.signalbox}`);
  const ofKubectl = lines.filter((line) => line.startsWith('kubectl '));
  expect(ofKubectl.length).toBeGreaterThan(3);
  for (const line of ofKubectl) expect(line.startsWith(`kubectl${flags.kubectl} `), line).toBe(true);
});

test('a cluster is read once for every goal; only what may be done is asked again', async () => {
  const { host, slug, readings } = await counted('empty');
  expect(okValue(await host.findings(slug, 'kept')).findings.goal).toBe('install');
  expect(readings).toEqual({ facts: 1, access: 1 });
  const draft = okValue(await host.createDraft(slug, 'enable'));
  const { facts } = okValue(await host.assess(slug, draft.id, 'kept'));
  expect(readings).toEqual({ facts: 1, access: 2 });
  expect(facts.coverage.access).toEqual({ covered: true, missing: [] });
  // The missing right has just been granted.
  okValue(await host.findings(slug, 'again'));
  expect(readings).toEqual({ facts: 2, access: 3 });
});

test('what stands in the way is told of what could be done there: of installing, where nothing is installed', async () => {
  const { host } = await aConsole();
  expect(okValue(await host.findings(standard, 'kept')).findings.goal).toBe('enable');
  expect(okValue(await host.findings(clusterSlug('sandbox', 'empty'), 'kept')).findings.goal).toBe('install');
});

test('findings of an upgrade are those that its draft begins with, but for what its files say', async () => {
  const { host } = await aConsole();
  const slug = clusterSlug('sandbox', 'calico-3.30');
  const before = okValue(await host.findings(slug, 'kept', 'upgrade'));
  expect(before.findings.goal).toBe('upgrade');
  // No file is opened, so that no dry run is sent.
  expect([before.contents, before.running]).toEqual([null, null]);
  const draft = okValue(await host.createDraft(slug, 'upgrade', 'accepted'));
  const begun = okValue(await host.assess(slug, draft.id, 'kept'));
  expect(begun.contents).not.toBeNull();
  const statuses = (of: typeof before) => new Map(of.findings.findings.map(({ id, status }) => [id, status]));
  const differing = [...statuses(begun)].filter(([id, status]) => statuses(before).get(id) !== status);
  expect(differing.map(([id]) => [id, statuses(before).get(id)])).toEqual([
    ['upgrade.crd-behind', 'unknown'],
    ['upgrade.field-conflicts', 'unknown'],
  ]);
  expect(before.findings.verdict).toBe(begun.findings.verdict);
});

test('what blocks cannot be accepted: the field says why, and nothing is kept', async () => {
  const { host } = await aConsole();
  const draft = okValue(await host.createDraft(standard, 'enable'));
  okValue(await host.assess(standard, draft.id, 'kept'));
  const answer = (acknowledge: Record<string, string>) =>
    host.answer(standard, draft.id, draft.revision, 'compatibility', { acknowledge });
  expect(failureOf(await answer({ 'endpoint.present': 'works for me' }))).toMatchObject({
    code: 'acknowledge.blocking',
    fields: { 'acknowledge.endpoint.present': expect.stringContaining('blocks') },
  });
  expect(failureOf(await answer({ 'no.such-check': 'x' })).code).toBe('acknowledge.unknown-check');
  expect(okValue(await host.draft(standard, draft.id))).toEqual(draft);
});

test('one that came to block later does not keep the screen from being shown, nor itself from being undone', async () => {
  const { host } = await aConsole();
  const draft = okValue(await host.createDraft(standard, 'enable'));
  // Nothing has been read yet, so no answer can be refused.
  const saved = okValue(
    await host.answer(standard, draft.id, 1, 'compatibility', { acknowledge: { 'endpoint.present': 'works for me' } }),
  );
  expect(okValue(await host.assess(standard, draft.id, 'kept')).findings.verdict).toBe('blocked');
  expect(failureOf(await host.review(standard, draft.id, 'kept'))).toMatchObject({
    code: 'acknowledge.blocking',
    fields: { 'acknowledge.endpoint.present': expect.any(String) },
  });
  const other = okValue(await host.answer(standard, draft.id, saved.revision, 'options', { dsr: true }));
  okValue(await host.answer(standard, draft.id, other.revision, 'compatibility', { acknowledge: {} }));
  okValue(await host.review(standard, draft.id, 'kept'));
});

test('answers that contradict each other are told with their field', async () => {
  const { host } = await aConsole();
  const draft = okValue(await host.createDraft(standard, 'enable'));
  okValue(await host.answer(standard, draft.id, 1, 'options', { automatic: true }));
  expect(failureOf(await host.review(standard, draft.id, 'kept'))).toMatchObject({
    code: 'choices.automatic',
    fields: { automatic: expect.any(String) },
  });
  okValue(await host.assess(standard, draft.id, 'kept'));
});
