import { releaseFile } from '#lib/release/index.ts';

/**
 * One public file of a Calico release, unmodified: from SIGNALBOX_CALICO_DIR, else from the release address with its pinned checksum.
 * They are Tigera's and are never copied into the project.
 */
export function calicoFile(version: string, name: string): Promise<string> {
  return releaseFile(version, name);
}
