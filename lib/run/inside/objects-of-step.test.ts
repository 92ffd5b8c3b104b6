import { expect, test } from 'vitest';
import type { ObjectRef } from '#lib/spec/index.ts';
import { resources } from '#lib/spec/index.ts';
import { objectsOfStep } from './objects-of-step.ts';

test('of what a step writes, that comes first whose pods restart; what it looks at comes last', () => {
  const namespace = 'tigera-operator';
  const account: ObjectRef = { resource: resources.serviceAccounts, namespace, name: 'tigera-operator' };
  const operator: ObjectRef = { resource: resources.deployments, namespace, name: 'tigera-operator' };
  const found = objectsOfStep({
    act: { kind: 'delete-all', targets: [account, operator], propagation: 'Background' },
    done: { kind: 'upgraded', version: 'v3.31.7' },
  });
  expect(found.slice(0, 2)).toEqual([operator, account]);
  expect(found.at(-1)).toEqual({ resource: resources.tigeraStatuses, name: 'calico' });
});
