import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One public file of a Calico release, unmodified, from the folder that SIGNALBOX_CALICO_DIR names: `<folder>/<version>/<name>`.
 * They are Tigera's and are never copied into the project.
 */
export function calicoFile(version: string, name: string): string {
  const folder = process.env.SIGNALBOX_CALICO_DIR;
  if (!folder) {
    throw new Error(
      `${name} of Calico ${version} is needed: set SIGNALBOX_CALICO_DIR to a folder that holds ${version}/${name} as published with that release.`,
    );
  }
  const path = join(folder, version, name);
  if (!existsSync(path)) throw new Error(`SIGNALBOX_CALICO_DIR (${folder}) has no ${version}/${name}.`);
  return readFileSync(path, 'utf8');
}
