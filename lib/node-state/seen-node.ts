import { isTrue, type KubeObject, landingOf, nodeKindOf, nodeOf } from '#lib/kube/index.ts';
import { type LandingNode, whyAgentless } from '#lib/spec/index.ts';

/** A data plane that a node is seen on. */
export type Plane = 'standard' | 'bpf';

/** The fields of a Node that are kept: 5,000 whole Nodes with their lists of images would take a hundred megabytes. */
export type SeenNode = LandingNode & {
  /** By the Node's condition Ready, not by its agent. */
  ready: boolean;
  kernel: string;
  /** Milliseconds; 0 if the server does not say. */
  createdAt: number;
  /** Why the node never has an agent of Calico, as a phrase; null if it may have one. */
  apart: string | null;
};

/** A Node as its state depends on it. Null for an object without a name, which no API server sends. */
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
