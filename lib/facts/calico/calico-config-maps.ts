import { dataOf, type KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { ConfigMaps } from '../reading/workload.ts';

/** ConfigMaps of kube-system from which containers of an installation by manifest take variables. */
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
