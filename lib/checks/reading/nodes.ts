import type { Evidence, Facts, NodeFact, Subject } from '#lib/facts/index.ts';
import { runsAgent } from '#lib/spec/index.ts';

/** Linux nodes that run an agent: virtual-kubelet and Fargate nodes never do (operations.md › Proof of a node). */
export function agentNodes({ nodes }: Facts): NodeFact[] {
  return nodes.filter(runsAgent);
}

/** Nodes that do not say which system they run: it may be any. */
export function namelessNodes(nodes: readonly NodeFact[]): NodeFact[] {
  return nodes.filter(({ osImage }) => osImage.trim() === '');
}

export function nodeSubject({ name }: NodeFact, detail: string): Subject {
  return { kind: 'Node', namespace: null, name, detail };
}

export function nodeEvidence({ name }: NodeFact, path: string, value: unknown): Evidence {
  return { object: `Node/${name}`, path, value };
}
