import type { Variant } from '#lib/spec/index.ts';
import type { CacheOptions } from '../cache/cache.ts';
import type { TimeLimits } from '../limits.ts';
import type { Progress } from '../progress.ts';
import type { Fetch } from './fetch.ts';

/** A file of a release, as a source hands it over: not yet parsed, and no longer than `mostBytes`. */
export type ReleaseSource = {
  /** As a reader would name it: `https://…/calico`, `the folder /srv/calico/v3.31.4`, `the bundle release-v3.31.4.tgz`. */
  readonly named: string;
  /** An address must serve what was published, where that is known. Who names a folder or a bundle may have edited what is in it. */
  readonly kind: 'address' | 'local';
  /** One published file, or null where the source does not have it. */
  readonly read: (file: string) => Promise<Uint8Array | null>;
  /** All files of the OpenShift bundle in the order of their names, or null where the source has none. */
  readonly readOcp: () => Promise<readonly NamedBytes[] | null>;
  /** Whether the source is nothing but the OpenShift bundle. */
  readonly only: 'ocp' | 'any';
  /** How a file that is missing can be had: the end of a sentence's paragraph. */
  readonly remedy: (files: readonly string[]) => string;
};

export type NamedBytes = { readonly name: string; readonly bytes: Uint8Array };

export type ReleaseOptions = CacheOptions & {
  /** For tests; what is dialled without one honours the proxy variables. */
  readonly fetch?: Fetch;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** For tests. */
  readonly patience?: TimeLimits;
};

/** `marker`: the file by which a folder or a bundle is known to hold the release. */
export type MarkedRelease = { readonly version: string; readonly marker: string };

export type WantedSource = {
  readonly version: string;
  /** Where it is known beforehand: somebody's own custom resources say it. */
  readonly product?: Variant | undefined;
  /** An address, a folder, a `release-<v>.tgz` or an OpenShift bundle; without one SIGNALBOX_CALICO_DIR, else the public address. */
  readonly source?: string | undefined;
  /** Nothing is dialled: an address stands for what was downloaded from it before. */
  readonly airGapped?: boolean | undefined;
  /** What an installation by manifest was made from, `calico.yaml`: this file alone is read, and none of the operator's. */
  readonly manifest?: string | undefined;
};
