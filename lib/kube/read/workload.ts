import type { V1DaemonSet, V1Deployment } from '@kubernetes/client-node';
import { readerOf } from './json.ts';
import { fields, flagOrNull, numberOrNull, text, textMap, textOrNull } from './lenient.ts';
import { metadata } from './metadata.ts';
import { type Container, podSpec } from './pod-spec.ts';

export type Workload = ReturnType<typeof workloadOf>;

/** The fields of a DaemonSet or a Deployment that are read. Fields that both have share their names. */
export const workloadOf = readerOf<V1DaemonSet & V1Deployment>()(
  fields({
    kind: text,
    metadata,
    spec: fields({
      replicas: numberOrNull,
      paused: flagOrNull,
      updateStrategy: fields({ type: textOrNull }),
      selector: fields({ matchLabels: textMap }),
      template: fields({ metadata, spec: podSpec }),
    }),
    status: fields({
      observedGeneration: numberOrNull,
      desiredNumberScheduled: numberOrNull,
      currentNumberScheduled: numberOrNull,
      updatedNumberScheduled: numberOrNull,
      numberReady: numberOrNull,
      numberAvailable: numberOrNull,
      numberUnavailable: numberOrNull,
      replicas: numberOrNull,
      updatedReplicas: numberOrNull,
      availableReplicas: numberOrNull,
      unavailableReplicas: numberOrNull,
    }),
  }),
);

/** Init containers first, each with its path in the object. */
export function containersOf({ spec }: Workload): { container: Container; path: string }[] {
  const { initContainers, containers } = spec.template.spec;
  return [
    ...initContainers.map((one) => ({ container: one, path: `spec.template.spec.initContainers[${one.name}]` })),
    ...containers.map((one) => ({ container: one, path: `spec.template.spec.containers[${one.name}]` })),
  ];
}

/** The first container of that name, init containers included; null if there is none. */
export function containerNamed(workload: Workload, name: string): Container | null {
  return containersOf(workload).find(({ container: one }) => one.name === name)?.container ?? null;
}
