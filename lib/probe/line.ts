import { z } from 'zod';
import { bpfFeatures } from '#lib/spec/index.ts';

const words = z.string().max(400);
const name = z.string().max(64);
const version = z.literal(1);

const dialled = { v: version, host: words, port: name };
const answered = { ok: z.literal(true), ms: z.number() };
const silent = { ok: z.literal(false), because: words };
export const askedServices = ['service-api', 'service-dns-udp', 'service-dns-tcp'] as const;
const fileSystem = { known: z.boolean(), mounted: z.boolean() };

/** Of `ip -j -d addr show`: a link with its addresses. */
const linkSchema = z.object({
  ifname: name,
  mtu: z.number(),
  /** The one below it. */
  link: name.optional(),
  master: name.optional(),
  linkinfo: z.object({ info_kind: name.optional(), info_slave_kind: name.optional() }).optional(),
  addr_info: z.array(z.object({ local: name.optional() })).default([]),
});
export type ProbedLink = z.infer<typeof linkSchema>;

const isNeeded = new Set(bpfFeatures.map(({ feature }) => feature));
const needed = (features: readonly string[]) => features.filter((feature) => isNeeded.has(feature));

/** One line of the probe's log (probe.sh): what it read, as it stands there. What it means is decided in measurements.ts. */
const lineSchema = z.discriminatedUnion('probe', [
  z.object({ v: version, probe: z.literal('node'), boot: name, kernel: words }),
  z.discriminatedUnion('ok', [
    z.object({ ...dialled, probe: z.literal('endpoint'), ...answered }),
    z.object({ ...dialled, probe: z.literal('endpoint'), ...silent }),
  ]),
  /** One of several addresses that the endpoint's name has there. */
  z.discriminatedUnion('ok', [
    z.object({ ...dialled, probe: z.literal('endpoint-address'), ...answered }),
    z.object({ ...dialled, probe: z.literal('endpoint-address'), ...silent }),
  ]),
  /**
   * A Service that every pod asks, at its ClusterIP: the API by a connection, DNS by a question over UDP and over TCP. `answer`: the code of DNS in words,
   * NOERROR or NXDOMAIN; left out: not asked for, or its shell could not read it.
   */
  z.discriminatedUnion('ok', [
    z.object({ ...dialled, probe: z.enum(askedServices), ...answered, answer: name.optional() }),
    z.object({ ...dialled, probe: z.enum(askedServices), ...silent }),
  ]),
  /** One of those behind the Service of the API. */
  z.discriminatedUnion('ok', [
    z.object({ ...dialled, probe: z.literal('api-server'), ...answered }),
    z.object({ ...dialled, probe: z.literal('api-server'), ...silent }),
  ]),
  z.object({
    v: version,
    probe: z.literal('mounts'),
    bpffs: z.object(fileSystem),
    cgroup: z.object({ ...fileSystem, writable: z.boolean(), path: words }),
    flexvolume: z.object({ writable: z.boolean(), path: words }).nullish(),
  }),
  /** `driver`: of its hardware; empty where it has none. */
  z.object({ v: version, probe: z.literal('link'), driver: name.optional(), data: z.array(linkSchema).max(1) }),
  /** So many were not told. */
  z.object({ v: version, probe: z.literal('links-left'), count: z.number() }),
  z.object({
    v: version,
    probe: z.literal('routes'),
    data: z.array(z.object({ dev: name.optional() })).max(100),
  }),
  z.object({
    v: version,
    probe: z.literal('features'),
    jit: z.number().nullable(),
    btf: z.boolean(),
    /** `none`, `integrity` or `confidentiality`; null: the kernel has none, or does not say. It hinders no release (lib/spec gates), and is told for people. */
    lockdown: name.nullish(),
    /** Kibibytes that programs could have. */
    memoryKb: z.number().nullish(),
    /** Of all that bpftool lists what a release needs: the rest of thousands of nodes is not kept. */
    available: z.array(name).max(200).transform(needed),
    missing: z.array(name).max(200).transform(needed),
    /** Of bpftool. */
    exit: z.number(),
  }),
  z.object({
    v: version,
    probe: z.literal('proxy'),
    /** Of kube-proxy. `group`: its cgroup; `mode`: as its flags or its file say, empty where they do not. */
    processes: z.array(z.object({ group: words, mode: name })).max(8),
    /** Names of processes that may have it in them. */
    embedding: z.array(name).max(8).optional(),
    /** Of iptables. */
    rules: z.boolean(),
    /** In which kube-proxy says that it runs, whatever process it is part of; null: nothing says it. */
    mode: z.enum(['iptables', 'ipvs', 'nftables']).nullish(),
    /** Whether IPVS' device is there. */
    ipvs: z.boolean(),
    /** Addresses that IPVS serves, for whomever. */
    ipvsServices: z.number().optional(),
    /** Name of the process that listens at 10256, empty where that is hidden; null: none does. */
    healthPort: name.nullable(),
  }),
  /** All but VXLAN was measured. */
  z.object({ v: version, probe: z.literal('measured') }),
  z.object({ v: version, probe: z.literal('vxlan-sending'), tunnels: z.number() }),
  /** With `peer`: to that one alone. `lacks`: what is wrong with the node itself; absent: only the test could not be made. */
  z.object({
    v: version,
    probe: z.literal('vxlan-not'),
    peer: name.optional(),
    lacks: z.literal('route').optional(),
    because: words,
  }),
  /** The peer's network stack answered; `software`: only to datagrams whose sums the node's kernel computed, and never to those left to its network card. */
  z.object({ v: version, probe: z.literal('vxlan-answer'), peer: name, sums: z.enum(['offloaded', 'software']) }),
  /** It sends to this peer with the address of another node (`as`), as the answers of a node do with DSR; or cannot. */
  z.object({ v: version, probe: z.literal('dsr-sending'), peer: name, as: name }),
  z.object({ v: version, probe: z.literal('dsr-not'), because: words }),
  /** Of these it would count what they send with the address of another node. */
  z.object({ v: version, probe: z.literal('dsr-listening'), peers: z.array(name).max(200) }),
  /** What the peer sent with the address of another node has arrived. */
  z.object({ v: version, probe: z.literal('dsr'), peer: name }),
  /** The largest of the peer's frames that has arrived. */
  z.object({ v: version, probe: z.literal('vxlan'), peer: name, arrives: z.enum(['small', 'full']) }),
]);
export type ProbeLine = z.infer<typeof lineSchema>;

/** A node has some thirty lines, and two for each other node; what is more was not written by the script. */
const mostLines = 5_000;

/** The script's longest line tells a link with its addresses, or every feature. */
const longestLine = 100_000;

/** What a log says. Whoever can write to it is no node: a line that is none of the script's is passed over. */
export function parseLines(log: string): ProbeLine[] {
  return parsedLines(log, lineSchema);
}

/** The lines of a log that are of this shape; of hostile ones nothing is read that is too long, and no more than a script writes. */
export function parsedLines<T>(log: string, shape: z.ZodType<T>): T[] {
  return log
    .split('\n', mostLines)
    .filter((line) => line.startsWith('{"v":') && line.length <= longestLine)
    .flatMap((line) => {
      const parsed = shape.safeParse(parsedJson(line));
      return parsed.success ? [parsed.data] : [];
    });
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
