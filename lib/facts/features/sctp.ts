import { type KubeObject, type ObjectMetadata, serviceOf } from '#lib/kube/index.ts';
import { countingForms } from '../calico/forms.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { serviceListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';
import { calicoPolicies, globalPolicies, isSctp, kubernetesPolicies } from './calico-policies.ts';
import type { Policy } from './policies.ts';

function sctpService(object: KubeObject | ObjectMetadata): Subject | null {
  const { metadata: meta, spec } = serviceOf(object);
  const ports = spec.ports.flatMap(({ name, protocol }, i) => (isSctp(protocol) ? [name || `spec.ports[${i}]`] : []));
  if (ports.length === 0) return null;
  return { kind: 'Service', namespace: meta.namespace, name: meta.name, detail: `SCTP on ${ports.join(', ')}` };
}

/** Uses of SCTP, which eBPF mode supports neither in policies nor for Services (spec › Limits). */
export const sctp = defineCollector({
  id: 'features/sctp',
  provides: ['sctp'],
  reads: { services: picked(serviceListing, sctpService), kubernetesPolicies, calicoPolicies, globalPolicies },
  collect: (read, facts) => {
    const calico = countingForms(read.calicoPolicies, facts);
    const global = countingForms(read.globalPolicies, facts);
    const policies = [
      ...read.kubernetesPolicies.value.flatMap((policy) => subject('NetworkPolicy', policy)),
      ...calico.value.flatMap((policy) => subject('NetworkPolicy.projectcalico.org', policy)),
      ...global.value.flatMap((policy) => subject('GlobalNetworkPolicy.projectcalico.org', policy)),
    ];
    return {
      features: { sctp: [...read.services.value, ...policies] },
      coverage: { sctp: allOf(read.services, read.kubernetesPolicies, calico, global) },
    };
  },
});

function subject(kind: string, { name, namespace, rules }: Policy): Subject[] {
  const found = rules.filter(({ protocol }) => isSctp(protocol));
  if (found.length === 0) return [];
  return [{ kind, namespace, name, detail: `SCTP in ${found.map(({ path }) => path).join(', ')}` }];
}
