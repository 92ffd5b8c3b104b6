import { customResources } from '#lib/installation/index.ts';
import {
  apiVersionOf,
  type Manifest,
  type ManifestObject,
  type ManifestRef,
  names,
  type ObjectRef,
  openshiftUpgradeFile,
  operatorDefinitions,
  type ReleaseContents,
  type Resource,
  resourceOf,
  resources,
} from '#lib/spec/index.ts';
import type { PlanContext } from '../operation.ts';
import { PlanError } from '../plan-error.ts';
import { fieldAt } from './field.ts';
import { awsNode } from './object-refs.ts';

const calicoSystem: ObjectRef = { resource: resources.namespaces, name: names.calicoNamespace };

/** For operations that apply only with a release. Throws PlanError with the field. */
export function requiredRelease({ release }: Pick<PlanContext, 'release'>): ReleaseContents {
  if (release === null)
    throw new PlanError(
      'choices.release',
      'release: an installation needs the files of a Calico release; name one, e.g. v3.31.4, and where they are if not at the public address.',
      ['release'],
    );
  return release;
}

/** The release that an upgrade begins at, by its files, else by the cluster; null if neither says. */
export function earlierVersion({ running, facts }: Pick<PlanContext, 'running' | 'facts'>): string | null {
  return running?.version ?? facts.installation.version;
}

/** Throws PlanError for a kind that Signalbox does not know: it could neither be shown nor undone. */
export function refOf({ apiVersion, kind, metadata }: ManifestObject): ObjectRef {
  const resource = resourceOf(apiVersion, kind);
  if (resource === null)
    throw new PlanError(
      'release.object',
      `release: it holds ${kind} ${metadata.name} (${apiVersion}), a kind that this version does not install.`,
      ['release'],
    );
  return refIn(resource, metadata);
}

function refIn(resource: Resource, { namespace, name }: ManifestObject['metadata']): ObjectRef {
  return { resource, ...(namespace === undefined ? {} : { namespace }), name };
}

/**
 * A custom resource must be of a kind that the release's files define. Otherwise (Calico Enterprise has many kinds) the API server would refuse it in
 * the middle of the installation. Throws PlanError with the kind.
 */
export function customResourceRef(release: ReleaseContents, object: ManifestObject): ObjectRef {
  const { apiVersion, kind, metadata } = object;
  const defined = definitionsOf(release)?.objects;
  const known = resourceOf(apiVersion, kind);
  const resource =
    defined === undefined || (known && isDefinedIn(defined, known))
      ? known
      : (defined.flatMap(resourcesDefined).find((one) => one.kind === kind && apiVersionOf(one) === apiVersion) ??
        null);
  if (resource === null)
    throw new PlanError(
      'release.object',
      `customResources: kind ${kind} of ${metadata.name} (${apiVersion}) is defined by no file of ${release.version} in ${release.source}, so the API server would not know it. Take the files of the release that it belongs to (Calico Enterprise has its own operator-crds.yaml), or take ${kind} ${metadata.name} out of the custom resources.`,
      ['customResources', kind],
    );
  return refIn(resource, metadata);
}

const isDefinedIn = (defined: readonly ManifestObject[], { plural, group }: Resource) =>
  defined.some(({ metadata }) => metadata.name === `${plural}.${group}`);

/** The resources of a definition: one for each version that is served. */
function resourcesDefined({ spec }: ManifestObject): readonly Resource[] {
  const [group, scope] = ['group', 'scope'].map((name) => fieldAt(spec, [name]));
  const [kind, plural] = ['kind', 'plural'].map((name) => fieldAt(spec, ['names', name]));
  const versions = fieldAt(spec, ['versions']);
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string' || !Array.isArray(versions))
    return [];
  return versions.flatMap((one: unknown) => {
    const version = fieldAt(one, ['name']);
    return typeof version === 'string' && fieldAt(one, ['served']) === true
      ? [{ group, version, kind, plural, namespaced: scope === 'Namespaced' }]
      : [];
  });
}

const isDefinition = ({ kind }: ManifestObject) => kind === 'CustomResourceDefinition';

