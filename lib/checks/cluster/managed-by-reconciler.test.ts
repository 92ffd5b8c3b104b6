import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

type Mark = Facts['resources']['ownership'][number];

const mark = (object: string, by: Mark['by']): Mark => ({
  object,
  by,
  evidence: {
    object,
    path: "metadata.annotations['argocd.argoproj.io/tracking-id']",
    value: 'calico:operator.tigera.io/Installation:/default',
  },
});
const proxy = 'kube-system/DaemonSet/kube-proxy';

test.each<[string, Mark[], string]>([
  ['nothing', [], 'pass'],
  ['Argo CD on the Installation', [mark('Installation/default', 'argocd')], 'fail'],
  ['Flux on FelixConfiguration', [mark('FelixConfiguration/default', 'flux')], 'fail'],
  ['the add-on manager on the proxy', [mark(proxy, 'addon-manager')], 'fail'],
  ['a label that names no tool which reconciles', [mark('Installation/default', 'other')], 'pass'],
  ["Helm, which is another check's", [mark('Installation/default', 'helm')], 'pass'],
  ['Argo CD on something that no plan changes', [mark('web/Deployment/shop', 'argocd')], 'pass'],
])('%s', (_name, ownership, expected) => {
  expect(find('managed-by.reconciler', { resources: { ownership } }).status).toBe(expected);
});

test('a proxy that stays is not written, so its marks do not count', () => {
  const facts = { resources: { ownership: [mark(proxy, 'addon-manager')] } };
  expect(find('managed-by.reconciler', facts, { keepProxy: true }).status).toBe('pass');
});

test('it says which object, by which tool, and what to do there', () => {
  const finding = find('managed-by.reconciler', { resources: { ownership: [mark('Installation/default', 'argocd')] } });
  expect(finding.because).toBe(
    'One object that the plan changes is written by another tool: Installation/default (by Argo CD).',
  );
  expect(subjectLines(finding)).toEqual([
    "Installation default: Argo CD marks it: metadata.annotations['argocd.argoproj.io/tracking-id']",
  ]);
  expect(finding.remedy.steps[0]).toBe(
    'Argo CD: write `spec: {calicoNetwork: {linuxDataplane: BPF}}` for Installation/default in the Git repository of its Application, or pause it with `argocd app set NAME --sync-policy none`.',
  );
});

test('unread marks are unknown', () => {
  expect(find('managed-by.reconciler', uncover(aFacts(), 'ownership')).status).toBe('unknown');
});
