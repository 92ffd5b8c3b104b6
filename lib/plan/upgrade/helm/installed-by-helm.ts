import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  definitionChartOf,
  type HelmDriver,
  isOfHelmController,
  releaseAtLeast,
} from '#lib/spec/index.ts';
import { operatorChart } from '../../act.ts';
import type { PlanContext } from '../../operation.ts';

export type HelmRelease = Facts['resources']['helmReleases'][number];

/** The chart of the operator under the name that its release gives it, and its version: `tigera-operator-v3.30.7`. */
const recordedChart = /^tigera-operator-(v?\d[0-9A-Za-z.+-]*)$/;

/** Releases that hold the operator, as far as is known: of one that could not be read, its marks on the operator say so. Those of RKE2's controller are its own. */
export function operatorReleases({ resources }: Facts): HelmRelease[] {
  return resources.helmReleases.filter(
    (release) =>
      !isOfHelmController(release) &&
      release.holds === undefined &&
      (release.chart === null || release.values === null || recordedChart.test(release.chart)),
  );
}

/** For operations that apply only where there is one; which may not be upgraded, refuse-helm.ts says before. */
export function installedByHelm({ facts }: Pick<PlanContext, 'facts'>): HelmRelease {
  const [release] = operatorReleases(facts);
  if (release === undefined) throw new Error('No Helm release holds the operator here.');
  return release;
}

/** Releases that hold Calico's definitions and no operator, as charts of v3.32 and later do, and some of one's own. */
export function definitionReleases({ resources }: Facts): HelmRelease[] {
  return resources.helmReleases.filter((release) => !isOfHelmController(release) && release.holds === 'definitions');
}

/**
 * The one of them that the kinds are left to; null where there is none, and the definitions are applied. Where the operator itself is no Helm release's,
 * only what a record says counts: marks stay on kinds that Helm let go of. Which may not be upgraded, refuse-helm.ts says.
 */
export function definitionsByHelm({ facts }: Pick<PlanContext, 'facts'>): HelmRelease | null {
  const { method } = facts.installation;
  const found = definitionReleases(facts).filter(
    ({ values }) => method === 'helm' || (method === 'operator' && values !== null),
  );
  return found[0] ?? null;
}

/** Its chart is one of those that a plan upgrades by helm: not the native ones, nor one's own, which are upgraded by hand before (refuse-helm.ts). */
export function isUpgradedByPlan({ chart }: Pick<HelmRelease, 'chart'>): boolean {
  return definitionChartOf(chart)?.isNative === false;
}

/**
 * It has the definitions of this release or of a later one already, by somebody's hand: to go back to earlier ones would delete the kinds that those lack,
 * with all objects of them.
 */
export function hasDefinitionsOf(release: HelmRelease, version: string): boolean {
  return releaseAtLeast(chartVersionOf(release) ?? '', version) === 'yes';
}

/** Where the chart of a release is, as helm takes it. */
export function chartFor(version: string, { chart = operatorChart }: Pick<Choices, 'chart'>): string {
  return chart.replaceAll(versionOfChart, version);
}

/**
 * Where the chart of the definitions is: beside the operator's, under its own name in place of that one's. Null where a chart of one's own has another
 * name, so that nothing tells.
 */
export function definitionsChartFor(
  version: string,
  { chart = operatorChart }: Pick<Choices, 'chart'>,
  name: string,
): string | null {
  const at = chart.lastIndexOf(operatorsName);
  if (at < 0) return null;
  return chartFor(version, { chart: `${chart.slice(0, at)}${name}${chart.slice(at + operatorsName.length)}` });
}

/** The operator's chart. */
export const operatorsName = 'tigera-operator';

/** What stands in `--chart` for the release that is gone to. */
export const versionOfChart = '{version}';

/** What helm, and what looks at its records, is told of where they are. */
export function driverOf({ driver }: Pick<HelmRelease, 'driver'>): { driver?: HelmDriver } {
  return driver === undefined ? {} : { driver };
}

/** `v3.30.7`; null where the chart was not read. */
export function chartVersionOf({ chart }: Pick<HelmRelease, 'chart'>): string | null {
  const definitions = definitionChartOf(chart);
  if (definitions) return chart?.slice(definitions.name.length + 1) ?? null;
  return recordedChart.exec(chart ?? '')?.[1] ?? null;
}
