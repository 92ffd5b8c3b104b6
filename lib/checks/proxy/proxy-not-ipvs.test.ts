import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

test.each<[Overrides<Facts['proxy']>, string]>([
  [{ mode: 'iptables' }, 'pass'],
  [{ mode: 'nftables' }, 'pass'],
  [{ mode: 'ipvs' }, 'fail'],
  [{ mode: 'unknown' }, 'unknown'],
  [{ kind: 'none', mode: 'unknown', running: false }, 'skipped'],
])('%j: %s', (proxy, expected) => {
  expect(find('proxy.not-ipvs', { proxy }).status).toBe(expected);
});

test('where the proxy is no DaemonSet no plan can change its mode, and the place is named', () => {
  const embedded = find('proxy.not-ipvs', { proxy: { kind: 'embedded', mode: 'ipvs' }, platform: { kind: 'k3s' } });
  expect(embedded.remedy.autofix).toBeUndefined();
  expect(embedded.remedy.steps[0]).toContain('--kube-proxy-arg=proxy-mode=iptables');
  expect(find('proxy.not-ipvs', { proxy: { mode: 'ipvs' } }).remedy.autofix).toBe('proxy.ipvs-to-iptables');
});

test('where a flag sets the mode, a fix of the ConfigMap would change nothing: the place is named', () => {
  const object = 'kube-system/DaemonSet/kube-proxy';
  const evidence = [{ object, path: 'command --proxy-mode', value: 'ipvs' }];
  const { remedy } = find('proxy.not-ipvs', { proxy: { mode: 'ipvs', evidence } });
  expect(remedy.autofix).toBeUndefined();
  expect(remedy.steps[0]).toContain(`${object} (command --proxy-mode)`);
});

test('where only pods of an earlier template run so, they are started again', () => {
  const evidence = [
    { object: 'kube-system/ConfigMap/kube-proxy', path: "data['config.conf'].mode", value: 'iptables' },
    { object: 'kube-system/Pod/kube-proxy-x', path: 'command --proxy-mode', value: 'ipvs' },
  ];
  const { remedy } = find('proxy.not-ipvs', { proxy: { mode: 'ipvs', evidence } });
  expect(remedy.autofix).toBeUndefined();
  expect(remedy.command).toBe('kubectl rollout restart daemonset -n kube-system kube-proxy');
});

test('while its pods are replaced, those of the earlier template are waited for', () => {
  const object = 'kube-system/DaemonSet/kube-proxy';
  const evidence = [{ object, path: 'status.updatedNumberScheduled', value: 1 }];
  const { status, remedy } = find('proxy.not-ipvs', { proxy: { mode: 'unknown', evidence } });
  expect([status, remedy.command]).toEqual(['unknown', 'kubectl rollout status daemonset -n kube-system kube-proxy']);
});

test('an unread proxy is unknown', () => {
  expect(find('proxy.not-ipvs', uncover(aFacts(), 'proxy')).status).toBe('unknown');
  expect(find('proxy.not-ipvs', uncover(aFacts({ proxy: { kind: 'none' } }), 'proxy')).status).toBe('unknown');
});

test.each(['proxy.not-ipvs', 'proxy.no-double-management', 'proxy.health-port', 'proxy.gone-without-bpf'])(
  '%s of a proxy that nothing shows asks to look, and repairs nothing',
  (id) => {
    const unseen = { proxy: { kind: 'unknown' as const, mode: 'unknown' as const, running: null, pods: null } };
    const { status, remedy } = find(id, unseen);
    expect([status, remedy.command, remedy.autofix]).toEqual(['unknown', 'pgrep -af kube-proxy', undefined]);
  },
);

test('a tool that holds the mode is told it, and no plan of ours changes it', () => {
  const clusterConfiguration = 'kind: ClusterConfiguration\ncertificatesDir: /etc/kubernetes/ssl\n';
  const kubeadm = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kubeadm-config' },
    data: { ClusterConfiguration: clusterConfiguration },
  };
  const { remedy } = find('proxy.not-ipvs', {
    proxy: { mode: 'ipvs' },
    resources: { objects: { 'kube-system/ConfigMap/kubeadm-config': kubeadm } },
  });
  expect(remedy.steps[0]).toContain('`kube_proxy_mode: iptables`');
  expect(remedy.autofix).toBeUndefined();
});
