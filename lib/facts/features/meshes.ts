import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { defineCollector } from '../collector.ts';
import { folded } from '../reading/query.ts';
import { podListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

type Marks = { readonly labels: Record<string, string>; readonly annotations: Record<string, string> };

/** What pods of a mesh carry: its own, and those that it has taken in. Labels and annotations of the meshes' own injectors. */
const meshMarks: readonly {
  readonly mesh: string;
  isControl(marks: Marks): boolean;
  isMember(marks: Marks): boolean;
}[] = [
  {
    mesh: 'Istio',
    isControl: ({ labels }) => labels.app === 'istiod' || labels.istio === 'pilot',
    isMember: ({ annotations }) => annotations['sidecar.istio.io/status'] !== undefined,
  },
  {
    mesh: 'Istio in ambient mode',
    isControl: ({ labels }) => labels.app === 'ztunnel',
    isMember: ({ annotations }) => annotations['ambient.istio.io/redirection'] === 'enabled',
  },
  {
    mesh: 'Linkerd',
    isControl: ({ labels }) => labels['linkerd.io/control-plane-component'] !== undefined,
    isMember: ({ annotations, labels }) =>
      annotations['linkerd.io/proxy-version'] !== undefined || labels['linkerd.io/proxy-deployment'] !== undefined,
  },
];

/** At most one subject a namespace and mesh: twenty thousand pods may be members. */
function meshFold() {
  const seen = meshMarks.map((marks) => ({
    ...marks,
    control: new Map<string, string>(),
    members: new Map<string, number>(),
  }));
  return {
    each: (object: KubeObject | ObjectMetadata) => {
      // Most pods have neither: parsed only when there is something to parse.
      if (object.metadata.labels === undefined && object.metadata.annotations === undefined) return;
      const meta = metadata.parse(object.metadata);
      const namespace = meta.namespace ?? '';
      for (const { isControl, isMember, control, members } of seen) {
        if (isControl(meta)) control.set(namespace, control.get(namespace) ?? meta.name);
        else if (isMember(meta)) members.set(namespace, (members.get(namespace) ?? 0) + 1);
      }
    },
    result: (): Subject[] =>
      seen.flatMap(({ mesh, control, members }) => [
        ...[...control].map(([namespace, name]) => ({
          kind: 'Pod',
          namespace,
          name,
          detail: `part of ${mesh} itself`,
        })),
        ...[...members].map(([name, count]) => ({
          kind: 'Namespace',
          namespace: null,
          name,
          detail: `${count} ${count === 1 ? 'pod is a member' : 'pods are members'} of ${mesh}`,
        })),
      ]),
  };
}

/** Istio, with sidecars or ambient, and Linkerd: they direct connections by the address that was dialled (pain E3). */
export const meshes = defineCollector({
  id: 'features/meshes',
  tells: ['meshes'],
  reads: { pods: folded(podListing, meshFold) },
  collect: ({ pods }) => ({ features: { meshes: pods.value } }),
});
