import { canonicalJson, isRecord } from '#lib/base/records.ts';

/**
 * A fingerprint of a CustomResourceDefinition in 16 hexadecimal digits: of each version with schema, subresources, served and storage. Fields that the API server
 * adds (names, conversion, status) and the order of keys do not count. Two 32-bit FNV-1a sums, to distinguish releases, not for security. Null if the object has
 * no versions and so is no definition.
 */
export function schemaFingerprint(definition: Readonly<Record<string, unknown>>): string | null {
  const spec = definition.spec;
  const versions = isRecord(spec) ? spec.versions : undefined;
  if (!Array.isArray(versions) || versions.length === 0) return null;
  const counted = versions.map((version: unknown) => {
    const { name, served, storage, schema, subresources } = isRecord(version) ? version : {};
    return { name, served, storage, schema, subresources };
  });
  return sumOf(canonicalJson(counted));
}

const prime = 0x01000193;

function sumOf(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, prime);
    high = Math.imul(high ^ (code + index), prime);
  }
  return [high, low].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
