import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { type Act, type Plan, planAsGitops } from '#lib/plan/index.ts';
import { startRun } from '#lib/run/index.ts';
import { type ObjectRef, resources, rewrittenByOperator } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

/** The end state that a user commits to Git: applied after the run it changes nothing; applied instead of the run it gives the run's result. */

let stage: Stage;
afterEach(() => stage.close());

type Document = { form: 'resource' | 'patch'; object: KubeObject & Record<string, unknown> };

function documentsOf(plan: Plan): Document[] {
  const [, ...texts] = planAsGitops(plan).split(/^---\n/m);
  return texts.map((text) => ({
    form: text.startsWith('# resource:') ? 'resource' : 'patch',
    object: parse(text) as Document['object'],
  }));
}

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  const resource = Object.values(resources).find(
    (one) => one.kind === kind && (one.group === '' ? one.version : `${one.group}/${one.version}`) === apiVersion,
  );
  if (!resource) throw new Error(`no resource is called ${apiVersion} ${kind}`);
  return { resource, name: metadata.name ?? '', ...(metadata.namespace ? { namespace: metadata.namespace } : {}) };
}

/** Applies the documents as a reconciler applies a base and its patches. */
async function commit(kube: Kube, documents: readonly Document[]): Promise<void> {
  for (const { form, object } of documents) {
    const target = refOf(object);
    if (object.$patch === 'delete') {
      await kube.delete(target).catch((error: unknown) => {
        if (!isKubeError(error, 'not-found')) throw error;
      });
    } else if (form === 'patch') await kube.patch(target, { type: 'merge', body: object });
    else await kube.apply(target.resource, object as never, { force: true });
  }
}

test('after the run it changes nothing', async () => {
  stage = await openStage({ nodes: 3 });
  const plan = await stage.plan();
  expect(startedRun(await startRun(stage.process(), plan)).outcome).toEqual({ kind: 'done' });
  await stage.pass(60);
  const before = await stage.contents();
  const documents = documentsOf(plan);
  expect(documents.map(({ object }) => object.kind)).toEqual(
    expect.arrayContaining(['ConfigMap', 'FelixConfiguration', 'Installation', 'DaemonSet']),
  );
  await commit(stage.store, documents);
  await stage.pass(60);
  expectSameCluster(before, await stage.contents());
});

test('a plan that is made again after the run has the same end state', async () => {
  stage = await openStage({ nodes: 3 });
  const plan = await stage.plan();
  startedRun(await startRun(stage.process(), plan));
  await stage.pass(60);
  const again = documentsOf(await stage.plan()).filter(({ object }) => object.kind !== 'Deployment');
  for (const { object } of again)
    expect(documentsOf(plan).map((one) => one.object)).toContainEqual(expect.objectContaining(object));
});

async function carryOut(kube: Kube, act: Act): Promise<void> {
  if (act.kind === 'merge-patch') await kube.patch(act.target, { type: 'merge', body: act.body });
  if (act.kind === 'apply') await kube.apply(act.target.resource, act.body as never, { force: act.force });
  if (act.kind === 'delete') await kube.delete(act.target);
  if (act.kind === 'sequence') for (const step of act.steps) await carryOut(kube, step.act);
}

test('before the run it is what the run would leave', async () => {
  stage = await openStage({ nodes: 3, operator: 'none' });
  const plan = await stage.plan();
  for (const { act } of plan.operations) await carryOut(stage.store, act);
  const byActs = await specsOf(plan);
  await stage.close();
  stage = await openStage({ nodes: 3, operator: 'none' });
  await commit(stage.store, documentsOf(plan));
  expect(await specsOf(plan)).toEqual(byActs);
});

/** The present objects of the plan, without the fields that the operator writes. */
async function specsOf(plan: Plan): Promise<unknown[]> {
  return Promise.all(
    documentsOf(plan).map(async ({ object }) => {
      const { spec, metadata, ...rest } = ((await stage.store.get(refOf(object))) ?? {}) as Record<string, unknown>;
      const { annotations, labels } = (metadata ?? {}) as Record<string, unknown>;
      const { status: _status, ...others } = rest;
      const ownSpec = JSON.parse(JSON.stringify(spec ?? {})) as { calicoNetwork?: Record<string, unknown> };
      for (const field of Object.keys(ownSpec.calicoNetwork ?? {}))
        if (rewrittenByOperator(object.kind ?? '', ['spec', 'calicoNetwork', field], 'present'))
          delete ownSpec.calicoNetwork?.[field];
      return { ...others, annotations, labels, spec: ownSpec };
    }),
  );
}
