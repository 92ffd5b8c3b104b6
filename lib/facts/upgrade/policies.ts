import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { temporaryPolicies } from '#lib/spec/index.ts';
import { countingForms, inForms } from '../calico/forms.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { calicoNetworkPolicyListing, globalNetworkPolicyListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

const tiered = fields({ spec: fields({ tier: textOrNull }) });
/** Policies that are kept at the most: enough to see their names. */
const mostShown = 50;

const inDefaultTier = (kind: string) => () => {
  let count = 0;
  const first: Subject[] = [];
  const temporaries: Subject[] = [];
  return {
    each: (object: KubeObject | ObjectMetadata) => {
      const { tier } = tiered.parse(object).spec;
      const { name, namespace } = metadata.parse(object.metadata);
      const subject = { kind, namespace, name, detail: tier === null ? 'in no tier by name' : `tier ${tier}` };
      if (temporaryPolicies.includes(name)) temporaries.push(subject);
      if (tier !== null && tier !== 'default') return;
      count++;
      if (first.length < mostShown) first.push(subject);
    },
    result: () => ({ count, first, temporaries }),
  };
};

/** The temporary policy of an earlier upgrade, and policies whose names some releases changed (pain H12). */
export const upgradePolicies = defineCollector({
  id: 'upgrade/policies',
  provides: ['upgradePolicies'],
  reads: {
    global: inForms(globalNetworkPolicyListing, inDefaultTier('GlobalNetworkPolicy.projectcalico.org')),
    namespaced: inForms(calicoNetworkPolicyListing, inDefaultTier('NetworkPolicy.projectcalico.org')),
  },
  collect: (read, facts) => {
    const global = countingForms(read.global, facts);
    const namespaced = countingForms(read.namespaced, facts);
    return {
      upgrade: {
        temporaryPolicies: global.value.temporaries,
        defaultTierPolicies: {
          count: global.value.count + namespaced.value.count,
          first: [...global.value.first, ...namespaced.value.first].slice(0, mostShown),
        },
      },
      coverage: { upgradePolicies: allOf(global, namespaced) },
    };
  },
});
