import { inParallel } from '#lib/base/async/in-parallel.ts';
import {
  isKubeError,
  type KubeObject,
  type ObjectMetadata,
  podOf,
  podStatusOf,
  type ReadPodSpec,
  workloadOf,
} from '#lib/kube/index.ts';
import { fields, flagOrNull, listOf, text, textMap } from '#lib/kube/read/lenient.ts';
import { resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { folded, picked, type Query } from '../reading/query.ts';
import { pageSize as pageSizes, type Session } from '../reading/session.ts';
import { allDeploymentListing, daemonSetListing, podListing, statefulSetListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

/** A workload with a hostPort, without those on the host's network: their ports are the host's own and need no forwarding. */
function hostPortsOf(object: KubeObject | ObjectMetadata): Subject | null {
  const { kind, metadata: meta, spec } = workloadOf(object);
  return hostPortsIn(spec.template.spec, { kind, namespace: meta.namespace, name: meta.name });
}

function hostPortsIn(
  { hostNetwork, containers, initContainers }: ReadPodSpec,
  subject: Omit<Subject, 'detail'>,
): Subject | null {
  if (hostNetwork === true) return null;
  const ports = [...containers, ...initContainers]
    .flatMap(({ ports: own }) => own.map(({ hostPort }) => hostPort))
    .filter((port) => port !== null && port !== 0);
  if (ports.length === 0) return null;
  return { ...subject, detail: `host port ${[...new Set(ports)].join(', ')}` };
}

/** Owners of pods that need not be read one by one: workloads whose templates are read, and the Node of static pods, which are on the host's network as a rule. */
const readMakers: ReadonlySet<string> = new Set(['DaemonSet', 'StatefulSet', 'Node']);

const owners = listOf(fields({ kind: text, name: text, controller: flagOrNull }));

/** Whether the template of a pod's owner is read. A ReplicaSet of a Deployment ends in the hash that its pods have as a label. */
function isRead(maker: { kind: string; name: string }, hash: string | undefined): boolean {
  const isOfDeployment = maker.kind === 'ReplicaSet' && hash !== undefined && maker.name.endsWith(`-${hash}`);
  return isOfDeployment || readMakers.has(maker.kind);
}

type PodName = { readonly namespace: string; readonly name: string };
type Namespace = { pods: number; readonly others: PodName[] };

/** By namespace: the number of pods, and the names of those whose owner's template is not read. */
const othersByNamespace = folded(podListing, () => {
  const namespaces = new Map<string, Namespace>();
  return {
    each: (object) => {
      const { namespace = '', name = '' } = object.metadata;
      const own = namespaces.get(namespace) ?? { pods: 0, others: [] };
      if (own.pods++ === 0) namespaces.set(namespace, own);
      const maker = owners.parse(object.metadata.ownerReferences).find(({ controller }) => controller === true);
      const isOther = !maker || !isRead(maker, textMap.parse(object.metadata.labels)['pod-template-hash']);
      if (isOther) own.others.push({ namespace, name });
    },
    result: () => [...namespaces],
  };
});

/** A namespace is listed if at least one in so many of its pods is needed; otherwise pods are read by name. */
const oneIn = 20;
/** Pods that are read at the most, in lists and by name: bare ones and those of Jobs and of other products' controllers. */
const mostListed = 5_000;
const mostByName = 200;
const atOnce = 10;

/** Pods of other owners with a hostPort, and those that could not be read. */
const otherPods: Query<{ found: Subject[]; unread: PodName[] }> = {
  rules: othersByNamespace.rules,
  enlist: (session) => {
    const fetch = othersByNamespace.enlist(session);
    return async () => {
      const { value: namespaces, missing } = await fetch();
      const { listed, byName, left } = waysToRead(namespaces, session);
      const answers = await Promise.all([
        inParallel(listed, 2, ([namespace, { others }]) => podsOf(session, namespace, others)),
        inParallel(byName, atOnce, (one) => podsOf(session, one.namespace, [one], one.name)),
      ]);
      const read = answers.flat();
      return {
        value: {
          found: read.flatMap(({ found }) => found),
          unread: [...left, ...read.flatMap(({ unread }) => unread)],
        },
        missing,
      };
    };
  },
};

/** Which namespaces are listed and which pods are read by name. In a dump all are read by name, which costs nothing. */
function waysToRead(namespaces: readonly (readonly [string, Namespace])[], { isDump }: Session) {
  let room = isDump ? 0 : mostListed;
  const listed = namespaces.filter(([, { pods, others }]) => {
    const isListed = others.length * oneIn >= pods && pods <= room;
    if (isListed) room -= pods;
    return isListed;
  });
  const rest = namespaces.filter((one) => !listed.includes(one)).flatMap(([, { others }]) => others);
  return { listed, byName: rest.slice(0, mostByName), left: rest.slice(mostByName) };
}

const running = 'status.phase!=Succeeded,status.phase!=Failed';

/** These pods of a namespace with a hostPort. Pods that ended or are gone have none. */
async function podsOf(session: Session, namespace: string, wanted: readonly PodName[], only?: string) {
  const options = session.signal ? { signal: session.signal } : {};
  const names = new Set(wanted.map(({ name }) => name));
  const pods: KubeObject[] = [];
  try {
    if (session.isDump) {
      for (const { name } of wanted) {
        const pod = await session.kube.get({ resource: resources.pods, namespace, name }, options);
        if (pod) pods.push(pod);
      }
    } else {
      const fieldSelector = only === undefined ? running : `metadata.name=${only}`;
      for await (const { items } of session.kube.list(resources.pods, {
        ...options,
        namespace,
        fieldSelector,
        pageSize: pageSizes.full,
      }))
        pods.push(...items.filter(({ metadata: { name = '' } }) => names.has(name)));
    }
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return { found: [], unread: [...wanted] };
  }
  const found = pods
    .filter((pod) => !/^(Succeeded|Failed)$/.test(podStatusOf(pod).status.phase ?? ''))
    .map((pod) => hostPortsIn(podOf(pod).spec, { kind: 'Pod', namespace, name: pod.metadata.name ?? '' }))
    .filter((one) => one !== null);
  return { found, unread: [] };
}

/** Workloads and pods with a hostPort (pain E1). */
export const hostPorts = defineCollector({
  id: 'features/host-ports',
  provides: ['hostPorts'],
  reads: {
    daemonSets: picked(daemonSetListing, hostPortsOf),
    deployments: picked(allDeploymentListing, hostPortsOf),
    statefulSets: picked(statefulSetListing, hostPortsOf),
    otherPods,
  },
  collect: ({ daemonSets, deployments, statefulSets, otherPods: others }) => ({
    features: {
      hostPorts: [...daemonSets.value, ...deployments.value, ...statefulSets.value, ...others.value.found],
      otherPods: {
        count: others.value.unread.length,
        first: others.value.unread.slice(0, 3).map(({ namespace, name }) => `${namespace}/${name}`),
      },
    },
  }),
});
