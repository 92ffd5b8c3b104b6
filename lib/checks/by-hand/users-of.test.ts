import { expect, test } from 'vitest';
import { usersOf } from './users-of.ts';

const pod = (spec: object) => ({ spec: { template: { spec: { containers: [], ...spec } } } });

test.each<[string, string, object]>([
  ['kube-system/ConfigMap/old', 'kube-system/DaemonSet/agents', pod({ volumes: [{ configMap: { name: 'old' } }] })],
  [
    'kube-system/ConfigMap/old',
    'kube-system/Deployment/controllers',
    pod({ containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 'old', key: 'x' } } }] }] }),
  ],
  [
    'kube-system/Secret/old',
    'kube-system/Deployment/controllers',
    pod({ initContainers: [{ envFrom: [{ secretRef: { name: 'old' } }] }] }),
  ],
  ['kube-system/Secret/old', 'kube-system/DaemonSet/agents', pod({ volumes: [{ secret: { secretName: 'old' } }] })],
  [
    'kube-system/Secret/old',
    'kube-system/DaemonSet/agents',
    pod({ volumes: [{ projected: { sources: [{ secret: { name: 'old' } }] } }] }),
  ],
  ['kube-system/Secret/old', 'kube-system/DaemonSet/agents', pod({ imagePullSecrets: [{ name: 'old' }] })],
  ['kube-system/ServiceAccount/old', 'kube-system/DaemonSet/agents', pod({ serviceAccountName: 'old' })],
  [
    'kube-system/ServiceAccount/old',
    'ClusterRoleBinding/all',
    { subjects: [{ kind: 'ServiceAccount', name: 'old', namespace: 'kube-system' }] },
  ],
  ['ClusterRole/old', 'ClusterRoleBinding/all', { roleRef: { kind: 'ClusterRole', name: 'old' } }],
  [
    'kube-system/ConfigMap/old',
    'kube-system/Pod/alone',
    { spec: { containers: [], volumes: [{ configMap: { name: 'old' } }] } },
  ],
  [
    'kube-system/Secret/old',
    'kube-system/CronJob/nightly',
    { spec: { jobTemplate: pod({ containers: [{ envFrom: [{ secretRef: { name: 'old' } }] }] }) } },
  ],
  ['kube-system/Role/old', 'kube-system/RoleBinding/one', { roleRef: { kind: 'Role', name: 'old' } }],
])('%s is used by %s', (id, user, object) => {
  const others = {
    'default/DaemonSet/elsewhere': pod({ serviceAccountName: 'old', volumes: [{ configMap: { name: 'old' } }] }),
  };
  expect(usersOf(id, { [user]: object, [id]: {}, gone: null, ...others })).toEqual([user]);
  expect(usersOf(`${id}er`, { [user]: object, ...others })).toEqual([]);
});

test('workloads that are not kept whole count as well, each once', () => {
  const id = 'kube-system/ConfigMap/old';
  const user = 'kube-system/DaemonSet/agents';
  const others = [
    { user: 'kube-system/Job/backup', uses: [id] },
    { user, uses: [id] },
    { user: 'kube-system/Pod/other', uses: ['kube-system/ConfigMap/older'] },
  ];
  // The agents in the new file no longer use it.
  expect(usersOf(id, { [user]: pod({}) }, others)).toEqual(['kube-system/Job/backup']);
});
