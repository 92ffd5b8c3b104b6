import { beforeAll, expect, test } from 'vitest';
import { clusterDifferences, expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { continueRun, hasEnded, listRuns, startRun } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { type InstallStage, openInstallStage } from '../testing/install-stage.ts';
import { type KillableCluster, type KillPoint, killableCluster } from '../testing/killable-cluster.ts';
import { startedRun } from '../testing/started-run.ts';

type Wanted = 'install' | 'undo';

let plan: Plan;
let empty: KubeObject[];
let installed: KubeObject[];
let calls: Record<Wanted, KillableCluster['calls']>;

const anew = () => openInstallStage({ nodes: 1 });

beforeAll(async () => {
  const stage = await anew();
  empty = await stage.contents();
  plan = (await stage.prepare()).plan;
  const install = await carryUntil(stage, 'install', null);
  await stage.pass(20);
  installed = await stage.contents();
  const undo = await carryUntil(stage, 'undo', null);
  calls = { install: install.calls, undo: undo.calls };
  await stage.close();
});

/** Runs a process that dies at this call, unless it is done before. */
async function carryUntil(stage: InstallStage, wanted: Wanted, at: KillPoint | null): Promise<KillableCluster> {
  const victim = killableCluster(stage.ours, stage.clock, at);
  const process = { ...stage.installer({ kube: victim.kube, to: 'die' }), clock: victim.clock };
  await Promise.race([victim.death, carry(wanted, process)]);
  return victim;
}

/** Runs the same command again in a new process, which finds the state that the last one left. */
async function carry(wanted: Wanted, process: ReturnType<InstallStage['installer']>): Promise<void> {
  const [known] = await listRuns(process.kube, journalNamespaces);
  if (!known) startedRun(await startRun(process, plan));
  else if (wanted === 'undo' && known.state.kind !== 'undone')
    startedRun(await continueRun(process, known.run, { how: 'undo' }));
  else if (!hasEnded(known.state)) startedRun(await continueRun(process, known.run, { how: 'resume' }));
}

/** The calls before and after every write that is no bookkeeping; only every `nth`, to limit the test's time. */
function deaths(wanted: Wanted, nth: number): KillPoint[] {
  const writes = calls[wanted].flatMap(({ effect, method }, index) =>
    effect === 'writes' && !/Lease|leases|ConfigMap\/signalbox-run|events/.test(method) ? [index + 1] : [],
  );
  return writes
    .filter((_call, index) => index % nth === 0)
    .flatMap((call): KillPoint[] => [
      { call, moment: 'before' },
      { call, moment: 'after' },
    ]);
}

const words = (wanted: Wanted, { call, moment }: KillPoint) =>
  `${moment} call ${call} (${calls[wanted][call - 1]?.method})`;

/** The differences between two clusters, apart from UIDs. */
function differs(from: readonly KubeObject[], to: readonly KubeObject[]): string[] {
  return clusterDifferences(from, to)
    .filter(({ path }) => !/uid$/.test(path))
    .map(({ object, path }) => `${object} ${path}`);
}

test('killed around writes of an install, the next process carries on to the same cluster', async () => {
  const broken: string[] = [];
  expect(deaths('install', 6).length).toBeGreaterThanOrEqual(12);
  for (const death of deaths('install', 6)) {
    const stage = await anew();
    try {
      await carryUntil(stage, 'install', death);
      await carry('install', stage.installer());
      await stage.pass(20);
      const [run] = await listRuns(stage.ours, journalNamespaces);
      const wrong =
        run?.state.kind === 'done' ? differs(installed, await stage.contents()) : [JSON.stringify(run?.state)];
      if (wrong.length > 0) broken.push(`${words('install', death)}: ${wrong.join('; ')}`);
    } catch (error) {
      broken.push(`${words('install', death)}: ${String(error)}`);
    } finally {
      await stage.close();
    }
  }
  expect(broken).toEqual([]);
});

test('killed around writes of its undo, the next process still leaves the empty cluster', async () => {
  const broken: string[] = [];
  expect(deaths('undo', 6).length).toBeGreaterThanOrEqual(12);
  for (const death of deaths('undo', 6)) {
    const stage = await anew();
    try {
      await carry('install', stage.installer());
      await stage.pass(20);
      await carryUntil(stage, 'undo', death);
      await carry('undo', stage.installer());
      await stage.pass(60);
      expectSameCluster(empty, await stage.contents());
    } catch (error) {
      broken.push(`${words('undo', death)}: ${String(error).slice(0, 300)}`);
    } finally {
      await stage.close();
    }
  }
  expect(broken).toEqual([]);
});
