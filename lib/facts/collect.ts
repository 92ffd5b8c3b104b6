import { type Clock, type Kube, KubeError, type MissingRule, systemClock } from '#lib/kube/index.ts';
import { type Choices, names } from '#lib/spec/index.ts';
import type { Told } from './collector.ts';
import { collectors } from './collectors.ts';
import { probeEndpoint } from './endpoint-probe.ts';
import type { Claim } from './left-behind.ts';
import { type FactKey, type Facts, factKeys } from './schema.ts';
import { type Progress, Session } from './session.ts';

export type CollectOptions = {
  kube: Kube;
  clock?: Clock;
  /** A chosen endpoint is the one that is probed; a chosen platform is the one whose endpoint is suggested. */
  choices?: Choices;
  /** What journeys need; asked once, answered in `resources.access`. */
  rules?: readonly MissingRule[];
  /** The API server in the kubeconfig (`KnownContext.server`, or its URL): on hosted services it is the name to suggest. */
  server?: string | null;
  /** What the journals of ended runs claim to have left behind (lib/run); held against the objects in `resources.leftBehind`. */
  leftBehind?: readonly Claim[];
  signal?: AbortSignal;
  progress?: Progress;
};

/**
 * Reads a cluster. What cannot be read is told in `coverage` with its reason, and the rest is still told; it rejects with a KubeError
 * only when nothing at all could be read (a refusal is an answer), or when `signal` aborts. Pods stream through: memory does not grow with them.
 */
export async function collectFacts(options: CollectOptions): Promise<Facts> {
  const { kube, clock = systemClock, signal, progress } = options;
  const choices = options.choices ?? null;
  const session = new Session(kube, { signal, progress, rules: options.rules ?? [], goal: choices?.goal ?? null });
  throwIfAborted(signal);

  const reads = collectors.map((collector) => collector.enlist(session));
  const collects = await Promise.all(reads.map((read) => read()));
  if (session.failure) throw session.failure;

  const context = {
    choices,
    source: kube.source,
    server: options.server ?? kube.server ?? null,
    leftBehind: options.leftBehind ?? [],
  };
  const facts = collects.reduce((told, collect) => withTold(told, collect(told, context)), nothingTold(kube, clock));
  const { probe, coverage } = await probeEndpoint(kube, facts, choices, signal);
  throwIfAborted(signal);
  return {
    ...facts,
    resources: { ...facts.resources, endpointProbe: probe },
    coverage: { ...facts.coverage, endpointProbe: coverage },
  };
}

/** The rules that reading uses, all of it or that of one fact: with them missing, facts are missing, and nothing else. */
export function readingRules(fact?: FactKey): MissingRule[] {
  const all = collectors.flatMap(({ tells, rules }) => (fact === undefined || tells.includes(fact) ? rules : []));
  return [...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function withTold(facts: Facts, told: Told): Facts {
  return {
    ...facts,
    cluster: { ...facts.cluster, ...told.cluster },
    platform: { ...facts.platform, ...told.platform },
    nodes: told.nodes ?? facts.nodes,
    installation: { ...facts.installation, ...told.installation },
    proxy: { ...facts.proxy, ...told.proxy },
    endpoint: { ...facts.endpoint, ...told.endpoint },
    pools: told.pools ?? facts.pools,
    features: { ...facts.features, ...told.features },
    resources: { ...facts.resources, ...told.resources },
    upgrade: { ...facts.upgrade, ...told.upgrade },
    coverage: { ...facts.coverage, ...told.coverage },
  };
}

function nothingTold(kube: Kube, clock: Clock): Facts {
  const uncovered = { covered: false, missing: [] };
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Facts',
    observedAt: new Date(clock.now()).toISOString(),
    cluster: {
      name: kube.name,
      source: kube.source,
      kubernetesVersion: null,
      serviceCIDRs: [],
      podCIDRs: [],
      podCIDRsFrom: null,
      evidence: [],
    },
    platform: { kind: 'generic', evidence: [], provider: null },
    nodes: [],
    installation: {
      method: 'unknown',
      manifest: null,
      version: null,
      operatorVersion: null,
      datastore: null,
      dataplane: { wanted: null, actual: 'unknown' },
      cni: null,
      namespace: null,
      agent: null,
      otherNetworks: [],
      operators: [],
      migration: null,
      unfinished: null,
      endpointNamespace: names.operatorNamespace,
      deviatingNodes: [],
      evidence: [],
    },
    proxy: { kind: 'unknown', mode: 'unknown', running: null, pods: null, managedBy: null, evidence: [] },
    endpoint: {
      configMap: null,
      strays: [],
      inUse: [],
      apiServers: [],
      clusterIPs: [],
      suggested: null,
      suggestedFrom: null,
      kubeVip: null,
    },
    pools: [],
    features: {
      floatingIps: [],
      sctp: [],
      logActions: [],
      hostPorts: [],
      otherPods: { count: 0, first: [] },
      loadBalancers: [],
      nodeLocalDns: [],
      meshes: [],
      l7Logs: [],
      applicationLayerPolicies: [],
      waf: [],
      adminNetworkPolicies: [],
    },
    resources: {
      podCount: null,
      serviceCount: null,
      objects: {},
      tigeraStatuses: [],
      ownership: [],
      leftBehind: [],
      helmReleases: [],
      access: [],
      apis: { v3Available: null, failing: [] },
      v3Unavailable: null,
      webhooks: [],
      endpointProbe: { because: 'not asked' },
    },
    upgrade: {
      imageSets: [],
      definitions: [],
      ownerReferences: [],
      hostEndpoints: { autoCreate: null, automatic: 0, allInterfaces: [] },
      temporaryPolicies: [],
      defaultTierPolicies: { count: 0, first: [] },
      calicoctls: [],
      sidecars: [],
    },
    coverage: Object.fromEntries(factKeys.map((key) => [key, uncovered])) as Record<FactKey, typeof uncovered>,
  };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new KubeError('aborted', 'Reading the cluster was interrupted.', {}, signal.reason);
}
