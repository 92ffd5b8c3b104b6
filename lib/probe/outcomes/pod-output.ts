import type { ProbeLine } from '../line.ts';
import type { NodeReport, ProbedNode } from './report.ts';

export type Said = NodeReport['host'];

export const isLines = (said: Said | undefined): said is readonly ProbeLine[] =>
  said !== undefined && !('because' in said);
export const isSending = (said: Said | undefined) =>
  isLines(said) && said.some(({ probe }) => probe === 'vxlan-sending');
const wasMeasured = (said: Said | undefined) => isLines(said) && said.some(({ probe }) => probe === 'measured');

/** It has reported completely, or will never report. */
export function hasReported(said: Said | undefined): boolean {
  if (said === undefined) return false;
  if (!isLines(said)) return true;
  const last = said.some(({ probe }) => probe === 'vxlan-sending' || probe === 'vxlan-not');
  return wasMeasured(said) && (last || !said.some(({ probe }) => probe === 'mounts'));
}

/** The output of a pod that fell silent is not used, because it is incomplete. */
export function finished(said: Said | undefined): Said | undefined {
  return isLines(said) && !wasMeasured(said) ? undefined : said;
}

/** Whether the log can contain nothing further of interest. */
export function isComplete(way: 'host' | 'pod', said: Said | undefined): boolean {
  return isLines(said) && hasReported(said) && (way === 'pod' || hasArrived(said));
}

export function allArrived(
  { nodes }: { nodes: readonly Pick<ProbedNode, 'name' | 'address'>[] },
  host: ReadonlyMap<string, Said>,
  dsr: boolean,
): boolean {
  const told = nodes.map(({ name, address }) => ({ address, said: host.get(name) }));
  if (!told.every(({ said }) => hasArrived(said))) return false;
  return !dsr || told.every(({ address, said }) => foreignHasArrived(address, said, told));
}

/** Whether the packets of this node with another node's address have arrived, or it cannot send any. */
function foreignHasArrived(
  address: string | null,
  said: Said | undefined,
  told: readonly { address: string | null; said: Said | undefined }[],
): boolean {
  const lines = isLines(said) ? said : [];
  const sending = lines.find((line) => line.probe === 'dsr-sending');
  if (sending === undefined) return !isSending(said) || lines.some(({ probe }) => probe === 'dsr-not');
  const there = told.find((one) => one.address === sending.peer)?.said;
  return isLines(there) && there.some((line) => line.probe === 'dsr' && line.peer === address);
}

function hasArrived(said: Said | undefined): boolean {
  const lines = isLines(said) ? said : [];
  const seen = lines.filter((line) => line.probe === 'vxlan' && line.arrives === 'full').length;
  const answered = lines.filter((line) => line.probe === 'vxlan-answer').length;
  return (
    Math.min(seen, answered) >= lines.reduce((sum, line) => (line.probe === 'vxlan-sending' ? line.tunnels : sum), 0)
  );
}

export function bootsOf(reports: readonly NodeReport[]): Record<string, string> {
  return Object.fromEntries(
    reports.flatMap(({ node, host }) =>
      isLines(host) ? host.flatMap((line) => (line.probe === 'node' ? [[node, line.boot] as const] : [])) : [],
    ),
  );
}
