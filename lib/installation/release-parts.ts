import { valueAt } from '#lib/base/records.ts';
import type { ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import { type FieldSchema, trimmedSchema } from './field-schema.ts';
import { type InstallationSpec, installationSpec } from './installation-spec.ts';

type Manifests = Pick<ReleaseContents, 'manifests'>;

/** Where a release has its custom resources: OpenShift's bundle has its own, among everything else. */
const customResourceFiles = ['custom-resources.yaml', 'ocp'] as const;
/** In the order of looking: before v3.30 the operator's manifest carried the definitions (calico.md §1.2). */
const definitionFiles = ['operator-crds.yaml', 'tigera-operator.yaml', 'ocp'] as const;

const isOperators = ({ apiVersion }: ManifestObject) => apiVersion.startsWith('operator.tigera.io/');
const isInstallation = (object: ManifestObject) => isOperators(object) && object.kind === 'Installation';

/**
 * The objects of `custom-resources.yaml` in their order, with `spec` in the first Installation (operations.md › `custom-resources`). Of OpenShift's
 * bundle: those of its objects that are custom resources of the operator. A release without an Installation gets one in front.
 */
export function customResources(
  release: Manifests,
  spec: Readonly<Record<string, unknown>>,
): readonly ManifestObject[] {
  const published = publishedCustomResources(release);
  const first = published.find(isInstallation);
  if (first === undefined)
    return [
      { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' }, spec },
      ...published,
    ];
  return published.map((object) => (object === first ? { ...object, spec } : object));
}

/** The spec that the release itself begins with; `{}` where it has none, or one that is no Installation. */
export function publishedSpec(release: Manifests): InstallationSpec {
  const parsed = installationSpec.safeParse(publishedCustomResources(release).find(isInstallation)?.spec);
  return parsed.success ? parsed.data : {};
}

/** What the release's CustomResourceDefinition says of Installation.spec; null where it has no such definition. */
export function installationSchema({ manifests }: Manifests): FieldSchema | null {
  const before = trimmed.get(manifests);
  if (before !== undefined) return before;
  const schema = readSchema({ manifests });
  trimmed.set(manifests, schema);
  return schema;
}

/** A megabyte and a half to go through, which a page asks for each time it is made. */
const trimmed = new WeakMap<Manifests['manifests'], FieldSchema | null>();

function readSchema(release: Manifests): FieldSchema | null {
  for (const file of definitionFiles) {
    const definition = release.manifests[file]?.objects.find(
      ({ kind, metadata }) =>
        kind === 'CustomResourceDefinition' && metadata.name === 'installations.operator.tigera.io',
    );
    const schema = valueAt(definition, ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec']);
    if (schema !== undefined) return trimmedSchema(schema);
  }
  return null;
}

function publishedCustomResources({ manifests }: Manifests): readonly ManifestObject[] {
  const file = customResourceFiles.find((name) => manifests[name] !== undefined);
  return file === undefined ? [] : (manifests[file]?.objects ?? []).filter(isOperators);
}
