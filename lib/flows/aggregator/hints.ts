import type { Flow } from '../flow.ts';

/** Subjects of hints, by the number on the wire (calico.md §6.3; the last two since v3.32). */
export const hintTypes = [
  'none',
  'destName',
  'sourceName',
  'destNamespace',
  'sourceNamespace',
  'policyTier',
  'policyName',
  'policyKind',
  'policyNamespace',
] as const;
export type HintType = (typeof hintTypes)[number];

const valuesOf: Readonly<Record<HintType, (flow: Omit<Flow, 'id'>) => readonly (string | null)[]>> = {
  none: () => [],
  destName: ({ to }) => [to.name],
  sourceName: ({ from }) => [from.name],
  destNamespace: ({ to }) => [to.namespace ?? '-'],
  sourceNamespace: ({ from }) => [from.namespace ?? '-'],
  policyTier: (flow) => hitsOf(flow).map(({ tier }) => tier),
  policyName: (flow) => hitsOf(flow).map(({ name }) => name),
  policyKind: (flow) => hitsOf(flow).map(({ kind }) => kind),
  policyNamespace: (flow) => hitsOf(flow).map(({ namespace }) => namespace),
};

/** Each value once, in alphabetical order. */
export function hintsOf(flows: readonly Omit<Flow, 'id'>[], type: HintType): string[] {
  const values = flows.flatMap(valuesOf[type]).filter((value): value is string => value !== null && value !== '');
  return [...new Set(values)].sort();
}

const hitsOf = ({ policies }: Omit<Flow, 'id'>) => [...policies.enforced, ...policies.pending];
