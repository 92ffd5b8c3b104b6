import { parseAllDocuments } from 'yaml';
import type { Plane } from '#e2e/controlplane/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Goal, RoleKindId } from '#lib/spec/index.ts';
import { mustSignalbox, type Workplace } from './signalbox-process.ts';

/** Everything that `signalbox rbac` prints, as `kubectl apply -f -` would take it. `more`: other flags. */
export async function printedBy(workplace: Workplace, goal: Goal, ...more: string[]): Promise<KubeObject[]> {
  const { out } = await mustSignalbox(workplace, ['rbac', '--goal', goal, ...more]);
  return parseAllDocuments(out).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);
}

/** Those of the printed Roles that are for these purposes. */
export function rolesFor(printed: readonly KubeObject[], ...needs: readonly RoleKindId[]): KubeObject[] {
  return printed.filter(
    ({ kind, metadata }) =>
      (kind === 'ClusterRole' || kind === 'Role') && needs.some((need) => metadata.name?.endsWith(`-${need}`)),
  );
}

/** Applies the objects, and binds each Role among them to the user, as the printed comments say. */
export async function grant(plane: Plane, user: string, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    await plane.api.apply(asPlane(object));
    if (object.kind === 'ClusterRole' || object.kind === 'Role')
      await plane.api.apply(asPlane(bindingOf(object, user)));
  }
}

function bindingOf({ kind, metadata }: KubeObject, user: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: `${kind}Binding`,
    metadata: { ...metadata, name: `${user}-${metadata.name}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  };
}

/** The plane's own client wants a name. */
function asPlane(object: KubeObject) {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { name = '', namespace, labels } = metadata;
  return {
    ...rest,
    apiVersion,
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) },
  };
}
