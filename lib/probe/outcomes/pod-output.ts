import type { ProbeLine } from '../line.ts';
import type { NodeReport, ProbedNode } from './report.ts';

export type PodOutput = NodeReport['host'];

/** Whether a pod has printed a log, and not a reason why it has none. */
export const isLines = (output: PodOutput | undefined): output is readonly ProbeLine[] =>
  output !== undefined && !('because' in output);
/** Whether the node has begun to send VXLAN packets to its partners. */
export const isSending = (output: PodOutput | undefined) =>
  isLines(output) && output.some(({ probe }) => probe === 'vxlan-sending');
const wasMeasured = (output: PodOutput | undefined) =>
  isLines(output) && output.some(({ probe }) => probe === 'measured');

/** Whether the pod has reported completely, or will never report. */
export function hasReported(output: PodOutput | undefined): boolean {
  if (output === undefined) return false;
  if (!isLines(output)) return true;
  const last = output.some(({ probe }) => probe === 'vxlan-sending' || probe === 'vxlan-not');
  return wasMeasured(output) && (last || !output.some(({ probe }) => probe === 'mounts'));
}

/** The output of a pod that fell silent is not used, because it is incomplete. */
export function completeOutput(output: PodOutput | undefined): PodOutput | undefined {
  return isLines(output) && !wasMeasured(output) ? undefined : output;
}

/** Whether the log can contain nothing further of interest. */
export function isComplete(way: 'host' | 'pod', output: PodOutput | undefined): boolean {
  return isLines(output) && hasReported(output) && (way === 'pod' || hasArrived(output));
}

/**
 * Whether the output of every node shows all packets that it can receive, so that no node needs more time. `dsr`: also packets with another node's
 * address.
 */
export function allArrived(
  { nodes }: { nodes: readonly Pick<ProbedNode, 'name' | 'address'>[] },
  host: ReadonlyMap<string, PodOutput>,
  dsr: boolean,
): boolean {
  const outputs = nodes.map(({ name, address }) => ({ address, output: host.get(name) }));
  if (!outputs.every(({ output }) => hasArrived(output))) return false;
  return !dsr || outputs.every(({ address, output }) => foreignHasArrived(address, output, outputs));
}

/** Whether the packets of this node with another node's address have arrived, or it cannot send any. */
function foreignHasArrived(
  address: string | null,
  output: PodOutput | undefined,
  outputs: readonly { address: string | null; output: PodOutput | undefined }[],
): boolean {
  const lines = isLines(output) ? output : [];
  const sending = lines.find((line) => line.probe === 'dsr-sending');
  if (sending === undefined) return !isSending(output) || lines.some(({ probe }) => probe === 'dsr-not');
  const there = outputs.find((one) => one.address === sending.peer)?.output;
  return isLines(there) && there.some((line) => line.probe === 'dsr' && line.peer === address);
}

function hasArrived(output: PodOutput | undefined): boolean {
  const lines = isLines(output) ? output : [];
  const seen = lines.filter((line) => line.probe === 'vxlan' && line.arrives === 'full').length;
  const answered = lines.filter((line) => line.probe === 'vxlan-answer').length;
  return (
    Math.min(seen, answered) >= lines.reduce((sum, line) => (line.probe === 'vxlan-sending' ? line.tunnels : sum), 0)
  );
}

/** The boot id of each node that has reported one, by name. */
export function bootsOf(reports: readonly NodeReport[]): Record<string, string> {
  return Object.fromEntries(
    reports.flatMap(({ node, host }) =>
      isLines(host) ? host.flatMap((line) => (line.probe === 'node' ? [[node, line.boot] as const] : [])) : [],
    ),
  );
}
