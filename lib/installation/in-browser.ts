/**
 * Exports for pages: the document as text and as fields, without the tables of lib/spec, which need Node. Importing this loads the YAML parser, and nothing that
 * uses disk or network. The validation (installation-problems.ts, field-schema.ts) is imported separately when something is edited, because it is as large as
 * all of this.
 */

export type { FieldSchema } from './field-schema.ts';
export type { InstallationProblem } from './installation-problems.ts';
export { blockSizes } from './pools/block-sizes.ts';
export type { Path } from './problem.ts';
export type { Reason } from './proposed-installation.ts';
export { readDocument } from './read-document.ts';
export { writeDocument } from './write-document.ts';
