/**
 * The door for pages: the document, its fields and its problems, without the tables of lib/spec, which read addresses with Node. Whoever comes in here
 * loads the parser of YAML, and nothing that reads a disk or dials anybody.
 */

export { type FieldSchema, schemaAt } from './field-schema.ts';
export type { InstallationContext } from './installation-context.ts';
export { type InstallationProblem, installationProblems } from './installation-problems.ts';
export type { InstallationSpec, Pool } from './installation-spec.ts';
export { blockSizes } from './pool-problems.ts';
export type { Path } from './problem.ts';
export type { Reason } from './proposed-installation.ts';
export {
  type DocumentProblem,
  type InstallationDocument,
  type ReadDocument,
  readDocument,
  type TextRange,
} from './read-document.ts';
export { writeDocument } from './write-document.ts';
