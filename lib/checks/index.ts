export { type Check, defineCheck, type Grounds, type Result } from './check.ts';
export { checks } from './checks.ts';
export {
  type Counts,
  type Finding,
  type Findings,
  type FixStep,
  findingSchema,
  findingsSchema,
  fixSteps,
  type Group,
  groups,
  type Remedy,
  type Severity,
  severities,
  type Verdict,
  verdicts,
} from './findings.ts';
export { type ChoiceProblem, choiceProblems } from './framework/choice-problems.ts';
export { ruleName } from './framework/missing.ts';
export { notMeasuredGroup } from './framework/not-measured.ts';
export type { ReleaseFiles, Tried } from './framework/release-files.ts';
export { type RunOptions, runChecks } from './framework/run-checks.ts';
export { isBlocking, needsAnswer, verdictOf } from './framework/verdict.ts';
export { reconcilerName } from './managed-by-reconciler.ts';
export { type Address, hostAndPort, parseAddress } from './reading/address.ts';
export { bootstrapMode, isManifestInstall, manifestFileOf } from './reading/installation.ts';
export { type JudgedEndpoint, judgedEndpoint } from './reading/judged-endpoint.ts';
export { objectsCompared, objectsOfUpgrade } from './reading/objects-of-upgrade.ts';
export { proxyAfterPlan } from './reading/proxy.ts';
export { type UpgradeTarget, upgradeTarget } from './reading/upgrade.ts';
export { type AccessRule, clusterRoleYaml } from './wording/cluster-role.ts';
