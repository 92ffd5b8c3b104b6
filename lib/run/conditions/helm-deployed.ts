import type { Condition } from '#lib/plan/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** The newest revision of the release is `deployed`, by the labels of Helm's release Secrets (calico.md §9). */
export async function helmDeployed(
  { release, namespace }: Extract<Condition, { kind: 'helm-deployed' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  let newest = { version: -1, status: 'absent' };
  for await (const page of kube.listMetadata(resources.secrets, {
    namespace,
    labelSelector: `owner=helm,name=${release}`,
    signal,
  })) {
    for (const { metadata } of page.items) {
      const version = Number(metadata.labels?.version);
      if (version > newest.version) newest = { version, status: metadata.labels?.status ?? '' };
    }
  }
  if (newest.status === 'deployed')
    return met([
      {
        object: `${namespace}/Secret/sh.helm.release.v1.${release}.v${newest.version}`,
        path: "metadata.labels['status']",
        value: 'deployed',
      },
    ]);
  return waiting(`Helm release ${namespace}/${release} to be deployed, it is ${newest.status}`);
}
