import type { FileStanding } from './file-standing.ts';

/** A parsed object of a release's file, with apiVersion, kind and name checked. */
export type ManifestObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** Identifies a file of a release by the `sha256` of its bytes. Plans and journals contain it instead of the file. */
export type ManifestRef = { readonly version: string; readonly file: string; readonly sha256: string };

export type Manifest = ManifestRef & {
  /** In the order of the file. */
  readonly objects: readonly ManifestObject[];
  /** Absent for files that a sandbox generates. */
  readonly standing?: FileStanding;
};

/**
 * The parts of a Calico release that plans and the wizard need. `lib/release` makes it from the chosen source, a sandbox from its samples.
 */
export type ReleaseContents = {
  /** Calico's version, `v3.31.4`. */
  readonly version: string;
  /** The operator's version from its manifest, `v1.40.7`. For an installation by manifest, which has no operator: the release's known one, or `none`. */
  readonly operator: string;
  /** The source in words: an address, a folder, a bundle. */
  readonly source: string;
  /** By published file name: `operator-crds.yaml` (absent before v3.30: the CRDs are in `tigera-operator.yaml`), `tigera-operator.yaml`, `custom-resources.yaml`; OpenShift: `ocp`, all of its files in order. */
  readonly manifests: Readonly<Record<string, Manifest>>;
};
