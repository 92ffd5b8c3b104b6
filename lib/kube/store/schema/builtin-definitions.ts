import { readFileSync } from 'node:fs';
import type { Kind } from '../kinds.ts';
import type { Definitions, Schema } from './schema.ts';

type BuiltinKind = {
  group: string;
  version: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  subresources: ('status' | 'scale')[];
  /** Name of its definition. */
  type: string;
};
type File = { kinds: BuiltinKind[]; definitions: Record<string, Schema> };

let file: File | undefined;

/** Reads the file when the first store is made, not on import. scripts/builtin-schemas.ts writes it, so it is not validated. */
function read(): File {
  file ??= JSON.parse(readFileSync(new URL('./builtin-schemas.json', import.meta.url), 'utf8')) as File;
  return file;
}

/** Definitions of the built-in kinds by name, as in the API server's OpenAPI document; undefined for other names. */
export const builtinDefinitions: Definitions = (name) => {
  const { definitions } = read();
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
};

/** The kinds that every API server serves, from the file that scripts/builtin-schemas.ts writes. */
export function builtinKinds(): Kind[] {
  return read().kinds.map(({ group, version, kind, plural, namespaced, subresources }) => ({
    resource: { group, version, kind, plural, namespaced },
    versions: [version],
    subresources,
    origin: 'builtin',
  }));
}

/** The name of a built-in kind's definition. */
export function builtinTypeName(group: string, kind: string): string | undefined {
  return read().kinds.find((candidate) => candidate.group === group && candidate.kind === kind)?.type;
}
