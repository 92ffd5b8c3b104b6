export { sandboxDefinitions } from './crds.ts';
export { type Provider, type Surroundings, withDefaults } from './defaults.ts';
export { type InstallationSpec, installationSpec } from './installation.ts';
export { type Quirk, type QuirkId, type Quirks, quirksOf, quirkTable, type Races, racesNamed } from './quirks.ts';
export { type Like, likes, type Release, releaseOf } from './releases.ts';
export { type OperatorOptions, OperatorRefused, runOperator } from './run.ts';
export { type Context, type Problem, type Refusal, rules, validate } from './validation.ts';
