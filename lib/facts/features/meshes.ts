import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { recordOrNull } from '#lib/kube/read/lenient.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { folded, picked } from '../reading/query.ts';
import { definitionListing, podListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

const none: Record<string, unknown> = {};
const isText = (value: unknown) => typeof value === 'string';

/** Unparsed labels and annotations: of thousands of pods only a few keys are looked at. */
type Marks = { readonly labels: Record<string, unknown>; readonly annotations: Record<string, unknown> };

/**
 * Labels and annotations of a mesh's own pods and of its members, and the API group of its kinds. From the meshes' own
 * injectors: istio.io › Resource Labels, Annotations; linkerd.io › Proxy annotations and labels; kuma.io › Annotations and labels;
 * developer.hashicorp.com/consul › Annotations and labels. Read 2026-11-22.
 */
const meshMarks: readonly {
  readonly mesh: string;
  readonly definitions: RegExp;
  isControl(marks: Marks): boolean;
  isMember(marks: Marks): boolean;
}[] = [
  {
    mesh: 'Istio',
    definitions: /\.istio\.io$/,
    isControl: ({ labels }) =>
      labels.app === 'istiod' || labels.istio === 'pilot' || labels['app.kubernetes.io/name'] === 'istiod',
    isMember: ({ annotations, labels }) =>
      isText(annotations['sidecar.istio.io/status']) || labels['security.istio.io/tlsMode'] === 'istio',
  },
  {
    mesh: 'Istio in ambient mode',
    definitions: /^$/,
    isControl: ({ labels }) => labels.app === 'ztunnel' || labels['app.kubernetes.io/name'] === 'ztunnel',
    isMember: ({ annotations }) => annotations['ambient.istio.io/redirection'] === 'enabled',
  },
  {
    mesh: 'Linkerd',
    definitions: /\.linkerd\.io$/,
    isControl: ({ labels }) => isText(labels['linkerd.io/control-plane-component']),
    isMember: ({ annotations, labels }) =>
      isText(annotations['linkerd.io/proxy-version']) ||
      isText(labels['linkerd.io/proxy-deployment']) ||
      isText(labels['linkerd.io/control-plane-ns']),
  },
  {
    mesh: 'Kuma',
    definitions: /\.kuma\.io$/,
    isControl: ({ labels }) => labels.app === 'kuma-control-plane' || labels.app === 'kong-mesh-control-plane',
    isMember: ({ annotations }) => annotations['kuma.io/sidecar-injected'] === 'true',
  },
  {
    mesh: 'Consul',
    definitions: /\.consul\.hashicorp\.com$/,
    isControl: ({ labels }) => labels.app === 'consul' && labels.component === 'connect-injector',
    isMember: ({ annotations }) => annotations['consul.hashicorp.com/connect-inject-status'] === 'injected',
  },
];

/** Keeps at most one subject for each namespace and mesh, since thousands of pods may be members. */
function meshFold() {
  const seen = meshMarks.map((marks) => ({
    ...marks,
    control: new Map<string, string>(),
    members: new Map<string, number>(),
  }));
  return {
    each: (object: KubeObject | ObjectMetadata) => {
      const { namespace = '', name = '', labels, annotations } = object.metadata;
      const marks = {
        labels: recordOrNull.parse(labels) ?? none,
        annotations: recordOrNull.parse(annotations) ?? none,
      };
      for (const { isControl, isMember, control, members } of seen) {
        if (isControl(marks)) control.set(namespace, control.get(namespace) ?? name);
        else if (isMember(marks)) members.set(namespace, (members.get(namespace) ?? 0) + 1);
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

function definedMesh({ metadata: { name = '' } }: KubeObject | ObjectMetadata): string | null {
  return meshMarks.find(({ definitions }) => definitions.test(name))?.mesh ?? null;
}

/** Service meshes (Istio with sidecars or ambient, Linkerd and others), which redirect connections by their destination address (pain E3). */
export const meshes = defineCollector({
  id: 'features/meshes',
  provides: ['meshes'],
  reads: { pods: folded(podListing, meshFold), definitions: picked(definitionListing, definedMesh) },
  collect: ({ pods, definitions }) => ({
    features: { meshes: pods.value, definedMeshes: [...new Set(definitions.value)] },
    // Definitions are not needed: pods show a mesh too.
    coverage: { meshes: allOf(pods) },
  }),
});
