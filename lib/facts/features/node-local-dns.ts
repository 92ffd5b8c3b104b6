import { asCidr, formatAddress, isInCidr, parseAddress, withoutBrackets } from '#lib/base/ip.ts';
import {
  containersOf,
  dataOf,
  type KubeObject,
  type ObjectMetadata,
  serviceOf,
  type Workload,
  workloadOf,
} from '#lib/kube/index.ts';
import { fields, texts } from '#lib/kube/read/lenient.ts';
import { names } from '#lib/spec/index.ts';
import { defaultFelix, felixReads } from '../calico/felix.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { evidence, idOf } from '../reading/evidence.ts';
import { picked } from '../reading/query.ts';
import { corefiles, daemonSetListing, serviceListing } from '../reading/sources.ts';
import { flagOf, workloadId } from '../reading/workload.ts';
import type { NodeLocalDnsCache, Subject } from '../schema.ts';

/**
 * `node-local-dns` (Kubernetes' own manifest), `nodelocaldns` (kubespray), `rke2-coredns-node-local-dns`; images `k8s-dns-node-cache`, and Rancher's
 * `hardened-dns-node-cache` (rancher/image-build-dns-nodecache).
 */
const nameOfCache = /(?:^|-)node-?local-?dns/i;
const imageOfCache = /dns-node-cache/;

type Cache = { workload: Workload; subject: Subject };

function nodeLocalCache(object: KubeObject | ObjectMetadata): Cache | null {
  const workload = workloadOf(object);
  const { name, namespace } = workload.metadata;
  const image = containersOf(workload).find(({ container }) => imageOfCache.test(container.image))?.container.image;
  if (image === undefined && !nameOfCache.test(name)) return null;
  const detail = image ?? 'named after NodeLocal DNSCache';
  return { workload, subject: { kind: 'DaemonSet', namespace, name, detail } };
}

type DnsService = { id: string; namespace: string; name: string; addresses: string[]; isAnnotated: boolean };

/** Any Service that answers at the port of DNS may be the one whose address a cache takes: `kube-dns`, `coredns`, `rke2-coredns-rke2-coredns`. */
export function isDnsService(object: KubeObject | ObjectMetadata): boolean {
  return serviceOf(object).spec.ports.some(({ port }) => port === 53);
}

function dnsService(object: KubeObject | ObjectMetadata): DnsService | null {
  if (!isDnsService(object)) return null;
  const { metadata, spec } = serviceOf(object);
  return {
    id: idOf(object),
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    addresses: addressesIn([spec.clusterIP, ...spec.clusterIPs]),
    isAnnotated: metadata.annotations[names.natExcludeAnnotation] === 'true',
  };
}

/** A DNS cache on each node, the Services in whose place it answers, and those that it asks (pain E2). */
export const nodeLocalDns = defineCollector({
  id: 'features/node-local-dns',
  provides: ['nodeLocalDns'],
  reads: {
    daemonSets: picked(daemonSetListing, nodeLocalCache),
    services: picked(serviceListing, dnsService),
    ...felixReads,
    ...corefiles,
  },
  collect: ({ daemonSets, services, ...read }, facts) => {
    const found = daemonSets.value.map((cache) => ({
      ...cache,
      listens: listensOf(cache.workload, [read.nodeLocalDns.value, read.kubespray.value]),
    }));
    const excluded = excludedCidrs(defaultFelix(read, facts).value);
    // A cache that listens only on link-local addresses replaces no Service, so the Services need not be known.
    const needsServices = found.some(({ listens }) => listens.binds?.some((one) => !isLinkLocal(one)) ?? true);
    return {
      features: {
        nodeLocalDns: daemonSets.value.map(({ subject }) => subject),
        nodeLocalDnsCaches: found.map(({ workload, listens: { binds, asks, upstream, proof } }) => ({
          object: workloadId(workload),
          binds,
          services: services.value.flatMap((service) => {
            const boundAddresses = service.addresses.filter((one) => binds?.includes(one));
            const bound = boundAddresses.length > 0;
            const isAsked =
              service.addresses.some((one) => asks.includes(one)) ||
              (service.namespace === workload.metadata.namespace && service.name === upstream);
            if (!bound && !isAsked) return [];
            const isInCidrs = bound
              ? boundAddresses.every((one) => isIn(one, excluded))
              : service.addresses.some((one) => isIn(one, excluded));
            const { id: object, addresses, isAnnotated } = service;
            return [{ object, addresses, bound, asked: isAsked, isAnnotated, isInCidrs }];
          }),
          evidence: proof,
        })),
      },
      coverage: {
        nodeLocalDns: found.length === 0 ? allOf(daemonSets) : allOf(daemonSets, ...(needsServices ? [services] : [])),
      },
    };
  },
});

