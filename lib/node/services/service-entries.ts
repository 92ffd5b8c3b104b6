import { type Family, formatAddress, hostAndPort, parseCidr } from '#lib/base/ip.ts';
import { highestPort, isPort } from '#lib/base/network/ports.ts';
import type { serviceOf } from '#lib/kube/index.ts';
import { type Endpoint, endpointsOfPort, type TrimmedSlice } from './endpoints.ts';
import {
  type Backend,
  type ClientRange,
  type Front,
  type FrontFlag,
  type PortEntries,
  type Protocol,
  protocols,
  type ServiceEntries,
  type ServiceProblem,
} from './entries.ts';
import { anyAddress, familyOf, type MapAddress, readUsableAddress } from './map-address.ts';
import type { NodeView } from './node-view.ts';
import { pickBackends } from './pick-backends.ts';
import { rangeKey } from './present.ts';

export type ReadService = ReturnType<typeof serviceOf>;

/** kubernetes pkg/apis/core › ClientIPConfig: the default and the maximum. */
const affinityDefaultS = 10_800;
const affinityLongestS = 86_400;

/** `cluster_backends` and `local_backends` count in 16 bits (bpf/service.h). */
const mostBackends = 65_535;

/**
 * What the maps must contain for one Service, from it and its slices. Never throws: both are parsed, and unusable parts are skipped and reported as
 * problems. The rules are kube-proxy's (kubernetes pkg/proxy/serviceport.go, topology.go), because workloads were written for them.
 */
export function serviceEntries(service: ReadService, slices: readonly TrimmedSlice[], view: NodeView): ServiceEntries {
  const problems: ServiceProblem[] = [];
  const nothing: ServiceEntries = { ports: [], problems, healthCheck: null };
  if (!isServed(service)) return nothing;
  const { spec } = service;
  const addresses = usable(spec.clusterIPs.length > 0 ? spec.clusterIPs : [spec.clusterIP], 'its address', problems);
  const external = externalAddresses(service, problems);
  const ranges = readRanges(spec.loadBalancerSourceRanges, problems);
  const ports: PortEntries[] = [];
  const localReady = new Set<MapAddress>();
  const seen = new Set<string>();
  for (const port of spec.ports) {
    const protocol = protocolOf(port, problems);
    if (protocol === null) continue;
    if (!isPort(port.port)) {
      problems.push({ code: 'port', text: `Port ${JSON.stringify(port.name)} is not between 1 and ${highestPort}.` });
      continue;
    }
    // The API server refuses such a Service. If one arrives nevertheless, the first of two indistinguishable ports counts.
    const identity = `${port.name}/${protocol}`;
    if (seen.has(identity)) {
      problems.push({ code: 'port', text: `Two ports of ${protocol} have the name ${JSON.stringify(port.name)}.` });
      continue;
    }
    seen.add(identity);
    for (const address of addresses) {
      const family = familyOf(address);
      const endpoints = endpointsOfPort(slices, { name: port.name, protocol, family });
      const picked = pickBackends(endpoints, view);
      // A backend in both lists is one object, to save memory.
      const made = new Map<Endpoint, Backend>();
      const backendOf = (one: Endpoint): Backend => {
        const known = made.get(one);
        if (known) return known;
        const { address, port, nodeName } = one;
        const { node, isLocal, isHost } = view.whereIs(nodeName, address, family);
        const backend = { address, port, node, isLocal, isHost };
        made.set(one, backend);
        return backend;
      };
      // Counted in one family only: a pod with an address in each must not count twice.
      if (address === addresses[0]) for (const one of picked.localReady) localReady.add(one.address);
      const affinityS = affinityOf(service);
      const common: readonly FrontFlag[] = affinityS > 0 ? ['affinity'] : [];
      const fronts: Front[] = [];
      const add = (kind: Front['kind'], where: MapAddress, number: number, flags: readonly FrontFlag[]) =>
        fronts.push({ kind, address: where, port: number, protocol, flags: [...flags, ...common] });
      add('ClusterIP', address, port.port, insideFlags(service));
      const outside = outsideFlags(service);
      if (spec.type !== 'ClusterIP' && isPort(port.nodePort))
        add('NodePort', anyAddress[family], port.nodePort, [...outside, 'node-port']);
      for (const one of external)
        if (familyOf(one.address) === family)
          add(one.kind, one.address, port.port, [
            ...outside,
            ...(one.kind === 'LoadBalancer' && ranges.limits(family) ? (['source-ranges'] as const) : []),
          ]);
      ports.push({
        key: `${service.metadata.namespace}/${service.metadata.name}:${identity}/${family}`,
        affinityS,
        lists: { cluster: bounded(picked.cluster.map(backendOf)), local: bounded(picked.local.map(backendOf)) },
        fronts: exact(fronts),
        // No other front asks for them.
        ranges: fronts.some(({ flags }) => flags.includes('source-ranges')) ? ranges.of(family) : [],
      });
    }
  }
  return { ports: exact(ports), problems, healthCheck: healthCheckOf(service, localReady.size) };
}

/** A copy has no spare capacity: an array that grew has room for 17 elements, and tens of thousands are held. */
const exact = <One>(list: readonly One[]): readonly One[] => list.slice();

/** A Service with one of these labels is not served here, whatever the label's value. */
export const labelsOfOthers = ['service.kubernetes.io/service-proxy-name', 'service.kubernetes.io/headless'] as const;

