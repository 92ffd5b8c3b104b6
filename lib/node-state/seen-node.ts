import { isTrue, type KubeObject, landingOf, nodeKindOf, nodeOf } from '#lib/kube/index.ts';
import { type LandingNode, whyAgentless } from '#lib/spec/index.ts';

/** A data plane that a node is seen on. */
export type Plane = 'standard' | 'bpf';

/** What is kept of a Node: 5,000 of them with their images would be a hundred megabytes. */
export type SeenNode = LandingNode & {
  /** What the Node itself says (condition Ready), not its agent. */
  ready: boolean;
  kernel: string;
  /** ms; 0 where the server does not say. */
  createdAt: number;
  /** Why it never has an agent of ours to speak of, as a phrase; null where it may have one. */
  apart: string | null;
};

/** Null for what has no name. */
export function seenNode(object: KubeObject): SeenNode | null {
  const node = nodeOf(object);
  const { metadata, status } = node;
  if (metadata.name === '') return null;
  const agentless = whyAgentless(nodeKindOf(node));
  return {
    ...landingOf(node),
    ready: isTrue(status.conditions, 'Ready'),
    kernel: status.nodeInfo.kernelVersion,
    createdAt: Date.parse(metadata.creationTimestamp ?? '') || 0,
    apart: agentless && apartWords[agentless],
  };
}

const apartWords = {
  windows: 'it runs Windows, which has a data plane of its own',
  virtual: 'it is virtual and runs no agent',
} as const;
