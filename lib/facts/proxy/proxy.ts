import { installationOf, type KubeObject, landingPodOf, type Workload, workloadOf } from '#lib/kube/index.ts';
import { fields, flagOrNull, mapOf, text, texts } from '#lib/kube/read/lenient.ts';
import { installers, names, openshiftRunsProxy, platforms, runsAgent, shunsLinux } from '#lib/spec/index.ts';
import { marksOf } from '../cluster/ownership-marks.ts';
import { defineCollector } from '../collector.ts';
import { allOf, foundOr } from '../reading/coverage.ts';
import { evidence } from '../reading/evidence.ts';
import {
  isProxyDisabled,
  isServer,
  type NodeArguments,
  nodeArguments,
  proxyArgument,
} from '../reading/node-arguments.ts';
import { picked } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import { daemonSetListing, tracked } from '../reading/sources.ts';
import { workloadId } from '../reading/workload.ts';
import type { Evidence, Facts, NodeFact } from '../schema.ts';
import { modeOfFlag, modeOfProxy, proxyConfigMaps, type ReadMode } from './proxy-mode.ts';
import { proxyRollout } from './proxy-rollout.ts';
import {
  commonMode,
  type StaticProxies,
  startedProxyModes,
  staticProxies,
  staticProxyModes,
} from './static-proxies.ts';

type Proxy = Facts['proxy'];

/** Everything that shows whether and how Services are served (calico.md §9 › kube-proxy). */
export type ProxySigns = {
  readonly platform: Facts['platform']['kind'];
  readonly daemonSet: KubeObject | null;
  readonly configMaps: readonly KubeObject[];
  readonly openshift: KubeObject | null;
  readonly staticProxies: StaticProxies;
  readonly staticProxyModes: readonly ReadMode[];
  /** Modes of running pods, by their own flags. */
  readonly startedProxyModes: readonly ReadMode[];
  readonly nodeArguments: readonly NodeArguments[];
  readonly installation: KubeObject | null;
  /** Everything that could show a proxy on this platform was read, so that none means none. */
  readonly absenceIsKnown: boolean;
  /** ConfigMaps were read, so that a missing one does not exist. */
  readonly configIsKnown: boolean;
  /** Other products in the cluster, of which some serve Services in place of kube-proxy. */
  readonly otherNetworks: Facts['installation']['otherNetworks'];
  /** DaemonSets of other names that run kube-proxy, such as Gardener's for each pool of workers. */
  readonly otherDaemonSets: readonly Workload[];
  /** eBPF serves Services on every node. */
  readonly isOnEbpf: boolean;
  /** A node whose kubelet runs kube-proxy in its own process. */
  readonly withKubelet?: Evidence | undefined;
};

const otherDaemonSets = picked(daemonSetListing, (object): Workload | null => {
  const { namespace, name } = object.metadata;
  if (namespace !== names.systemNamespace || name === names.kubeProxyDaemonSet) return null;
  const workload = workloadOf(object);
  const pod = workload.spec.template.spec;
  const isProxy = pod.containers.some((one) => one.name === 'kube-proxy') && !shunsLinux(landingPodOf(pod));
  return isProxy && workload.status.desiredNumberScheduled !== 0 ? workload : null;
});

