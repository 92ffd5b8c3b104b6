import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { counted, thousands } from '#lib/base/words.ts';
import { inOneLine } from '#lib/flows/flow-error.ts';
import { type Flow, flowLine, historySeconds, listFlows, noQuery } from '#lib/flows/index.ts';
import { privateFolder, stateFolder } from '#lib/folders/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { sweepParts, writeWhole } from '#lib/run/index.ts';
import { resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import type { OpenCluster } from '../open-cluster.ts';

/** How long a run waits for these flows, in ms; they only serve a later comparison. */
const patienceMs = 15_000;
/** Most flows that `flows changes` compares, and that a file may have for it (read-file.ts). */
const mostFlows = 20_000;
const mostBytes = 24_000_000;
/** A run starts within this time after its flows were saved, even if it waits for another process's Lease. Older files belong to earlier runs of the same plan. */
const soonSeconds = 300;
const keptSeconds = 30 * 86_400;
const agoSeconds = historySeconds - 60;

type PlanOfRun = Pick<Plan, 'cluster' | 'clusterUid' | 'hash'>;

/**
 * Saves the flows of the hour before a run of this process in the state folder, because the aggregator keeps an hour and its own upgrade loses it. Does nothing
 * if flow logs are off. Never rejects: a failure is printed and the run continues. Resolves with a function to call, once or more often, with the run's name:
 * it assigns the file to the run, so that no clocks are compared later.
 */
export async function keepBaseline(
  invocation: Invocation,
  cluster: OpenCluster,
  plan: PlanOfRun,
): Promise<(run: string) => void> {
  let written = await writeBaseline(invocation, cluster, plan);
  return (run) => {
    if (written === null || !isRunName.test(run)) return;
    const [from, to] = [written, written.replace(/\.ndjson$/, `-${run}.ndjson`)];
    written = null;
    try {
      renameSync(from, to);
    } catch {
      // Then the file is found by its time.
    }
  };
}

const isRunName = /^[\w-]{1,64}$/;

/** The written file; null: none. */
async function writeBaseline(
  { env, terminal, signal }: Invocation,
  cluster: OpenCluster,
  plan: PlanOfRun,
): Promise<string | null> {
  const { kube, clock } = cluster;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const goldmane = await kube
    .get({ resource: resources.goldmanes, name: 'default' }, { signal: inTime })
    // If flow logs cannot be read, the run itself reports what matters.
    .catch(() => null);
  if (goldmane === null) return null;
  try {
    const found = await listFlows(kube, { ...noQuery, since: { ago: agoSeconds } }, inTime);
    const folder = await baselineFolder(env);
    // The clock by which the journal records the run's start.
    const now = Math.floor(clock.now() / 1000);
    await removeOld(folder, now);
    // Newest first, so that the oldest are left out if there are too many.
    const lines = fittingLines(found);
    const file = join(folder, `${keyOf(plan)}-${now}.ndjson`);
    await writeWhole(file, lines.join(''));
    const which = lines.length < found.length ? `The newest ${thousands(lines.length)} of ` : '';
    terminal.err(
      `${which}${counted(found.length, 'flow')} of the hour before are kept: signalbox flows changes compares with them.`,
    );
    return file;
  } catch (error) {
    if (signal.aborted) return null;
    const because = inOneLine(messageOf(error));
    terminal.err(visibleLine(`Flows from before the run are not kept for a comparison: ${because}`));
    return null;
  }
}

/**
 * The file with the flows before a run; null: none. `begun`: the run's start in seconds since 1970, by which the file is found if its process was killed before
 * the run had a name.
 */
export async function baselineBefore(
  env: Invocation['env'],
  plan: PlanOfRun,
  { run, begun }: { readonly run: string; readonly begun: number },
): Promise<string | null> {
  const folder = await baselineFolder(env);
  const ofPlan = (await namesIn(folder)).filter(({ key }) => key === keyOf(plan));
  const candidates = ofPlan.filter((one) => one.run === null && one.at <= begun + 1 && one.at >= begun - soonSeconds);
  const last = ofPlan.find((one) => one.run === run) ?? candidates.toSorted((one, other) => other.at - one.at)[0];
  return last === undefined ? null : join(folder, last.name);
}

const baselineFolder = async (env: Invocation['env']) =>
  privateFolder(join(await stateFolder(env), 'flows-before'), 'XDG_STATE_HOME');

/** Names of clusters may be shared, and are no names of files. Other runs of the hour have plans of their own. */
export const keyOf = ({ cluster, clusterUid, hash }: PlanOfRun) =>
  createHash('sha256')
    .update(JSON.stringify([cluster, clusterUid, hash]))
    .digest('hex')
    .slice(0, 16);

/** Lines for as many of the flows as a file may have. */
export function fittingLines(flows: readonly Flow[], most = mostBytes): string[] {
  const fit: string[] = [];
  let size = 0;
  for (const flow of flows.slice(0, mostFlows)) {
    const line = `${flowLine(flow)}\n`;
    size += Buffer.byteLength(line);
    if (size > most) break;
    fit.push(line);
  }
  return fit;
}

async function namesIn(folder: string): Promise<{ name: string; key: string; at: number; run: string | null }[]> {
  return (await readdir(folder)).flatMap((name) => {
    const [, key, at, run = null] = /^([0-9a-f]{16})-(\d+)(?:-([\w-]+))?\.ndjson$/.exec(name) ?? [];
    return key === undefined ? [] : [{ name, key, at: Number(at), run }];
  });
}

async function removeOld(folder: string, now: number): Promise<void> {
  for (const { name, at } of await namesIn(folder))
    if (at < now - keptSeconds) await rm(join(folder, name), { force: true });
  await sweepParts(folder);
}
