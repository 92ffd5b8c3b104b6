import { expect, test } from 'vitest';
import { z } from 'zod';
import { PlanError } from './plan-error.ts';
import { parsePlan, planSchema } from './plan-schema.ts';
import { aPlan } from './testing/a-cluster.ts';

const saved = (): ReturnType<typeof JSON.parse> =>
  JSON.parse(JSON.stringify(aPlan({}, { dsr: true, forgetKubeadmProxy: true, set: { registry: 'x/' } })));

test('a plan that was saved is the same plan when it is read', () => {
  expect(parsePlan(saved())).toEqual(aPlan({}, { dsr: true, forgetKubeadmProxy: true, set: { registry: 'x/' } }));
  expect(
    parsePlan(JSON.parse(JSON.stringify(aPlan({ proxy: { mode: 'ipvs' } }, { fix: ['proxy.not-ipvs'] })))).operations,
  ).toHaveLength(3);
});

test.each([
  ['no plan at all', () => 7, []],
  ['null', () => null, []],
  ['another kind', (plan: ReturnType<typeof saved>) => ({ ...plan, kind: 'Facts' }), ['kind']],
  ['a key too many', (plan: ReturnType<typeof saved>) => ({ ...plan, run: 'rm' }), []],
  [
    'an act of another kind',
    (plan: ReturnType<typeof saved>) => set(plan, 'act', { kind: 'shell', command: 'rm' }),
    ['operations', 1, 'act', 'kind'],
  ],
  [
    'an object that no plan may name',
    (plan: ReturnType<typeof saved>) => {
      const resource = {
        group: 'rbac.authorization.k8s.io',
        version: 'v1',
        kind: 'ClusterRole',
        plural: 'clusterroles',
        namespaced: false,
      };
      return set(plan, 'act', { kind: 'delete', target: { resource, name: 'x' }, propagation: 'Background' });
    },
    ['operations', 1, 'act', 'target', 'resource'],
  ],
  [
    'a name that leaves its place',
    (plan: ReturnType<typeof saved>) => {
      const act = plan.operations[1].act;
      return set(plan, 'act', { ...act, target: { ...act.target, name: '../../nodes/x' } });
    },
    ['operations', 1, 'act', 'target', 'name'],
  ],
  [
    'helm with a program of its own',
    (plan: ReturnType<typeof saved>) =>
      set(plan, 'act', {
        kind: 'helm',
        release: 'a',
        namespace: 'b',
        arguments: ['upgrade', '--post-renderer', './x'],
      }),
    ['operations', 1, 'act', 'arguments'],
  ],
  ['a hole in the numbers', (plan: ReturnType<typeof saved>) => set(plan, 'seq', 9), ['operations']],
  [
    'a deadline that is text',
    (plan: ReturnType<typeof saved>) => set(plan, 'deadlineSeconds', '1'),
    ['operations', 1, 'deadlineSeconds'],
  ],
])('%s: refused, and the place is named', (_title, change, path) => {
  try {
    parsePlan(change(saved()));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    expect((error as PlanError).path).toEqual(path);
    expect((error as PlanError).message).toMatch(/^This is not a plan: .+\.$/);
  }
});

test('a file that is nested without end is refused, not followed', () => {
  let done: unknown = { kind: 'journalled' };
  for (let depth = 0; depth < 200_000; depth++) done = { kind: 'all', of: [done] };
  expect(() => parsePlan(set(saved(), 'done', done))).toThrow(PlanError);
});

test('there is a JSON Schema of it', () => {
  const schema = z.toJSONSchema(planSchema, { unrepresentable: 'any', io: 'input' });
  expect(Object.keys(schema.properties ?? {})).toContain('operations');
});

function set(plan: ReturnType<typeof saved>, key: string, value: unknown) {
  plan.operations[1][key] = value;
  return plan;
}
