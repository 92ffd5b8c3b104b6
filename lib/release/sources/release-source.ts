import type { Variant } from '#lib/spec/index.ts';
import type { CacheOptions } from '../cache/cache.ts';
import type { TimeLimits } from '../limits.ts';
import type { Progress } from '../progress.ts';
import type { Fetch } from './fetch.ts';

/** A file of a release, as a source hands it over: not yet parsed, and no longer than `mostBytes`. */
export type ReleaseSource = {
  /** As a reader would name it: `https://…/calico`, `the folder /srv/calico/v3.31.4`, `the bundle release-v3.31.4.tgz`. */
  readonly named: string;
  /** Files of an address must match the published checksums, if those are known. A folder or a bundle may have been edited on purpose. */
  readonly kind: 'address' | 'local';
  /** One published file, or null if the source does not have it. */
  readonly read: (file: string) => Promise<Uint8Array | null>;
  /** All files of the OpenShift bundle, sorted by name, or null if the source has none. */
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
  /** The product, if the user's own custom resources already name it. */
  readonly product?: Variant | undefined;
  /** An address, a folder, a `release-<v>.tgz` or an OpenShift bundle; without one SIGNALBOX_CALICO_DIR, else the public address. */
  readonly source?: string | undefined;
  /** No connections are made: files of an address come from the cache. */
  readonly airGapped?: boolean | undefined;
  /** The file of an installation by manifest, for example `calico.yaml`. Only this file is read, none of the operator's. */
  readonly manifest?: string | undefined;
};
