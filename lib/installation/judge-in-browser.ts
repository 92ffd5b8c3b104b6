/** The door for pages that edit a document: its problems, and what may stand where. As large as the rest of a page, so it is loaded when it is needed. */

export { schemaAt } from './field-schema.ts';
export { installationProblems } from './installation-problems.ts';
