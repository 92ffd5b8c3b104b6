import { type Fields, mergePatch } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { definitionChartOf } from '#lib/spec/index.ts';
import { patchAt } from '../../objects/field.ts';
import { requiredRelease } from '../../objects/release-objects.ts';
import type { PlanContext } from '../../operation.ts';
import { earlierVersion } from '../back-at-earlier.ts';
import { changedValues } from './changed-values.ts';
import { definitionsByHelm, hasDefinitionsOf, installedByHelm, isUpgradedByPlan } from './installed-by-helm.ts';

/** What the upgrade to this release sets beside the values that its Helm release has. */
export function valuesSet(context: PlanContext): Record<string, string> {
  const { values } = installedByHelm(context);
  return changedValues(values ?? {}, earlierVersion(context) ?? '', requiredRelease(context));
}

/**
 * The facts as the next release of the same plan finds them: Helm holds one revision more, of this chart and with what was set. Where it holds another
 * number by then, somebody else was at it, and the run pauses before it begins.
 */
export function afterHelmUpgrade(context: PlanContext): Facts {
  const found = installedByHelm(context);
  const values = Object.entries(valuesSet(context)).reduce<unknown>(
    (given, [path, value]) => mergePatch(given, patchAt(path.split('.'), value)),
    found.values ?? {},
  ) as Fields;
  const next = {
    ...found,
    revision: found.revision + 1,
    chart: `tigera-operator-${requiredRelease(context).version}`,
    values,
  };
  const { resources } = context.facts;
  const definitions = definitionsByHelm(context);
  const helmReleases = resources.helmReleases.map((one) => {
    if (one === found) return next;
    if (one !== definitions || !isUpgradedByPlan(one) || hasDefinitionsOf(one, requiredRelease(context).version))
      return one;
    const chart = `${definitionChartOf(one.chart)?.name}-${requiredRelease(context).version}`;
    return { ...one, revision: one.revision + 1, chart };
  });
  return { ...context.facts, resources: { ...resources, helmReleases } };
}
