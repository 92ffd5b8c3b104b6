import { valueAt } from '#lib/base/records.ts';
import type { ManifestObject, ReleaseContents } from '#lib/spec/index.ts';
import { type FieldSchema, trimmedSchema } from './field-schema.ts';
import { type InstallationSpec, installationSpec } from './installation-spec.ts';

type Manifests = Pick<ReleaseContents, 'manifests'>;

/** Files with a release's custom resources; OpenShift's bundle contains its own. */
const customResourceFiles = ['custom-resources.yaml', 'ocp'] as const;
/** Files with definitions, in search order: before v3.30 the operator's manifest contained them (calico.md §1.2). */
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

/** The spec of the release's published Installation; `{}` if there is none or it is invalid. */
export function publishedSpec(release: Manifests): InstallationSpec {
  const parsed = installationSpec.safeParse(publishedCustomResources(release).find(isInstallation)?.spec);
  return parsed.success ? parsed.data : {};
}

/** The schema of Installation.spec from the release's CustomResourceDefinition; null if there is none. */
export function installationSchema({ manifests }: Manifests): FieldSchema | null {
  const before = trimmed.get(manifests);
  if (before !== undefined) return before;
  const schema = readSchema({ manifests });
  trimmed.set(manifests, schema);
  return schema;
}

/** Cached, because the definition has 1.5 MB and every page needs it. */
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
