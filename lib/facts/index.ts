export { type Access, readAccess, withAccess } from './cluster/access.ts';
export { marksOf, type OwnershipMark } from './cluster/ownership-marks.ts';
export { type CollectOptions, collectFacts, readingRules } from './collect.ts';
export type { RecordedField } from './collector.ts';
export { type ReadKind, readKinds } from './read-kinds.ts';
export { emptyFacts, nothingInUse } from './reading/empty-facts.ts';
export { withObjects } from './reading/read-also.ts';
export type { Progress } from './reading/session.ts';
export * from './schema.ts';
