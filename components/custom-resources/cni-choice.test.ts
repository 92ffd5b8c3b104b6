import { expect, test } from 'vitest';
import { installationProblems } from '#lib/installation/index.ts';
import { cniChoices, withCni } from './cni-choice.ts';

const eks = {
  kubernetesProvider: 'EKS',
  cni: { type: 'AmazonVPC', ipam: { type: 'AmazonVPC' } },
  calicoNetwork: { linuxDataplane: 'BPF', bgp: 'Disabled' },
};

test('only where the provider has a network of its own', () => {
  expect(cniChoices({})).toEqual([]);
  expect(cniChoices({ kubernetesProvider: 'RKE2' })).toEqual([]);
  expect(cniChoices(eks).map(({ value }) => value)).toEqual(['AmazonVPC', 'Calico']);
});

test.each(['EKS', 'AKS'])('there and back on %s, nothing is refused and nothing is left over', (provider) => {
  const own = provider === 'EKS' ? 'AmazonVPC' : 'AzureVNET';
  const before = withCni({ ...eks, kubernetesProvider: provider }, own);
  const calico = withCni(before, 'Calico');
  expect(calico).toMatchObject({ cni: { type: 'Calico' }, calicoNetwork: { ipPools: [{ encapsulation: 'VXLAN' }] } });
  expect(withCni(calico, own)).toEqual(before);
  for (const spec of [before, calico])
    expect(installationProblems(spec).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('pools that are there stay', () => {
  const spec = { ...eks, calicoNetwork: { ipPools: [{ cidr: '10.9.0.0/16' }] } };
  expect(withCni(spec, 'Calico').calicoNetwork).toEqual(spec.calicoNetwork);
});
