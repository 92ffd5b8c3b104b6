import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  definitionChartOf,
  type HelmDriver,
  isOfHelmController,
  releaseAtLeast,
} from '#lib/spec/index.ts';
import { operatorChart } from '../../install/helm-charts.ts';
import type { PlanContext } from '../../operation.ts';

export type HelmRelease = Facts['resources']['helmReleases'][number];

/** The chart of the operator under the name that its release gives it, and its version: `tigera-operator-v3.30.7`. */
const recordedChart = /^tigera-operator-(v?\d[0-9A-Za-z.+-]*)$/;

/** Helm releases that hold the operator, without those of RKE2's own controller. A release whose record could not be read counts by its annotations on the operator. */
export function operatorReleases({ resources }: Facts): HelmRelease[] {
  return resources.helmReleases.filter(
    (release) =>
      !isOfHelmController(release) &&
      release.holds === undefined &&
      (release.chart === null || release.values === null || recordedChart.test(release.chart)),
  );
}

/** The release that holds the operator. Throws without one: only for operations that apply where there is one. */
export function installedByHelm({ facts }: Pick<PlanContext, 'facts'>): HelmRelease {
  const [release] = operatorReleases(facts);
  if (release === undefined) throw new Error('No Helm release holds the operator here.');
  return release;
}

/** Helm releases that hold Calico's kinds and no operator, as the charts of v3.32 and later do, and some of administrators. */
export function definitionReleases({ resources }: Facts): HelmRelease[] {
  return resources.helmReleases.filter((release) => !isOfHelmController(release) && release.holds === 'definitions');
}

/**
 * The Helm release that is in charge of the kinds; null if there is none, and the plan applies them. For an operator without Helm only a record counts,
 * since annotations stay on kinds that Helm has given up.
 */
export function definitionsByHelm({ facts }: Pick<PlanContext, 'facts'>): HelmRelease | null {
  const { method } = facts.installation;
  const found = definitionReleases(facts).filter(
    ({ values }) => method === 'helm' || (method === 'operator' && values !== null),
  );
  return found[0] ?? null;
}

/** Whether a plan upgrades that release by helm. Those with native kinds or an administrator's own chart are upgraded by hand before (refuse-helm.ts). */
export function isUpgradedByPlan({ chart }: Pick<HelmRelease, 'chart'>): boolean {
  return definitionChartOf(chart)?.isNative === false;
}

/**
 * Whether the release already has the kinds of this version or of a later one, because somebody upgraded it by hand. It must not go back then: that would
 * delete newer kinds with all their objects.
 */
export function hasDefinitionsOf(release: HelmRelease, version: string): boolean {
  return releaseAtLeast(chartVersionOf(release) ?? '', version) === 'yes';
}

/** The chart of a version as an argument of helm: `--chart` with the version filled in. */
export function chartFor(version: string, { chart = operatorChart }: Pick<Choices, 'chart'>): string {
  return chart.replaceAll(versionOfChart, version);
}

/** The chart of the kinds as an argument of helm: beside the operator's chart, under its own name. Null if the name in `--chart` is not the operator's. */
export function definitionsChartFor(
  version: string,
  { chart = operatorChart }: Pick<Choices, 'chart'>,
  name: string,
): string | null {
  const at = chart.lastIndexOf(operatorsName);
  if (at < 0) return null;
  return chartFor(version, { chart: `${chart.slice(0, at)}${name}${chart.slice(at + operatorsName.length)}` });
}

/** Name of the operator's chart. */
export const operatorsName = 'tigera-operator';

/** Placeholder in `--chart` for the version. */
export const versionOfChart = '{version}';

/** The storage driver of a Helm release as part of an act or condition; empty: Helm's default, Secrets. */
export function driverOf({ driver }: Pick<HelmRelease, 'driver'>): { driver?: HelmDriver } {
  return driver === undefined ? {} : { driver };
}

/** `v3.30.7`; null if the chart could not be read or has another name. */
export function chartVersionOf({ chart }: Pick<HelmRelease, 'chart'>): string | null {
  const definitions = definitionChartOf(chart);
  if (definitions) return chart?.slice(definitions.name.length + 1) ?? null;
  return recordedChart.exec(chart ?? '')?.[1] ?? null;
}
