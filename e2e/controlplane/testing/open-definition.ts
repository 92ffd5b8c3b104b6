import type { ManifestObject } from '#lib/spec/index.ts';

/** A CustomResourceDefinition of one version whose schema takes anything. */
export function openDefinition({
  group,
  kind,
  plural,
}: {
  group: string;
  kind: string;
  plural: string;
}): ManifestObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
}
