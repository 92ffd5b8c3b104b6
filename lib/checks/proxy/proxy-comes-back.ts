import { names, objectId, proxyManagementSetting, resources } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { isCovered } from '../framework/coverage.ts';
import { isOfKubespray } from '../reading/installer.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { plannedField } from '../reading/planned-installation.ts';
import { kubeProxyConfigId, proxyAfterPlan } from '../reading/proxy.ts';

const kubeadmId = objectId({
  resource: resources.configMaps,
  namespace: names.systemNamespace,
  name: 'kubeadm-config',
});

export const proxyComesBack = defineCheck({
  id: 'proxy.comes-back',
  group: 'Service proxy',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['proxy', 'platform', 'installation'],
  title: 'A kubeadm upgrade does not bring the service proxy back',
  gap: 'A kubeadm upgrade brings the service proxy back',
  topic: 'Service proxy after a kubeadm upgrade',
  ifIgnored: 'Two proxies fight over the same rules',
  consequence:
    'The next `kubeadm upgrade apply` finds the configuration of kube-proxy and starts it on every node, beside eBPF. Both then fight over the same rules.',
  remedy: {
    steps: [
      'Have the plan delete ConfigMap kube-system/kube-proxy; an undo puts it back.',
      'Or accept this, and run every upgrade with `--skip-phases=addon/kube-proxy`.',
    ],
    autofix: 'proxy.forget-kubeadm',
    fixIn: 'proxy',
  },
  source: 'pain B5',
  run: (facts, choices) => {
    const after = proxyAfterPlan(facts, choices);
    if (after.runs === true) return { kind: 'skipped', because: `The service proxy stays: ${after.because}.` };
    const kubeadm = facts.resources.objects[kubeadmId];
    const config = facts.resources.objects[kubeProxyConfigId];
    if (kubeadm === null)
      return { kind: 'pass', because: 'kubeadm did not make this cluster: it has no kubeadm-config.', restsOn: [] };
    if (config === null)
      return { kind: 'pass', because: 'kubeadm has no configuration of kube-proxy to start it with.', restsOn: [] };
    if (kubeadm === undefined || config === undefined || (after.runs === 'unknown' && !isCovered(facts, 'proxy')))
      return {
        kind: 'unknown',
        because: 'The ConfigMaps of kubeadm could not be read: it may start the service proxy again.',
      };
    if (choices.forgetKubeadmProxy === true)
      return {
        kind: 'pass',
        because: 'The plan deletes the configuration that kubeadm would start it with.',
        restsOn: [],
      };
    if (choices.automatic === true || plannedField(facts, choices, proxyManagementSetting).value === 'Enabled')
      return {
        kind: 'pass',
        because: `With ${proxyManagementSetting} the operator turns the proxy off again each time.`,
        restsOn: [],
      };
    return {
      kind: 'fail',
      because: `ConfigMap ${kubeProxyConfigId.replace('/ConfigMap/', '/')} is there, which tells kubeadm to start kube-proxy again at its next upgrade.`,
      subjects: [{ ...objectSubject(kubeProxyConfigId), detail: 'kubeadm starts kube-proxy as long as this is there' }],
      ...(isOfKubespray(facts) ? { remedy: ofKubespray } : {}),
      evidence: [
        { object: kubeadmId, path: 'metadata.name', value: 'kubeadm-config' },
        { object: kubeProxyConfigId, path: 'metadata.name', value: names.kubeProxyDaemonSet },
      ],
    };
  },
});

/** kubespray runs kubeadm itself, with or without that phase (kubernetes-sigs/kubespray roles/kubernetes/control-plane › kube_proxy_remove; read 2026-11-23). */
const ofKubespray: Remedy = {
  ...proxyComesBack.remedy,
  steps: [
    proxyComesBack.remedy.steps[0] ?? '',
    'Set `kube_proxy_remove: true` in the inventory of kubespray after the switch: its next run brings kube-proxy back otherwise.',
  ],
};
