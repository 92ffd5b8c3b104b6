import type { TestOutcome } from '#lib/kube/index.ts';
import type { ProbeLine } from '../line.ts';
import {
  allOf,
  failed,
  lineOf,
  linesOf,
  type NodeReport,
  notRun,
  type ProbedNode,
  passed,
  type Question,
} from './report.ts';

/** The node that sends with another node's address names the receiver, whose output says whether it arrived. */
export function foreignSource(
  { nodes }: Question,
  reports: ReadonlyMap<string, NodeReport>,
  node: ProbedNode,
  lines: readonly ProbeLine[],
): TestOutcome {
  const sending = lineOf(lines, 'dsr-sending');
  if (sending === undefined) return notRun(lineOf(lines, 'dsr-not')?.because ?? 'it sent none');
  const peer = nodes.find(({ address }) => address === sending.peer);
  const ofPeer = linesOf(reports.get(peer?.name ?? '')?.host ?? []);
  if (peer === undefined || !lineOf(ofPeer, 'dsr-listening')?.peers.some((address) => address === node.address))
    return notRun(`${peer?.name ?? sending.peer} did not listen`);
  if (allOf(ofPeer, 'dsr').some((line) => line.peer === node.address)) return passed;
  return allOf(ofPeer, 'vxlan').every((line) => line.peer !== node.address)
    ? notRun(`nothing that it sends arrives at ${peer.name}, with its own address neither`)
    : failed(`what it sends with the address ${sending.as} does not arrive at ${peer.name}`);
}
