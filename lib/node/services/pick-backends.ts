import type { Endpoint } from './endpoints.ts';

export type Standpoint = { readonly nodeName: string; readonly zone: string };

export type Picked = {
  readonly cluster: readonly Endpoint[];
  readonly local: readonly Endpoint[];
  readonly localReady: readonly Endpoint[];
};

/**
 * Which endpoints a node gives to clients, as kube-proxy does (kubernetes pkg/proxy/topology.go, CategorizeEndpoints; KEP-1669, KEP-2433, KEP-4444).
 *
 * - A ready endpoint; where there is none at all, one that still serves while it ends: better than nothing during a rollout on the last node.
 * - With traffic policy Local the same by itself for this node: while all of its endpoints end, they go on to serve.
 * - Hints count where every ready endpoint has one and one of them is for this node (nodes before zones); else they would leave somebody with nothing.
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
