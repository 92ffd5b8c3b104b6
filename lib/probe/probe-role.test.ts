import { expect, test } from 'vitest';
import { probeRules } from './objects/rights.ts';
import { probeRoleSet } from './probe-role.ts';

test('the Roles of `signalbox rbac` grant all that a test of the nodes needs, and say what that makes of their holder', () => {
  const { roles, escalations } = probeRoleSet('enable');
  const granted = roles.flatMap(({ rules }) => rules);
  const lacking = probeRules().filter(({ verb, group, resource, subresource }) => {
    const withSubresource = subresource === undefined ? resource : `${resource}/${subresource}`;
    return !granted.some(
      ({ apiGroups = [], resources = [], verbs = [] }) =>
        apiGroups.includes(group) && resources.includes(withSubresource) && verbs.includes(verb),
    );
  });
  expect(lacking).toEqual([]);
  expect(escalations).toEqual([expect.stringContaining('is root there')]);
});
