import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

type Mark = Facts['resources']['ownership'][number];

const installation = 'Installation/default';
const mark = (object: string, by: Mark['by'], more: Partial<Mark> = {}): Mark => ({
  object,
  by,
  state: 'acts',
  source: null,
  writes: [],
  evidence: {
    object,
    path: "metadata.annotations['argocd.argoproj.io/tracking-id']",
    value: 'calico:operator.tigera.io/Installation:/default',
  },
  ...more,
});
const proxy = 'kube-system/DaemonSet/kube-proxy';

test.each<[string, Mark[], string]>([
  ['nothing', [], 'pass'],
  ['Argo CD on the Installation', [mark(installation, 'argocd')], 'fail'],
  ['Argo CD that is paused', [mark(installation, 'argocd', { state: 'paused' })], 'pass'],
  ['Argo CD whose Application is on another cluster', [mark(installation, 'argocd', { state: 'hidden' })], 'unknown'],
  [
    'Argo CD, paused by one of its two marks',
    [mark(installation, 'argocd', { state: 'paused' }), mark(installation, 'argocd')],
    'pass',
  ],
  [
    'Argo CD that is paused and Flux that is not',
    [mark(installation, 'argocd', { state: 'paused' }), mark(installation, 'flux')],
    'fail',
  ],
  ['Flux on FelixConfiguration', [mark('FelixConfiguration/default', 'flux')], 'fail'],
  ['Fleet that another cluster runs', [mark(installation, 'fleet', { state: 'hidden' })], 'unknown'],
  ['the add-on manager on the proxy', [mark(proxy, 'addon-manager')], 'fail'],
  ['a label that names no tool which reconciles', [mark(installation, 'other')], 'pass'],
  ["Helm, which is another check's", [mark(installation, 'helm')], 'pass'],
  ['Argo CD on something that no plan changes', [mark('web/Deployment/shop', 'argocd')], 'pass'],
])('%s', (_name, ownership, expected) => {
  expect(find('managed-by.reconciler', { resources: { ownership } }).status).toBe(expected);
});

test.each<[string, Partial<Choices>, string]>([
  ['kept beside eBPF', { keepProxy: true }, 'pass'],
  ['turned off', {}, 'fail'],
  ['turned off by an install', { goal: 'install' }, 'fail'],
  ['left alone by an install without eBPF', { goal: 'install', dataplane: 'Iptables' }, 'pass'],
  ['left alone by an upgrade', { goal: 'upgrade' }, 'pass'],
])('the marks of a proxy that is %s', (_name, choices, expected) => {
  const facts = { resources: { ownership: [mark(proxy, 'addon-manager')] } };
  expect(find('managed-by.reconciler', facts, choices).status).toBe(expected);
});

const operator = 'tigera-operator/Deployment/tigera-operator';
const agents = 'kube-system/DaemonSet/calico-node';
const byManifest: Partial<Facts['installation']> = { method: 'manifest-kdd', agent: agents, operators: [] };

test.each<[string, Mark, Partial<Facts['installation']>, string]>([
  ['the agents that a manifest made', mark(agents, 'argocd'), byManifest, 'fail'],
  ['such agents, paused', mark(agents, 'flux', { state: 'paused' }), byManifest, 'pass'],
  ['an Installation that a manifest does not have', mark(installation, 'argocd'), byManifest, 'pass'],
  // `upgrade.recommend-move` reports the tool that writes this manifest.
  ['agents that k0s made', mark(agents, 'k0s', { state: 'hidden' }), byManifest, 'pass'],
  [
    'agents of an operator, which writes them itself',
    mark('calico-system/DaemonSet/calico-node', 'argocd'),
    {},
    'pass',
  ],
  ['the operator', mark(operator, 'argocd'), {}, 'fail'],
])('before an upgrade, a mark on %s', (_name, one, install, expected) => {
  const labels = one.by === 'k0s' ? { 'k0s.k0sproject.io/stack': 'calico' } : {};
  const objects = { [agents]: { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'calico-node', labels } } };
  const facts = { installation: install, resources: { ownership: [one], objects } };
  const { status, remedy } = find('managed-by.reconciler', facts, { goal: 'upgrade' });
  expect(status).toBe(expected);
  if (expected === 'fail') expect(remedy.steps).toContain('Then write the new version into the source.');
});

test('a switch leaves the operator as it is, whoever writes it', () => {
  expect(find('managed-by.reconciler', { resources: { ownership: [mark(operator, 'argocd')] } }).status).toBe('pass');
});

