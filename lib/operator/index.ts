export { releaseDefinitions, sandboxDefinitions } from './crds.ts';
export { newFelixConfiguration } from './felix.ts';
export { poolsWithDefaults, withDefaults } from './installation/defaults.ts';
export { ipPoolOf } from './installation/pools.ts';
export { type RaceId, type Races, racesNamed, raceTable } from './races.ts';
export {
  type EmulatedOperator,
  emulatedNamed,
  emulatedOperators,
  type Release,
  releaseOf,
  releaseOfImage,
} from './releases.ts';
export { containerDefaults, deploymentDefaults, ownedBy, podDefaults } from './render/plan.ts';
export { workloadsOf } from './render/workloads.ts';
export { OperatorRefused, runOperator } from './run.ts';
export { statusesOf } from './status/statuses-of.ts';
