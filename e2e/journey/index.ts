export { type AProcess, aProcess } from './a-process.ts';
export { enableAnswers } from './answers.ts';
export { clusterContents } from './cluster-contents.ts';
export { codeCache } from './code-cache.ts';
export { clusterDifferences, type Difference, expectSameCluster } from './compare.ts';
export { exceptions } from './exceptions.ts';
export { lookedThrough } from './looked-through.ts';
export { planEnable } from './plan-enable.ts';
export { planOwnerSteps } from './plan-owner-steps.ts';