test('what its tool keeps as the plan wants it may stay with its tool', () => {
  const object = { apiVersion: 'v1', kind: 'Installation', metadata: { name: 'default' } };
  const wants = (linuxDataplane: string, writes = ['spec.calicoNetwork.linuxDataplane']) => ({
    resources: {
      ownership: [mark(installation, 'flux', { writes })],
      objects: { [installation]: { ...object, spec: { calicoNetwork: { linuxDataplane } } } },
    },
  });
  expect(find('managed-by.reconciler', wants('BPF')).status).toBe('pass');
  expect(find('managed-by.reconciler', wants('Iptables')).status).toBe('fail');
  // Patched by hand: the tool will restore its own value.
  expect(find('managed-by.reconciler', wants('BPF', [])).status).toBe('fail');
});

const object = (kind: string, spec: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'default' }, spec });
const selector = 'spec.template.spec.nodeSelector.non-calico';
const turnedOff = {
  [proxy]: object('DaemonSet', { template: { spec: { nodeSelector: { 'non-calico': 'true' } } } }),
};
const ebpfOn = { 'FelixConfiguration/default': object('FelixConfiguration', { bpfEnabled: true }) };
const managed = { [installation]: object('Installation', { calicoNetwork: { kubeProxyManagement: 'Enabled' } }) };

test.each<[string, Mark, Facts['resources']['objects'], string]>([
  ['the Installation whose switch it turns off', mark(installation, 'argocd'), { ...ebpfOn, ...managed }, 'fail'],
  ['an Installation without the switch', mark(installation, 'argocd'), ebpfOn, 'pass'],
  ['an Installation where eBPF is off', mark(installation, 'argocd'), managed, 'pass'],
  ['FelixConfiguration where eBPF is on', mark('FelixConfiguration/default', 'flux'), ebpfOn, 'fail'],
  ['FelixConfiguration where eBPF is off', mark('FelixConfiguration/default', 'flux'), {}, 'pass'],
  ['the proxy', mark(proxy, 'argocd'), {}, 'fail'],
  ['the proxy that its tool keeps turned off', mark(proxy, 'flux', { writes: [selector] }), turnedOff, 'fail'],
  ['the proxy, paused', mark(proxy, 'argocd', { state: 'paused' }), {}, 'pass'],
  ['the proxy, by another cluster', mark(proxy, 'fleet', { state: 'hidden' }), {}, 'unknown'],
])('out of an outage, a mark on %s warns and never blocks', (_name, one, objects, expected) => {
  const finding = find('managed-by.reconciler', { resources: { ownership: [one], objects } }, { goal: 'restore' });
  expect(finding.status).toBe(expected);
  if (expected === 'fail') expect(finding.severity).toBe('warning');
  // A mark that was there when the plan was made pauses no run.
  expect(finding.evidence).toEqual(expected === 'pass' && one.state !== 'paused' ? [] : [one.evidence]);
});

test('out of an outage the tool is paused, and its source is changed after the run', () => {
  const facts = { resources: { ownership: [mark(installation, 'kops')], objects: { ...ebpfOn, ...managed } } };
  expect(find('managed-by.reconciler', facts, { goal: 'restore' }).remedy.steps).toEqual([
    expect.stringMatching(/^Pause kOps by leaving it alone/),
    'Check again, and run the plan.',
    'Then write `spec: {calicoNetwork: {kubeProxyManagement: Disabled}}` for Installation/default into the source.',
    'Let the tool continue.',
  ]);
});

test('out of an outage unread marks are accepted, and the finding says so', () => {
  const finding = find('managed-by.reconciler', uncover(aFacts(), 'ownership'), { goal: 'restore' });
  expect(finding.status).toBe('unknown');
  expect(finding.remedy.details).toContainEqual(expect.stringMatching(/^Accept this finding to continue/));
  expect(find('managed-by.reconciler', aFacts(), { goal: 'restore' }).status).toBe('pass');
});

test('it says which object, by which tool, and what to do there', () => {
  const ownership = [mark(installation, 'argocd', { source: 'argocd/Application/platform' })];
  const finding = find('managed-by.reconciler', { resources: { ownership } });
  expect(finding.because).toBe(
    'One object that the plan changes is written by another tool: Installation/default (by Argo CD).',
  );
  expect(subjectLines(finding)).toEqual([
    "Installation default: Argo CD marks it: metadata.annotations['argocd.argoproj.io/tracking-id']",
  ]);
  expect(finding.remedy.steps).toEqual([
    'Leave the Git repository of its Application as it is for now.',
    'Pause the tool for these objects with the command below.',
    'Check again, and run the plan.',
    'Then write `spec: {calicoNetwork: {linuxDataplane: BPF}}` for Installation/default into the source.',
    'The whole end state as YAML: `signalbox report RUN -o gitops`, or the download on its report page.',
    'Let the tool continue: `kubectl annotate applications.argoproj.io -n argocd platform argocd.argoproj.io/skip-reconcile-`.',
  ]);
});

