import { defineCheck } from './check.ts';
import { ruleName } from './framework/missing.ts';
import { clusterRoleYaml } from './wording/cluster-role.ts';
import { agreeing, counted, listed } from './wording/sentences.ts';

/** `facts.resources.access` holds the answers to what the collector asked: the rules of the goal's operations, and no others. */
export const permissionsPlan = defineCheck({
  id: 'permissions.plan',
  group: 'Platform and permissions',
  severity: 'blocking',
  goals: ['install', 'enable', 'upgrade', 'undo'],
  reads: ['access'],
  title: 'You may do everything that the plan does',
  consequence: 'The run would stop at the first operation that is refused, with the operations before it already done.',
  remedy: {
    steps: [
      'Ask somebody who may to create the ClusterRole shown here and to bind it to your account.',
      'Check again.',
    ],
  },
  source: 'operations.md › needs',
  run: ({ resources: { access } }) => {
    const refused = access.filter(({ allowed }) => !allowed);
    if (access.length === 0) return { kind: 'unknown', because: 'No permission was asked for.' };
    if (refused.length === 0) {
      return { kind: 'pass', because: `All ${counted(access.length, 'permission')} that were asked for are granted.` };
    }
    const rules = refused.map(ruleName);
    return {
      kind: 'fail',
      because: `${counted(refused.length, 'permission')} of ${access.length} ${agreeing(refused.length, 'is', 'are')} refused to you: ${listed(rules)}.`,
      subjects: refused.map((rule) => ({
        kind: 'Permission',
        namespace: rule.namespace ?? null,
        name: ruleName(rule),
        detail: 'refused',
      })),
      remedy: {
        ...permissionsPlan.remedy,
        command: `kubectl apply -f - <<'EOF'\n${clusterRoleYaml('signalbox-missing', refused)}\nEOF`,
      },
      evidence: refused.map((rule) => ({
        object: 'SelfSubjectAccessReview',
        path: ruleName(rule),
        value: rule.allowed,
      })),
    };
  },
});
