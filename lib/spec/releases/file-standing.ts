import { inList } from '#lib/base/words.ts';

/**
 * How a file of a release compares with the published one, by checksum. `published`: the same. `changed`: different. `unpinned`: no published checksum is known.
 * `own`: the user's file in place of the published one.
 */
export const fileStandings = ['published', 'changed', 'unpinned', 'own'] as const;
export type FileStanding = (typeof fileStandings)[number];

/** A notice about files that are not verified as the published ones; null: all are. */
export function verificationNotice(
  version: string,
  files: readonly { readonly file: string; readonly standing?: FileStanding | undefined }[],
): string | null {
  const named = (standing: FileStanding) => files.filter((one) => one.standing === standing).map(({ file }) => file);
  const changed = named('changed');
  const unpinned = named('unpinned');
  const sentences = [
    changed.length === 0
      ? null
      : `${inList(changed, changed.length)} ${changed.length === 1 ? 'is not the file' : 'are not the files'} published with ${version}: ${changed.length === 1 ? 'it was' : 'they were'} changed.`,
    unpinned.length === 0 ? null : unverified(version, unpinned, files.length),
  ];
  return sentences.filter((text) => text !== null).join(' ') || null;
}

function unverified(version: string, unpinned: readonly string[], of: number): string {
  if (unpinned.length === of) return `No published checksum is known for ${version}: its files are not verified.`;
  const [is, checksum] = unpinned.length === 1 ? ['it is', 'checksum'] : ['they are', 'checksums'];
  return `No published ${checksum} ${unpinned.length === 1 ? 'is' : 'are'} known for ${inList(unpinned, unpinned.length)} of ${version}: ${is} not verified.`;
}
