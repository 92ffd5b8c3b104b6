import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { adminNetworkPolicyListing, baselineAdminNetworkPolicyListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

const subject =
  (kind: string) =>
  (object: KubeObject | ObjectMetadata): Subject => ({
    kind,
    namespace: null,
    name: metadata.parse(object.metadata).name,
    detail: 'enforced up to v3.31',
  });

/** Policies of the AdminNetworkPolicy API, which Calico v3.32 no longer supports (pain H23). */
export const adminNetworkPolicies = defineCollector({
  id: 'features/admin-network-policies',
  provides: ['adminNetworkPolicies'],
  reads: {
    admin: picked(adminNetworkPolicyListing, subject('AdminNetworkPolicy')),
    baseline: picked(baselineAdminNetworkPolicyListing, subject('BaselineAdminNetworkPolicy')),
  },
  collect: ({ admin, baseline }) => ({ features: { adminNetworkPolicies: [...admin.value, ...baseline.value] } }),
});
