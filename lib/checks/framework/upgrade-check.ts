import type { Facts } from '#lib/facts/index.ts';
import { type Choices, parseRelease } from '#lib/spec/index.ts';
import { type Check, defineCheck, type Result } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { targetRelease, type Upgrade } from '../reading/upgrade.ts';
import { quoted } from '../wording/sentences.ts';
import type { ReleaseFiles } from './release-files.ts';

export type UpgradeCheck = Omit<Check, 'run' | 'appliesTo' | 'goals' | 'group'> & {
  judge(upgrade: Upgrade, facts: Facts, choices: Choices, files: ReleaseFiles): Result;
};

const chooseRelease: Remedy = {
  steps: ['Choose the release to upgrade to.', 'Check again.'],
  command: 'signalbox check --goal upgrade --release v3.31.4',
  fixIn: 'goal',
};

/**
 * A check of the way from the release that runs to the one that is to run. In common to all: without Calico there is nothing to upgrade; a version
 * that cannot be told, or a target that nobody names, is *unknown*; a target that is only proposed can fail but satisfies no blocking check.
 */
export function defineUpgradeCheck({ judge, ...check }: UpgradeCheck): Check {
  return defineCheck({
    ...check,
    group: 'Installation and upgrade',
    goals: ['upgrade'],
    reads: ['installation', ...check.reads],
    appliesTo: whereCalicoRuns,
    run: (facts, choices, files) => {
      const from = facts.installation.version;
      const target = targetRelease(facts, choices);
      if (from === null || parseRelease(from) === null) return versionNotTold(from);
      if (target.kind === 'malformed') {
        return {
          kind: 'unknown',
          because: `${quoted(target.given)} is no release of Calico.`,
          restsOn: [],
          remedy: chooseRelease,
        };
      }
      if (target.kind === 'none') {
        return {
          kind: 'unknown',
          because: `No release is chosen, and none newer than ${from} is known that could be proposed.`,
          restsOn: [],
          remedy: chooseRelease,
        };
      }
      const upgrade = { from, to: target.version, origin: target.origin };
      const result = judge(upgrade, facts, choices, files);
      return upgrade.origin === 'proposal' && result.kind === 'pass' && check.severity === 'blocking'
        ? notAccepted(upgrade)
        : result;
    },
  });
}

export function whereCalicoRuns({ installation: { method } }: Facts): ReturnType<NonNullable<Check['appliesTo']>> {
  return method === 'none' ? { because: 'Calico is not installed.', restsOn: ['installation'] } : true;
}

function versionNotTold(from: string | null): Result {
  const what =
    from === null ? 'Which release of Calico runs cannot be told' : `${quoted(from)} runs, which is no release`;
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
