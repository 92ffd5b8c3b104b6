import { agreeing, counted } from '#lib/base/words.ts';
import { releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { kindsAndNamesOf, subjectEvidence } from '../reading/subject-names.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';

/** RN v3.32.0; gate V20. */
const droppedFrom = 'v3.32.0';

export const featureAdminNetworkPolicy = defineCheck({
  id: 'feature.admin-network-policy',
  group: 'Features',
  severity: 'blocking',
  goals: ['upgrade'],
  reads: ['adminNetworkPolicies', 'installation'],
  title: 'No AdminNetworkPolicy is lost by the upgrade',
  gap: 'The upgrade drops AdminNetworkPolicies',
  topic: 'AdminNetworkPolicies',
  ifIgnored: 'What these policies deny gets through',
  consequence: 'From the upgrade on, these policies are silently ignored: traffic that they deny gets through.',
  remedy: {
    steps: [
      'Write a ClusterNetworkPolicy for each of them, or a GlobalNetworkPolicy, which works before and after the upgrade.',
      'Delete them once the others are in force, and check again. Or choose a release before v3.32.',
    ],
    command: 'kubectl get adminnetworkpolicies,baselineadminnetworkpolicies -o yaml',
  },
  source: 'pain H23',
  appliesTo: (facts, choices) => {
    const target = targetRelease(facts, choices);
    if (target === null || releaseAtLeast(target, droppedFrom) !== 'no') return true;
    const restsOn = choices.release === undefined ? (['installation'] as const) : [];
    return { because: `${releaseName(target)} still enforces them.`, restsOn };
  },
  run: (facts, choices) => {
    const { adminNetworkPolicies: found } = facts.features;
    if (found.length === 0) {
      return { kind: 'pass', because: 'There is none.', restsOn: ['adminNetworkPolicies'] };
    }
    const target = targetRelease(facts, choices);
    const these = `${counted(found.length, 'policy', 'policies')} of the admin network policy API (${kindsAndNamesOf(found)})`;
    if (target === null || releaseAtLeast(target, droppedFrom) === 'undecided') {
      return {
        kind: 'unknown',
        because: `There ${agreeing(found.length, 'is', 'are')} ${these}, and no target release is chosen: Calico no longer enforces them from ${droppedFrom} on.`,
        subjects: found,
      };
    }
    return {
      kind: 'fail',
      because: `${releaseName(target)} does not enforce ${these}.`,
      subjects: found,
      evidence: subjectEvidence(found, 'spec'),
    };
  },
});
