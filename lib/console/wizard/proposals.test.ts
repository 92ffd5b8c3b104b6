import { expect, test } from 'vitest';
import { anotherNetwork } from '#lib/checks/testing/a-facts.ts';
import { proxyProposal } from './proposals.ts';
import { aWizardContext } from './testing/a-wizard-context.ts';

const cilium = (serves: boolean | null) => ({
  ...anotherNetwork('Cilium', 'kube-system/DaemonSet/cilium'),
  connects: true,
  serves,
});

test.each([
  ['unknown', [cilium(true)], 'Cilium serves Services here, in place of kube-proxy.'],
  ['none', [cilium(true)], 'Cilium serves Services here, in place of kube-proxy.'],
  ['unknown', [cilium(null)], 'A running service proxy: not verified.'],
  ['none', [cilium(false)], 'No service proxy was found.'],
] as const)('proxy %s, another network: %j', (kind, otherNetworks, says) => {
  const facts = { proxy: { kind }, installation: { otherNetworks: [...otherNetworks] } };
  expect(proxyProposal(aWizardContext({ facts })).runs).toBe(says);
});

const kubeadmProxy = { resources: { objects: { 'kube-system/ConfigMap/kube-proxy': {} } } };

test.each([
  ['asked', false, true],
  ['not asked where the plan has the fix of that finding', true, false],
])('kubeadm and kube-proxy: %s', (_name, acceptProposals, isAsked) => {
  const facts = kubeadmProxy as never;
  const { forget } = proxyProposal(aWizardContext({ facts, choices: { acceptProposals } }));
  expect(forget !== null).toBe(isAsked);
});
