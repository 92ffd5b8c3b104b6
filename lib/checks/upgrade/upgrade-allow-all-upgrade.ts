import { agreeing } from '#lib/base/words.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { whereCalicoRuns } from '../framework/upgrade-check.ts';
import { namesOf } from '../reading/subject-names.ts';

/** Not offered if Calico keeps its data in etcd, which Signalbox never writes. */
const offered = ', or have the upgrade do so with --afterwards allow-all-upgrade';

export const upgradeAllowAllUpgrade = defineCheck({
  id: 'upgrade.allow-all-upgrade',
  group: 'Installation and upgrade',
  severity: 'warning',
  goals: ['upgrade'],
  reads: ['installation', 'upgradePolicies'],
  title: 'No temporary policy of an earlier upgrade is left',
  gap: 'A temporary policy of an earlier upgrade is left',
  topic: 'Temporary policy of an upgrade',
  ifIgnored: 'Policies for hosts protect nothing',
  consequence:
    'The policy allowed all host traffic during an earlier upgrade. While it exists, policies for host endpoints protect nothing.',
  remedy: {
    steps: [
      'List the traffic that it allows: `signalbox flows top policy:allow-all-upgrade --since 7d`.',
      'Make the global network policies that this traffic needs.',
      `Then delete it${offered}.`,
      'Check again.',
    ],
    details: [
      'Flow logs tell that traffic, and Calico has them from v3.30 on. Without them, read what a rule with action Log writes on the hosts.',
    ],
  },
  source: 'spec › Versioning',
  appliesTo: whereCalicoRuns,
  run: ({ upgrade: { temporaryPolicies }, installation }) => {
    if (temporaryPolicies.length === 0) return { kind: 'pass' };
    const isInEtcd = installation.method === 'manifest-etcd';
    const names = temporaryPolicies.map(({ name }) => name);
    return {
      kind: 'fail',
      because: `The temporary policy ${namesOf(temporaryPolicies)} still ${agreeing(temporaryPolicies.length, 'exists', 'exist')}.`,
      subjects: temporaryPolicies,
      remedy: {
        ...upgradeAllowAllUpgrade.remedy,
        ...(isInEtcd && { steps: upgradeAllowAllUpgrade.remedy.steps.map((step) => step.replace(offered, '')) }),
        command: isInEtcd
          ? `calicoctl delete globalnetworkpolicy ${names.map(shellWord).join(' ')}`
          : `kubectl delete globalnetworkpolicies.crd.projectcalico.org ${names.map(shellWord).join(' ')}`,
      },
      evidence: temporaryPolicies.map(({ kind, name }) => ({
        object: `${kind}/${name}`,
        path: 'metadata.name',
        value: name,
      })),
    };
  },
});
