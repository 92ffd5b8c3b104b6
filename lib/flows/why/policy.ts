import type { Answer } from './answer.ts';
import type { PolicyPod, Traffic } from './traffic.ts';

export type Direction = 'ingress' | 'egress';
export type RuleAction = 'allowed' | 'denied' | 'passed' | 'log';

/** A rule of any kind of policy. `action` null: an unknown one. */
export type WhyRule = { readonly action: RuleAction | null; matches(traffic: Traffic): Answer };

/** A policy of any kind, in the form in which it is evaluated. */
export type WhyPolicy = {
  readonly kind: 'NetworkPolicy' | 'CalicoNetworkPolicy' | 'GlobalNetworkPolicy';
  /** What a staged policy would do to the enforced policy of this kind and name; null: this policy is in force. */
  readonly staged: 'set' | 'delete' | null;
  readonly namespace: string | null;
  readonly name: string;
  readonly tier: string;
  /** Infinity: it has no order and is evaluated last. */
  readonly order: number;
  selects(pod: PolicyPod): Answer;
  /** Null: it does not apply to this direction. */
  readonly ingress: readonly WhyRule[] | null;
  readonly egress: readonly WhyRule[] | null;
};

export type WhyTier = { readonly name: string; readonly order: number; readonly atEnd: 'denied' | 'passed' };
