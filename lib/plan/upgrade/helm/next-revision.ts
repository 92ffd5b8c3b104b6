import { type Fields, mergePatch } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { definitionChartOf } from '#lib/spec/index.ts';
import { patchAt } from '../../objects/field.ts';
import { earlierVersion, requiredRelease } from '../../objects/release-objects.ts';
import type { PlanContext } from '../../operation.ts';
import { changedValues } from './changed-values.ts';
import { definitionsByHelm, hasDefinitionsOf, installedByHelm, isUpgradedByPlan } from './installed-by-helm.ts';

/** Values that the upgrade to this release sets on top of the Helm release's own values, by path. */
export function valuesSet(context: PlanContext): Record<string, string> {
  const { values } = installedByHelm(context);
  return changedValues(values ?? {}, earlierVersion(context) ?? '', requiredRelease(context));
}

/**
 * The facts after this release, for planning the next one: Helm has one more revision, with this chart and these values. The run compares the revision
 * before it acts, and pauses if somebody else has made one.
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
