export type { FieldSchema } from './field-schema.ts';
export { type InstallationContext, installationContextOf } from './installation-context.ts';
export type { InstallationBasis } from './installation-facts.ts';
export { type InstallationProblem, installationProblems } from './installation-problems.ts';
export {
  type InstallationSpec,
  installationSpec,
  managesProxy,
  nearestField,
  type Pool,
  type Provider,
  wantsBpf,
} from './installation-spec.ts';
export { imagePartsOf, mirroredObjects, namingOf } from './mirrored-images.ts';
export { leadingDefaults, poolDefaults, usualDetection } from './operator-defaults.ts';
export { operatorsPools } from './pools/operators-pools.ts';
export { poolProblem } from './pools/pool-problems.ts';
export { type Path, type Problem, problem } from './problem.ts';
export {
  chosenInstallation,
  proposedInstallation,
  type Reason,
  withSet,
} from './proposed-installation.ts';
export { customResources, installationSchema } from './release-parts.ts';
export { type Context, type Refusal, validate } from './rules.ts';
export { writeDocument } from './write-document.ts';
