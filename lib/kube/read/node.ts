import type { V1Node } from '@kubernetes/client-node';
import { isVirtualNode, type LandingNode, type NodeKind, systemOf } from '#lib/spec/index.ts';
import { readerOf } from './json.ts';
import { fields, flagOrNull, listOf, text, textOrNull, texts } from './lenient.ts';
import { metadata } from './metadata.ts';

export type ReadNode = ReturnType<typeof nodeOf>;

/** The fields of a Node that are read. */
export const nodeOf = readerOf<V1Node>()(
  fields({
    metadata,
    spec: fields({
      unschedulable: flagOrNull,
      providerID: textOrNull,
      podCIDR: textOrNull,
      podCIDRs: texts,
      taints: listOf(fields({ key: text, value: textOrNull, effect: text })),
    }),
    status: fields({
      addresses: listOf(fields({ type: text, address: text })),
      conditions: listOf(fields({ type: text, status: text, reason: textOrNull, message: textOrNull })),
      nodeInfo: fields({
        operatingSystem: text,
        architecture: text,
        osImage: text,
        kernelVersion: text,
        kubeletVersion: text,
        bootID: text,
      }),
    }),
  }),
);

/** The fields that decide whether a node runs Calico's agent (`runsAgent`). */
export function nodeKindOf({ metadata: { labels }, spec, status }: ReadNode): NodeKind {
  return {
    os: systemOf({ labels, reported: status.nodeInfo.operatingSystem }),
    virtual: isVirtualNode({ labels, taints: spec.taints, providerID: spec.providerID }),
  };
}

/** The fields that decide whether a daemon's pod may be scheduled on the node. */
export function landingOf({ metadata: { name, labels }, spec }: ReadNode): LandingNode {
  return {
    name,
    labels,
    taints: spec.taints.map(({ key, value, effect }) => ({ key, effect, ...(value === null ? {} : { value }) })),
  };
}