test.each<[string, Mark, string | undefined, RegExp]>([
  [
    'Argo CD',
    mark(installation, 'argocd', { source: 'argocd/Application/platform' }),
    'kubectl annotate applications.argoproj.io -n argocd platform argocd.argoproj.io/skip-reconcile=true',
    /skip-reconcile-/,
  ],
  [
    "Flux' Kustomization",
    mark(installation, 'flux', { source: 'flux-system/Kustomization/networking' }),
    'kubectl annotate installation default kustomize.toolkit.fluxcd.io/reconcile=disabled',
    /reconcile-/,
  ],
  [
    "Flux' HelmRelease",
    mark(installation, 'flux', { source: 'calico/HelmRelease/calico' }),
    `kubectl patch helmreleases.helm.toolkit.fluxcd.io -n calico calico --type merge -p '{"spec":{"suspend":true}}'`,
    /"suspend":false/,
  ],
  [
    'Fleet',
    mark(installation, 'fleet', { source: 'fleet-local/Bundle/net' }),
    `kubectl patch bundles.fleet.cattle.io -n fleet-local net --type merge -p '{"spec":{"paused":true}}'`,
    /"paused":false/,
  ],
  [
    "Flux' HelmRelease elsewhere",
    mark(installation, 'flux', {
      state: 'hidden',
      evidence: { object: installation, path: "metadata.labels['helm.toolkit.fluxcd.io/name']", value: 'calico' },
    }),
    undefined,
    /flux suspend helmrelease.*\n.*Then accept this/,
  ],
  [
    'Argo CD elsewhere, whose mark names the Application',
    mark(installation, 'argocd', { state: 'hidden', sought: 'gitops/Application/platform' }),
    undefined,
    /`kubectl --context ITS_CONTEXT annotate applications\.argoproj\.io -n gitops platform argocd\.argoproj\.io\/skip-reconcile=true`/,
  ],
  ['Fleet elsewhere', mark(installation, 'fleet', { state: 'hidden' }), undefined, /Then accept this/],
  [
    'the add-on manager',
    mark(proxy, 'addon-manager'),
    undefined,
    /EnsureExists\. Straight after it: `kubectl label -n kube-system daemonset kube-proxy addonmanager.kubernetes.io\/mode=EnsureExists --overwrite`/,
  ],
  [
    'Gardener, whose seed is another cluster',
    mark(installation, 'gardener', { state: 'hidden' }),
    undefined,
    /resources\.gardener\.cloud\/ignore=true.*\n.*Then accept this/,
  ],
  ['kOps', mark(installation, 'kops', { state: 'hidden' }), undefined, /nobody runs `kops update cluster --yes`/],
  ['k0s', mark(proxy, 'k0s', { state: 'hidden' }), undefined, /it documents no pause.*\n.*Then accept this/],
  ['the add-on controller of K3s', mark(proxy, 'addon-manager', { state: 'hidden' }), undefined, /\.skip/],
])('%s is paused, and goes on', (_name, one, command, steps) => {
  const { remedy } = find('managed-by.reconciler', { resources: { ownership: [one] } });
  expect(remedy.command).toBe(command);
  expect(remedy.steps.join('\n')).toMatch(steps);
});

test("a provider's add-on manager has no folder that anybody reaches: the proxy stays", () => {
  const provider = { platform: { kind: 'aks' as const }, resources: { ownership: [mark(proxy, 'addon-manager')] } };
  const { remedy } = find('managed-by.reconciler', provider);
  expect(remedy.steps).toEqual([
    "Keep the service proxy running beside eBPF (--keep-proxy): the provider's add-on manager writes its DaemonSet again, and only the provider can stop that.",
    'Check again.',
  ]);
  const ownership = [mark(proxy, 'addon-manager'), mark(installation, 'addon-manager')];
  const both = find('managed-by.reconciler', { ...provider, resources: { ownership } }).remedy.steps;
  expect(both.join()).not.toContain('/etc/kubernetes/addons');
  expect(both.join()).toContain('Leave this to the provider: its add-on manager writes Installation/default again');
});

test('unread marks are unknown', () => {
  expect(find('managed-by.reconciler', uncover(aFacts(), 'ownership')).status).toBe('unknown');
});
