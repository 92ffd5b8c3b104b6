import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, runChecks } from '#lib/checks/index.ts';
import { collectFacts } from '#lib/facts/index.ts';
import { InputError, isKubeError, openDump } from '#lib/kube/index.ts';
import { makePlan, type Plan, PlanError } from '#lib/plan/index.ts';
import { previewPlan } from '#lib/run/index.ts';
import { type Choices, goals } from '#lib/spec/index.ts';
import type { DumpOf } from './mutations.ts';

/** `enable endpoint.present` → its status; null where the dump was refused with its file and reason. */
export type Judged = {
  readonly statuses: ReadonlyMap<string, Finding['status']>;
  /** Which address the checks of an endpoint are about. */
  readonly endpoint: string;
  readonly ms: number;
} | null;

const now = '2026-01-01T00:00:00.000Z';

/** What `check --from` and `plan --from` do with a dump; the dry runs of the plan, which cost more than all else, only where asked. Rejects only where we are wrong. */
export async function judged({ objects, emptyKinds }: DumpOf, folder: string, dryRuns: boolean): Promise<Judged> {
  const file = join(folder, 'dump.json');
  const lists = emptyKinds.map(({ apiVersion, kind }) => ({ apiVersion, kind: `${kind}List`, items: [] }));
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...objects, ...lists] }));
  const began = performance.now();
  try {
    const kube = await openDump([file]);
    const facts = await collectFacts({ kube });
    const statuses = new Map<string, Finding['status']>();
    for (const goal of goals) {
      const choices: Choices = { goal, acceptProposals: true, acknowledge: {}, fix: [], set: {} };
      const findings = runChecks(facts, choices, { now });
      for (const { id, status, because } of findings.findings) {
        if (because.includes('fault of its own')) throw new Error(`${goal} ${id}: ${because}`);
        statuses.set(`${goal} ${id}`, status);
      }
      if (goal !== 'enable') continue;
      await orRefused(async () => {
        const plan = makePlan({ facts, choices, findings, now });
        return dryRuns ? previewPlan(kube, plan, new AbortController().signal) : plan;
      });
    }
    const { configMap, suggested } = facts.endpoint;
    const { host = '', port = '' } = configMap ?? suggested ?? {};
    return { statuses, endpoint: `${host}:${port}`, ms: performance.now() - began };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** A refusal in the words of the planner or of the API is an answer too. */
async function orRefused(plan: () => Promise<Plan>): Promise<void> {
  try {
    await plan();
  } catch (error) {
    if (!(error instanceof PlanError) && !isKubeError(error)) throw error;
  }
}