type Listens = {
  binds: string[] | null;
  asks: string[];
  /** The Service that node-cache puts in place of `__PILLAR__CLUSTER__DNS__`; null: none, or unknown. */
  upstream: string | null;
  proof: NodeLocalDnsCache['evidence'];
};

/**
 * `-localip` and `-upstreamsvc` of node-cache, and `bind` and `forward` of the Corefile that it mounts
 * (kubernetes/dns cmd/node-cache/main.go, where `-upstreamsvc` is `kube-dns` unless given; cluster/addons/dns/nodelocaldns/nodelocaldns.yaml; kubespray nodelocaldns-*.yml.j2). Read 2026-11-22.
 */
function listensOf(workload: Workload, configMaps: readonly (KubeObject | null)[]): Listens {
  const { namespace } = workload.metadata;
  const args = containersOf(workload).map(({ container, path }) => {
    // Go's own flags take one dash as well as two.
    const words = [...container.command, ...container.args].map((word) => word.replace(/^-(?=[a-z])/, '--'));
    return { localip: flagOf(words, 'localip'), upstream: flagOf(words, 'upstreamsvc'), path };
  });
  const flagged = args.find(({ localip }) => localip !== null);
  const mounted = workload.spec.template.spec.volumes.map(({ configMap }) => configMap.name);
  const map = configMaps.find(
    (one) => one?.metadata.namespace === namespace && mounted.includes(one?.metadata.name ?? ''),
  );
  const corefile = map ? Object.values(dataOf(map)).join('\n') : null;
  const bound = corefile === null ? [] : wordsAfter(corefile, 'bind');
  const forwarded = corefile === null ? [] : wordsAfter(corefile, 'forward');
  const binds = addressesIn([...(flagged?.localip ?? '').split(','), ...bound]);
  const asksUpstream = corefile === null || forwarded.includes('__PILLAR__CLUSTER__DNS__');
  return {
    binds: binds.length === 0 ? null : binds,
    asks: addressesIn(forwarded),
    // Without a flag and a Corefile it may be another program, whose defaults are unknown.
    upstream: asksUpstream
      ? (args.find(({ upstream }) => upstream !== null)?.upstream ?? (corefile !== null || flagged ? 'kube-dns' : null))
      : null,
    proof: [
      ...(flagged ? [evidence(workloadId(workload), `${flagged.path}.args[-localip]`, flagged.localip)] : []),
      ...(map && bound.length > 0 ? [evidence(map, 'data.Corefile bind', [...new Set(bound)].join(' '))] : []),
    ],
  };
}

/** Arguments of a plugin in a Corefile, from every line that begins with its name. */
function wordsAfter(corefile: string, plugin: string): string[] {
  return corefile.split('\n').flatMap((line) => {
    const [first, ...rest] = line.replace(/#.*/, '').trim().split(/\s+/);
    return first === plugin ? rest : [];
  });
}

/** Addresses among these words, each once and in canonical form; also from `10.0.0.10:53` and `dns://10.0.0.10`. */
function addressesIn(words: readonly string[]): string[] {
  const plain = words.map((word) => word.trim().replace(/^dns:\/\//, ''));
  const parsed = plain.map((word) => parseAddress(word) ?? parseAddress(withoutBrackets(word.replace(/:\d+$/, ''))));
  return [...new Set(parsed.flatMap((address) => (address === null ? [] : [formatAddress(address)])))];
}

function isLinkLocal(address: string): boolean {
  return isIn(address, ['169.254.0.0/16', 'fe80::/10']);
}

const felixSpec = fields({ spec: fields({ bpfExcludeCIDRsFromNAT: texts }) });

function excludedCidrs(felix: KubeObject | null): string[] {
  return felixSpec.parse(felix).spec.bpfExcludeCIDRsFromNAT;
}

function isIn(address: string, cidrs: readonly string[]): boolean {
  return cidrs.some((cidr) => isInCidr(address, asCidr(cidr)));
}
