import { z } from 'zod';
import { bpfFeatures } from '#lib/spec/index.ts';

const words = z.string().max(400);
const name = z.string().max(64);
const version = z.literal(1);

const dialled = { v: version, host: words, port: name };
const answered = { ok: z.literal(true), ms: z.number() };
const silent = { ok: z.literal(false), because: words };
export const testedServices = ['service-api', 'service-dns-udp', 'service-dns-tcp'] as const;
const fileSystem = { known: z.boolean(), mounted: z.boolean() };

/** A link with its addresses, from `ip -j -d addr show`. */
const linkSchema = z.object({
  ifname: name,
  mtu: z.number(),
  /** The link below it. */
  link: name.optional(),
  master: name.optional(),
  linkinfo: z.object({ info_kind: name.optional(), info_slave_kind: name.optional() }).optional(),
  addr_info: z.array(z.object({ local: name.optional() })).default([]),
});
export type ProbedLink = z.infer<typeof linkSchema>;

const isNeeded = new Set(bpfFeatures.map(({ feature }) => feature));
const needed = (features: readonly string[]) => features.filter((feature) => isNeeded.has(feature));

/** One line of the probe's log (probe.sh), as read. measurements.ts decides what it means. */
const lineSchema = z.discriminatedUnion('probe', [
  z.object({ v: version, probe: z.literal('node'), boot: name, kernel: words }),
  z.discriminatedUnion('ok', [
    z.object({ ...dialled, probe: z.literal('endpoint'), ...answered }),
    z.object({ ...dialled, probe: z.literal('endpoint'), ...silent }),
  ]),
  /** One of several addresses that the endpoint's name has on the node. */
  z.discriminatedUnion('ok', [
    z.object({ ...dialled, probe: z.literal('endpoint-address'), ...answered }),
    z.object({ ...dialled, probe: z.literal('endpoint-address'), ...silent }),
  ]),
  /**
   * A Service that every pod tests at its ClusterIP: the API by a connection, DNS by a query over UDP and over TCP. `answer`: DNS' response code in
   * words, NOERROR or NXDOMAIN; left out for the API, or if the shell could not read it.
   */
  z.discriminatedUnion('ok', [
    z.object({ ...dialled, probe: z.enum(testedServices), ...answered, answer: name.optional() }),
    z.object({ ...dialled, probe: z.enum(testedServices), ...silent }),
  ]),
  /** One of the API servers behind the API's Service. */
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
  /** `driver`: that of its hardware; empty if it has none. */
  z.object({ v: version, probe: z.literal('link'), driver: name.optional(), data: z.array(linkSchema).max(1) }),
  /** The number of links that were not printed. */
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
    /**
     * `none`, `integrity` or `confidentiality`; null: the kernel has no lockdown, or does not say. It prevents no release (lib/spec gates) and is
     * only for people.
     */
    lockdown: name.nullish(),
    /** Kibibytes that programs may use. */
    memoryKb: z.number().nullish(),
    /** Only the entries that a release needs: the whole list, for thousands of nodes, would take too much memory. */
    available: z.array(name).max(200).transform(needed),
    missing: z.array(name).max(200).transform(needed),
    /** The exit code of bpftool. */
    exit: z.number(),
  }),
  z.object({
    v: version,
    probe: z.literal('proxy'),
    /** Processes of kube-proxy. `group`: the cgroup; `mode`: from its flags or file, empty if they do not say. */
    processes: z.array(z.object({ group: words, mode: name })).max(8),
    /** Names of processes that may contain kube-proxy. */
    embedding: z.array(name).max(8).optional(),
    /** Whether there are rules of kube-proxy in iptables. */
    rules: z.boolean(),
    /** The mode that a running kube-proxy reports, whatever process contains it; null: none reports one. */
    mode: z.enum(['iptables', 'ipvs', 'nftables']).nullish(),
    /** Whether the device of IPVS exists. */
    ipvs: z.boolean(),
    /** The number of addresses that IPVS serves, for anybody. */
    ipvsServices: z.number().optional(),
    /** The name of the process that listens on 10256, empty if it is hidden; null: none listens. */
    healthPort: name.nullable(),
  }),
  /** Everything except VXLAN was measured. */
  z.object({ v: version, probe: z.literal('measured') }),
  z.object({ v: version, probe: z.literal('vxlan-sending'), tunnels: z.number() }),
  /** How often it has sent to every peer so far, reported every ten times. */
  z.object({ v: version, probe: z.literal('vxlan-rounds'), rounds: z.number() }),
  /** With `peer`: only to this one. `lacks`: what is wrong with the node itself; absent: only the test was impossible. */
  z.object({
    v: version,
    probe: z.literal('vxlan-not'),
    peer: name.optional(),
    lacks: z.literal('route').optional(),
    because: words,
  }),
  /**
   * The peer's network stack answered. `software`: only to datagrams whose checksums the node's kernel computed, never to those left to its network
   * card.
   */
  z.object({ v: version, probe: z.literal('vxlan-answer'), peer: name, sums: z.enum(['offloaded', 'software']) }),
  /** The node sends to this peer with the address of another node (`as`), as the answers of a node do with DSR; or it cannot. */
  z.object({ v: version, probe: z.literal('dsr-sending'), peer: name, as: name }),
  z.object({ v: version, probe: z.literal('dsr-not'), because: words }),
  /** The node would count what these peers send with another node's address. */
  z.object({ v: version, probe: z.literal('dsr-listening'), peers: z.array(name).max(200) }),
  /** A packet that the peer sent with another node's address has arrived. */
  z.object({ v: version, probe: z.literal('dsr'), peer: name }),
  /** The largest of the peer's frames that has arrived. */
  z.object({ v: version, probe: z.literal('vxlan'), peer: name, arrives: z.enum(['small', 'full']) }),
]);
export type ProbeLine = z.infer<typeof lineSchema>;

/** A node has some thirty lines, and two for each other node; further lines do not come from the script. */
const mostLines = 5_000;

/** The script's longest line has a link with its addresses, or all features. */
const longestLine = 100_000;

/** Parses a log. Others may write to it, so lines that are not the script's are skipped. */
export function parseLines(log: string): ProbeLine[] {
  return parsedLines(log, lineSchema);
}

/** The lines of a log that have this shape. Too long lines, and more lines than a script writes, are not read. */
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
