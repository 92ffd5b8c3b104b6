import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '#lib/checks/index.ts';
import { InputError, instantClock, isKubeError, openDump } from '#lib/kube/index.ts';
import { makePlan, type Plan, PlanError } from '#lib/plan/index.ts';
import { previewPlan, type Releases } from '#lib/run/index.ts';
import { sandboxReleaseOn } from '#lib/sandbox/index.ts';
import type { Choices, ReleaseContents } from '#lib/spec/index.ts';
import { assess } from '#lib/usecases/index.ts';
import { asLive, type Refusal } from './as-live.ts';
import { type DumpOf, textOf } from './dump-of.ts';

/** The statuses by check id (`endpoint.present`); null if the dump was refused with a file and a reason. */
export type AssessedDump = {
  readonly statuses: ReadonlyMap<string, Finding['status']>;
  /** The address that the endpoint's checks are about. */
  readonly endpoint: string;
  readonly cpuMs: number;
} | null;

export type Assessing = {
  /** Folder to write the dump into. */
  readonly folder: string;
  readonly choices: Choices;
  /** Assesses a live cluster with this refusal; null: a dump. */
  readonly refusal: Refusal | null;
  /** Whether to dry-run the plan, which takes longer than everything else. */
  readonly dryRuns: boolean;
};

const clock = instantClock();
const opened = new Map<string, ReleaseContents>();
const releases: Releases = async ({ version, platform, manifest }) => {
  const key = JSON.stringify([version, platform === 'openshift', manifest]);
  const known = opened.get(key);
  if (known) return known;
  const release = sandboxReleaseOn(platform, version, manifest);
  opened.set(key, release);
  return release;
};

/** Assesses a dump as `check --from` and `plan --from` do. Rejects only for bugs. */
export async function assessDump(
  dump: DumpOf,
  { folder, choices, refusal, dryRuns }: Assessing,
): Promise<AssessedDump> {
  const file = join(folder, 'dump.json');
  await writeFile(file, textOf(dump));
  const began = process.cpuUsage();
  const { signal } = new AbortController();
  try {
    const dumped = await openDump([file]);
    const kube = refusal ? asLive(dumped, refusal) : dumped;
    const { facts, findings, release, running, through } = await assess({
      use: (work) => work({ kube, clock }),
      answers: choices,
      choices: () => choices,
      releases,
      clock,
      signal,
    });
    for (const { id, because } of findings.findings)
      if (because.includes('fault of its own')) throw new Error(`${id}: ${because}`);
    await orRefused(async () => {
      const plan = makePlan({ facts, choices, findings, now: facts.observedAt, release, running, through });
      return dryRuns ? previewPlan(kube, plan, signal) : plan;
    });
    const { configMap, suggested } = facts.endpoint;
    const { host = '', port = '' } = configMap ?? suggested ?? {};
    return {
      statuses: new Map(findings.findings.map(({ id, status }) => [id, status])),
      endpoint: `${host}:${port}`,
      cpuMs: process.cpuUsage(began).user / 1000,
    };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** Makes the plan. Accepts a refusal by the planner or by the API; other errors are bugs. */
async function orRefused(plan: () => Promise<Plan>): Promise<void> {
  try {
    await plan();
  } catch (error) {
    if (!(error instanceof PlanError) && !isKubeError(error)) throw error;
  }
}