export const proxy = defineCollector({
  id: 'proxy',
  provides: ['proxy'],
  reads: {
    daemonSet: tracked.kubeProxy,
    configMaps: proxyConfigMaps,
    openshift: tracked.openshiftNetwork,
    otherDaemonSets,
    staticProxies,
    staticProxyModes,
    startedProxyModes,
    nodeArguments,
    installation: tracked.installation,
  },
  collect: (read, facts, { source }) => {
    const platform = facts.platform.kind;
    // A platform that runs kube-proxy as a DaemonSet runs it nowhere else. OpenShift is recognised by other objects than its Network too.
    const whereElse: Reading<unknown>[] = [
      ...(platforms[platform].proxy.by === 'daemonset' && platform !== 'generic' ? [] : [read.staticProxies]),
      ...(source === 'dump' && platform !== 'openshift' ? [] : [read.openshift]),
    ];
    // The places to look at depend on the platform, so an unread platform leaves the answer open.
    const { missing } = platform === 'generic' ? facts.coverage.platform : { missing: [] };
    whereElse.push({ value: null, missing });
    // DaemonSets of other names may run kube-proxy too.
    whereElse.push(read.otherDaemonSets);
    const proxy = proxyOf({
      platform,
      daemonSet: read.daemonSet.value,
      configMaps: read.configMaps.value,
      openshift: read.openshift.value,
      staticProxies: read.staticProxies.value,
      staticProxyModes: read.staticProxyModes.value,
      startedProxyModes: read.startedProxyModes.value,
      nodeArguments: read.nodeArguments.value,
      installation: read.installation.value,
      absenceIsKnown: allOf(read.daemonSet, ...whereElse).covered,
      configIsKnown: read.configMaps.missing.length === 0,
      otherNetworks: facts.installation.otherNetworks,
      otherDaemonSets: read.otherDaemonSets.value,
      isOnEbpf: facts.installation.dataplane.actual === 'BPF',
      withKubelet: startedWithKubelets(facts.nodes),
    });
    const lacksMode = proxy.kind === 'daemonset' && proxy.mode === 'unknown';
    return {
      proxy,
      coverage: {
        // A proxy was found. If its mode is unknown because a ConfigMap was refused, the coverage names that.
        proxy: lacksMode ? allOf(read.configMaps) : foundOr(proxy.kind !== 'unknown', read.daemonSet, ...whereElse),
      },
    };
  },
});

/** The service proxy, from all signs of it: what runs it, in which mode, and which tool manages it. Pure. */
export function proxyOf(signs: ProxySigns): Proxy {
  if (signs.openshift) return proxyOfOpenshift(signs.openshift);
  if (signs.daemonSet) return besideOthers(daemonSetProxy(signs, signs.daemonSet), signs);
  if (platforms[signs.platform].proxyIsEmbedded) return embeddedProxy(signs);
  const { count, first, stray } = signs.staticProxies;
  const nothing = { mode: 'unknown', pods: null, managedBy: null } as const;
  if (count > 0 && first !== null) {
    const seen = [{ object: first, path: "metadata.annotations['kubernetes.io/config.mirror']", value: count }];
    const common = commonMode(signs.staticProxyModes);
    const mode = common?.mode ?? 'unknown';
    const shown = [...seen, ...(common?.evidence ?? [])];
    return { ...nothing, mode, kind: 'static-pods', running: true, managedBy: 'the kubelet', evidence: shown };
  }
  if (signs.otherDaemonSets.length > 0) {
    const { mode, evidence: seen } = others(signs);
    return { ...nothing, mode, kind: 'unknown', running: true, evidence: seen };
  }
  const serving = signs.otherNetworks.filter(({ serves }) => serves !== false);
  const isServed = serving.some(({ serves }) => serves === true);
  if (isServed) return { ...nothing, kind: 'unknown', running: true, evidence: servedBy(serving) };
  if (signs.withKubelet) return { ...nothing, kind: 'unknown', running: true, evidence: [signs.withKubelet] };
  // Pods without an owner run: there is a proxy, and nothing shows who manages it.
  if (stray !== null) {
    const seen = [{ object: stray, path: 'metadata.name', value: 'a pod of kube-proxy, and no DaemonSet' }];
    return { ...nothing, kind: 'unknown', running: null, evidence: seen };
  }
  if (serving.length > 0) return { ...nothing, kind: 'unknown', running: null, evidence: servedBy(serving) };
  if (!signs.absenceIsKnown) return { ...nothing, kind: 'unknown', running: null, evidence: [] };
  // In clusters built by hand, kube-proxy may be a service of each node, which the API does not show.
  if (signs.platform === 'generic' && !signs.isOnEbpf) {
    const unseen = { object: 'Node', path: 'systemctl status kube-proxy', value: 'not shown by the API' };
    return { ...nothing, kind: 'unknown', running: null, evidence: [unseen] };
  }
  const absent = { object: `${names.systemNamespace}/DaemonSet/${names.kubeProxyDaemonSet}`, path: '', value: null };
  return { ...nothing, kind: 'none', running: false, evidence: [absent] };
}

