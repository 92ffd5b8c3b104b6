import { afterEach, expect, test } from 'vitest';
import { aProcess, clusterContents, expectSameCluster } from '#e2e/journey/index.ts';
import type { Store } from '#lib/kube/store/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { choicesSchema, resources } from '#lib/spec/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { sandboxReleases } from '../testing/install-stage.ts';
import { startedRun } from '../testing/started-run.ts';

/** The sample with sidecars. Its injector adds the sidecar of its present template to each new pod. */
let sandbox: Awaited<ReturnType<typeof openSandbox>>;
afterEach(() => sandbox.close());

async function sidecarsOf(store: Store): Promise<string[]> {
  const images: string[] = [];
  for await (const { items } of store.list(resources.pods, { namespace: 'shop' }))
    for (const { spec } of items)
      for (const { name, image } of Object(spec).containers) if (name === 'dikastes') images.push(image);
  return images;
}

test('sidecars follow an upgrade where that is asked for, and go back with it', async () => {
  sandbox = await openSandbox('old-sidecars', { speed: 'instant', operator: 'v3.31.4' });
  const { kube, clock, store } = sandbox;
  await clock.sleep(60_000);
  const old = 'docker.io/calico/dikastes:v3.27.5';
  const carriers = await sidecarsOf(store);
  expect(new Set(carriers)).toEqual(new Set([old]));
  const before = await clusterContents(store);
  const choices = choicesSchema.parse({
    goal: 'upgrade',
    release: 'v3.31.7',
    acceptProposals: true,
    afterwards: ['sidecars'],
  });
  const { plan } = await preparePlan({
    kube,
    clock,
    answers: choices,
    choices: () => choices,
    releases: sandboxReleases,
    signal: new AbortController().signal,
  });
  const memories = new Map();
  const { run, outcome } = startedRun(await startRun(aProcess({ kube, clock, memories }), plan));
  expect(outcome).toEqual({ kind: 'done' });
  expect(await sidecarsOf(store)).toEqual(carriers.map(() => 'docker.io/calico/dikastes:v3.31.7'));

  const back = await continueRun(aProcess({ kube, clock, memories }), run, { how: 'undo' });
  expect(startedRun(back).outcome).toEqual({ kind: 'undone' });
  expect(await sidecarsOf(store)).toEqual(carriers);
  await clock.sleep(120_000);
  expectSameCluster(before, await clusterContents(store));
});