/** Not served: Services of another proxy, ExternalName, and headless ones (KEP-2447; kubernetes pkg/proxy/util, ShouldSkipService). */
function isServed({ metadata, spec }: ReadService): boolean {
  if (labelsOfOthers.some((name) => name in metadata.labels)) return false;
  return spec.type !== 'ExternalName' && spec.clusterIP !== '' && spec.clusterIP !== 'None';
}

function protocolOf(
  { name, protocol }: ReadService['spec']['ports'][number],
  problems: ServiceProblem[],
): Protocol | null {
  const given = protocol || 'TCP';
  const known = protocols.find((one) => one === given);
  if (known) return known;
  problems.push(
    given === 'SCTP'
      ? { code: 'sctp', text: `Port ${JSON.stringify(name)} is SCTP, which the eBPF data plane does not translate.` }
      : { code: 'protocol', text: `Port ${JSON.stringify(name)} is not TCP, UDP or SCTP.` },
  );
  return null;
}

/** All clients of the ClusterIP, also those outside, follow the internal traffic policy. */
function insideFlags({ spec }: ReadService): readonly FrontFlag[] {
  return spec.internalTrafficPolicy === 'Local' ? ['inside-local', 'outside-local'] : [];
}

/** Clients inside reach an external address's backends in the whole cluster: they have no source address that must be preserved (KEP-3458). */
function outsideFlags({ spec }: ReadService): readonly FrontFlag[] {
  return spec.externalTrafficPolicy === 'Local' ? ['outside-local'] : [];
}

function affinityOf({ spec }: ReadService): number {
  if (spec.sessionAffinity !== 'ClientIP') return 0;
  const timeoutS = spec.sessionAffinityConfig.clientIP.timeoutSeconds;
  return timeoutS !== null && timeoutS >= 1 && timeoutS <= affinityLongestS ? Math.floor(timeoutS) : affinityDefaultS;
}

type ExternalAddress = { kind: 'LoadBalancer' | 'ExternalIP'; address: MapAddress };

/** An ingress with `ipMode: Proxy` is left to the load balancer, also for clients in the cluster (KEP-1860). */
function externalAddresses({ spec, status }: ReadService, problems: ServiceProblem[]): ExternalAddress[] {
  const ofBalancer =
    spec.type === 'LoadBalancer'
      ? status.loadBalancer.ingress.filter(({ ip, ipMode }) => ip !== '' && ipMode !== 'Proxy').map(({ ip }) => ip)
      : [];
  return [
    ...usable(ofBalancer, 'the address of its load balancer', problems).map((address) => ({
      kind: 'LoadBalancer' as const,
      address,
    })),
    ...usable(spec.externalIPs, 'its external address', problems).map((address) => ({
      kind: 'ExternalIP' as const,
      address,
    })),
  ];
}

function usable(texts: readonly string[], what: string, problems: ServiceProblem[]) {
  return texts.flatMap((text) => {
    const read = readUsableAddress(text);
    if (read === null)
      problems.push({
        code: 'address',
        text: `${JSON.stringify(text)}, ${what}, is not an address that a Service can have.`,
      });
    return read === null ? [] : [read];
  });
}

/**
 * The client ranges of the load balancer's addresses. A family without a range is open, as with kube-proxy. If no range can be parsed, all clients
 * are refused, because the owner wanted a restriction.
 */
function readRanges(texts: readonly string[], problems: ServiceProblem[]) {
  const known: { family: Family; range: ClientRange }[] = [];
  for (const text of texts) {
    const cidr = parseCidr(text.trim());
    if (cidr === null) {
      problems.push({
        code: 'range',
        text: `${JSON.stringify(text)} in loadBalancerSourceRanges is not a range such as 10.0.0.0/8.`,
      });
      continue;
    }
    known.push({
      family: cidr.family,
      range: {
        address: formatAddress({ family: cidr.family, value: cidr.first }),
        bits: cidr.prefix + (cidr.family === 4 ? 96 : 0),
      },
    });
  }
  const of = (family: Family) => [
    ...new Map(known.flatMap((one) => (one.family === family ? [[rangeKey(one.range), one.range]] : []))).values(),
  ];
  return { of, limits: (family: Family) => texts.length > 0 && (known.length === 0 || of(family).length > 0) };
}

/** Backends of this node come first, which makes a dump of the maps easier to read; the data plane does not depend on it. */
function bounded(backends: Backend[]): readonly Backend[] {
  const local = backends.filter((one) => one.isLocal);
  const all =
    local.length === 0 || local.length === backends.length
      ? backends
      : [...local, ...backends.filter((one) => !one.isLocal)];
  return all.length > mostBackends ? all.slice(0, mostBackends) : all;
}

/** Load balancers probe only Services with this policy, under which only some nodes answer (kubernetes pkg/apis/core, NeedsHealthCheck). */
function healthCheckOf({ spec }: ReadService, localReady: number): ServiceEntries['healthCheck'] {
  const { type, externalTrafficPolicy, healthCheckNodePort: port } = spec;
  if (type !== 'LoadBalancer' || externalTrafficPolicy !== 'Local' || !isPort(port)) return null;
  return { port, localReady };
}

/** A front for people: `10.96.0.7:80/TCP`. */
export function frontText({ address, port, protocol }: Pick<Front, 'address' | 'port' | 'protocol'>): string {
  return `${hostAndPort({ host: address, port })}/${protocol}`;
}
