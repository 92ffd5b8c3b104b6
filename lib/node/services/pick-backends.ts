import type { Endpoint } from './endpoints.ts';

export type Standpoint = { readonly nodeName: string; readonly zone: string };

export type Picked = {
  readonly cluster: readonly Endpoint[];
  readonly local: readonly Endpoint[];
  readonly localReady: readonly Endpoint[];
};

/**
 * Chooses the endpoints that a node offers to clients, as kube-proxy does (kubernetes pkg/proxy/topology.go, CategorizeEndpoints; KEP-1669, KEP-2433,
 * KEP-4444).
 *
 * - `cluster`: the ready endpoints; if there are none, those that still serve while they terminate, which helps during a rollout on the last node.
 * - `local`: the same rule for this node's endpoints alone, so that they serve on while all of them terminate.
 * - Hints apply only if every ready endpoint has one and at least one names this node (nodes before zones); otherwise some clients would have no
 * endpoint.
 */
export function pickBackends(endpoints: readonly Endpoint[], { nodeName, zone }: Standpoint): Picked {
  const isLocal = ({ nodeName: where }: Endpoint) => where === nodeName;
  const ready = endpoints.filter((one) => one.ready);
  const ending = endpoints.filter((one) => !one.ready && one.serving && one.terminating);
  const localReady = ready.filter(isLocal);
  return {
    cluster: ready.length > 0 ? byHints(ready, { nodeName, zone }) : ending,
    local: localReady.length > 0 ? localReady : ending.filter(isLocal),
    localReady,
  };
}

function byHints(ready: readonly Endpoint[], { nodeName, zone }: Standpoint): readonly Endpoint[] {
  for (const [hintsOf, own] of [
    [({ nodes }: Endpoint) => nodes, nodeName],
    [({ zones }: Endpoint) => zones, zone],
  ] as const) {
    if (own === '' || ready.some((one) => hintsOf(one).length === 0)) continue;
    const meant = ready.filter((one) => hintsOf(one).includes(own));
    if (meant.length > 0) return meant;
  }
  return ready;
}
