import { dataOf, type KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { ConfigMaps } from '../reading/workload.ts';

/** The ConfigMaps of kube-system that the containers of a manifest installation take variables from. */
export function systemConfigMaps(given: {
  endpoint: KubeObject | null;
  calico: KubeObject | null;
  canal: KubeObject | null;
}): ConfigMaps {
  const entries = [
    [names.endpointConfigMap, given.endpoint],
    ['calico-config', given.calico],
    ['canal-config', given.canal],
  ] as const;
  return new Map(entries.flatMap(([name, object]) => (object === null ? [] : [[name, dataOf(object)] as const])));
}
