import type { EffectiveEndpoint, Findings } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { PlannedOperation, ProxyRemoval, UpgradeAfterwards, UpgradeChanges } from '#lib/plan/index.ts';
import type { Platform, PlatformGuide } from '#lib/spec/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';
import type { Draft, ReleaseStepData } from '../host.ts';
import type { InstallationStepData } from './installation-step-data.ts';

/**
 * All that the wizard's words follow from, as plain data: what was answered, what was read, what the checks say, and what would be done. Whoever
 * calls makes it (`components/wizard/wizard-context.ts`), so that nothing here loads the engine, and everything here could run in a browser.
 */
export type WizardContext = {
  draft: Draft;
  facts: Facts;
  findings: Findings;
  /** What leads commands to the cluster, by program. */
  flags: FlagsByProgram;
  /** The chosen one, else the detected one. */
  platform: Platform;
  platforms: readonly Platform[];
  /** What is to be known of that platform, one row a way in which it is set up. */
  guides: readonly PlatformGuide[];
  endpoint: EffectiveEndpoint | null;
  /** Under the answers, and as it would be without `keepProxy`. */
  proxy: { now: ProxyRemoval; off: ProxyRemoval };
  /** Whether the operator here can turn the service proxy off itself. */
  operatorManagesProxy: 'yes' | 'no' | 'undecided';
  /** Why a new installation cannot leave address and proxy to the operator; null: it can. */
  automaticCannot: string | null;
  /** What is installed, and from where; null for goals that need no files. */
  release: ReleaseStepData | null;
  /** The Installation that it is set up with; null for goals that set up none. */
  installation: InstallationStepData | null;
  /** *upgrade*: from what runs to the wanted release. `because`: why the plan stops on the way; null for other goals. */
  way: { from: string | null; to: string; through: { version: string; gate: string; because: string }[] } | null;
  /** What somebody set and an upgrade would lose; null for other goals, and while the release's files are not there. */
  changes: UpgradeChanges | null;
  /** What may follow an upgrade here; null for other goals. */
  afterwards: UpgradeAfterwards | null;
  /** `problem`: why these answers make no plan. */
  plan: { kind: 'made'; operations: readonly PlannedOperation[] } | { kind: 'none'; problem: string };
};
