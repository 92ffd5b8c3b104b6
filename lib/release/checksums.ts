import table from './checksums.json' with { type: 'json' };

/** sha256 of the public files, by version and name; written by scripts/release-checksums.ts from the files as published (2026-11-21). */
const checksums: Readonly<Record<string, Readonly<Record<string, string>>>> = table;

/** The checksum of a published file; null if it is unknown. Unknown files are never downloaded. */
export function checksumOf(version: string, name: string): string | null {
  const files = Object.hasOwn(checksums, version) ? checksums[version] : undefined;
  return files && Object.hasOwn(files, name) ? (files[name] ?? null) : null;
}

/** Names of the files whose checksums are pinned, in the table's order. */
export function filesOf(version: string): readonly string[] {
  return Object.hasOwn(checksums, version) ? Object.keys(checksums[version] ?? {}) : [];
}

/** Releases with pinned checksums. */
export function versionsWithFiles(): readonly string[] {
  return Object.keys(checksums);
}
