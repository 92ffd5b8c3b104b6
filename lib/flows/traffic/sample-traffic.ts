import { bucketSeconds, type Flow, type FlowEnd, type PolicyHit, type Verdict } from '../flow.ts';

/**
 * The reports of a small shop's agents: customers through an ingress, services that call each other, DNS, a monitor that scrapes, a database that
 * only some may reach, a denied scan, and staged policies that would deny what is allowed now, one by a rule and one because none matches. A bucket
 * always has the same reports.
 */
type Talk = {
  readonly from: FlowEnd;
  readonly to: FlowEnd;
  readonly port: number;
  readonly protocol?: string;
  readonly service?: Flow['service'];
  /** Connections per bucket, approximately. */
  readonly rate: number;
  readonly bytesEach: number;
  readonly source?: Decision;
  readonly destination?: Decision;
  /** Only in the first `lasts` of every `every` buckets; absent: in all. */
  readonly bursts?: readonly [every: number, lasts: number];
};
type Decision = {
  readonly verdict: Verdict;
  readonly enforced: readonly PolicyHit[];
  readonly staged?: readonly PolicyHit[];
};

const pods = (namespace: string, name: string, app: string): FlowEnd => ({
  kind: 'workload',
  namespace,
  name,
  labels: [`app=${app}`],
});
const outside: FlowEnd = { kind: 'network', namespace: null, name: 'pub', labels: [] };
const office: FlowEnd = { kind: 'network', namespace: null, name: 'pvt', labels: [] };
const ingress = pods('ingress-nginx', 'ingress-nginx-controller-5d8f7c9b6d-*', 'ingress-nginx');
const checkout = pods('shop', 'checkout-7d9c6b8f5d-*', 'checkout');
const catalogue = pods('shop', 'catalogue-6c7f5d4b9c-*', 'catalogue');
const paymentsApi = pods('payments', 'payments-api-58d7bf9c6f-*', 'payments-api');
const ledger = pods('payments', 'ledger-db-*', 'ledger-db');
const monitor = pods('observability', 'prometheus-*', 'prometheus');
const dns = pods('kube-system', 'coredns-7c65d6cfc9-*', 'kube-dns');
const report = pods('batch', 'nightly-report-*', 'nightly-report');
const debug = pods('batch', 'debug-*', 'debug');

function hit(
  kind: PolicyHit['kind'],
  tier: string,
  namespace: string | null,
  name: string,
  action: Verdict,
  rule: number,
): PolicyHit {
  return { kind, tier, namespace, name, action, policyIndex: 0, ruleIndex: rule, trigger: null };
}
const quarantine = hit('GlobalNetworkPolicy', 'security', null, 'quarantine', 'passed', 0);
const allowDns = hit('GlobalNetworkPolicy', 'platform', null, 'allow-dns', 'allowed', 1);
const allowScrape = hit('GlobalNetworkPolicy', 'platform', null, 'allow-metrics', 'allowed', 0);
const ofNamespace = (namespace: string) => hit('Profile', '', null, `kns.${namespace}`, 'allowed', 0);
const ledgerLetsIn = hit('CalicoNetworkPolicy', 'default', 'payments', 'ledger-db', 'allowed', 0);
const paymentsLetIn = hit('NetworkPolicy', 'default', 'payments', 'payments-api', 'allowed', 0);
const noPublic = hit('StagedGlobalNetworkPolicy', 'security', null, 'no-public', 'denied', 0);
const catalogueLetsIn = hit('StagedNetworkPolicy', 'default', 'shop', 'catalogue', 'denied', -1);
const endOfDefault = (trigger: PolicyHit): PolicyHit => ({
  ...hit('EndOfTier', 'default', null, '', 'denied', -1),
  trigger,
});

const allowedBy = (...enforced: PolicyHit[]): Decision => ({ verdict: 'allowed', enforced: [quarantine, ...enforced] });
const deniedBy = (trigger: PolicyHit): Decision => ({
  verdict: 'denied',
  enforced: [quarantine, endOfDefault(trigger)],
});
const service = (namespace: string, name: string, portName: string) => ({ namespace, name, portName });

const asksDns = (from: FlowEnd, rate: number): Talk => ({
  from,
  to: dns,
  port: 53,
  protocol: 'UDP',
  service: service('kube-system', 'kube-dns', 'dns'),
  rate,
  bytesEach: 180,
  source: allowedBy(allowDns),
  destination: allowedBy(allowDns),
});
const scrapes = (to: FlowEnd): Talk => ({
  from: monitor,
  to,
  port: 9090,
  rate: 1,
  bytesEach: 24_000,
  source: allowedBy(ofNamespace('observability')),
  destination: allowedBy(allowScrape),
});

