import type { ManifestObject, ReleaseContents } from '#lib/spec/index.ts';

/** The least of an operator's release that an upgrade needs: its Deployment, and one definition that differs between releases. */
export function aRelease(version: string, operator: string): ReleaseContents {
  const deployment: ManifestObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'tigera-operator', namespace: 'tigera-operator' },
    spec: {
      template: { spec: { containers: [{ name: 'tigera-operator', image: `quay.io/tigera/operator:${operator}` }] } },
    },
  };
  const definition: ManifestObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'installations.operator.tigera.io' },
    spec: { of: version },
  };
  const files = { 'operator-crds.yaml': [definition], 'tigera-operator.yaml': [deployment] };
  const manifests = Object.entries(files).map(([file, objects], index) => [
    file,
    { version, file, sha256: `${index}`.repeat(64), objects },
  ]);
  return { version, operator, source: 'a test', manifests: Object.fromEntries(manifests) };
}
