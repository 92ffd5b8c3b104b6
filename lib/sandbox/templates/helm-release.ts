import { gzipSync } from 'node:zlib';
import type { KubeObject } from '#lib/kube/index.ts';
import { helmSecretName } from '#lib/spec/index.ts';
import type { Variation } from './cluster-shape.ts';
import { adding, all, marking } from './variations.ts';

/** A release as Helm keeps it: JSON, zipped, in base64, and that again as every Secret's data is. */
export function helmRelease(
  config: Record<string, unknown>,
  {
    revision = 1,
    status = 'deployed',
    version = 'v3.31.4',
    description = 'Install complete',
    name = 'calico',
    chart = 'tigera-operator',
    manifest,
  }: {
    revision?: number;
    status?: string;
    version?: string;
    description?: string;
    name?: string;
    chart?: string;
    manifest?: string;
  } = {},
): KubeObject {
  const release = {
    name,
    namespace: 'tigera-operator',
    version: revision,
    info: { status, description },
    chart: { metadata: { name: chart, version }, templates: [] },
    config,
    ...(manifest === undefined ? {} : { manifest }),
  };
  const packed = gzipSync(JSON.stringify(release)).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      namespace: 'tigera-operator',
      name: helmSecretName(name, revision),
      labels: { name, owner: 'helm', status, version: String(revision) },
    },
    data: { release: Buffer.from(packed).toString('base64') },
  };
}

/** What Helm makes of a chart that holds these kinds, as far as anybody asks. */
export function manifestOfKinds(names: readonly string[]): string {
  return names.map((name) => `---\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}\n`).join('');
}

/** Helm's marks on what its chart made. */
export const ownedByHelm = ['Installation/default', 'tigera-operator/Deployment/tigera-operator'].map((id) =>
  marking(id, {
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'calico', 'meta.helm.sh/release-namespace': 'tigera-operator' },
  }),
);

/** Helm's marks on Calico's kinds, which a release of its own holds (from v3.32 on). */
const kindsByHelm: Variation = (objects) =>
  objects.map((object) =>
    object.kind === 'CustomResourceDefinition' && /calico|tigera/.test(object.metadata.name ?? '')
      ? {
          ...object,
          metadata: {
            ...object.metadata,
            labels: { ...object.metadata.labels, 'app.kubernetes.io/managed-by': 'Helm' },
            annotations: {
              ...object.metadata.annotations,
              'meta.helm.sh/release-name': 'calico-crds',
              'meta.helm.sh/release-namespace': 'tigera-operator',
            },
          },
        }
      : object,
  );

/** Calico v3.32.0 by Helm, its kinds in a release of their own. `manifest`: what Helm recorded of that one. */
export const kindsApart = (manifest?: string): Variation =>
  all(
    ...ownedByHelm,
    kindsByHelm,
    adding(
      helmRelease({}, { version: 'v3.32.0' }),
      helmRelease(
        {},
        {
          version: 'v3.32.0',
          name: 'calico-crds',
          chart: 'crd.projectcalico.org.v1',
          ...(manifest === undefined ? {} : { manifest }),
        },
      ),
    ),
  );
