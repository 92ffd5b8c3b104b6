import { expect, test } from 'vitest';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, someChoices } from '../testing/a-facts.ts';
import { runAll } from '../testing/find.ts';
import { withProposedFixes } from './proposed-fixes.ts';

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
});
const facts = aFacts({
  resources: {
    objects: {
      'kube-system/ConfigMap/kubeadm-config': configMap('kubeadm-config'),
      'kube-system/ConfigMap/kube-proxy': configMap('kube-proxy'),
    },
  },
});
const fixable = 'proxy.comes-back';

test.each<[string, Partial<Choices>, readonly string[]]>([
  ['accepted proposals choose what a plan can fix', { acceptProposals: true }, [fixable]],
  ['nothing is chosen where they are not accepted', { acceptProposals: false }, []],
  ['what was chosen is not chosen twice', { acceptProposals: true, fix: [fixable] }, [fixable]],
  ['what was accepted with a reason stays', { acceptProposals: true, acknowledge: { [fixable]: 'I see to it' } }, []],
])('%s', (_name, given, fix) => {
  const choices = someChoices({ forgetKubeadmProxy: undefined, ...given });
  expect(withProposedFixes(choices, runAll(facts, choices)).fix).toEqual(fix);
});
