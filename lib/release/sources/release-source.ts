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
