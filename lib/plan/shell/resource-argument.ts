import type { ObjectRef, Resource } from '#lib/spec/index.ts';

/** `installations.operator.tigera.io`, `configmaps`: with the group, so that kubectl does not choose another API of the same kind. */
export function resourceArgument({ group, plural }: Resource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** `installations.operator.tigera.io/default -n …` as words. */
export function objectArguments({ resource, name, namespace }: ObjectRef): string[] {
  return [`${resourceArgument(resource)}/${name}`, ...namespaceArguments(namespace)];
}

function namespaceArguments(namespace: string | undefined): string[] {
  return namespace === undefined ? [] : ['-n', namespace];
}

/** `kubectl`'s JSONPath of a field: dots in a key are escaped. */
export function jsonPath(path: readonly string[]): string {
  return `{${path.map((key) => `.${key.replaceAll(/[^A-Za-z0-9_-]/g, (character) => `\\${character}`)}`).join('')}}`;
}
