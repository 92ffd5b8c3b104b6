import { counted, inList, sentence, thousands } from '#lib/base/words.ts';
import type { NodeLine } from '#lib/status/index.ts';
import { nodesWereRead, unreadyWorkload, unservedNodes } from '#lib/status/unserved.ts';
import type { Sentence } from './sentence.ts';
import type { ClusterView } from './view.ts';

/** The state of a cluster in one sentence, worst first: `lead` is the news, `rest` what it means for Services. Pure. */
export function clusterSentence(view: ClusterView, _nowMs: number): Sentence {
  const { nodes, stale, status } = view;
  const on = (plane: NodeLine['plane']) => nodes.filter((node) => node.plane === plane);
  const fellBack = on('fell-back');
  const unknown = on('unknown');
  const moving = on('moving');
  const [bpf, standard] = [on('bpf').length, on('standard').length];
  const all = nodes.length - on('not-counted').length;
  const of = counted(all, 'node');

  if (stale) return { lead: 'The API server does not answer.', rest: 'This page shows what was last read.' };
  if (fellBack.length > 0)
    return {
      lead: `${inList(fellBack.map(({ name }) => name))} fell back to the standard data plane.`,
      rest: `${sentence(fellBack[0]?.because ?? '')} ${withoutBpf(view)}`.trim(),
    };
  const unserved = unservedNodes(status, nodes);
  if (unserved.length > 0)
    return {
      lead: `kube-proxy is off, and ${unserved.length === all ? (all === 1 ? 'the node is not' : `none of ${of} is`) : `${named(unserved, of)} ${unserved.length === 1 ? 'is not' : 'are not'}`} on eBPF.`,
      rest: 'Nothing was found that serves Services there.',
    };
  const degraded = status.components.find(({ state }) => state === 'degraded');
  if (degraded)
    return { lead: `${degraded.name} is degraded.`, rest: degraded.message ? sentence(degraded.message) : '' };
  // Known faults come before unknown states: a stuck rollout makes its node unknown.
  const late = unreadyWorkload(status);
  if (!nodesWereRead(view)) {
    const unread = 'The nodes could not be read';
    return late === null
      ? { lead: `${unread}.`, rest: 'Their data plane is not known.' }
      : { lead: `${late.says}.`, rest: `${unread}: their data plane is not known.` };
  }
  if (all === 0) return { lead: 'No node runs an agent of Calico.', rest: notInstalled(view) };
  if (moving.length > 0)
    return {
      lead: `${named(moving, of)} ${moving.length === 1 ? 'is' : 'are'} moving.`,
      rest: moving.length === 1 ? sentence(moving[0]?.because ?? '') : proxy(view),
    };
  if (status.agents === null && status.unknown.length === 0 && unknown.length === all)
    return { lead: 'No agent of Calico was found on any node.', rest: notInstalled(view) };
  if (late !== null) return { lead: `${late.says}.`, rest: whereLate(unknown, standard === all, bpf, of) };
  if (unknown.length === all)
    return {
      lead: `Data plane of ${all === 1 ? 'the node' : `all ${of}`}: not verified.`,
      rest: all === 1 ? sentence(unknown[0]?.because ?? '') : `${unknown[0]?.name}: ${unknown[0]?.because}.`,
    };
  if (unknown.length > 0)
    return {
      lead: `Data plane of ${named(unknown, of)}: not verified.`,
      rest: sentence(unknown[0]?.because ?? ''),
    };
  if (bpf > 0 && standard > 0)
    return {
      lead: `${thousands(bpf)} of ${of} are on eBPF, ${thousands(standard)} on the standard data plane.`,
      rest: proxy(view),
    };
  const plane = bpf > 0 ? 'eBPF' : 'the standard data plane';
  return { lead: all === 1 ? `The node is on ${plane}.` : `All ${of} are on ${plane}.`, rest: proxy(view) };
}

function whereLate(unknown: readonly NodeLine[], isStandard: boolean, bpf: number, of: string): string {
  const [first] = unknown;
  if (first) return `${first.name}: ${first.because}.`;
  return isStandard ? 'No node is on eBPF.' : `${thousands(bpf)} of ${of} ${bpf === 1 ? 'is' : 'are'} on eBPF.`;
}

/** A few by name, more by number: `w-1 and w-2`, `9 of 14 nodes`. */
function named(nodes: readonly NodeLine[], of: string): string {
  return nodes.length <= 3 ? inList(nodes.map(({ name }) => name)) : `${thousands(nodes.length)} of ${of}`;
}

function proxy({ status: { proxy: found } }: ClusterView): string {
  if (!found) return '';
  if (found.desired === 0) return 'kube-proxy is off.';
  return `kube-proxy runs on ${found.ready === found.desired ? counted(found.ready, 'node') : `${thousands(found.ready)} of ${counted(found.desired, 'node')}`}.`;
}

function withoutBpf({ status: { proxy: found } }: ClusterView): string {
  if (!found) return '';
  return found.desired === 0
    ? 'kube-proxy is off, so Services do not work there.'
    : 'kube-proxy still runs, so Services work.';
}

function notInstalled({ status: { installation } }: ClusterView): string {
  return installation ? '' : 'There is no Installation of the operator.';
}
