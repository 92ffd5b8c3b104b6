import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

type Release = Facts['resources']['helmReleases'][number];

const release = (values: Release['values'], chart = 'tigera-operator-v3.31.4'): Release => ({
  name: 'calico',
  namespace: 'tigera-operator',
  chart,
  revision: 3,
  status: 'deployed',
  values,
});
const dataplane = (linuxDataplane: string) => ({ installation: { calicoNetwork: { linuxDataplane } } });

test.each<[string, Release[], string, string, string | undefined]>([
  ['no release', [], 'pass', 'blocking', undefined],
  ['a release of something else', [release(null, 'ingress-nginx-4.1.0')], 'pass', 'blocking', undefined],
  ['values that pin the data plane', [release(dataplane('Iptables'))], 'fail', 'blocking', 'switch.bpf.helm'],
  ['values that want BPF already', [release(dataplane('BPF'))], 'fail', 'warning', undefined],
  ['values that say nothing of it', [release({})], 'fail', 'warning', undefined],
  [
    'values that name another endpoint',
    [release({ kubernetesServiceEndpoint: { host: '10.0.0.1', port: 6443 } })],
    'fail',
    'blocking',
    undefined,
  ],
  [
    'values that name the same endpoint',
    [release({ kubernetesServiceEndpoint: { host: '10.0.0.100', port: 6443 } })],
    'fail',
    'warning',
    undefined,
  ],
  [
    'values with the default port and no host',
    [release({ kubernetesServiceEndpoint: { host: '', port: '7443' } })],
    'fail',
    'warning',
    undefined,
  ],
  [
    'values that turn the cleanup on',
    [release({ defaultFelixConfiguration: { bpfKubeProxyIptablesCleanupEnabled: true } })],
    'fail',
    'blocking',
    undefined,
  ],
  ['values that could not be read', [release(null)], 'unknown', 'blocking', undefined],
])('%s', (_name, helmReleases, status, severity, autofix) => {
  const finding = find('managed-by.helm', { resources: { helmReleases } });
  expect(finding).toMatchObject({ status, severity });
  expect(finding.remedy.autofix).toBe(status === 'fail' ? autofix : finding.remedy.autofix);
});

test('the pinned value and its place are shown; the switch is for the plan alone to make', () => {
  const finding = find('managed-by.helm', { resources: { helmReleases: [release(dataplane('Iptables'))] } });
  expect(finding.because).toBe(
    'Helm\'s values contradict the plan: installation.calicoNetwork.linuxDataplane is "Iptables", the plan makes it "BPF".',
  );
  expect(finding.remedy.command).toBeUndefined();
  expect(finding.evidence).toEqual([
    {
      object: 'tigera-operator/Secret/sh.helm.release.v1.calico.v3',
      path: 'values.installation.calicoNetwork.linuxDataplane',
      value: 'Iptables',
    },
  ]);
});

test('the switch itself is never made by hand, before anything is prepared', () => {
  const values = {
    ...dataplane('Iptables'),
    defaultFelixConfiguration: { bpfKubeProxyIptablesCleanupEnabled: true },
  };
  const { remedy } = find('managed-by.helm', { resources: { helmReleases: [release(values)] } });
  expect(remedy.command).toMatch(/bpfKubeProxyIptablesCleanupEnabled=false$/);
  expect(remedy.command).not.toContain('linuxDataplane');
});

test("a release of RKE2's own chart: its values stand in a HelmChartConfig, which no `helm upgrade` changes", () => {
  const ofRke2 = (values: Release['values']) => ({
    resources: {
      helmReleases: [{ ...release(values, 'rke2-calico-v3.31.401'), name: 'rke2-calico', namespace: 'kube-system' }],
    },
  });
  const pinned = find('managed-by.helm', ofRke2(dataplane('Iptables')), { fix: ['managed-by.helm'] });
  expect([pinned.status, pinned.severity, pinned.fixedBy]).toEqual(['fail', 'blocking', null]);
  expect(pinned.remedy).toEqual({
    steps: [
      'RKE2 runs Helm by itself: take installation.calicoNetwork.linuxDataplane out of HelmChartConfig rke2-calico in kube-system, and write BPF there after the run, not before it.',
      'Check again.',
    ],
    fixIn: 'goal',
  });
  const cleanup = find(
    'managed-by.helm',
    ofRke2({ defaultFelixConfiguration: { bpfKubeProxyIptablesCleanupEnabled: true } }),
  );
  expect(cleanup.remedy.command).toBeUndefined();
  expect(cleanup.remedy.steps).toContain(
    'RKE2 runs Helm by itself: change defaultFelixConfiguration.bpfKubeProxyIptablesCleanupEnabled in HelmChartConfig rke2-calico in kube-system.',
  );
  expect(find('managed-by.helm', ofRke2({})).remedy.steps.join()).toContain(
    'add this to spec.valuesContent of HelmChartConfig rke2-calico in kube-system',
  );
});

test('an upgrade through Helm is no contradiction', () => {
  const resources = { helmReleases: [release(dataplane('Iptables'))] };
  expect(find('managed-by.helm', { resources, installation: { method: 'helm' } }, { goal: 'upgrade' }).status).toBe(
    'skipped',
  );
});

test('unread releases are unknown', () => {
  expect(find('managed-by.helm', uncover(aFacts(), 'helm')).status).toBe('unknown');
});

test('an install offers no switch through Helm: no plan of it has such a step', () => {
  const pinned = { resources: { helmReleases: [release(dataplane('Iptables'))] } };
  const finding = find('managed-by.helm', pinned, { goal: 'install', fix: ['managed-by.helm'] });
  expect([finding.status, finding.severity, finding.fixedBy]).toEqual(['fail', 'blocking', null]);
  expect(finding.remedy.steps).toContain('Change these values, in Git too where they come from there.');
});
