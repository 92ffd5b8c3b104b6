import { flowLogObjects } from '../flow-logs.ts';
import type { ClusterShape } from './cluster-shape.ts';
import { helmRelease, kindsApart, ownedByHelm } from './helm-release.ts';
import { byManifest } from './manifest.ts';
import type { Samples } from './sample.ts';
import { adding, all, changing, replacing } from './variations.ts';

/** A cluster after the switch: its endpoint ConfigMap is written, and kube-proxy is turned off. */
export const onBpf: Partial<ClusterShape> = {
  dataplane: 'BPF',
  endpoint: { host: 'api.sandbox.example', port: '6443' },
  proxy: { mode: 'iptables', turnedOff: true },
};

/** Changes as people make them with `kubectl edit`: the MTU, a mirror of the images, a limit, a changed and an added variable, and a toleration. */
const changedByHand = [
  changing('kube-system/ConfigMap/calico-config', replacing(['"veth_mtu":"0"', '"veth_mtu":"1430"'])),
  changing(
    'kube-system/DaemonSet/calico-node',
    replacing(
      ['"FELIX_IPV6SUPPORT","value":"false"', '"FELIX_IPV6SUPPORT","value":"true"'],
      [
        '{"name":"FELIX_HEALTHENABLED","value":"true"}',
        '{"name":"FELIX_HEALTHENABLED","value":"true"},{"name":"FELIX_LOGSEVERITYSCREEN","value":"Warning"}',
      ],
      [
        '"resources":{"requests":{"cpu":"250m"}}',
        '"resources":{"limits":{"memory":"512Mi"},"requests":{"cpu":"100m"}}',
      ],
      ['"tolerations":[', '"tolerations":[{"key":"example.test/gpu","operator":"Exists"},'],
    ),
  ),
  changing(
    'kube-system/Deployment/calico-kube-controllers',
    replacing(['docker.io/calico/', 'mirror.example/calico/']),
  ),
];

export const basics: Samples = {
  empty: { shows: 'a kubeadm cluster of six nodes without a network yet', differs: {}, calico: 'absent' },
  standard: { shows: 'a healthy standard installation on six nodes', differs: {} },
  'calico-3.30': {
    shows: 'the standard installation of Calico v3.30.7, an upgrade behind',
    differs: { calico: 'v3.30.7' },
  },
  'calico-3.30.4-bpf': {
    shows: 'Calico v3.30.4 on eBPF with VXLAN, from which the way to v3.31 goes by v3.30.7',
    differs: { ...onBpf, calico: 'v3.30.4' },
  },
  'calico-helm-3.30': {
    shows: 'Calico v3.30.7 by Helm, an upgrade behind, with a value that has another place in v3.31',
    differs: {
      calico: 'v3.30.7',
      variation: all(
        ...ownedByHelm,
        adding(
          helmRelease(
            { kubeletVolumePluginPath: '/var/lib/kubelet', goldmane: { enabled: false } },
            { version: 'v3.30.7' },
          ),
        ),
      ),
    },
  },
  'calico-helm-3.30.4-bpf': {
    shows: 'Calico v3.30.4 by Helm on eBPF with VXLAN, from which Helm goes by v3.30.7 to v3.31',
    differs: {
      ...onBpf,
      calico: 'v3.30.4',
      variation: all(...ownedByHelm, adding(helmRelease({}, { version: 'v3.30.4' }))),
    },
  },
  'calico-helm-3.32': {
    shows: 'Calico v3.32.0 by Helm with its kinds in a Helm release of their own, a patch behind',
    differs: {
      calico: 'v3.32.0',
      variation: kindsApart(),
    },
  },
  'calico-manifest-3.30': {
    shows: 'Calico v3.30.7 by calico.yaml, an upgrade behind, with the changes that people make in such a file',
    differs: { variation: all(byManifest('calico', { version: 'v3.30.7' }), ...changedByHand) },
    calico: 'absent',
  },
  'flow-logs': {
    shows: 'the standard installation with flow logs, and a shop whose traffic fills them',
    differs: { variation: (objects) => [...objects, ...flowLogObjects(Date.now())] },
  },
  bpf: { shows: 'the standard installation after the switch to eBPF', differs: onBpf },
};
