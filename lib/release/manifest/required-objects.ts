import {
  inRange,
  isForOpenshift,
  type ManifestObject,
  parseApiVersion,
  type RequiredObject,
  releaseFiles,
  type Variant,
} from '#lib/spec/index.ts';

/** Files that a release of this version must have, and those that it may have. */
export function filesOfRelease(
  version: string,
  presence: 'required' | 'optional',
  variant: Variant = 'Calico',
): readonly string[] {
  const rows = rowsOf(version, variant).filter((row) => row.presence === presence && !isForOpenshift(row.file));
  return [...new Set(rows.map(({ file }) => file))];
}

/** Objects that a file of this release must have and lacks, in words: `Deployment tigera-operator in namespace tigera-operator`. */
export function missingObjects(
  { version, variant }: { readonly version: string; readonly variant: Variant },
  file: string,
  objects: readonly ManifestObject[],
): readonly string[] {
  const held = new Set(
    objects.map(({ apiVersion, kind, metadata }) => key(parseApiVersion(apiVersion).group, kind, metadata)),
  );
  return rowsOf(version, variant)
    .filter((row) => row.file === file)
    .flatMap(({ holds }) => holds)
    .flatMap(({ names, ...required }) =>
      names
        .filter((name) => !held.has(key(required.group, required.kind, { ...required, name })))
        .map((name) => named(required, name)),
    );
}

/** The rows that apply to a version; all of them if the version cannot be parsed. */
function rowsOf(version: string, wanted: Variant) {
  return releaseFiles.filter(
    ({ releases, variant = 'Calico' }) =>
      variant === wanted && (releases === undefined || inRange(version, releases) !== 'no'),
  );
}

function key(group: string, kind: string, { name, namespace = '' }: { name: string; namespace?: string }): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

function named({ kind, namespace }: Omit<RequiredObject, 'names'>, name: string): string {
  return `${kind} ${name}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}
