import { expect, test } from 'vitest';
import type { PolicyChoice } from '#lib/spec/index.ts';
import { aCluster, choose } from '../testing/a-cluster.ts';
import { refusePolicy } from './refuse-policy.ts';

const policy: PolicyChoice = {
  apiVersion: 'projectcalico.org/v3',
  kind: 'NetworkPolicy',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: 'all()' },
};

test('where Calico reads etcd, a policy is not put where nobody reads it', () => {
  const choices = choose({ goal: 'policy', policy });
  const on = (v3Available: boolean) => () =>
    refusePolicy({
      facts: aCluster({
        installation: { method: 'manifest-etcd' },
        resources: { apis: { v3Available, failing: [] } },
      }),
      choices,
    });
  expect(on(false)).toThrow(/^policy: Calico keeps its policies in etcd here/);
  expect(on(true)).not.toThrow();
});