/** kube-proxy in DaemonSets of other names: their common mode, and each of them as evidence. */
function others({ otherDaemonSets: all }: ProxySigns): ReadMode {
  const mode = commonMode(
    all.map((one) => modeOfProxy({ object: workloadId(one), spec: one.spec.template.spec }, [], false)),
  );
  const seen = all.map((one) => ({
    object: workloadId(one),
    path: 'spec.template.spec.containers[kube-proxy]',
    value: 'runs kube-proxy under a name of its own',
  }));
  return { mode: mode?.mode ?? 'unknown', evidence: seen };
}

/**
 * The proxy of the usual DaemonSet on a cluster where others run kube-proxy too, such as one for a pool of nodes. A plan would turn off only the usual one, and
 * Calico would then delete the rules that the others write (pain B1), so no plan turns off any. Off beside others: they may serve only a part of the nodes.
 */
function besideOthers(usual: Proxy, signs: ProxySigns): Proxy {
  if (signs.otherDaemonSets.length === 0) return usual;
  const more = others(signs);
  return {
    ...usual,
    kind: 'unknown',
    mode: commonMode([usual, more])?.mode ?? 'unknown',
    running: usual.running === false && !signs.isOnEbpf ? null : true,
    pods: null,
    managedBy: null,
    evidence: [...usual.evidence, ...more.evidence],
  };
}

function servedBy(networks: ProxySigns['otherNetworks']): Evidence[] {
  return networks.flatMap(({ product, object, serves, evidence: seen }) =>
    seen.length > 0
      ? seen
      : [{ object, path: 'metadata.name', value: serves ? `${product} serves Services` : product }],
  );
}

function startedWithKubelets(nodes: readonly NodeFact[]): Evidence | undefined {
  const linux = nodes.filter(runsAgent);
  const found = linux.flatMap(startsItWithKubelet);
  return found.length === linux.length ? found[0] : undefined;
}

function startsItWithKubelet({ name, installer }: NodeFact): Evidence[] {
  const row = installers.find(({ id }) => id === installer);
  if (!row?.proxyInKubelet || !row.nodeLabel) return [];
  return [{ object: `Node/${name}`, path: `metadata.labels['${row.nodeLabel.key}']`, value: row.nodeLabel.value }];
}

const offSwitches = [names.nonCalicoSelector, names.operatorProxySelector] as const;

function daemonSetProxy(signs: ProxySigns, object: KubeObject): Proxy {
  const workload = workloadOf(object);
  const { desiredNumberScheduled: desired, currentNumberScheduled: current, numberReady: ready } = workload.status;
  const { nodeSelector } = workload.spec.template.spec;
  const off = offSwitches.filter((key) => key in nodeSelector);
  const scheduled = desired === null ? null : Math.max(desired, current ?? 0, ready ?? 0);
  const pod = { object: workloadId(workload), spec: workload.spec.template.spec };
  const started = asStarted(modeOfProxy(pod, signs.configMaps, signs.configIsKnown), signs.startedProxyModes);
  const mode = asRolledOut(started, proxyRollout(object));
  return {
    kind: 'daemonset',
    mode: mode.mode,
    // Without a status, as in a dump, only a selector that no node has shows that it is off.
    running: scheduled === null ? (off.length > 0 ? false : null) : scheduled > 0,
    pods: desired === null ? null : { desired, ready: ready ?? 0 },
    managedBy: managerOf(object, signs.installation),
    evidence: [
      ...(desired === null ? [] : [evidence(object, 'status.desiredNumberScheduled', desired)]),
      ...off.map((key) => evidence(object, `spec.template.spec.nodeSelector['${key}']`, nodeSelector[key])),
      ...mode.evidence,
    ],
  };
}

