import type { EffectiveEndpoint, Findings } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { PlannedOperation, ProxyRemoval, UpgradeAfterwards, UpgradeChanges } from '#lib/plan/index.ts';
import type { Platform, PlatformGuide } from '#lib/spec/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';
import type { Draft, ReleaseStepData } from '../host.ts';
import type { InstallationStepData } from './installation-step-data.ts';

/**
 * The input of the wizard's texts as plain data: answers, facts, findings and plan. `components/wizard/wizard-context.ts` makes it, so that nothing here loads
 * the engine and everything here could run in a browser.
 */
export type WizardContext = {
  draft: Draft;
  facts: Facts;
  findings: Findings;
  /** How commands name the cluster, by program. */
  flags: FlagsByProgram;
  /** The chosen platform, or else the detected one. */
  platform: Platform;
  platforms: readonly Platform[];
  /** Knowledge about that platform, one row per setup. */
  guides: readonly PlatformGuide[];
  endpoint: EffectiveEndpoint | null;
  /** `now`: with these answers; `off`: without `keepProxy`. */
  proxy: { now: ProxyRemoval; off: ProxyRemoval };
  /** Whether the operator here can turn the service proxy off itself. */
  operatorManagesProxy: 'yes' | 'no' | 'undecided';
  /** Why a new installation cannot leave address and proxy to the operator; null: it can. */
  automaticCannot: string | null;
  /** The release and the source of its files; null for goals that need none. */
  release: ReleaseStepData | null;
  /** The Installation to create; null for goals without one. */
  installation: InstallationStepData | null;
  /** *upgrade*: from the installed to the wanted release. `because`: why the plan stops at an intermediate one. Null for other goals. */
  way: { from: string | null; to: string; through: { version: string; gate: string; because: string }[] } | null;
  /** Changes by hand that an upgrade would revert; null for other goals, and until the release's files are open. */
  changes: UpgradeChanges | null;
  /** Steps that may follow an upgrade here; null for other goals. */
  afterwards: UpgradeAfterwards | null;
  /** `problem`: why no plan can be made from these answers. */
  plan: { kind: 'made'; operations: readonly PlannedOperation[] } | { kind: 'none'; problem: string };
};
