import type { Condition } from '#lib/plan/index.ts';
import { helmRecordResource, helmSecretName, isChartOfVersion } from '#lib/spec/index.ts';
import { chartOf, helmState } from '../acts/helm-state.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** The newest revision of the Helm release is `deployed`, and has this version of its chart if one is asked for (calico.md §9). */
export async function helmDeployed(
  { chart: version, kind: _kind, ...name }: Extract<Condition, { kind: 'helm-deployed' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const { release, namespace, driver } = name;
  const wanted = `Helm release ${namespace}/${release} to be deployed`;
  const newest = await helmState(kube, name, signal);
  if (newest?.status !== 'deployed') return waiting(`${wanted}, it is ${newest?.status ?? 'absent'}`);
  const object = `${namespace}/${helmRecordResource(driver).kind}/${helmSecretName(release, newest.revision)}`;
  const deployed = { object, path: "metadata.labels['status']", value: 'deployed' };
  if (version === undefined) return met([deployed]);
  const chart = await chartOf(kube, name, newest.revision, signal);
  if (isChartOfVersion(chart, version)) return met([deployed, { object, path: 'chart', value: chart }]);
  return waiting(`${wanted} with chart version ${version}, it has ${chart ?? 'a chart that cannot be read'}`);
}