/** The mode by the template and by running pods, which may be older. One pod in IPVS mode is enough; other differences leave the mode unknown. */
function asStarted(byTemplate: ReadMode, started: readonly ReadMode[]): ReadMode {
  const others = started.filter(({ mode }) => mode !== 'unknown' && mode !== byTemplate.mode);
  const other = others.find(({ mode }) => mode === 'ipvs') ?? others[0];
  if (!other) return byTemplate;
  const mode = [byTemplate.mode, other.mode].includes('ipvs') ? 'ipvs' : 'unknown';
  return { mode, evidence: [...byTemplate.evidence, ...other.evidence] };
}

/** The template's mode while older pods may run: IPVS stays, others become unknown. */
function asRolledOut(byTemplate: ReadMode, behind: Evidence | null): ReadMode {
  return behind === null || byTemplate.mode === 'ipvs'
    ? byTemplate
    : { mode: 'unknown', evidence: [...byTemplate.evidence, behind] };
}

/** The tool that reverts changes of the DaemonSet; null: none. Helm does not count, as it only writes when it is run. */
function managerOf(daemonSet: KubeObject, installation: KubeObject | null): string | null {
  const mark = marksOf(daemonSet).find(({ by }) => by !== 'helm');
  if (mark) return mark.by === 'other' ? String(mark.evidence.value) : mark.by;
  const managed = installation && installationOf(installation).spec.calicoNetwork.kubeProxyManagement;
  return managed === 'Enabled' ? names.operatorDeployment : null;
}

const openshiftNetwork = fields({
  spec: fields({
    defaultNetwork: fields({ type: text }),
    deployKubeProxy: flagOrNull,
    kubeProxyConfig: fields({ proxyArguments: mapOf(texts) }),
  }),
});

function proxyOfOpenshift(network: KubeObject): Proxy {
  const { defaultNetwork, deployKubeProxy, kubeProxyConfig } = openshiftNetwork.parse(network).spec;
  const flag = kubeProxyConfig.proxyArguments['proxy-mode']?.at(-1) ?? null;
  const proof = evidence(network, 'spec.deployKubeProxy', deployKubeProxy);
  return {
    kind: 'openshift',
    mode: modeOfFlag(flag),
    running: openshiftRunsProxy(defaultNetwork.type, deployKubeProxy),
    pods: null,
    managedBy: 'openshift-network-operator',
    evidence: [
      proof,
      ...(flag === null ? [] : [evidence(network, "spec.kubeProxyConfig.proxyArguments['proxy-mode']", flag)]),
    ],
  };
}

function embeddedProxy({
  platform,
  nodeArguments: started,
  staticProxies: pods,
  staticProxyModes: modes,
}: ProxySigns): Proxy {
  const servers = started.filter(isServer);
  const disabled = servers.length > 0 && servers.every(isProxyDisabled);
  const flags = new Set(started.map((one) => proxyArgument(one, 'proxy-mode')));
  // The flags of its running pods count; the node's arguments may be newer.
  const ofPods = commonMode(modes);
  const mode: ReadMode['mode'] =
    ofPods && ofPods.mode !== 'unknown'
      ? ofPods.mode
      : started.length === 0 || flags.size > 1
        ? 'unknown'
        : modeOfFlag([...flags][0] ?? null);
  const seen = (disabled ? servers : started.slice(0, 1)).map(
    (one): Evidence => ({
      object: `Node/${one.node}`,
      path: `metadata.annotations['${one.key}']`,
      value: one.arguments,
    }),
  );
  const shownPods = pods.first === null ? [] : [{ object: pods.first, path: 'metadata.name', value: pods.count }];
  return {
    kind: 'embedded',
    mode,
    running: pods.count > 0 ? true : servers.length > 0 ? !disabled : null,
    pods: null,
    managedBy: platforms[platform].title,
    evidence: [...seen, ...shownPods, ...(ofPods?.evidence ?? [])],
  };
}
