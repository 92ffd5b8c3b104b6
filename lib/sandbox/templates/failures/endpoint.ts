import { onBpf } from '../basics.ts';
import { threeControlPlanes } from '../nodes.ts';
import { configMap } from '../objects.ts';
import type { Samples } from '../sample.ts';
import { adding, specifying } from '../variations.ts';

/** Failures of the API endpoint (pain A). */
export const endpointFailures: Samples = {
  'wrong-endpoint': {
    shows: "the address in kubeadm's own configuration does not answer from the nodes; only 10.0.0.11:6443 does",
    differs: { controlPlaneEndpoint: 'api-old.sandbox.example:6443', answers: ['10.0.0.11:6443'] },
  },
  'endpoint-gone': {
    shows: 'on eBPF, and the address of the API server is gone: whatever restarts there stays away',
    differs: { ...onBpf, answers: ['10.0.0.11:6443'] },
  },
  'local-endpoint': {
    shows: "the endpoint is 127.0.0.1, Talos' KubePrism: it works for the agents and for nothing else",
    differs: { endpoint: { host: '127.0.0.1', port: '7445' }, answers: ['127.0.0.1:7445', '10.0.0.11:6443'] },
  },
  'cluster-ip-endpoint': {
    shows: 'the endpoint is the ClusterIP, which is down the moment the service proxy is',
    differs: { endpoint: { host: '10.96.0.1', port: '443' } },
  },
  'single-address': {
    shows: 'the endpoint is the address of one of three API servers',
    differs: { nodes: threeControlPlanes(), endpoint: { host: '10.0.0.11', port: '6443' } },
  },
  'stray-endpoint': {
    shows: 'the endpoint is in kube-system, where the operator does not look: all workloads use the ClusterIP',
    differs: {
      variation: adding(
        configMap('kube-system', 'kubernetes-services-endpoint', {
          KUBERNETES_SERVICE_HOST: 'api.sandbox.example',
          KUBERNETES_SERVICE_PORT: '6443',
        }),
      ),
    },
  },
  'hosts-file-name': {
    shows: "the endpoint is a name that only the nodes' hosts files know, as sealos and kubespray write it",
    differs: {
      controlPlaneEndpoint: 'apiserver.cluster.local:6443',
      endpoint: { host: 'apiserver.cluster.local', port: '6443' },
    },
  },
  'two-endpoints': {
    shows: 'automatic mode and the endpoint ConfigMap at the same time, which the operator refuses',
    differs: {
      endpoint: { host: 'api.sandbox.example', port: '6443' },
      variation: (objects) => {
        const [installation] = objects.filter(({ kind }) => kind === 'Installation');
        const { calicoNetwork } = Object(installation?.spec) as { calicoNetwork?: object };
        return specifying('Installation/default', {
          calicoNetwork: { ...calicoNetwork, bpfNetworkBootstrap: 'Enabled' },
        })(objects);
      },
    },
  },
};
