/**
 * The door for pages: the document as text and as fields, without the tables of lib/spec, which read addresses with Node. Whoever comes in here
 * loads the parser of YAML, and nothing that reads a disk or dials anybody. What judges the document (installation-problems.ts,
 * field-schema.ts) are doors of their own: as large as all of this, and loaded when something is edited.
 */

export type { FieldSchema } from './field-schema.ts';
export type { InstallationContext } from './installation-context.ts';
export type { InstallationProblem } from './installation-problems.ts';
export type { InstallationSpec, Pool } from './installation-spec.ts';
export { blockSizes, type Path } from './problem.ts';
export type { Reason } from './proposed-installation.ts';
export {
  type DocumentProblem,
  type InstallationDocument,
  type ReadDocument,
  readDocument,
  type TextRange,
} from './read-document.ts';
export { writeDocument } from './write-document.ts';
