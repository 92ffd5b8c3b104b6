import type { KubeObject } from '#lib/kube/index.ts';
import { sandboxDefinitions } from '#lib/operator/index.ts';
import { names } from '#lib/spec/index.ts';
import { holdAnnotation } from '../../workloads/kubelets.ts';
import { helmRelease, ownedByHelm } from '../helm-release.ts';
import { namespace } from '../kubeadm.ts';
import { agent, byManifest } from '../manifest.ts';
import { everyNode } from '../nodes.ts';
import { configMap, daemon } from '../objects.ts';
import { operatorDeployment } from '../operator-deployment.ts';
import { operatorVersion } from '../release.ts';
import type { Samples } from '../sample.ts';
import { adding, all, changing, marking, noKubeProxy, specifying } from '../variations.ts';

/** The operator's Namespace and Deployment, as kubectl left them. */
function operatorAsServed(where: string = names.operatorNamespace): KubeObject[] {
  const home = namespace(where);
  const deployment = operatorDeployment(operatorVersion);
  const labels = { ...home.metadata.labels, name: where, 'pod-security.kubernetes.io/enforce': 'privileged' };
  return [
    { ...home, metadata: { ...home.metadata, labels } },
    { ...deployment, metadata: { ...deployment.metadata, namespace: where } },
  ];
}

/** Installations that somebody changed after the operator, or that the operator did not make (pain F, H). */
export const installationFailures: Samples = {
  'by-manifest': {
    shows: 'Calico installed by calico.yaml: there is no Installation that could be switched',
    differs: { variation: byManifest('calico') },
    calico: 'absent',
  },
  'by-manifest-etcd': {
    shows: 'Calico installed by manifest, with its data in etcd where the API does not show it',
    differs: { variation: byManifest('calico-etcd') },
    calico: 'absent',
  },
  canal: {
    shows: "Canal: flannel's network with Calico's policy",
    differs: { variation: byManifest('canal', { encapsulation: 'VXLAN' }) },
    calico: 'absent',
  },
  flannel: {
    shows: 'another network (flannel), and no Calico',
    differs: { variation: adding(daemon('kube-system', 'kube-flannel-ds', 'images.sandbox.example/flannel:v0.26.1')) },
    calico: 'absent',
  },
  cilium: {
    shows: 'another network (Cilium) that replaces kube-proxy too, and no Calico',
    differs: {
      variation: all(
        noKubeProxy,
        adding(
          daemon('kube-system', 'cilium', 'images.sandbox.example/cilium:v1.18.2', {
            container: { name: 'cilium-agent' },
          }),
          configMap('kube-system', 'cilium-config', { 'kube-proxy-replacement': 'true', ipam: 'cluster-pool' }),
        ),
      ),
    },
    calico: 'absent',
  },
  'half-installed': {
    shows: "Calico's CRDs and operator are there without an Installation: pods have no network yet",
    differs: { variation: adding(...sandboxDefinitions(), ...operatorAsServed()) },
    calico: 'absent',
  },
  'half-migrated': {
    shows: 'a move from calico.yaml to the operator that was stopped half-way: two nodes are left on the old agent',
    differs: {
      nodes: everyNode((_node, index) => ({
        labels: { 'projectcalico.org/operator-node-migration': index < 4 ? 'migrated' : 'pre-operator' },
      })),
      variation: all(
        adding(agent('calico', { nodeSelector: { 'projectcalico.org/operator-node-migration': 'pre-operator' } })),
        changing('calico-system/DaemonSet/calico-node', (object) => {
          const spec = Object(object.spec);
          const pod = {
            ...spec.template.spec,
            nodeSelector: { 'projectcalico.org/operator-node-migration': 'migrated' },
          };
          return { ...object, spec: { ...spec, template: { ...spec.template, spec: pod } } };
        }),
        specifying('tigera-operator/Deployment/tigera-operator', { replicas: 0 }),
      ),
    },
  },
  'stuck-rollout': {
    shows: "a stuck rollout of Calico's agents: the new one on worker-3 does not become ready",
    differs: {
      variation: all(
        marking('Node/worker-3', { annotations: { [holdAnnotation]: names.nodeDaemonSet } }),
        changing('calico-system/DaemonSet/calico-node', (object) => ({
          ...object,
          metadata: { ...object.metadata, generation: 2 },
        })),
      ),
    },
  },
  'second-operator': {
    shows: "Calico's operator runs in two namespaces; ConfigMap active-operator says which of them may act",
    differs: {
      variation: adding(...operatorAsServed('calico-networking')),
    },
  },
  helm: {
    shows: 'Calico installed by Helm, whose values say Iptables: its next upgrade would switch back',
    differs: {
      variation: all(
        ...ownedByHelm,
        adding(helmRelease({ installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } })),
      ),
    },
  },
  gitops: {
    shows: 'Flux applies the Installation from Git, and would revert the switch',
    differs: {
      variation: marking('Installation/default', {
        labels: {
          'kustomize.toolkit.fluxcd.io/name': 'networking',
          'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
        },
      }),
    },
  },
  'non-privileged': {
    shows: 'the agents run without privileges, which the operator refuses together with eBPF',
    differs: { variation: specifying('Installation/default', { nonPrivileged: 'Enabled' }) },
  },
  'bpf-by-hand': {
    shows: 'bpfEnabled was set by hand: the operator refuses to continue',
    differs: {
      variation: changing('FelixConfiguration/default', (object) => ({
        ...object,
        spec: { ...Object(object.spec), bpfEnabled: true },
      })),
    },
  },
};
