import type { Facts } from '#lib/facts/index.ts';
import { type Choices, parseRelease } from '#lib/spec/index.ts';
import { type Check, defineCheck, type Result } from '../check.ts';
import { type Upgrade, type UpgradeTarget, upgradeTarget } from '../reading/upgrade.ts';
import { quoted } from '../wording/sentences.ts';
import type { ReleaseFiles } from './release-files.ts';

type NoTarget = Exclude<UpgradeTarget, { kind: 'release' }>;

export type UpgradeCheck = Omit<Check, 'run' | 'appliesTo' | 'goals' | 'group'> & {
  evaluate(upgrade: Upgrade, facts: Facts, choices: Choices, files: ReleaseFiles): Result;
  /** The result without a target. One check blocks then; the others have the default. */
  withoutTarget?(from: string, target: NoTarget): Result;
};

/** The result of a check of the upgrade while there is no target. */
export const nothingToEvaluate = (): Result => ({
  kind: 'skipped',
  because: 'There is no release to upgrade to: upgrade.path says why.',
  restsOn: ['installation'],
});

/**
 * Defines a check of the way from the running release to the target. All of these are skipped without Calico, *unknown* if the running version is unknown,
 * and cannot pass as a blocking check while the target is only proposed.
 */
export function defineUpgradeCheck({ evaluate, withoutTarget = nothingToEvaluate, ...check }: UpgradeCheck): Check {
  return defineCheck({
    ...check,
    group: 'Installation and upgrade',
    goals: ['upgrade'],
    reads: ['installation', ...check.reads],
    appliesTo: whereCalicoRuns,
    run: (facts, choices, files) => {
      const from = facts.installation.version;
      const target = upgradeTarget(facts, choices);
      if (from === null || parseRelease(from) === null) return unknownVersion(from);
      if (target.kind !== 'release') return withoutTarget(from, target);
      const upgrade = { from, to: target.version, origin: target.origin };
      const result = evaluate(upgrade, facts, choices, files);
      // With a target that is not chosen yet, a note does not count as passed either.
      const isOpen = result.kind === 'pass' || (result.kind === 'fail' && result.severity === 'info');
      return upgrade.origin === 'proposal' && isOpen && check.severity === 'blocking' ? notAccepted(upgrade) : result;
    },
  });
}

/** Skips a check on clusters without Calico. */
export function whereCalicoRuns({ installation: { method } }: Facts): ReturnType<NonNullable<Check['appliesTo']>> {
  return method === 'none' ? { because: 'Calico is not installed.', restsOn: ['installation'] } : true;
}

function unknownVersion(from: string | null): Result {
  const what =
    from === null ? 'The release of Calico that runs was not read' : `${quoted(from)} runs, which is not a release`;
  return {
    kind: 'unknown',
    because: `${what}.`,
    remedy: {
      steps: [
        'See which release calico-node was installed from: the tag of its image, or what it logs when it starts.',
        'Where images are named by digest, let the operator or ClusterInformation tell.',
        'Check again.',
      ],
      command: 'kubectl get clusterinformations.crd.projectcalico.org default -o yaml',
    },
  };
}

function notAccepted({ to }: Upgrade): Result {
  return {
    kind: 'unknown',
    because: `${to} is proposed, the newest patch that is known, and not accepted yet.`,
    restsOn: [],
    remedy: {
      steps: ['Choose this release or another one.', 'Check again.'],
      command: `signalbox check --goal upgrade --release ${to}`,
      fixIn: 'goal',
    },
  };
}