const talks: readonly Talk[] = [
  {
    from: outside,
    to: ingress,
    port: 443,
    service: service('ingress-nginx', 'ingress-nginx-controller', 'https'),
    rate: 60,
    bytesEach: 9_000,
    destination: allowedBy(ofNamespace('ingress-nginx')),
  },
  {
    from: ingress,
    to: checkout,
    port: 8080,
    service: service('shop', 'checkout', 'http'),
    rate: 18,
    bytesEach: 6_000,
    source: allowedBy(ofNamespace('ingress-nginx')),
    destination: allowedBy(ofNamespace('shop')),
  },
  {
    from: ingress,
    to: catalogue,
    port: 8080,
    service: service('shop', 'catalogue', 'http'),
    rate: 40,
    bytesEach: 14_000,
    source: allowedBy(ofNamespace('ingress-nginx')),
    destination: allowedBy(ofNamespace('shop')),
  },
  {
    from: checkout,
    to: paymentsApi,
    port: 8443,
    service: service('payments', 'payments-api', 'https'),
    rate: 9,
    bytesEach: 3_000,
    source: allowedBy(ofNamespace('shop')),
    destination: allowedBy(paymentsLetIn),
  },
  {
    from: paymentsApi,
    to: ledger,
    port: 5432,
    service: service('payments', 'ledger-db', 'postgres'),
    rate: 9,
    bytesEach: 5_000,
    source: allowedBy(ofNamespace('payments')),
    destination: allowedBy(ledgerLetsIn),
  },
  {
    from: checkout,
    to: ledger,
    port: 5432,
    service: service('payments', 'ledger-db', 'postgres'),
    rate: 6,
    bytesEach: 60,
    source: allowedBy(ofNamespace('shop')),
    destination: deniedBy(ledgerLetsIn),
  },
  {
    from: report,
    to: ledger,
    port: 5432,
    service: service('payments', 'ledger-db', 'postgres'),
    rate: 2,
    bytesEach: 60,
    source: allowedBy(ofNamespace('batch')),
    destination: deniedBy(ledgerLetsIn),
    bursts: [40, 4],
  },
  {
    from: checkout,
    to: outside,
    port: 443,
    rate: 3,
    bytesEach: 4_000,
    source: { ...allowedBy(ofNamespace('shop')), staged: [noPublic] },
  },
  {
    from: office,
    to: paymentsApi,
    port: 8443,
    rate: 1,
    bytesEach: 60,
    destination: deniedBy(paymentsLetIn),
    bursts: [12, 1],
  },
  {
    from: checkout,
    to: catalogue,
    port: 8080,
    service: service('shop', 'catalogue', 'http'),
    rate: 7,
    bytesEach: 2_000,
    source: allowedBy(ofNamespace('shop')),
    destination: { ...allowedBy(ofNamespace('shop')), staged: [endOfDefault(catalogueLetsIn)] },
  },
  asksDns(checkout, 12),
  asksDns(catalogue, 8),
  asksDns(paymentsApi, 5),
  asksDns(ingress, 4),
  scrapes(catalogue),
  scrapes(checkout),
  scrapes(paymentsApi),
  ...[22, 80, 443, 3306, 5432, 6379, 8443, 9200].map(
    (port): Talk => ({
      from: debug,
      to: paymentsApi,
      port,
      rate: 2,
      bytesEach: 44,
      source: allowedBy(ofNamespace('batch')),
      destination: deniedBy(paymentsLetIn),
      bursts: [24, 3],
    }),
  ),
];

/** The reports of the bucket that begins at `start`, in seconds since the epoch. */
export function sampleTraffic(start: number): Omit<Flow, 'id'>[] {
  const bucket = Math.floor(start / bucketSeconds);
  return talks.flatMap((talk, index) => {
    const [every, lasts] = talk.bursts ?? [1, 1];
    if (bucket % every >= lasts) return [];
    // The rate rises and falls over ten minutes, with some noise.
    const wave = 1 + 0.35 * Math.sin((bucket / 40) * 2 * Math.PI + index) + 0.3 * (noise(bucket, index) - 0.5);
    const started = Math.max(1, Math.round(talk.rate * wave));
    return [
      ...(talk.source ? [reportOf(talk, 'source', talk.source, start, started)] : []),
      ...(talk.destination ? [reportOf(talk, 'destination', talk.destination, start, started)] : []),
    ];
  });
}

function reportOf(
  talk: Talk,
  reporter: Flow['reporter'],
  decision: Decision,
  start: number,
  started: number,
): Omit<Flow, 'id'> {
  const { from, to, port, protocol = 'TCP', service: dialled = null, bytesEach } = talk;
  const answered = talk.destination?.verdict !== 'denied';
  const bytes = started * bytesEach;
  const packets = Math.max(started, Math.ceil(bytes / 900));
  return {
    start,
    end: start + bucketSeconds,
    verdict: decision.verdict,
    reporter,
    from,
    to,
    protocol,
    port,
    service: dialled,
    bytes: answered ? { in: Math.round(bytes * 0.3), out: Math.round(bytes * 0.7) } : { in: bytes, out: 0 },
    packets: answered ? { in: packets, out: packets } : { in: started, out: 0 },
    connections: { started, completed: answered && protocol === 'TCP' ? started : 0, live: 0 },
    policies: {
      enforced: decision.enforced,
      pending: [...(decision.staged ?? []), ...decision.enforced].slice(0, decision.staged ? 1 : undefined),
    },
  };
}

/** A number between 0 and 1, always the same for a bucket. */
function noise(bucket: number, index: number): number {
  let value = (bucket * 2_654_435_761 + index * 40_503) >>> 0;
  value = Math.imul(value ^ (value >>> 15), 2_246_822_519) >>> 0;
  return ((value ^ (value >>> 13)) >>> 0) / 0xffff_ffff;
}
