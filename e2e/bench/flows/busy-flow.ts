import type { Flow } from '#lib/flows/index.ts';

/** The number `index` of a busy cluster: 50 namespaces of 100 workloads, one of ten denied. */
export function busyFlow(index: number, start: number): Flow {
  const end = (of: number) => ({
    kind: 'workload' as const,
    namespace: `ns-${of % 50}`,
    name: `app-${Math.floor(of / 50) % 100}-7d9c6b8f5-*`,
    labels: [`app=app-${Math.floor(of / 50) % 100}`, 'tier=web'],
  });
  const verdict = index % 10 === 0 ? ('denied' as const) : ('allowed' as const);
  const hit = {
    kind: 'CalicoNetworkPolicy' as const,
    namespace: `ns-${index % 50}`,
    name: `policy-${index % 200}`,
    tier: 'default',
    action: verdict,
    policyIndex: 0,
    ruleIndex: index % 3,
    trigger: null,
  };
  return {
    id: `${start.toString(36)}-${hash(index)}`,
    start,
    end: start + 15,
    verdict,
    reporter: index % 2 === 0 ? 'source' : 'destination',
    from: end(index * 7),
    to: end(index * 31 + 13),
    protocol: 'TCP',
    port: index % 4 === 0 ? 443 : 8000 + (index % 500),
    service: null,
    bytes: { in: 1000 + (index % 977), out: 500 + (index % 313) },
    packets: { in: 10, out: 5 },
    connections: { started: 2, completed: 2, live: 0 },
    policies: { enforced: [hit], pending: [hit] },
  };
}

/** As an id has it: 16 characters of base64url, spread as a hash is. */
function hash(index: number): string {
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(index + 1) * 0x9e3779b97f4a7c15n));
  return bytes.toString('base64url');
}
