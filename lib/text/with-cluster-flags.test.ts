import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandsIn } from './commands-in.ts';
import { flagsByProgram } from './flags-by-program.ts';
import { sentenceWithClusterFlags, withClusterFlags } from './with-cluster-flags.ts';

const onProd = flagsByProgram({ context: 'prod', journalNamespace: 'ops' });

test.each([
  ['kubectl get nodes -o wide', 'kubectl --context prod get nodes -o wide'],
  ['kubectl get x -o yaml | grep -c y', 'kubectl --context prod get x -o yaml | grep -c y'],
  ['kubectl get --raw /apis > apis.json', 'kubectl --context prod get --raw /apis > apis.json'],
  ['a | kubectl apply -f -', 'a | kubectl --context prod apply -f -'],
  ['for a in b; do kubectl get "$a"; done', 'for a in b; do kubectl --context prod get "$a"; done'],
  ['kubectl a && kubectl b', 'kubectl --context prod a && kubectl --context prod b'],
  ['oc patch x', 'oc --context prod patch x'],
  ['signalbox preflight', 'signalbox preflight --context prod'],
  ['signalbox check -o json > f 2>&1', 'signalbox check -o json --context prod > f 2>&1'],
  ['signalbox check | less', 'signalbox check --context prod | less'],
  ['signalbox apply --goal restore', 'signalbox apply --goal restore --context prod --journal-namespace ops'],
  ['signalbox rbac --goal enable', 'signalbox rbac --goal enable'],
  ['signalbox spec checks', 'signalbox spec checks'],
  ['kubectl label x kubectl.kubernetes.io/y-', 'kubectl --context prod label x kubectl.kubernetes.io/y-'],
  ['calicoctl get nodes', 'calicoctl get nodes'],
  ['microk8s kubectl apply -f x', 'microk8s kubectl apply -f x'],
  ['helm upgrade calico chart', 'helm --kube-context prod upgrade calico chart'],
  ['env HELM_DRIVER=sql helm history calico', 'env HELM_DRIVER=sql helm --kube-context prod history calico'],
  ['helm show crds chart | kubectl apply -f -', 'helm show crds chart | kubectl --context prod apply -f -'],
  ['helm repo update', 'helm repo update'],
  [
    'until x=$(kubectl get a) || exit 1; [ "$x" ]; do :; done',
    'until x=$(kubectl --context prod get a) || exit 1; [ "$x" ]; do :; done',
  ],
  [
    'case "$(kubectl get a)" in *:v3) ;; *) kubectl b ;; esac',
    'case "$(kubectl --context prod get a)" in *:v3) ;; *) kubectl --context prod b ;; esac',
  ],
  [
    'if [ "$(kubectl get a)" != b ]; then kubectl c; fi',
    'if [ "$(kubectl --context prod get a)" != b ]; then kubectl --context prod c; fi',
  ],
  ['kubectl get \\\n  nodes', 'kubectl --context prod get \\\n  nodes'],
])('%s', (command, led) => {
  expect(withClusterFlags(command, onProd)).toBe(led);
});

test.each([
  ['of the hub of Argo CD', 'kubectl --context ARGO annotate x'],
  ['named at its end', 'kubectl get x --kubeconfig=a'],
  ['of helm', 'helm list -A --kube-context other'],
  ['of Signalbox', 'signalbox undo r --sandbox standard'],
])('a command that names a cluster itself keeps that: %s', (_of, command) => {
  expect(withClusterFlags(command, onProd)).toBe(command);
  expect(withClusterFlags(`kubectl get y | ${command}`, onProd)).toBe(`kubectl --context prod get y | ${command}`);
});

test.each([
  ['in single quotes', `printf '%s\\n' '{"a":"x; kubectl delete b | kubectl c"}' | cat`],
  ['in double quotes', 'echo "then: kubectl get x; kubectl get y"'],
  ['escaped', 'echo \\; kubectl\\ get'],
  ['in a comment', '# kubectl get x\necho a # ; kubectl b'],
  ['as an argument', 'command -v kubectl'],
])('what is text and no command stays as it is: %s', (_where, script) => {
  const other = flagsByProgram({ context: "it's" });
  expect(withClusterFlags(script, other)).toBe(script);
});

test('substitutions as deep as a stranger likes do not end the program', () => {
  const script = `kubectl get ${'$('.repeat(50_000)}`;
  expect(withClusterFlags(script, onProd)).toBe(script.replace('kubectl', 'kubectl --context prod'));
});

