import { pickedInForms } from '../calico/forms.ts';
import { picked } from '../reading/query.ts';
import { calicoNetworkPolicyListing, globalNetworkPolicyListing, networkPolicyListing } from '../reading/sources.ts';
import { type PolicyRule, readCalicoPolicy, readNetworkPolicy } from './policies.ts';

/** Rules that a check of features names: with SCTP or Log, or rules that look into requests. Other policies are not kept. */
const isOfInterest = ({ protocol, action, http }: PolicyRule) => isSctp(protocol) || action === 'Log' || http;

/** Whether a protocol is SCTP, by name or number (IANA 132). */
export function isSctp(protocol: string | null): boolean {
  return protocol !== null && /^(sctp|132)$/i.test(protocol);
}

const ofInterest = (read: typeof readCalicoPolicy) => (object: Parameters<typeof readCalicoPolicy>[0]) => {
  const policy = read(object);
  const rules = policy?.rules.filter(isOfInterest) ?? [];
  return policy && rules.length > 0 ? { ...policy, rules } : null;
};

export const globalPolicies = pickedInForms(globalNetworkPolicyListing, ofInterest(readCalicoPolicy));
export const calicoPolicies = pickedInForms(calicoNetworkPolicyListing, ofInterest(readCalicoPolicy));
export const kubernetesPolicies = picked(networkPolicyListing, ofInterest(readNetworkPolicy));
