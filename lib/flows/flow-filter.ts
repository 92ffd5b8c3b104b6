import type { PolicyKind, Verdict } from './flow.ts';

/**
 * What an aggregator filters by itself: one of each list (or), all lists (and); an empty list asks for nothing. Exact or by a part of the text, letter by
 * letter (calico.md §6.3).
 */
export type FlowFilter = {
  readonly sourceNames: readonly TextMatch[];
  readonly sourceNamespaces: readonly TextMatch[];
  readonly destNames: readonly TextMatch[];
  readonly destNamespaces: readonly TextMatch[];
  readonly protocols: readonly TextMatch[];
  readonly destPorts: readonly number[];
  readonly verdicts: readonly Verdict[];
  /** An enforced or a pending hit. */
  readonly policies: readonly PolicyMatch[];
  /** From v3.32 on; left out for earlier ones, which return more. */
  readonly reporter: 'source' | 'destination' | null;
};

/** An end without namespace is `-`. */
export type TextMatch = { readonly value: string; readonly by: 'whole' | 'part' };

/** Null and empty texts match any. */
export type PolicyMatch = {
  readonly kind: PolicyKind | null;
  readonly tier: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: Verdict | null;
};

/** Of what an aggregator tells all values that it has. */
export type HintAbout = 'destName' | 'sourceName' | 'destNamespace' | 'sourceNamespace' | 'policyTier' | 'policyName';

export const everyFlow: FlowFilter = {
  sourceNames: [],
  sourceNamespaces: [],
  destNames: [],
  destNamespaces: [],
  protocols: [],
  destPorts: [],
  verdicts: [],
  policies: [],
  reporter: null,
};
