import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookedThrough } from '#e2e/journey/index.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import { continueRun, type ForeignReview, type Journal, journalRef, startRun } from '#lib/run/index.ts';
import { names } from '#lib/spec/index.ts';
import { lookThroughForeignRun } from '#lib/usecases/index.ts';
import { type InstallStage, openInstallStage, sandboxReleases } from '../testing/install-stage.ts';
import { startedRun } from '../testing/started-run.ts';

/** The undo of an installation from a journal of another machine, or from a forged one. Signalbox compares it with the release's own files. */
let stage: InstallStage;
let run: string;
let recorded: { plan: Plan; journal: string };
const other = () => ({ ...stage.installer({ install: 'install-b' }), releases: sandboxReleases });

beforeAll(async () => {
  stage = await openInstallStage({ nodes: 1 });
  const { plan } = await stage.prepare();
  run = startedRun(await startRun(stage.installer(), plan)).run;
  await stage.pass(60);
  const object = await stage.store.get(journalRef(run, names.journalNamespace));
  if (object === null) throw new Error('there is no journal');
  const { 'plan.json.gz': packed = '' } = object.binaryData as Record<string, string>;
  const { 'journal.json': journal = '' } = object.data as Record<string, string>;
  recorded = { plan: JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Plan, journal };
});
afterAll(() => stage.close());

/** A journal in which one text of an operation is replaced everywhere, complete and consistent in itself. */
async function forged(id: string, from: string, to: string): Promise<ForeignReview | null> {
  const { plan, journal } = recorded;
  const operations = plan.operations.map((one) => {
    if (one.id !== id) return one;
    const text = JSON.stringify(one);
    expect(text).toContain(from);
    return JSON.parse(text.replaceAll(from, to)) as typeof one;
  });
  await write({ ...plan, operations }, JSON.parse(journal) as Journal);
  return lookThroughForeignRun(other(), run, 'undo');
}

async function write(plan: Plan, journal: Journal): Promise<void> {
  const hash = planHash(plan);
  await stage.store.patch(journalRef(run, names.journalNamespace), {
    type: 'merge',
    body: {
      data: { 'journal.json': JSON.stringify({ ...journal, planHash: hash }) },
      binaryData: { 'plan.json.gz': gzipSync(JSON.stringify({ ...plan, hash })).toString('base64') },
    },
  });
}

function stepOf(id: string, kind: string) {
  const act = recorded.plan.operations.find((one) => one.id === id)?.act;
  const acts = act?.kind === 'sequence' ? act.steps.map((step) => step.act) : [];
  return acts.flatMap((one) => (one.kind === 'apply' && one.target.resource.kind === kind ? [one.body] : []));
}

const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

test('rules of a ClusterRole that are not the release’s: it is named, and nothing is undone', async () => {
  const rules = stepOf('operator.apply', 'ClusterRole').find(
    ({ metadata }) => (metadata as { name: string }).name === names.operatorDeployment,
  )?.rules;
  const review = await forged('operator.apply', JSON.stringify(rules), JSON.stringify(everything));
  expect(review?.problems).toEqual([
    {
      id: 'operator.apply',
      message: expect.stringContaining('It writes ClusterRole/tigera-operator otherwise than v3.31.4 has it'),
    },
  ]);
});

test('another image of the operator', async () => {
  const review = await forged('operator.apply', 'quay.io/tigera/operator:', 'evil.example/tigera/operator:');
  expect(review?.problems).toEqual([
    {
      id: 'operator.apply',
      message: expect.stringContaining('tigera-operator/Deployment/tigera-operator otherwise than v3.31.4'),
    },
  ]);
});

test('a kind of somebody else among those that it defined, which its way back would remove', async () => {
  const review = await forged('crds', 'ippools.crd.projectcalico.org', 'prometheuses.monitoring.coreos.com');
  expect(review?.problems.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(
      'It defines CustomResourceDefinition/prometheuses.monitoring.coreos.com otherwise than v3.31.4',
    ),
  );
});

test('definitions from another file', async () => {
  const crds = recorded.plan.operations.find(({ id }) => id === 'crds')?.act;
  const sha256 = crds?.kind === 'apply-manifest' ? crds.manifest.sha256 : '';
  const review = await forged('crds', sha256, 'f'.repeat(64));
  expect(review?.problems).toEqual([
    { id: 'crds', message: expect.stringContaining('another operator-crds.yaml than that of v3.31.4') },
  ]);
});

test('a release whose files cannot be had: that is said once, and nothing is undone', async () => {
  await write(recorded.plan, JSON.parse(recorded.journal) as Journal);
  const releases = async () => Promise.reject(new Error('v3.31.4 is not in this folder.'));
  const review = await lookThroughForeignRun({ ...other(), releases }, run, 'undo');
  expect(review?.problems).toEqual([{ id: null, message: expect.stringContaining('v3.31.4 is not in this folder.') }]);
});

test('as it was recorded, it is undone', async () => {
  await write(recorded.plan, JSON.parse(recorded.journal) as Journal);
  const context = other();
  const confirmed = await lookedThrough(context, run, 'undo');
  expect(startedRun(await continueRun(context, run, { how: 'undo', confirmed })).outcome).toEqual({ kind: 'undone' });
});
