import type { LandingPod } from '#lib/spec/index.ts';
import {
  fields,
  flagOrNull,
  ifThere,
  listOf,
  numberOrNull,
  type Parsed,
  text,
  textMap,
  textOrNull,
  texts,
} from './lenient.ts';

const variable = fields({
  name: text,
  value: textOrNull,
  valueFrom: fields({ configMapKeyRef: fields({ name: textOrNull, key: textOrNull }) }),
});

const container = fields({
  name: text,
  image: text,
  command: texts,
  args: texts,
  env: listOf(variable),
  envFrom: listOf(fields({ configMapRef: fields({ name: textOrNull }) })),
  ports: listOf(fields({ hostPort: numberOrNull })),
  volumeMounts: listOf(fields({ name: text, mountPath: text })),
});
export type Container = Parsed<typeof container>;

const expression = fields({ key: text, operator: text, values: texts });
const terms = fields({
  nodeSelectorTerms: listOf(fields({ matchExpressions: listOf(expression), matchFields: listOf(expression) })),
});

/** The fields that are read of a pod's spec, in a Pod or in a workload's template. */
export const podSpec = fields({
  nodeName: textOrNull,
  initContainers: listOf(container),
  containers: listOf(container),
  nodeSelector: textMap,
  affinity: ifThere(
    fields({ nodeAffinity: ifThere(fields({ requiredDuringSchedulingIgnoredDuringExecution: ifThere(terms) })) }),
  ),
  tolerations: listOf(fields({ key: textOrNull, operator: textOrNull, value: textOrNull, effect: textOrNull })),
  hostNetwork: flagOrNull,
  hostAliases: listOf(fields({ ip: text, hostnames: texts })),
  dnsPolicy: textOrNull,
  dnsConfig: fields({ nameservers: texts }),
  volumes: listOf(
    fields({
      name: text,
      configMap: fields({ name: textOrNull, items: listOf(fields({ key: text, path: text })) }),
      hostPath: fields({ path: text }),
    }),
  ),
});
export type ReadPodSpec = Parsed<typeof podSpec>;

/** The fields that decide on which nodes such a pod may be scheduled. */
export function landingPodOf({ nodeSelector, affinity, tolerations, hostNetwork }: ReadPodSpec): LandingPod {
  return {
    nodeSelector,
    affinity,
    hostNetwork: hostNetwork === true,
    tolerations: tolerations.map(({ key, operator, value, effect }) => ({
      ...(key === null ? {} : { key }),
      ...(operator === null ? {} : { operator }),
      ...(value === null ? {} : { value }),
      ...(effect === null ? {} : { effect }),
    })),
  };
}
