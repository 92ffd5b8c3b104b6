import { expect, test } from 'vitest';
import { ledToCluster, sentenceLedToCluster } from './led-to-cluster.ts';

const onProd = { signalbox: ' --context prod', kubectl: ' --context prod', journals: ' --journal-namespace ops' };

test.each([
  ['kubectl get nodes -o wide', 'kubectl --context prod get nodes -o wide'],
  ['kubectl get x -o yaml | grep -c y', 'kubectl --context prod get x -o yaml | grep -c y'],
  ['kubectl get --raw /apis > apis.json', 'kubectl --context prod get --raw /apis > apis.json'],
  ['a | kubectl apply -f -', 'a | kubectl --context prod apply -f -'],
  ['for a in b; do kubectl get "$a"; done', 'for a in b; do kubectl --context prod get "$a"; done'],
  ['kubectl a && kubectl b', 'kubectl --context prod a && kubectl --context prod b'],
  ['signalbox preflight', 'signalbox preflight --context prod'],
  ['signalbox apply --goal restore', 'signalbox apply --goal restore --context prod --journal-namespace ops'],
  ['signalbox rbac --goal enable', 'signalbox rbac --goal enable'],
  ['signalbox spec checks', 'signalbox spec checks'],
  ['kubectl label x kubectl.kubernetes.io/y-', 'kubectl --context prod label x kubectl.kubernetes.io/y-'],
  ['calicoctl get nodes', 'calicoctl get nodes'],
  ['kubectl --context ARGO annotate x', 'kubectl --context ARGO annotate x'],
  [
    'kubectl get x | kubectl --kubeconfig=a apply -f -',
    'kubectl --context prod get x | kubectl --kubeconfig=a apply -f -',
  ],
])('%s', (command, led) => {
  expect(ledToCluster(command, onProd)).toBe(led);
});

test('a document that follows a command stays as it is, and each line of several is led', () => {
  const command = 'kubectl apply -f - <<\'EOF\'\nkind: Role\n  verbs: ["get"]\nEOF\nkubectl get roles';
  expect(ledToCluster(command, onProd).split('\n')).toEqual([
    "kubectl --context prod apply -f - <<'EOF'",
    'kind: Role',
    '  verbs: ["get"]',
    'EOF',
    'kubectl --context prod get roles',
  ]);
});

test('what kubectl cannot reach stays as it is', () => {
  expect(ledToCluster('kubectl get nodes', { signalbox: ' --sandbox kind', kubectl: null })).toBe('kubectl get nodes');
});

test('in a sentence only what stands in backticks is a command', () => {
  expect(sentenceLedToCluster('With kubectl: `kubectl edit x` or `--flag`.', onProd)).toBe(
    'With kubectl: `kubectl --context prod edit x` or `--flag`.',
  );
});
