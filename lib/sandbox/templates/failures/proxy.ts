import { resources } from '#lib/spec/index.ts';
import { onBpf } from '../basics.ts';
import { namespace } from '../kubeadm.ts';
import { configMap, daemon, definitionOf } from '../objects.ts';
import type { Samples } from '../sample.ts';
import { adding, all, changing, marking, noKubeProxy } from '../variations.ts';

/** Failures of the service proxy (pain B). */
export const proxyFailures: Samples = {
  ipvs: { shows: 'kube-proxy in IPVS mode', differs: { proxy: { mode: 'ipvs', turnedOff: false } } },
  'proxy-of-argocd': {
    shows: 'Argo CD keeps the kube-proxy DaemonSet: turned off, it comes back, and both write rules',
    differs: {
      variation: all(
        marking('kube-system/DaemonSet/kube-proxy', {
          annotations: { 'argocd.argoproj.io/tracking-id': 'platform:apps/DaemonSet:kube-system/kube-proxy' },
        }),
        adding(definitionOf(resources.argoApplications), namespace('argocd'), {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { name: 'platform', namespace: 'argocd' },
          spec: { project: 'default', syncPolicy: { automated: { prune: true, selfHeal: true } } },
        }),
      ),
    },
  },
  'kube-router': {
    shows: 'kube-router serves Services in place of kube-proxy, beside Calico, which connects the pods',
    differs: {
      variation: all(
        noKubeProxy,
        adding(
          daemon('kube-system', 'kube-router', 'images.sandbox.example/kube-router:v2.5.0', {
            container: { args: ['--run-router=false', '--run-firewall=false', '--run-service-proxy=true'] },
          }),
        ),
      ),
    },
  },
  'cilium-chained': {
    shows: 'Cilium is chained onto Calico: it attaches eBPF programs to the same interfaces of pods',
    differs: {
      variation: adding(
        daemon('kube-system', 'cilium', 'images.sandbox.example/cilium:v1.18.2', {
          container: { name: 'cilium-agent' },
        }),
        configMap('kube-system', 'cilium-config', {
          'cni-chaining-mode': 'generic-veth',
          'kube-proxy-replacement': 'false',
        }),
      ),
    },
  },
  'proxy-gone': {
    shows: 'kube-proxy was turned off and nothing took its place: Services are down on every node',
    differs: {
      proxy: { mode: 'iptables', turnedOff: true },
      endpoint: { host: 'api.sandbox.example', port: '6443' },
    },
  },
  'proxy-deleted': {
    shows: 'on eBPF, with kube-proxy deleted instead of turned off: there is no way back yet',
    differs: { ...onBpf, variation: noKubeProxy },
  },
  'proxy-unreadable': {
    shows: 'a kube-proxy whose configuration cannot be read: its mode is not verified',
    differs: {
      variation: changing('kube-system/ConfigMap/kube-proxy', (object) => ({
        ...object,
        data: { ...Object(object.data), 'config.conf': 'mode: [iptables, ipvs]\n' },
      })),
    },
  },
};
