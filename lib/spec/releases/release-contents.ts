import type { FileStanding } from './file-standing.ts';

/** An object of a release's file as it was published: parsed, and known to have what every object has. */
export type ManifestObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** Which file of a release, exactly: `sha256` of its bytes. Small enough to stand in a plan and its journal, where the file itself is not. */
export type ManifestRef = { readonly version: string; readonly file: string; readonly sha256: string };

export type Manifest = ManifestRef & {
  /** In the order of the file. */
  readonly objects: readonly ManifestObject[];
  /** Absent where no published file is meant: a sandbox makes its own. */
  readonly standing?: FileStanding;
};

/**
 * What a plan needs of a Calico release. `lib/release` makes it from whatever source was chosen, and a sandbox from its own samples; plans and
 * wizards see only this.
 */
export type ReleaseContents = {
  /** Calico's version, `v3.31.4`. */
  readonly version: string;
  /** The operator's version, `v1.40.7`, as its manifest names it. Of an installation by manifest, which has none: what the release is known to come with, else `none`. */
  readonly operator: string;
  /** Where the files came from, as a reader would name it: an address, a folder, a bundle. */
  readonly source: string;
  /** By file name as published: `operator-crds.yaml` (absent before v3.30: the CRDs are in `tigera-operator.yaml`), `tigera-operator.yaml`, `custom-resources.yaml`; OpenShift: `ocp`, all of its files in order. */
  readonly manifests: Readonly<Record<string, Manifest>>;
};
