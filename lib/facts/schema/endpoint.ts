import { z } from 'zod';
import { endpointSources } from '#lib/spec/index.ts';
import { evidenceSchema, hostPort } from './parts.ts';

export const endpointSchema = z.object({
  /** The ConfigMap in the namespace where Calico reads it; null: there is none. Empty strings for missing keys. */
  configMap: hostPort.extend({ namespace: z.string() }).nullable(),
  /** ConfigMaps of the same name in other namespaces, which nothing reads. */
  strays: z.array(hostPort.extend({ namespace: z.string() })),
  /** The address in the templates of running workloads, one row for each container. */
  inUse: z.array(
    z.object({ object: z.string(), container: z.string(), host: z.string().nullable(), port: z.string().nullable() }),
  ),
  /** `address:port` of each API server, from EndpointSlice default/kubernetes. */
  apiServers: z.array(z.string()),
  /** ClusterIPs of default/kubernetes. */
  clusterIPs: z.array(z.string()),
  /** ClusterIP and port of the API's Service and of cluster DNS; null: there is none, or it was not read. */
  services: z.object({ api: hostPort.nullable(), dns: hostPort.nullable() }).default({ api: null, dns: null }),
  /**
   * Addresses and names of Services outside of the service CIDR: external IPs, and those that a load balancer has or was asked for. Other ports of such an address
   * are not the Service's. `service`: NAMESPACE/NAME.
   */
  externalAddresses: z
    .array(z.object({ address: z.string(), ports: z.array(z.number()), service: z.string() }))
    .default([]),
  suggested: z
    .object({
      host: z.string(),
      port: z.number(),
      because: z.string(),
      doubts: z.array(z.string()),
    })
    .nullable(),
  /** Source of the suggestion (lib/spec/endpoint-sources.ts) and where it was read. No evidence for a name that the platform always has. */
  suggestedFrom: z
    .object({ source: z.enum(endpointSources.map(({ id }) => id)), evidence: z.array(evidenceSchema) })
    .nullable(),
  /** kube-vip, the addresses that it holds, and whether it reaches the API server of its own machine without a Service; null: it does not run. */
  kubeVip: z.object({ object: z.string(), addresses: z.array(z.string()), usesOwnApiServer: z.boolean() }).nullable(),
});

/** The answers of one address to a connection from the machine that Signalbox runs on. Null: that part was not reached. */
const dialledSchema = z.object({
  connection: z.union([
    z.object({ made: z.literal(true), latencyMs: z.number() }),
    /** `because`: why there is no connection. `notTested`: none was tried. */
    z.object({ made: z.literal(false), because: z.string(), notTested: z.literal(true).exactOptional() }),
  ]),
  /** `names`: subject alternative names. `expiresAt`: RFC 3339. */
  certificate: z
    .union([
      z.object({ verified: z.literal(true), names: z.array(z.string()) }),
      z.object({ verified: z.literal(false), names: z.array(z.string()), because: z.string() }),
    ])
    .and(z.object({ issuer: z.string().nullable(), expiresAt: z.string().nullable() }))
    .nullable(),
  /** Answer of `/readyz?verbose`. `failing`: its failed parts. `refusesStrangers`: an API server answered 401 or 403, as no credentials are sent. */
  ready: z
    .object({
      status: z.number(),
      ok: z.boolean(),
      failing: z.array(z.string()),
      refusesStrangers: z.literal(true).exactOptional(),
    })
    .nullable(),
});

export const endpointProbeSchema = dialledSchema.extend({
  endpoint: z.object({ host: z.string(), port: z.number() }),
  name: z.union([
    z.object({
      resolved: z.literal(true),
      addresses: z.array(z.string()),
      /** `machine`: only this machine knows the name, from a hosts file or mDNS; `undecided`: DNS did not answer. */
      by: z.enum(['address', 'dns', 'machine', 'undecided']),
      records: z.array(z.object({ type: z.enum(['A', 'AAAA']), address: z.string(), ttlSeconds: z.number() })),
      /** Names on the way to the addresses (CNAME), in order. */
      aliases: z.array(z.string()),
    }),
    z.object({ resolved: z.literal(false), because: z.string() }),
  ]),
  /** Time of three connections, in ms; null: there was no connection. */
  latency: z.object({ minMs: z.number(), medianMs: z.number() }).nullable(),
  /** Each API server of EndpointSlice default/kubernetes, tested on its own. */
  servers: z.array(dialledSchema.extend({ address: z.string() })),
  /** Every `address:port` to which a connection was tried. */
  dialled: z.array(z.string()),
  /** Every `address:port` that the cluster names and that was not tried. `because`: a phrase after the address, *is a loopback address: …*. */
  leftAlone: z.array(z.object({ address: z.string(), because: z.string() })),
});
