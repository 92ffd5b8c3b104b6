import { chainsOf, type RuledService } from '#e2e/dataplane/testing/kube-proxy-rules.ts';

/**
 * What kube-proxy's nftables mode sends to the kernel when an endpoint of a Service goes and another one comes: the Service's chain anew, and the chain of the
 * new endpoint (kubernetes pkg/proxy/nftables/proxier.go, v1.34, syncProxyRules: only what has changed).
 */
export function endpointChange(service: RuledService, podNetwork: string): string {
  const [address = '', port = ''] = (service.endpoints[0] ?? '').split(':');
  const moved = { ...service, endpoints: [`${address}:${Number(port) + 1}`, ...service.endpoints.slice(1)] };
  const [ofNew, ...others] = chainsOf(moved, podNetwork);
  const changed = [ofNew, others.find(({ name }) => name.startsWith('service-'))].filter((one) => one !== undefined);
  return changed
    .flatMap(({ name, rules }) => [
      `add chain ip kube-proxy ${name}`,
      `flush chain ip kube-proxy ${name}`,
      ...rules.map((rule) => `add rule ip kube-proxy ${name} ${rule}`),
    ])
    .join('\n');
}
