import { z } from 'zod';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { names, programsCommand } from '#lib/spec/index.ts';
import type { FelixOnNode } from './felix-on-node.ts';
import type { AgentPod, ProgramsSeen } from './observation.ts';

const text = z.string().catch('');
const attachment = z.object({ devname: text, name: text, id: z.number().optional(), prog_id: z.number().optional() });
const netSchema = z.array(z.object({ xdp: z.array(attachment).catch([]), tc: z.array(attachment).catch([]) }));
const programSchema = z.array(z.object({ id: z.number(), name: text }));
const cgroupSchema = z.array(z.object({ name: text }));

/**
 * Which of Calico's eBPF programs the kernel of a node has attached, by bpftool in its agent (operations.md › Proof of a node, evidence 3). What an agent
 * prints may be wrong; this is what the kernel says. Rejects where the call was aborted.
 */
export async function readPrograms(
  kube: Pick<Kube, 'exec'>,
  { namespace, name }: Pick<AgentPod, 'namespace' | 'name'>,
  { cgroupFolder, podInterfaces }: Pick<FelixOnNode, 'cgroupFolder' | 'podInterfaces'>,
  signal: AbortSignal,
): Promise<ProgramsSeen> {
  try {
    const container = names.nodeContainer;
    const command = [...programsCommand, cgroupFolder];
    const result = await kube.exec({ namespace, name, container }, command, { signal, timeoutMs: 15_000 });
    const seen = result.exitCode === 0 ? programsIn(result.stdout, podInterfaces) : null;
    if (seen === null) return { kind: 'unreadable' };
    const { devices, onCgroup, services } = seen;
    const inMaps = services === null ? '' : `; ${services ? 'Services' : 'no Service'} in its maps`;
    const value = `${devices.length === 0 ? 'none on interfaces' : devices.join(', ')}; ${onCgroup} on the cgroup${inMaps}`;
    return { kind: 'read', ...seen, evidence: { object: `${namespace}/Pod/${name}`, path: 'exec bpftool', value } };
  } catch (error) {
    if (!isKubeError(error) || isKubeError(error, 'aborted')) throw error;
    return { kind: 'unreadable' };
  }
}

/** Programs of Calico are named so, in the first 15 characters that the kernel keeps: `cali_tc_preamble`, `calico_connect_v4` (felix/bpf-gpl). */
const isCalicos = (name: string) => /(^|\[)cali/.test(name);
/** Those that it attaches to a cgroup, to balance where programs connect. */
const isForCgroup = (name: string) => /^calico_(connect|sendmsg|recvmsg)/.test(name);

/**
 * The node's own interfaces with a program of Calico, in their order, and how many programs the cgroup has. Those of pods come and go with them. Null: this
 * is no whole output of the command. That no program at all is loaded is not believed: on cgroup2 each container has one that guards its devices.
 */
function programsIn(
  stdout: string,
  podInterfaces: readonly string[],
): { devices: string[]; onCgroup: number; services: boolean | null } | null {
  const [net, programs, cgroup, filled] = stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parsedJson);
  const [attached, loaded, onCgroup] = [
    netSchema.safeParse(net),
    programSchema.safeParse(programs),
    cgroupSchema.safeParse(cgroup),
  ];
  if (!attached.success || !loaded.success || !onCgroup.success || loaded.data.length === 0) return null;
  const nameOf = new Map(loaded.data.map(({ id, name }) => [id, name]));
  const devices = attached.data
    .flatMap(({ xdp, tc }) => [...xdp, ...tc])
    .filter(({ name, id, prog_id }) => isCalicos(name) || isCalicos(nameOf.get(id ?? prog_id ?? -1) ?? ''))
    .map(({ devname }) => devname)
    .filter((device) => !podInterfaces.some((prefix) => device.startsWith(prefix)));
  const hooks = onCgroup.data.filter(({ name }) => isCalicos(name)).length;
  // The programs are attached to a cgroup folder other than the one that was listed.
  if (hooks === 0 && loaded.data.some(({ name }) => isForCgroup(name))) return null;
  return { devices: [...new Set(devices)], onCgroup: hooks, services: typeof filled === 'boolean' ? filled : null };
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
