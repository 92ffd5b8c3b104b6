import type { InstallationContext, InstallationProblem, Reason } from '#lib/installation/index.ts';

/** Data of the custom resources step. Plain, because the document is edited and checked in the browser. */
export type InstallationStepData = {
  /** The proposed Installation as YAML. */
  proposal: string;
  /** The reason for each proposed field. */
  reasons: readonly Reason[];
  /** Without the release's schema, which is large and is loaded when the YAML is opened. */
  around: Omit<InstallationContext, 'schema'>;
  /** Fields that other answers or the command line set over the document, by dotted path below `spec`. */
  set: Readonly<Record<string, unknown>>;
  /** Problems of the resulting Installation, also by the release's schema. */
  problems: readonly InstallationProblem[];
  /** Published images, to preview their names in another registry; null until the release is open. */
  images: { readonly names: readonly string[]; readonly missing: string | null } | null;
};
