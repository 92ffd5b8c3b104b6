import type { Evidence, Facts, NodeFact, Subject } from '#lib/facts/index.ts';
import { runsAgent } from '#lib/spec/index.ts';

/** Linux nodes that run an agent: virtual-kubelet and Fargate nodes never do (operations.md › Proof of a node). */
export function agentNodes({ nodes }: Facts): readonly NodeFact[] {
  const known = agentsOf.get(nodes);
  if (known) return known;
  const found = nodes.filter(runsAgent);
  agentsOf.set(nodes, found);
  return found;
}

/** Results by the list of nodes, since many checks need them. */
const agentsOf = new WeakMap<readonly NodeFact[], readonly NodeFact[]>();

/** Nodes that do not report their system, which may be any. */
export function namelessNodes(nodes: readonly NodeFact[]): NodeFact[] {
  return nodes.filter(({ osImage }) => osImage.trim() === '');
}

/** A node as a subject. `detail`: what was found on it. */
export function nodeSubject({ name }: NodeFact, detail: string): Subject {
  return { kind: 'Node', namespace: null, name, detail };
}

/** A value of a Node object as evidence. */
export function nodeEvidence({ name }: NodeFact, path: string, value: unknown): Evidence {
  return { object: `Node/${name}`, path, value };
}