/** The file that contains the definitions, and the definitions; null if none does (with OpenShift’s bundle, the operator brings them). */
export function definitionsOf(
  release: ReleaseContents,
): { manifest: ManifestRef; objects: readonly ManifestObject[]; targets: ObjectRef[] } | null {
  const { 'operator-crds.yaml': own, ...others } = release.manifests;
  const files = [own, operatorFile(release), ...Object.values(others)];
  const found = files.find((file) => file?.objects.some(isDefinition));
  if (!found) return null;
  const { version, file, sha256 } = found;
  const objects = found.objects.filter(isDefinition);
  return { manifest: { version, file, sha256 }, objects, targets: objects.map(refOf) };
}

/** The definitions that the operator brings if no file contains them. Some releases have fewer. */
export function definitionsBrought(release: ReleaseContents): ObjectRef[] {
  return definitionsOf(release) === null ? broughtByOperator : [];
}

export const broughtByOperator: ObjectRef[] = operatorDefinitions.flatMap(({ group, plurals }) =>
  plurals.map((plural) => ({ resource: resources.customResourceDefinitions, name: `${plural}.${group}` })),
);

/** All definitions of the release, from its files or its operator. */
export function definitionTargets(release: ReleaseContents): readonly ObjectRef[] {
  return definitionsOf(release)?.targets ?? definitionsBrought(release);
}

/** OpenShift has its own bundle, in place of the operator’s file. */
export function isBundle(release: ReleaseContents): boolean {
  return release.manifests['tigera-operator.yaml'] === undefined;
}

function operatorFile({ manifests }: ReleaseContents): Manifest | undefined {
  return manifests['tigera-operator.yaml'] ?? manifests[openshiftUpgradeFile] ?? manifests.ocp;
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

/** The objects that run the operator, in the order of the file. The endpoint’s ConfigMap is a separate operation. */
export function operatorObjects(release: ReleaseContents): readonly ManifestObject[] {
  const objects = operatorFile(release)?.objects ?? [];
  return objects.filter(({ kind, metadata }) => operatorKinds.has(kind) && metadata.name !== names.endpointConfigMap);
}

/** The Namespaces in the operator's file, in its order. */
export function namespaceObjects(release: ReleaseContents): readonly ManifestObject[] {
  return (operatorFile(release)?.objects ?? []).filter(({ kind }) => kind === 'Namespace');
}

/** Everything that an installation creates: it is read before a plan, to know what exists already. */
export function releaseRefs(release: ReleaseContents): ObjectRef[] {
  const objects = [...namespaceObjects(release), ...operatorObjects(release)].map(refOf);
  const others = [...customResourceRefs(release), awsNode, calicoSystem, ...mountedByOperator(release)];
  return [...definitionTargets(release), ...objects, ...others];
}

/** ConfigMaps that the operator's pod mounts and the release's files do not contain: OpenShift's upgrade file names some. */
export function mountedByOperator(release: ReleaseContents): ObjectRef[] {
  const objects = operatorObjects(release);
  const brought = new Set(objects.flatMap(({ kind, metadata: { name } }) => (kind === 'ConfigMap' ? [name] : [])));
  return objects.flatMap(({ spec, metadata: { namespace = names.operatorNamespace } }) => {
    const volumes = fieldAt(spec, ['template', 'spec', 'volumes']);
    return (Array.isArray(volumes) ? volumes : []).flatMap((volume: unknown) => {
      const name = fieldAt(volume, ['configMap', 'name']);
      const isNeeded = typeof name === 'string' && fieldAt(volume, ['configMap', 'optional']) !== true;
      return isNeeded && !brought.has(name) ? [{ resource: resources.configMaps, namespace, name }] : [];
    });
  });
}

/** The custom resources that the release has the operator read (Installation, APIServer …), as `customResourceRef` names them. */
export function customResourceRefs(release: ReleaseContents): ObjectRef[] {
  return customResources(release, {}).map((object) => customResourceRef(release, object));
}

/** API groups of the kinds that the release defines. */
export function definedGroups(release: ReleaseContents): readonly string[] {
  return [...new Set(definitionTargets(release).map(({ name }) => name.slice(name.indexOf('.') + 1)))].sort();
}
