import { counted } from '#lib/base/words.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { names, serviceMaps } from '#lib/spec/index.ts';
import type { AgentPod, MapsSeen } from './observation.ts';

/** Services in the agent's eBPF maps, by its own dump of them (operations.md › Proof of a node, evidence 3). Rejects where the call was aborted. */
export async function readMaps(
  kube: Kube,
  { namespace, name }: Pick<AgentPod, 'namespace' | 'name'>,
  signal: AbortSignal,
): Promise<MapsSeen> {
  const command = [...serviceMaps.command];
  const entry = new RegExp(serviceMaps.entry);
  try {
    const container = names.nodeContainer;
    const result = await kube.exec({ namespace, name, container }, command, { signal, timeoutMs: 15_000 });
    const entries = result.stdout.split('\n').filter((line) => entry.test(line)).length;
    if (result.exitCode !== 0 || entries === 0)
      return { kind: 'none', because: `\`${command.join(' ')}\` shows no Service` };
    return {
      kind: 'entries',
      evidence: {
        object: `${namespace}/Pod/${name}`,
        path: `exec ${command.join(' ')}`,
        value: counted(entries, 'entry', 'entries'),
      },
    };
  } catch (error) {
    if (!isKubeError(error) || isKubeError(error, 'aborted')) throw error;
    return { kind: 'none', because: `exec in its agent is not possible: ${error.message}` };
  }
}
