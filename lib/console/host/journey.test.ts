import { afterEach, expect, test } from 'vitest';
import { clusterSlug } from './clusters/cluster-slug.ts';
import { aConsole, closeConsoles } from './testing/a-console.ts';
import { askNow, enableOn, failureOf, okValue, standard, startOn, untilRun } from './testing/a-page.ts';

afterEach(closeConsoles);

test('answers become a run that is done, and is undone', async () => {
  const first = await aConsole();
  const run = await startOn(first.host, standard);
  const done = await untilRun(first.host, standard, run, 'done');
  expect(done.view.state).toEqual({ kind: 'done' });
  expect(okValue(await first.host.view(standard)).status.felix).toMatchObject({ bpfEnabled: true });
  expect(okValue(await first.host.report(standard, run))).toEqual(done.report);
  expect(failureOf(await first.host.report(standard, '20260101-0000-0000')).code).toBe('run.not-found');
  expect(failureOf(await first.host.report(standard, '../kubeadm-config')).code).toBe('run.not-found');
  const steps = okValue(await first.host.undoSteps(standard, run));
  expect(steps.length).toBeGreaterThan(3);

  expect(
    failureOf(await first.host.ask(standard, run, { action: 'undo', revision: done.view.revision })),
  ).toMatchObject({
    code: 'confirmation.needed',
    fields: { confirmation: expect.stringContaining('standard') },
  });
  okValue(await askNow(first.host, standard, run, 'undo'));
  await untilRun(first.host, standard, run, 'undone');
  expect(failureOf(await askNow(first.host, standard, run, 'undo')).code).toBe('run.undone');
});

test('out of an outage nothing is asked: the draft is reviewed and started, and Services are served again', async () => {
  const { host } = await aConsole();
  const cluster = clusterSlug('sandbox', 'proxy-gone');
  const draft = okValue(await host.createDraft(cluster, 'restore'));
  const { plan } = okValue(await host.review(cluster, draft.id, 'kept'));
  expect(plan.operations.map(({ id }) => id)).toEqual(['snapshot', 'proxy.restore', 'verify.pods']);
  const request = { revision: draft.revision, planHash: plan.hash, confirmation: plan.cluster };
  const { run } = okValue(await host.start(cluster, draft.id, request));
  const { view } = await untilRun(host, cluster, run, 'done');
  expect(view.nodes).toEqual([]);
  const { findings } = okValue(await host.findings(cluster, 'again'));
  expect(findings.findings.filter(({ outage }) => outage)).toEqual([]);
});

test('an upgrade is drafted with the release that is proposed, started, followed by release, and undone', async () => {
  const { host } = await aConsole();
  const cluster = clusterSlug('sandbox', 'calico-3.30');
  const draft = okValue(await host.createDraft(cluster, 'upgrade', 'accepted'));
  const { findings } = okValue(await host.assess(cluster, draft.id, 'kept')).findings;
  expect(findings.find(({ id }) => id === 'upgrade.path')).toMatchObject({ status: 'pass' });
  const open = findings.filter(
    ({ status, severity }) => status === 'unknown' || (status === 'fail' && severity !== 'info'),
  );
  const acknowledge = Object.fromEntries(open.map(({ id }) => [id, 'tried elsewhere']));
  const answered = okValue(await host.answer(cluster, draft.id, draft.revision, 'compatibility', { acknowledge }));
  const { plan } = okValue(await host.review(cluster, draft.id, 'kept'));
  expect(plan.operations.map(({ id }) => id)).toEqual(expect.arrayContaining(['operator.apply', 'release.active']));
  const request = { revision: answered.revision, planHash: plan.hash, confirmation: plan.cluster };
  const { run } = okValue(await host.start(cluster, draft.id, request));
  const done = await untilRun(host, cluster, run, 'done');
  expect(new Set(done.view.nodes.map(({ version }) => version))).toEqual(new Set(['v3.31.7']));
  okValue(await askNow(host, cluster, run, 'undo'));
  const { view } = await untilRun(host, cluster, run, 'undone');
  expect(new Set(view.nodes.map(({ version }) => version))).toEqual(new Set(['v3.30.7']));
});

test('what was accepted stands in journal and reports with its time, and is offered to the next draft', async () => {
  const { host } = await aConsole();
  const { draft: first } = await enableOn(host, standard);
  const leftOut = { of: 'finding', id: 'proxy.comes-back', reason: 'upgrades skip the phase' };
  const draft = okValue(
    await host.answer(standard, first.id, first.revision, 'compatibility', {
      acknowledge: { [leftOut.id]: leftOut.reason },
      fix: first.answers.fix.filter((id) => id !== leftOut.id),
    }),
  );
  const { plan } = okValue(await host.review(standard, draft.id, 'kept'));
  const request = { revision: draft.revision, planHash: plan.hash, confirmation: plan.cluster };
  const { run } = okValue(await host.start(standard, draft.id, request));
  const { report } = await untilRun(host, standard, run, 'done');
  expect(report.risks).toContainEqual(expect.objectContaining(leftOut));
  for (const { id, at, by } of report.risks) expect([at, by]).toEqual([draft.acceptedAt[id], report.startedBy]);
  const files = okValue(await host.reportFiles(standard, run));
  expect(JSON.parse(files.json).risks).toEqual(report.risks);
  expect(files.markdown).toContain('## Accepted risks');
  expect(files.markdown).toContain('“upgrades skip the phase”');
  // Files are sent to others, who reach the cluster in another way.
  expect(okValue(await host.report(standard, run)).wayBack.command).toBe(`signalbox undo ${run} --sandbox standard`);
  expect(JSON.parse(files.json).wayBack.command).toBe(`signalbox undo ${run}`);
  expect(files.markdown).not.toContain('--sandbox');

  okValue(await askNow(host, standard, run, 'undo'));
  await untilRun(host, standard, run, 'undone');
  const next = okValue(await host.createDraft(standard, 'enable'));
  const { findings } = okValue(await host.assess(standard, next.id, 'again')).findings;
  const again = findings.find(({ id }) => id === leftOut.id);
  expect(again).toMatchObject({ acknowledged: null, acceptedBefore: { reason: leftOut.reason, run } });

  const proposed = okValue(await host.createDraft(standard, 'enable', 'accepted'));
  const fixed = okValue(await host.assess(standard, proposed.id, 'again')).findings.findings;
  expect(fixed.find(({ id }) => id === leftOut.id)).toMatchObject({
    fixedBy: expect.any(String),
    acceptedBefore: { reason: leftOut.reason, run },
  });
});

