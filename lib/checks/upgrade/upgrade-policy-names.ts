import { agreeing, counted } from '#lib/base/words.ts';
import { gates, inRange } from '#lib/spec/index.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';

/** Gate V6: in these releases policies in the default tier had other names. */
const renaming = gates.find(({ id }) => id === 'V6')?.fromRelease ?? [];

export const upgradePolicyNames = defineUpgradeCheck({
  id: 'upgrade.policy-names',
  severity: 'warning',
  reads: ['upgradePolicies'],
  title: 'The names of policies stay as they are',
  gap: 'The running release renamed policies',
  topic: 'Names of policies',
  ifIgnored: 'Git tools double or delete policies',
  consequence:
    'Policies of the default tier gain or lose the prefix "default." with this upgrade. Tools that apply them from Git then create them twice, or delete the old ones.',
  remedy: {
    steps: ['Pause tools that apply policies from Git until the upgrade has ended, then accept this.'],
    details: ['Note the names of the policies in the default tier, and compare them after the upgrade.'],
    command: 'kubectl get globalnetworkpolicies.crd.projectcalico.org,networkpolicies.crd.projectcalico.org -A -o name',
  },
  source: 'pain H12',
  evaluate: ({ from, to }, facts) => {
    const answers = renaming.map((range) => inRange(from, range));
    if (!answers.includes('yes') && !answers.includes('undecided')) {
      return { kind: 'pass', because: `${from} names policies as ${to} does.`, restsOn: ['installation'] };
    }
    if (!answers.includes('yes')) {
      return { kind: 'unknown', because: `${from} may be a release that renamed policies: not verified.` };
    }
    const { count, first } = facts.upgrade.defaultTierPolicies;
    const { namespace } = facts.installation;
    if (count === 0)
      return { kind: 'pass', because: `${from} renamed policies of the default tier, but there is none.` };
    return {
      kind: 'fail',
      because: `${from} is one of the releases that renamed policies, and ${counted(count, 'policy', 'policies')} of the default tier ${agreeing(count, 'is', 'are')} there.`,
      subjects:
        first.length > 0 ? first : [{ kind: 'Calico', namespace, name: from, detail: 'its policies were not named' }],
    };
  },
});
