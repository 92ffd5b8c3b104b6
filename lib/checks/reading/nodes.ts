import type { Evidence, Facts, NodeFact, Subject } from '#lib/facts/index.ts';
import { listed } from '../wording/sentences.ts';

/** Linux nodes that run an agent: virtual-kubelet and Fargate nodes never do (operations.md › Proof of a node). */
export function agentNodes({ nodes }: Facts): NodeFact[] {
  return nodes.filter(({ os, virtual }) => !virtual && os !== 'windows');
}

export function nodeSubject({ name }: NodeFact, detail: string): Subject {
  return { kind: 'Node', namespace: null, name, detail };
}

export function nodeEvidence({ name }: NodeFact, path: string, value: unknown): Evidence {
  return { object: `Node/${name}`, path, value };
}

/** `worker-3 (4.15.0, 5.3 is needed), worker-9 (…) and 4 more`. */
export function withDetails(subjects: readonly Subject[]): string {
  return listed(subjects.map(({ name, detail }) => `${name} (${detail})`));
}