test('a run is started once, however often it is asked for', async () => {
  const { host } = await aConsole();
  const { draft, review } = await enableOn(host, standard);
  const request = { revision: draft.revision, planHash: review.plan.hash, confirmation: review.plan.cluster };
  const [one, two] = await Promise.all([
    host.start(standard, draft.id, request),
    host.start(standard, draft.id, request),
  ]);
  expect(one).toEqual(two);
  expect(await host.start(standard, draft.id, request)).toEqual(one);
  const { runs, drafts } = okValue(await host.runs(standard));
  expect(runs.map(({ run }) => run)).toEqual([okValue(one).run]);
  expect(drafts).toEqual([]);
  expect(okValue(await host.draft(standard, draft.id)).run).toBe(okValue(one).run);
  expect(failureOf(await host.answer(standard, draft.id, draft.revision, 'options', { dsr: true })).code).toBe(
    'draft.started',
  );
});

test('nothing starts without the cluster’s name, with other answers, or with another plan', async () => {
  const { host } = await aConsole();
  const { draft, review } = await enableOn(host, standard);
  const request = { revision: draft.revision, planHash: review.plan.hash, confirmation: 'standard' };
  const start = async (changed: Partial<typeof request> | { confirmation: null }) =>
    failureOf(await host.start(standard, draft.id, { ...request, ...changed })).code;
  expect(await start({ confirmation: null })).toBe('confirmation.needed');
  expect(await start({ confirmation: 'Standard' })).toBe('confirmation.needed');
  expect(await start({ revision: draft.revision - 1 })).toBe('draft.changed');
  expect(await start({ planHash: 'sha256:0' })).toBe('plan.changed');
  expect(okValue(await host.runs(standard)).runs).toEqual([]);
});

test('a plan that waits for answers does not start, and says for which', async () => {
  const { host } = await aConsole();
  const draft = okValue(await host.createDraft(standard, 'enable'));
  const { plan } = okValue(await host.review(standard, draft.id, 'kept'));
  const answer = await host.start(standard, draft.id, { revision: 1, planHash: plan.hash, confirmation: 'standard' });
  expect(failureOf(answer)).toMatchObject({
    code: 'plan.blocked',
    message: expect.stringContaining('endpoint.present'),
  });
});

test('a second run is refused while one has not ended, and what is done needs no other', async () => {
  const { host } = await aConsole();
  const { draft, review } = await enableOn(host, standard);
  const run = await startOn(host, standard);
  const request = { revision: draft.revision, planHash: review.plan.hash, confirmation: 'standard' };
  expect(failureOf(await host.start(standard, draft.id, request)).code).toMatch(/^(run\.under-way|plan\.changed)$/);
  await untilRun(host, standard, run, 'done');
  expect(failureOf(await host.start(standard, draft.id, request)).code).toBe('plan.nothing-to-do');
});

test('a click that comes twice, and one from a page that is behind, change nothing', async () => {
  const { host } = await aConsole();
  const run = await startOn(host, standard);
  const { view } = okValue(await host.run(standard, run));
  const pause = { action: 'pause', revision: view.revision } as const;
  okValue(await host.ask(standard, run, pause));
  expect(failureOf(await host.ask(standard, run, pause)).code).toMatch(/^run\.(changed|paused)$/);
  await untilRun(host, standard, run, 'paused');
  expect(failureOf(await host.ask(standard, run, { action: 'resume', revision: view.revision })).code).toBe(
    'run.changed',
  );
  const { carriedBy } = okValue(await host.run(standard, run));
  expect(carriedBy).toBe('nobody');
  okValue(await askNow(host, standard, run, 'resume'));
  await untilRun(host, standard, run, 'done');
  expect(failureOf(await askNow(host, standard, run, 'pause')).code).toBe('run.ended');
});

test('a run that is stopped leaves the cluster as it is, and can be undone later', async () => {
  const { host } = await aConsole();
  const run = await startOn(host, standard);
  okValue(await askNow(host, standard, run, 'stop'));
  await untilRun(host, standard, run, 'stopped');
  okValue(await askNow(host, standard, run, 'undo'));
  await untilRun(host, standard, run, 'undone');
});
