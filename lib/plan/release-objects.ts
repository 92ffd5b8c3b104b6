import { customResources } from '#lib/installation/index.ts';
import {
  type Manifest,
  type ManifestObject,
  type ManifestRef,
  names,
  type ObjectRef,
  operatorDefinitions,
  type ReleaseContents,
  resourceOf,
  resources,
} from '#lib/spec/index.ts';
import type { PlanContext } from './operation.ts';
import { awsNode } from './places.ts';
import { PlanError } from './plan-error.ts';

const calicoSystem: ObjectRef = { resource: resources.namespaces, name: names.calicoNamespace };

/** What a release’s files hold, by what is done with it (calico.md §1.2). */

/** For operations that apply only where there is one. Throws PlanError that names the field. */
export function requiredRelease({ release }: Pick<PlanContext, 'release'>): ReleaseContents {
  if (release === null)
    throw new PlanError(
      'choices.release',
      'release: an installation needs the files of a Calico release; name one, e.g. v3.31.4, and where they are if not at the public address.',
      ['release'],
    );
  return release;
}

/** Throws PlanError for an object of a kind that the product does not know: it could neither be shown nor taken back. */
export function refOf({ apiVersion, kind, metadata }: ManifestObject): ObjectRef {
  const resource = resourceOf(apiVersion, kind);
  if (resource === null)
    throw new PlanError(
      'release.object',
      `release: it holds ${kind} ${metadata.name} (${apiVersion}), a kind that this version does not install.`,
      ['release'],
    );
  return {
    resource,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    name: metadata.name,
  };
}

const isDefinition = ({ kind }: ManifestObject) => kind === 'CustomResourceDefinition';

/** The file that carries the definitions, and those; null where none does (OpenShift’s bundle: the operator brings them itself). */
export function definitionsOf(
  release: ReleaseContents,
): { manifest: ManifestRef; objects: readonly ManifestObject[]; targets: ObjectRef[] } | null {
  const files = [release.manifests['operator-crds.yaml'], operatorFile(release)];
  const found = files.find((file) => file?.objects.some(isDefinition));
  if (!found) return null;
  const { version, file, sha256 } = found;
  const objects = found.objects.filter(isDefinition);
  return { manifest: { version, file, sha256 }, objects, targets: objects.map(refOf) };
}

/** Those that the operator brings by itself, where no file holds them; of these some releases have fewer. */
export function definitionsBrought(release: ReleaseContents): ObjectRef[] {
  if (definitionsOf(release) !== null) return [];
  return operatorDefinitions.flatMap(({ group, plurals }) =>
    plurals.map((plural) => ({ resource: resources.customResourceDefinitions, name: `${plural}.${group}` })),
  );
}

/** OpenShift has a bundle of its own, which stands in the place of the operator’s file. */
export function isBundle(release: ReleaseContents): boolean {
  return release.manifests['tigera-operator.yaml'] === undefined;
}

function operatorFile({ manifests }: ReleaseContents): Manifest | undefined {
  return manifests['tigera-operator.yaml'] ?? manifests.ocp;
}

const operatorKinds: ReadonlySet<string> = new Set([
  'ServiceAccount',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ConfigMap',
  'Secret',
  'Deployment',
]);

/** What runs the operator, in the order of the file; the endpoint’s ConfigMap is an operation of its own. */
export function operatorObjects(release: ReleaseContents): readonly ManifestObject[] {
  const objects = operatorFile(release)?.objects ?? [];
  return objects.filter(({ kind, metadata }) => operatorKinds.has(kind) && metadata.name !== names.endpointConfigMap);
}

export function namespaceObjects(release: ReleaseContents): readonly ManifestObject[] {
  return (operatorFile(release)?.objects ?? []).filter(({ kind }) => kind === 'Namespace');
}

/** Everything that an installation makes: what must be read before a plan can say what is there already. */
export function releaseRefs(release: ReleaseContents): ObjectRef[] {
  const objects = [...namespaceObjects(release), ...operatorObjects(release), ...customResources(release, {})];
  const definitions = definitionsOf(release)?.targets ?? definitionsBrought(release);
  return [...definitions, ...objects.map(refOf), awsNode, calicoSystem];
}
