import type { NodeDescription } from '../builders.ts';
import { sixNodes } from './cluster-shape.ts';

/** Six nodes, of which one differs. */
export function withNode(name: string, differs: Partial<NodeDescription>): NodeDescription[] {
  return sixNodes().map((node) => (node.name === name ? { ...node, ...differs } : node));
}

/** Six nodes that all have these fields. A function gives fields that depend on the node. */
export function everyNode(
  differs: Partial<NodeDescription> | ((node: NodeDescription, index: number) => Partial<NodeDescription>),
): NodeDescription[] {
  return sixNodes().map((node, index) => ({
    ...node,
    ...(typeof differs === 'function' ? differs(node, index) : differs),
  }));
}

/** Six workers and no control plane node, as a hosted service shows them. */
export function sixWorkers(
  differs: Partial<NodeDescription> | ((index: number) => Partial<NodeDescription>),
): NodeDescription[] {
  return sixNodes().map((node, index) => ({
    ...node,
    name: `worker-${index}`,
    role: 'worker' as const,
    ...(typeof differs === 'function' ? differs(index) : differs),
  }));
}

/** Six nodes, of which the first three are control plane nodes. */
export function threeControlPlanes(differs: Partial<NodeDescription> = {}): NodeDescription[] {
  return sixNodes().map((node, index) => ({
    ...node,
    name: index < 3 ? `control-${index + 1}` : `worker-${index - 2}`,
    role: index < 3 ? ('control-plane' as const) : ('worker' as const),
    ...differs,
  }));
}
