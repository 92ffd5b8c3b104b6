import { type KubeObject, type ObjectMetadata, workloadOf } from '#lib/kube/index.ts';
import { fields, flagOrNull, listOf, text } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { defineCollector } from '../collector.ts';
import { folded, picked } from '../reading/query.ts';
import { allDeploymentListing, daemonSetListing, podListing, statefulSetListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

/** On the host's network a port is the host's own, and nothing has to forward to it. */
function hostPortsOf(object: KubeObject | ObjectMetadata): Subject | null {
  const { kind, metadata: meta, spec } = workloadOf(object);
  const { hostNetwork, containers, initContainers } = spec.template.spec;
  if (hostNetwork === true) return null;
  const ports = [...containers, ...initContainers]
    .flatMap(({ ports: own }) => own.map(({ hostPort }) => hostPort))
    .filter((port) => port !== null && port !== 0);
  if (ports.length === 0) return null;
  return { kind, namespace: meta.namespace, name: meta.name, detail: `host port ${[...new Set(ports)].join(', ')}` };
}

/** Makers of pods whose templates are read here. A static pod's Node is none of them, but it is on the host's network as a rule. */
const readMakers: ReadonlySet<string> = new Set(['DaemonSet', 'ReplicaSet', 'StatefulSet', 'Node']);

const owners = listOf(fields({ kind: text, controller: flagOrNull }));

/** Pods of all other makers: only their metadata is read, so what they ask of the host is not known. */
const otherPods = folded(podListing, () => {
  let count = 0;
  const first: string[] = [];
  return {
    each: (object) => {
      const maker = owners.parse(object.metadata.ownerReferences).find(({ controller }) => controller === true);
      if (maker && readMakers.has(maker.kind)) return;
      count++;
      const { namespace, name } = metadata.parse(object.metadata);
      if (first.length < 3) first.push(`${namespace}/${name}`);
    },
    result: () => ({ count, first }),
  };
});

/** Workloads that ask for a port of their node (pain E1). */
export const hostPorts = defineCollector({
  id: 'features/host-ports',
  tells: ['hostPorts'],
  reads: {
    daemonSets: picked(daemonSetListing, hostPortsOf),
    deployments: picked(allDeploymentListing, hostPortsOf),
    statefulSets: picked(statefulSetListing, hostPortsOf),
    otherPods,
  },
  collect: ({ daemonSets, deployments, statefulSets, otherPods: others }) => ({
    features: {
      hostPorts: [...daemonSets.value, ...deployments.value, ...statefulSets.value],
      otherPods: others.value,
    },
  }),
});
