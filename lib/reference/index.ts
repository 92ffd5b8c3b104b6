export { referencePage, referencePages } from './pages.ts';
export type { ReferenceRecord, ReferenceRow, ReferenceTable } from './reference-table.ts';
export { signText } from './sign-text.ts';
export { type GatesByRelease, gatesByRelease } from './tables/gates.ts';
export { type ReferenceTopic, referenceTopics } from './topics.ts';
