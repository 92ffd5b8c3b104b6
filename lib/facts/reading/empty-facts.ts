import type { Clock, Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type FactKey, type Facts, factKeys } from '../schema.ts';

/** Facts before anything was read: all unknown or empty, none covered. */
export function emptyFacts(kube: Pick<Kube, 'name' | 'source' | 'warnings'>, clock: Pick<Clock, 'now'>): Facts {
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
      warnings: [...(kube.warnings ?? [])],
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
      cleaningUp: [],
      evidence: [],
    },
    proxy: { kind: 'unknown', mode: 'unknown', running: null, pods: null, managedBy: null, evidence: [] },
    endpoint: {
      configMap: null,
      strays: [],
      inUse: [],
      apiServers: [],
      clusterIPs: [],
      services: { api: null, dns: null },
      externalAddresses: [],
      suggested: null,
      suggestedFrom: null,
      kubeVip: null,
    },
    pools: [],
    features: nothingInUse,
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
    measured: null,
    upgrade: nothingToUpgrade,
    coverage: Object.fromEntries(factKeys.map((key) => [key, uncovered])) as Record<FactKey, typeof uncovered>,
  };
}

/** A cluster that uses no feature that eBPF changes or lacks. */
export const nothingInUse: Facts['features'] = {
  floatingIps: [],
  sctp: [],
  logActions: [],
  hostPorts: [],
  otherPods: { count: 0, first: [] },
  trafficLimits: [],
  loadBalancers: [],
  nodeLocalDns: [],
  nodeLocalDnsCaches: [],
  meshes: [],
  definedMeshes: [],
  l7Logs: [],
  applicationLayerPolicies: [],
  waf: [],
  adminNetworkPolicies: [],
};

/** A cluster in which an upgrade has nothing to look after. */
export const nothingToUpgrade: Facts['upgrade'] = {
  imageSets: [],
  definitions: [],
  ownerReferences: [],
  dependants: [],
  hostEndpoints: {
    autoCreate: null,
    automatic: 0,
    allInterfaces: [],
    byHand: [],
    wouldSelect: [],
    createDefault: null,
    selecting: [],
  },
  temporaryPolicies: [],
  defaultTierPolicies: { count: 0, first: [] },
  calicoctls: [],
  sidecars: [],
  stuck: [],
  users: [],
};
