import type { InstallationContext, InstallationProblem, Reason } from '#lib/installation/index.ts';

/** What the custom resources step shows and judges by, as plain data: it goes to the browser, where the document is edited. */
export type InstallationStepData = {
  /** The proposed Installation as YAML. */
  proposal: string;
  /** Why each proposed field is what it is. */
  reasons: readonly Reason[];
  /** Without the release's schema: that is large, and comes when the YAML is opened. */
  around: Omit<InstallationContext, 'schema'>;
  /** Fields that other answers or the command line put on top of the document, by dotted path below `spec`. */
  set: Readonly<Record<string, unknown>>;
  /** Of the Installation that the answers come to, under the release's schema as well. */
  problems: readonly InstallationProblem[];
  /** Images as published, for a preview of their names in another registry; null while the release is not there. */
  images: { readonly names: readonly string[]; readonly missing: string | null } | null;
};
