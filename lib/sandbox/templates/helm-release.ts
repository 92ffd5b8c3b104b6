import { gzipSync } from 'node:zlib';
import type { KubeObject } from '#lib/kube/index.ts';
import { helmSecretName } from '#lib/spec/index.ts';
import { marking } from './variations.ts';

/** A release as Helm keeps it: JSON, zipped, in base64, and that again as every Secret's data is. */
export function helmRelease(
  config: Record<string, unknown>,
  {
    revision = 1,
    status = 'deployed',
    version = 'v3.31.4',
    description = 'Install complete',
  }: { revision?: number; status?: string; version?: string; description?: string } = {},
): KubeObject {
  const release = {
    name: 'calico',
    namespace: 'tigera-operator',
    version: revision,
    info: { status, description },
    chart: { metadata: { name: 'tigera-operator', version }, templates: [] },
    config,
  };
  const packed = gzipSync(JSON.stringify(release)).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      namespace: 'tigera-operator',
      name: helmSecretName('calico', revision),
      labels: { name: 'calico', owner: 'helm', status, version: String(revision) },
    },
    data: { release: Buffer.from(packed).toString('base64') },
  };
}

/** Helm's marks on what its chart made. */
export const ownedByHelm = ['Installation/default', 'tigera-operator/Deployment/tigera-operator'].map((id) =>
  marking(id, {
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'calico', 'meta.helm.sh/release-namespace': 'tigera-operator' },
  }),
);
