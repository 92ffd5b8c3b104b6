import { expect, test } from 'vitest';
import { commandsThatRead, madeKnownFirst } from './made-known-first.ts';

test('one list of what every cluster serves; what it may not serve is asked for one by one, and of Secrets only Helm’s', () => {
  const kinds = ['Pod', 'DaemonSet.apps', 'NetworkPolicy.networking.k8s.io', 'ServiceCIDR.networking.k8s.io'];
  const more = ['AdminNetworkPolicy.policy.networking.k8s.io', 'IPPool.projectcalico.org', 'Secret'];
  expect(commandsThatRead([...kinds, ...more])).toEqual([
    'kubectl get pod,daemonset.apps,networkpolicy.networking.k8s.io --all-namespaces -o yaml',
    'for kind in servicecidr.networking.k8s.io adminnetworkpolicy.policy.networking.k8s.io ippool.crd.projectcalico.org; do echo ---; kubectl get "$kind" --all-namespaces -o yaml; done',
    'kubectl get secrets --namespace tigera-operator -l owner=helm -o yaml',
  ]);
  expect(commandsThatRead(['Installation.operator.tigera.io'])).toEqual([
    'kubectl get installation.operator.tigera.io --all-namespaces -o yaml',
  ]);
});

test('what two facts lack is asked for once', () => {
  const gap = { kind: 'version', because: 'the dump does not tell the version' };
  const { steps, command } = madeKnownFirst({ steps: ['Check again.'] }, [gap, { ...gap }], 'dump');
  expect(steps.slice(0, -1)).toEqual(['Add the version of Kubernetes to the dump, as version.json.']);
  expect(command).toBe('kubectl get --raw /version > version.json');
});

test.each([
  ['HostEndpoint.projectcalico.org', 'calicoctl get hostendpoint -o yaml'],
  ['NetworkPolicy.projectcalico.org', 'calicoctl get networkpolicy --all-namespaces -o yaml'],
])('%s in etcd is looked at by calicoctl, whose output a dump takes', (kind, command) => {
  const gap = { kind, because: 'this installation keeps it in etcd, where the API does not show it' };
  const first = (source: 'live' | 'dump') => madeKnownFirst({ steps: ['Check again.'] }, [gap], source).steps[0];
  expect(first('live')).toContain(`\`${command}\``);
  expect(first('dump')).toBe(`Add the output of \`${command}\` to the dump.`);
});
