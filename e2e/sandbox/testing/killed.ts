import { clusterDifferences } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { continueRun, hasEnded, type Journal, listRuns, readRun, startRun } from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { type KillableCluster, type KillPoint, killableCluster } from './killable-cluster.ts';
import type { Stage } from './stage.ts';
import { startedRun } from './started-run.ts';

/** The administrator's command, which is simply repeated after a kill. */
export type RepeatedCommand = 'enable' | 'undo';

/** Runs a process that dies at this call, unless it ends before. Resolves with the process and its calls. */
export async function carryUntil(
  stage: Stage,
  plan: Plan,
  wanted: RepeatedCommand,
  at: KillPoint | null,
): Promise<KillableCluster> {
  const victim = killableCluster(stage.ours, stage.clock, at);
  const process = { ...stage.process({ kube: victim.kube, to: 'die' }), clock: victim.clock };
  await Promise.race([victim.death, carry(plan, wanted, process)]);
  return victim;
}

/** Repeats the command in a process that is not killed. It finds the dead process's run in the cluster. */
export async function carryOn(
  stage: Stage,
  plan: Plan,
  wanted: RepeatedCommand,
): Promise<{ run: string; journal: Journal }> {
  await carry(plan, wanted, stage.process());
  const run = (await listRuns(stage.ours, journalNamespaces))[0]?.run;
  if (run === undefined) throw new Error('there is no run');
  return { run, journal: (await readRun(stage.ours, journalNamespaces, run)).journal };
}

async function carry(plan: Plan, wanted: RepeatedCommand, process: ReturnType<Stage['process']>): Promise<void> {
  const runs = await listRuns(process.kube, journalNamespaces);
  const [known] = runs;
  // The process died before it had written the journal, so there is nothing to undo.
  if (!known && wanted === 'undo') return;
  if (runs.length > 1) throw new Error(`there are ${runs.length} runs: one was lost`);
  if (!known) startedRun(await startRun(process, plan));
  else if (wanted === 'undo' && known.state.kind !== 'undone')
    startedRun(await continueRun(process, known.run, { how: 'undo' }));
  else if (!hasEnded(known.state)) startedRun(await continueRun(process, known.run, { how: 'resume' }));
}

/**
 * The deaths to try: after each write, before each write that is an act, and at every `nth` call that changes nothing. For the cluster, a death before a
 * write of our bookkeeping is the same as a death after the preceding write.
 */
export function deathsIn(calls: KillableCluster['calls'], nth: number): KillPoint[] {
  return calls.flatMap(({ effect, method }, index) => {
    const after = { call: index + 1, moment: 'after' as const };
    const before = { call: index + 1, moment: 'before' as const };
    if (effect !== 'writes') return index % nth === 0 ? [after] : [];
    return /Lease|leases|ConfigMap\/signalbox-run|create configmaps/.test(method) ? [after] : [before, after];
  });
}

/** The properties of a run to compare with those of an undisturbed run. */
export type RunTrace = { changes: string[]; finished: string[]; state: string; contents: KubeObject[] };

export async function storyOf(stage: Stage, journal: Journal, settleSeconds = 20): Promise<RunTrace> {
  await stage.pass(settleSeconds);
  return {
    changes: stage.log.changes.map(({ object, type, body }) => `${type} ${object} ${body}`),
    finished: journal.entries.flatMap((entry) =>
      entry.what === 'begun' || entry.what === 'finished' ? [`${entry.what} ${entry.direction} ${entry.seq}`] : [],
    ),
    state: journal.state.kind,
    contents: await stage.contents(),
  };
}

/** The differences of a story from the expected one; empty if there are none. */
export function departures(story: RunTrace, from: RunTrace): string[] {
  const lists = (['changes', 'finished'] as const).flatMap((what) =>
    JSON.stringify(story[what]) === JSON.stringify(from[what])
      ? []
      : [`${what}: ${firstDeparture(story[what], from[what])}`],
  );
  const objects = clusterDifferences(from.contents, story.contents)
    // Objects that the run creates have other UIDs in every cluster.
    .filter(({ path }) => path !== 'metadata.uid')
    .map(
      ({ object, path, before, after }) => `${object} ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    );
  return [...(story.state === from.state ? [] : [`ended ${story.state}`]), ...lists, ...objects];
}

function firstDeparture(list: readonly string[], from: readonly string[]): string {
  const index = list.findIndex((one, at) => one !== from[at]);
  const at = index < 0 ? list.length : index;
  return `number ${at + 1} of ${list.length} is ${list[at] ?? 'missing'}, not ${from[at] ?? 'there'}`;
}
