import { names } from '#lib/spec/index.ts';
import { sameAddress } from './endpoint-host.ts';

/** An address of the API server in a container's environment; null: the container has none of its own. */
export type CarriedEndpoint = {
  readonly container: string;
  readonly host: string | null;
  readonly port: string | null;
};

/** Containers on the pod network. The operator does not give them the address of MKE's proxy, which answers on the host's network only (calico.md §3.2). */
const onPodNetwork: readonly string[] = [names.kubeControllersDeployment, names.apiServerDeployment];

/** Whether a container uses this address, in whatever notation, or rightly none. The check `endpoint.in-use` and the wait for a rollout must agree on it. */
export function carriesEndpoint(
  { container, host, port }: CarriedEndpoint,
  wanted: { readonly host: string; readonly port: string },
): boolean {
  if (host === null) return wanted.host === names.proxyOfMke && onPodNetwork.includes(container);
  return (host === wanted.host || sameAddress(host, wanted.host)) && port === wanted.port;
}
