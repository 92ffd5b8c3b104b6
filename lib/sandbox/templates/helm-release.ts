import { gzipSync } from 'node:zlib';
import type { KubeObject } from '#lib/kube/index.ts';
import { helmSecretName, names } from '#lib/spec/index.ts';
import type { Variation } from './cluster-shape.ts';
import { adding, all, marking } from './variations.ts';

/** A release record as Helm keeps it in a Secret: JSON, gzipped, in base64, and in base64 again as all data of Secrets. */
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

/** The rendered manifest of a chart with these CustomResourceDefinitions, reduced to their names. */
export function manifestOfKinds(names: readonly string[]): string {
  return names.map((name) => `---\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}\n`).join('');
}

/** Puts Helm's labels and annotations on the objects that its chart made. */
export const ownedByHelm = ['Installation/default', 'tigera-operator/Deployment/tigera-operator'].map((id) =>
  marking(id, {
    labels: { [names.managedByLabel]: 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'calico', 'meta.helm.sh/release-namespace': 'tigera-operator' },
  }),
);

/** Puts Helm's labels and annotations on Calico's kinds. From v3.32 on a Helm release of their own holds them. */
const kindsByHelm: Variation = (objects) =>
  objects.map((object) =>
    object.kind === 'CustomResourceDefinition' && /calico|tigera/.test(object.metadata.name ?? '')
      ? {
          ...object,
          metadata: {
            ...object.metadata,
            labels: { ...object.metadata.labels, [names.managedByLabel]: 'Helm' },
            annotations: {
              ...object.metadata.annotations,
              'meta.helm.sh/release-name': 'calico-crds',
              'meta.helm.sh/release-namespace': 'tigera-operator',
            },
          },
        }
      : object,
  );

/** Calico v3.32.0 by Helm, with its kinds in a release of their own. `manifest`: the rendered manifest that Helm recorded for that release. */
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
