import { z } from 'zod';

/** One line of a container's log: `at` in milliseconds since the epoch, as the container runtime recorded it. */
const logLineSchema = z.object({ at: z.number(), line: z.string() });
export type LogLine = z.infer<typeof logLineSchema>;

/**
 * The state of nodes that no API object shows: kernel state, processes, logs. Persistent sandboxes store it with their objects, so that a node is
 * found as it was left.
 */
export interface NodeMemory {
  get(key: string): unknown;
  set(key: string, value: object): void;
  lines(podUid: string): readonly LogLine[];
  append(podUid: string, lines: readonly LogLine[]): void;
}

export function memoryOnly(): NodeMemory {
  const values = new Map<string, object>();
  const logs = new Map<string, LogLine[]>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.set(key, value);
    },
    lines: (podUid) => logs.get(podUid) ?? [],
    append: (podUid, lines) => {
      logs.set(podUid, [...(logs.get(podUid) ?? []), ...lines]);
    },
  };
}

const kernelSchema = z.object({
  /** Rules of the service proxy are in the kernel. They outlive its pods. */
  proxyRules: z.boolean(),
  /** IPVS virtual servers and kube-ipvs0, which only a clean-up or a reboot removes. */
  ipvs: z.boolean(),
  /** Felix has attached its programs and filled its maps. */
  bpf: z.boolean(),
});
export type KernelState = z.infer<typeof kernelSchema>;

export function kernelOf(memory: NodeMemory, node: string): KernelState | null {
  const found = kernelSchema.safeParse(memory.get(`kernel/${node}`));
  return found.success ? found.data : null;
}

export function setKernel(memory: NodeMemory, node: string, change: Partial<KernelState>): void {
  const before = kernelOf(memory, node) ?? { proxyRules: false, ipvs: false, bpf: false };
  memory.set(`kernel/${node}`, { ...before, ...change });
}

const felixSchema = z.object({
  containerID: z.string(),
  /** Canonical JSON of the configuration with which this process started. */
  config: z.string(),
  mode: z.enum(['BPF', 'Nftables', 'Iptables']),
  /** Removes the service proxy's rules for as long as it runs. */
  cleans: z.boolean(),
  starts: z.number(),
  running: z.boolean(),
});
export type FelixProcess = z.infer<typeof felixSchema>;

export function felixOf(memory: NodeMemory, podUid: string): FelixProcess | null {
  const found = felixSchema.safeParse(memory.get(`felix/${podUid}`));
  return found.success ? found.data : null;
}

export function setFelix(memory: NodeMemory, podUid: string, process: FelixProcess): void {
  memory.set(`felix/${podUid}`, process);
}

const proxySchema = z.object({
  mode: z.string(),
  /** The time of its first rules, in ms since the epoch; null: none yet. */
  syncedAt: z.number().nullable().default(null),
});
export type ProxyProcess = z.infer<typeof proxySchema>;

export function proxyOf(memory: NodeMemory, podUid: string): ProxyProcess | null {
  const found = proxySchema.safeParse(memory.get(`proxy/${podUid}`));
  return found.success ? found.data : null;
}

export function setProxy(memory: NodeMemory, podUid: string, process: ProxyProcess): void {
  memory.set(`proxy/${podUid}`, process);
}
