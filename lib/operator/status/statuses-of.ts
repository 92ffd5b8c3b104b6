import type { KubeObject } from '#lib/kube/index.ts';
import type { Condition } from '../installation/installation.ts';
import type { Release } from '../releases.ts';
import { conditionsOf, forInstallation, mergedConditions } from './conditions.ts';
import { progressOf } from './progress.ts';

export type Look = {
  /** The workloads that the TigeraStatus watches, with their status. */
  workloads: readonly KubeObject[];
  /** Generation of the Installation. */
  generation: number;
  /** RFC 3339 in whole seconds. */
  since: string;
};

/** The statuses of an operator that has carried out the Installation: conditions of a TigeraStatus, and the Installation's copy of them. */
export function statusesOf(
  { workloads, generation, since }: Look,
  release: Release,
): { tigeraStatus: Condition[]; installation: Condition[] } {
  const progressing = workloads.flatMap((workload) => progressOf(workload) ?? []);
  const situation = { ready: true, explicit: null, progressing, failing: [], generation };
  const tigeraStatus = mergedConditions([], conditionsOf(situation, release), since) ?? [];
  return { tigeraStatus, installation: mergedConditions([], forInstallation(tigeraStatus), since) ?? [] };
}
