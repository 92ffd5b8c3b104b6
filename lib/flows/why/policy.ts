import type { Answer } from './answer.ts';
import type { PolicyPod, Traffic } from './traffic.ts';

export type Direction = 'ingress' | 'egress';
export type RuleAction = 'allowed' | 'denied' | 'passed' | 'log';

/** A rule of any kind of policy. `action` null: none that is known. */
export type WhyRule = { readonly action: RuleAction | null; matches(traffic: Traffic): Answer };

/** A policy of any kind, as it is asked for one end of a connection. */
export type WhyPolicy = {
  readonly kind: 'NetworkPolicy' | 'CalicoNetworkPolicy' | 'GlobalNetworkPolicy';
  /** What would become of the enforced policy of this kind and name; null: this one is in force. */
  readonly staged: 'set' | 'delete' | null;
  readonly namespace: string | null;
  readonly name: string;
  readonly tier: string;
  /** Infinity: it gives none, and is asked last. */
  readonly order: number;
  selects(pod: PolicyPod): Answer;
  /** Null: it says nothing of this direction. */
  readonly ingress: readonly WhyRule[] | null;
  readonly egress: readonly WhyRule[] | null;
};

export type WhyTier = { readonly name: string; readonly order: number; readonly atEnd: 'denied' | 'passed' };
