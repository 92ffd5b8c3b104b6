import type { Flow, PolicyHit } from '../flow.ts';
import { keyHash } from '../wire/read-flow.ts';

/** An allowed flow; `changed` overrides fields. */
export function aFlow(changed: Partial<Omit<Flow, 'id'>> = {}): Omit<Flow, 'id'> {
  const start = changed.start ?? 1_800_000_000;
  return {
    start,
    end: start + 15,
    verdict: 'allowed',
    reporter: 'source',
    from: { kind: 'workload', namespace: 'shop', name: 'checkout-7d9c6b8f5-*', labels: ['app=checkout'] },
    to: { kind: 'workload', namespace: 'payments', name: 'ledger-db-*', labels: ['app=ledger-db'] },
    protocol: 'TCP',
    port: 5432,
    service: { namespace: 'payments', name: 'ledger-db', portName: 'postgres' },
    bytes: { in: 1000, out: 500 },
    packets: { in: 10, out: 5 },
    connections: { started: 2, completed: 1, live: 1 },
    policies: { enforced: [aHit()], pending: [aHit()] },
    ...changed,
  };
}

/** The same with the id that a flow of an aggregator gets. */
export function aFlowWithId(changed: Parameters<typeof aFlow>[0] = {}): Flow {
  const made = aFlow(changed);
  return { ...made, id: `${made.start.toString(36)}-${keyHash(made)}` };
}

export function aHit(changed: Partial<PolicyHit> = {}): PolicyHit {
  return {
    kind: 'CalicoNetworkPolicy',
    namespace: 'payments',
    name: 'ledger-db',
    tier: 'default',
    action: 'allowed',
    policyIndex: 0,
    ruleIndex: 1,
    trigger: null,
    ...changed,
  };
}