test.each(['\r', '\f', '\v', '\u00a0', '\u2003', '\u2028', '\ufeff'])(
  'no other space ends a word, and none ends the program: %j',
  (space) => {
    expect(commandsIn(`kubectl get a${space}b | c`).map(({ program, args }) => [program, ...args])).toEqual([
      ['kubectl', 'get', `a${space}b`],
      ['c'],
    ]);
    expect(withClusterFlags(`${space}kubectl get a`, onProd)).toBe(`${space}kubectl get a`);
  },
);

test.each(['exec', 'xargs'])('no variables are put where %s would run them as the program', (word) => {
  const script = `echo a | ${word} kubectl delete b`;
  expect(withClusterFlags(script, flagsByProgram({ kubeconfig: { files: '/a:/b' } }))).toBe(script);
});

test('a here-document stays as it is, and each command of several lines gets the flags', () => {
  const command = 'kubectl apply -f - <<\'EOF\'\nkind: Role\nkubectl is a word: ["get"]\nEOF\nkubectl get roles';
  expect(withClusterFlags(command, onProd).split('\n')).toEqual([
    "kubectl --context prod apply -f - <<'EOF'",
    'kind: Role',
    'kubectl is a word: ["get"]',
    'EOF',
    'kubectl --context prod get roles',
  ]);
});

const script = 'kubectl get x | signalbox check\nenv A=b helm list -A; if ! kubectl z; then echo "$(kubectl y)"; fi';

test.each([
  [
    'a file',
    { context: 'a b', kubeconfig: { file: "/srv/it's here/config" } },
    ["--context 'a b' --kubeconfig '/srv/it'\\''s here/config'"],
  ],
  [
    'several files',
    { context: 'a', kubeconfig: { files: '/a:/b c' } },
    ["KUBECONFIG='/a:/b c' kubectl --context a", "env A=b KUBECONFIG='/a:/b c' helm --kube-context a"],
  ],
  [
    'a sandbox',
    { sandbox: 'standard' },
    ['kubectl --context sandbox-standard', 'check --sandbox standard', 'helm --kube-context sandbox-standard'],
  ],
  ['nothing', {}, [script]],
])('named by %s, a script gets the flags and stays a script', (_by, named, parts) => {
  const led = withClusterFlags(script, flagsByProgram(named));
  for (const part of parts) expect(led).toContain(part);
  expect(spawnSync('sh', ['-n'], { input: led }).status).toBe(0);
});

test('a backtick in a name ends no command in a sentence, and a shell reads the name back as it is', () => {
  const name = "a`b'c%d";
  const named = flagsByProgram({ context: name, kubeconfig: { files: '/x`y' } });
  const sentence = sentenceWithClusterFlags('See `kubectl get a`, then `helm list -A`.', named);
  expect(sentence.split('`')).toHaveLength(5);
  const [, command = ''] = sentence.split('`');
  const script = `kubectl() { printf '%s\n' "$KUBECONFIG" "$@"; }\n${command}`;
  const { stdout, status } = spawnSync('sh', { input: script, encoding: 'utf8' });
  expect([status, ...stdout.split('\n')]).toEqual([0, '/x`y', '--context', name, 'get', 'a', '']);
});

test("calicoctl gets the variables of the user's etcd, and nothing else", () => {
  const etcd = { endpoints: 'https://10.0.0.5:2379,https://10.0.0.6:2379', ca: '/pki/ca.crt' };
  expect(withClusterFlags('calicoctl delete globalnetworkpolicy a', flagsByProgram({ context: 'prod', etcd }))).toBe(
    'DATASTORE_TYPE=etcdv3 ETCD_ENDPOINTS=https://10.0.0.5:2379,https://10.0.0.6:2379 ETCD_CA_CERT_FILE=/pki/ca.crt calicoctl delete globalnetworkpolicy a',
  );
});

test.each([
  ['With kubectl: `kubectl edit x` or `--flag`.', 'With kubectl: `kubectl --context prod edit x` or `--flag`.'],
  ['The next `helm upgrade` reverts it.', 'The next `helm upgrade` reverts it.'],
  [
    'By hand: `env HELM_DRIVER=sql helm upgrade R C`.',
    'By hand: `env HELM_DRIVER=sql helm --kube-context prod upgrade R C`.',
  ],
  ['Where it runs: `kubectl --context ITS_CONTEXT get x`.', 'Where it runs: `kubectl --context ITS_CONTEXT get x`.'],
])('in a sentence what stands in backticks is a command: %s', (sentence, led) => {
  expect(sentenceWithClusterFlags(sentence, onProd)).toBe(led);
});
