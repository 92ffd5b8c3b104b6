export { type Access, readAccess, withAccess } from './access.ts';
export { type CollectOptions, collectFacts, readingRules } from './collect.ts';
export { nothingInUse } from './nothing-told.ts';
export { marksOf, type OwnershipMark } from './ownership-marks.ts';
export { withObjects } from './read-also.ts';
export type { RecordedField } from './residual-fields.ts';
export * from './schema.ts';
export type { Progress } from './session.ts';
