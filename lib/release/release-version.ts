import { ReleaseError } from './release-error.ts';

/** `v3.31.4` or `3.31.4` → `v3.31.4`. Throws for anything else, because it becomes part of paths and URLs. */
export function releaseVersion(text: string): string {
  const match = /^v?(\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[0-9a-z]+(?:[.-][0-9a-z]+)*)?)$/.exec(text.trim());
  if (!match)
    throw new ReleaseError(
      'release.unknown',
      `${JSON.stringify(text)} is not a release of Calico; write it as v3.31.4.`,
    );
  return `v${match[1]}`;
}
