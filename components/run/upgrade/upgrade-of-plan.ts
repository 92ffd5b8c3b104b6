import { type LegsOfUpgrade, legsOfUpgrade, type Plan } from '#lib/plan/index.ts';
import { isReleaseName } from '#lib/run/index.ts';
import { gateOfHop, releasesWithOperator } from '#lib/spec/index.ts';
import type { ReleasesOfRun } from './release-lines.ts';

/** Data of an upgrade's page from its plan; null for other goals. Server only, so that browsers do not load the table of releases. */
export function upgradeOfPlan(plan: Plan): { releases: ReleasesOfRun; usual: Record<number, number> } | null {
  const legs = legsOfUpgrade(plan);
  if (legs === null || !namesReleases(legs)) return null;
  const operators = new Map(releasesWithOperator().map(({ version, operator }) => [version, operator] as const));
  const last = legs.to.at(-1)?.version;
  return {
    releases: {
      from: legs.from,
      operatorBefore: legs.from === null ? null : (operators.get(legs.from) ?? null),
      to: legs.to.map(({ version, seq }) => {
        const gate = version === last ? undefined : gateOfHop(version);
        return {
          version,
          seq,
          operator: operators.get(version) ?? null,
          gate: gate?.id ?? null,
          because: gate?.advice ?? null,
        };
      }),
    },
    usual: Object.fromEntries(plan.operations.map(({ seq, usualSeconds }) => [seq, usualSeconds])),
  };
}

/** Whether these are valid releases; a foreign plan may have any text in their place, which is not drawn. */
function namesReleases({ from, to }: LegsOfUpgrade): boolean {
  return (from === null || isReleaseName(from)) && to.every(({ version }) => isReleaseName(version));
}
