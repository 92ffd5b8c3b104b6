import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { memberAt } from './difference.ts';
import type { Endpoint } from './render/plan.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The endpoint in a ConfigMap's data or an environment. Null when host or port is missing. Their form is not checked (calico.md §3.2). */
function endpointIn(values: Environment | undefined): Endpoint | null {
  const host = values?.[names.endpointHostKey];
  const port = values?.[names.endpointPortKey];
  return host && port ? { host, port } : null;
}

export function endpointOf(configMap: KubeObject | null): Endpoint | null {
  const data = memberAt(configMap, 'data');
  if (typeof data !== 'object' || data === null) return null;
  const { [names.endpointHostKey]: host, [names.endpointPortKey]: port } = data as Record<string, unknown>;
  return endpointIn({ [names.endpointHostKey]: String(host ?? ''), [names.endpointPortKey]: String(port ?? '') });
}

export type EndpointMemory = {
  /** The endpoint from the ConfigMap as it is now, or the last known one. Every reconcile calls this. */
  read(configMap: KubeObject | null): Endpoint | null;
};

/**
 * The API endpoint as one process of the operator knows it.
 * The environment is read once, at start: a ConfigMap in `envFrom` overrides what the kubelet injects (calico.md §3.2). After the ConfigMap is
 * deleted, the last value stays in memory until the operator restarts (endpoint-configmap-3.31.4.jsonl, t=144.31).
 */
export function endpointMemory(env: Environment, atStart: KubeObject | null): EndpointMemory {
  let memory = endpointOf(atStart) ?? endpointIn(env);
  return {
    read(configMap) {
      memory = endpointOf(configMap) ?? memory;
      return memory;
    },
  };
}
