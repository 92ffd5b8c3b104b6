import type { Facts } from '#lib/facts/index.ts';
import { definitionChartOf, definitionCharts } from '#lib/spec/index.ts';
import { definitionReleases } from './helm/installed-by-helm.ts';

const group = 'projectcalico.org';

/**
 * Why no upgrade can be planned where the API server itself stores `projectcalico.org/v3` (native kinds, v3.32 and later), as a sentence; null where it
 * can. The files of a release define the kinds of `crd.projectcalico.org`, and with both sets of kinds the operator could choose the wrong one. Where a
 * Helm release of the chart with native kinds holds them, refuse-helm.ts decides.
 */
export function nativeKindsProblem(facts: Facts): string | null {
  const native = facts.upgrade.definitions.find(({ name }) => name.slice(name.indexOf('.') + 1) === group);
  if (native === undefined) return null;
  if (definitionReleases(facts).some(({ chart }) => definitionChartOf(chart)?.isNative)) return null;
  const chart = definitionCharts.find(({ isNative }) => isNative)?.name;
  return `goal: this cluster keeps Calico's resources as ${group}/v3 itself (CustomResourceDefinition ${native.name}), and the files of a release define those of crd.projectcalico.org: beside each other, the operator could not tell which count. Upgrade by hand: the kinds of the new release first, \`helm template calico-crds projectcalico/${chart} --version VERSION | kubectl apply --server-side --force-conflicts -f -\`, then its operator in the way it was installed. \`check --goal upgrade\` says before what the upgrade means here.`;
}
