import { agreeing, counted } from '#lib/base/words.ts';
import { roleKindOf } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { ruleName } from '../framework/missing.ts';
import { grantCommand } from '../wording/roles-yaml.ts';
import { listed } from '../wording/sentences.ts';

/** `facts.resources.access` contains answers only for the rules of the goal's operations. */
export const permissionsPlan = defineCheck({
  id: 'permissions.plan',
  group: 'Platform and permissions',
  severity: 'blocking',
  goals: ['install', 'enable', 'upgrade', 'undo', 'restore', 'flow-logs', 'policy'],
  reads: ['access'],
  title: 'You may do everything that the plan does',
  gap: 'Permissions for the plan are missing',
  topic: 'Permissions for the plan',
  ifIgnored: 'The run stops half-way',
  consequence: 'The run stops at the first step that is refused, with the steps before it done.',
  remedy: {
    steps: ['Ask an administrator to create these Roles and bind them to your account.', 'Check again.'],
  },
  source: 'operations.md › needs',
  run: ({ resources: { access } }) => {
    const refused = access.filter(({ allowed }) => !allowed);
    if (access.length === 0) return { kind: 'unknown', because: 'No permission was checked.' };
    if (refused.length === 0) {
      return {
        kind: 'pass',
        because: `You have ${agreeing(access.length, 'the one permission', `all ${counted(access.length, 'permission')}`)} that the plan needs.`,
      };
    }
    const rules = refused.map(ruleName);
    const isOnlyProof = refused.every((rule) => roleKindOf(rule).id === 'proof');
    return {
      kind: 'fail',
      // A proof of a node writes nothing: without the right, the run asks the user to accept the node.
      ...(isOnlyProof ? { severity: 'warning' as const } : {}),
      because: [
        `You lack ${counted(refused.length, 'permission')} of ${access.length}: ${listed(rules)}.`,
        ...(isOnlyProof ? ['Without them nodes are not verified: the run pauses where it would prove them.'] : []),
      ].join(' '),
      subjects: refused.map((rule) => ({
        kind: 'Permission',
        namespace: rule.namespace ?? null,
        name: ruleName(rule),
        detail: 'refused',
      })),
      remedy: {
        ...permissionsPlan.remedy,
        command: grantCommand('permissions.plan', refused),
      },
      evidence: refused.map((rule) => ({
        object: 'SelfSubjectAccessReview',
        path: ruleName(rule),
        value: rule.allowed,
      })),
    };
  },
});
