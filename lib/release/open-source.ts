import { addressSource } from './address-source.ts';
import type { Fetch } from './download.ts';
import { folderSource } from './folder-source.ts';
import type { Progress } from './progress.ts';
import type { ReleaseSource } from './release-source.ts';

export type ReleaseOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** For tests; what is dialled without one honours the proxy variables. */
  readonly fetch?: Fetch;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
};

export type WantedSource = {
  readonly version: string;
  /** An address, a folder, a `release-<v>.tgz` or an OpenShift bundle; without one SIGNALBOX_CALICO_DIR, else the public address. */
  readonly source?: string | undefined;
  readonly airGapped?: boolean | undefined;
};

/** Where the files of a release come from. @throws ReleaseError */
export async function openSource(wanted: WantedSource, options: ReleaseOptions): Promise<ReleaseSource> {
  const { env = process.env } = options;
  const { version, source } = wanted;
  if (source === undefined) {
    const folder = env.SIGNALBOX_CALICO_DIR;
    return folder ? folderSource(folder, version, 'SIGNALBOX_CALICO_DIR') : addressSource(wanted, options);
  }
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source)
    ? addressSource(wanted, options)
    : folderSource(source, version, 'The source');
}
