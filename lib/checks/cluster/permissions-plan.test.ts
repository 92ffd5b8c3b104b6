import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const refused = [
  { verb: 'patch', group: 'operator.tigera.io', resource: 'installations', name: 'default', allowed: false },
  { verb: 'get', group: 'operator.tigera.io', resource: 'installations', name: 'default', allowed: false },
  { verb: 'create', group: '', resource: 'configmaps', namespace: 'tigera-operator', name: 'x', allowed: false },
  { verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'kube-system', allowed: false },
  { verb: 'list', group: '', resource: 'nodes', allowed: true },
];

test('everything granted passes; nothing asked, as in a dump, is unknown', () => {
  expect(find('permissions.plan').status).toBe('pass');
  expect(find('permissions.plan', uncover(aFacts({ resources: { access: [] } }), 'access')).status).toBe('unknown');
});

test('a plan that needs one permission does not need all 1', () => {
  const { because } = find('permissions.plan', { resources: { access: refused.slice(-1) } });
  expect(because).toBe('You have the one permission that the plan needs.');
});

test('each rule that is missing is a subject, and all are Roles where they are needed', () => {
  const finding = find('permissions.plan', { resources: { access: refused } }, { goal: 'undo' });
  expect(finding.subjects.map(({ name }) => name)).toEqual([
    'patch installations.operator.tigera.io default',
    'get installations.operator.tigera.io default',
    'create configmaps x in tigera-operator',
    'create pods/exec in kube-system',
  ]);
  expect(finding.remedy.command).toBe(
    `kubectl apply -f - <<'EOF'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: "signalbox-permissions.plan"
rules:
- apiGroups: ["operator.tigera.io"]
  resources: ["installations"]
  resourceNames: ["default"]
  verbs: ["get", "patch"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: "signalbox-permissions.plan"
  namespace: "kube-system"
rules:
- apiGroups: [""]
  resources: ["pods/exec"]
  verbs: ["create"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: "signalbox-permissions.plan"
  namespace: "tigera-operator"
rules:
- apiGroups: [""]
  resources: ["configmaps"]
  verbs: ["create"]
EOF`,
  );
});

test('what only proves nodes is a warning: it can be accepted, and says what is lost', () => {
  const proof = ['log', 'proxy', 'exec'].map((subresource) => ({
    verb: 'get',
    group: '',
    resource: 'pods',
    subresource,
    namespace: 'calico-system',
    allowed: false,
  }));
  const finding = find('permissions.plan', { resources: { access: proof } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(finding.because).toContain('nodes are not verified');
  const more = find('permissions.plan', { resources: { access: [...proof, ...refused] } });
  expect(more).toMatchObject({ status: 'fail', severity: 'blocking' });
});
