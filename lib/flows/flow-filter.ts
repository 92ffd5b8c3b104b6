import type { PolicyKind, Verdict } from './flow.ts';

/**
 * The filter that an aggregator applies: one entry of each list must match, and all lists must; an empty list matches everything. Texts match exactly
 * or as a part, case-sensitively (calico.md §6.3).
 */
export type FlowFilter = {
  readonly sourceNames: readonly TextMatch[];
  readonly sourceNamespaces: readonly TextMatch[];
  readonly destNames: readonly TextMatch[];
  readonly destNamespaces: readonly TextMatch[];
  readonly protocols: readonly TextMatch[];
  readonly destPorts: readonly number[];
  readonly verdicts: readonly Verdict[];
  /** Match enforced or pending hits. */
  readonly policies: readonly PolicyMatch[];
  /** Since v3.32. Left out for earlier releases, which return more flows. */
  readonly reporter: 'source' | 'destination' | null;
};

/** The namespace of an end without one is `-`. */
export type TextMatch = { readonly value: string; readonly by: 'whole' | 'part' };

/** Null and empty texts match everything. */
export type PolicyMatch = {
  readonly kind: PolicyKind | null;
  readonly tier: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: Verdict | null;
};

/** The fields for which an aggregator lists all its values. */
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
