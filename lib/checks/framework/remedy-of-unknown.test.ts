import { expect, test } from 'vitest';
import { aFacts } from '../testing/a-facts.ts';
import { commandsThatRead, lackingInDump, remedyOfUnknown } from './remedy-of-unknown.ts';

test('one line for all kinds, where what the cluster may not serve is asked for one by one; of Secrets only Helm’s, and answers in files', () => {
  const kinds = ['Pod', 'DaemonSet.apps', 'NetworkPolicy.networking.k8s.io', 'ServiceCIDR.networking.k8s.io'];
  const more = ['AdminNetworkPolicy.policy.networking.k8s.io', 'IPPool.projectcalico.org', 'Secret', 'APIGroupList'];
  expect(commandsThatRead([...kinds, ...more], [])).toEqual([
    'for kinds in pod,daemonset.apps,networkpolicy.networking.k8s.io servicecidr.networking.k8s.io adminnetworkpolicy.policy.networking.k8s.io ippool.crd.projectcalico.org; do echo ---; kubectl get "$kinds" --all-namespaces -o yaml; done',
    'kubectl get secrets --namespace tigera-operator -l owner=helm -o yaml',
    'kubectl get --raw /apis > apis.json',
  ]);
});

test.each([
  [['Installation.operator.tigera.io'], 'kubectl get installation.operator.tigera.io --all-namespaces -o yaml'],
  [['Pod', 'DaemonSet.apps'], 'kubectl get pod,daemonset.apps --all-namespaces -o yaml'],
  [
    ['Pod', 'IPPool.projectcalico.org'],
    'for kinds in pod ippool.crd.projectcalico.org; do echo ---; kubectl get "$kinds" --all-namespaces -o yaml; done',
  ],
])('%j are one command', (kinds, command) => {
  expect(commandsThatRead(kinds, [])).toEqual([command]);
});

test.each([
  ['a release', [{ name: 'calico', namespace: 'networking' }], ['networking -l owner=helm,name=calico']],
  [
    'two of them',
    [
      { name: 'calico', namespace: 'tigera-operator' },
      { name: 'calico-crds', namespace: 'tigera-operator' },
    ],
    ['tigera-operator -l owner=helm,name=calico', 'tigera-operator -l owner=helm,name=calico-crds'],
  ],
  ['none', [], ['tigera-operator -l owner=helm']],
  ['a name that no release can have', [{ name: 'a; rm -r /', namespace: 'x' }], ['tigera-operator -l owner=helm']],
  ['a namespace that is none', [{ name: 'calico', namespace: '-x $(y)' }], ['tigera-operator -l owner=helm']],
])('Secrets of Helm where the marks tell %s', (_what, releases, expected) => {
  const lines = expected.map((end) => `kubectl get secrets --namespace ${end} -o yaml`);
  expect(commandsThatRead(['Secret'], releases)).toEqual(lines);
});

const aDump = { cluster: { source: 'dump' }, resources: { helmReleases: [] } } as const;

const aRemedy = { id: 'a.check', remedy: { steps: ['Check again.'] } };

test('a kind that two facts lack is requested once', () => {
  const gap = { kind: 'version', because: 'the dump does not tell the version' };
  const { steps, command } = remedyOfUnknown(aRemedy, [gap, { ...gap }], aDump);
  expect(steps.slice(0, -1)).toEqual(['Add the version of Kubernetes to the dump, as version.json.']);
  expect(command).toBe('kubectl get --raw /version > version.json');
});

test('a report’s end names kinds and answers that the dump lacks, each once, and a refusal is neither', () => {
  const missing = [
    { kind: 'Pod', because: 'the dump has no Pod and no list of them' },
    { kind: 'APIGroupList', because: 'the dump does not contain the API groups' },
    { kind: 'Service', because: 'refused', rule: { verb: 'list', group: '', resource: 'services' } },
  ];
  const facts = aFacts({ cluster: { source: 'dump' } });
  const coverage = { ...facts.coverage, nodes: { covered: false, missing }, platform: { covered: false, missing } };
  expect(lackingInDump({ ...facts, coverage })).toEqual({ kinds: ['Pod'], answers: ['APIGroupList'] });
});

test.each([
  ['HostEndpoint.projectcalico.org', 'calicoctl get hostendpoint -o yaml'],
  ['NetworkPolicy.projectcalico.org', 'calicoctl get networkpolicy --all-namespaces -o yaml'],
])('%s in etcd is looked at by calicoctl, whose output a dump takes', (kind, command) => {
  const gap = { kind, because: 'this installation keeps it in etcd' };
  const first = (source: 'live' | 'dump') =>
    remedyOfUnknown(aRemedy, [gap], { ...aDump, cluster: { source } }).steps[0];
  expect(first('live')).toContain(`\`${command}\``);
  expect(first('dump')).toBe(`Add the output of \`${command}\` to the dump.`);
});
