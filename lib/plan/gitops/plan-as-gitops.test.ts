import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import type { Act } from '../schema/act.ts';
import type { PlannedOperation } from '../schema/planned-operation.ts';
import { aPlan } from '../testing/a-cluster.ts';
import { planAsGitops } from './plan-as-gitops.ts';

test('of a file that also holds agents or the operator, only the kinds are committed, as a run applies nothing else of it', () => {
  const act: Act = {
    kind: 'apply-manifest',
    manifest: { version: 'v3.31.4', file: 'calico.yaml', sha256: '0'.repeat(64) },
    targets: [{ resource: resources.customResourceDefinitions, name: 'ippools.crd.projectcalico.org' }],
    force: true,
  };
  const [operation] = aPlan().operations;
  expect(planAsGitops({ ...aPlan(), operations: [{ ...operation, act } as PlannedOperation] })).toContain(
    '\n# Add the CustomResourceDefinitions of calico.yaml of v3.31.4 as they are published, and nothing else of it: they are not repeated here.\n',
  );
});
