import { defineEndpointCheck, ofAnAddressForAll } from '../framework/endpoint-check.ts';
import { endpointName, endpointSubject } from '../reading/effective-endpoint.ts';
import { sameAddress } from '../reading/endpoint-host.ts';
import { resolvedTo } from '../reading/endpoint-probe.ts';

export const endpointKubeVip = defineEndpointCheck({
  id: 'endpoint.kube-vip',
  group: 'API endpoint',
  severity: 'warning',
  followsFrom: ofAnAddressForAll,
  goals: ['install', 'enable'],
  reads: ['kubeVip'],
  title: 'The holder of the endpoint does not wait for Calico',
  gap: 'kube-vip holds the endpoint and waits for Calico',
  topic: 'kube-vip and the endpoint',
  ifIgnored: 'The control plane cannot restart',
  consequence:
    'When the whole control plane restarts, kube-vip waits for a Service that needs Calico, and Calico waits for the address that kube-vip holds. Neither comes up.',
  remedy: {
    steps: ['Make kube-vip use the API server on its own machine.', 'Check again.'],
    details: [
      "As a static pod with the administrator's kubeconfig, or with KUBERNETES_SERVICE_HOST set to 127.0.0.1 in its DaemonSet.",
    ],
    fixIn: 'endpoint',
  },
  source: 'pain A9',
  evaluate: (endpoint, address, facts) => {
    const { kubeVip } = facts.endpoint;
    if (kubeVip === null) return { kind: 'pass', because: 'kube-vip does not run here.' };
    const addresses = [address.text, ...(address.kind === 'name' ? resolvedTo(facts, endpoint) : [])];
    const isItsOwn = kubeVip.addresses.some((own) => addresses.some((one) => sameAddress(own, one)));
    const evidence = [{ object: kubeVip.object, path: 'env address', value: kubeVip.addresses }];
    if (kubeVip.usesOwnApiServer)
      return {
        kind: 'pass',
        because: 'kube-vip uses the API server of its own node and needs no Service to start.',
        evidence,
      };
    if (isItsOwn)
      return {
        kind: 'fail',
        because: `${endpointName(endpoint)} is the address that kube-vip holds (${kubeVip.object}), and kube-vip reaches the API server through its Service.`,
        subjects: [endpointSubject(facts, endpoint, `held by ${kubeVip.object}`)],
        evidence,
      };
    if (address.kind === 'name' && addresses.length === 1 && kubeVip.addresses.length > 0)
      return {
        kind: 'unknown',
        because: `kube-vip holds ${kubeVip.addresses.join(', ')} here, and nothing resolved ${address.text}, which may lead there.`,
        evidence,
      };
    return { kind: 'pass', because: `kube-vip holds another address than ${endpointName(endpoint)}.`, evidence };
  },
});
