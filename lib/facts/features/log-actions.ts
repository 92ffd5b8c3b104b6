import { countingForms } from '../calico/forms.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import type { Subject } from '../schema.ts';
import { calicoPolicies, globalPolicies } from './calico-policies.ts';
import type { Policy } from './policies.ts';

/** Rules with `action: Log`, whose effect in eBPF mode depends on the version (spec › Limits; calico.md §10). */
export const logActions = defineCollector({
  id: 'features/log-actions',
  provides: ['logActions'],
  reads: { calicoPolicies, globalPolicies },
  collect: (read, facts) => {
    const calico = countingForms(read.calicoPolicies, facts);
    const global = countingForms(read.globalPolicies, facts);
    return {
      features: {
        logActions: [
          ...calico.value.flatMap((policy) => subject('NetworkPolicy.projectcalico.org', policy)),
          ...global.value.flatMap((policy) => subject('GlobalNetworkPolicy.projectcalico.org', policy)),
        ],
      },
      coverage: { logActions: allOf(calico, global) },
    };
  },
});

function subject(kind: string, { name, namespace, rules }: Policy): Subject[] {
  const found = rules.filter(({ action }) => action === 'Log');
  if (found.length === 0) return [];
  return [{ kind, namespace, name, detail: `action: Log in ${found.map(({ path }) => path).join(', ')}` }];
}
