import { inParallel } from '#lib/base/in-parallel.ts';
import {
  isKubeError,
  type KubeObject,
  type ObjectMetadata,
  podOf,
  podStatusOf,
  type ReadPodSpec,
  workloadOf,
} from '#lib/kube/index.ts';
import { fields, flagOrNull, listOf, text } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { picked, type Query } from '../reading/query.ts';
import type { Session } from '../reading/session.ts';
import { allDeploymentListing, daemonSetListing, podListing, statefulSetListing } from '../reading/sources.ts';
import type { Subject } from '../schema.ts';

/** On the host's network a port is the host's own, and nothing has to forward to it. */
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

/** Makers of pods whose templates are read here. A static pod's Node is none of them, but it is on the host's network as a rule. */
const readMakers: ReadonlySet<string> = new Set(['DaemonSet', 'StatefulSet', 'Node']);

const owners = listOf(fields({ kind: text, name: text, controller: flagOrNull }));

/** A ReplicaSet is read where a Deployment made it: its name ends in the hash that the Deployment puts on its pods. */
function isRead(maker: { kind: string; name: string }, hash: string | undefined): boolean {
  const isOfDeployment = maker.kind === 'ReplicaSet' && hash !== undefined && maker.name.endsWith(`-${hash}`);
  return isOfDeployment || readMakers.has(maker.kind);
}

type PodName = { readonly namespace: string; readonly name: string };

const namesOfOthers = picked(podListing, (object): PodName | null => {
  const maker = owners.parse(object.metadata.ownerReferences).find(({ controller }) => controller === true);
  const { namespace, name, labels } = metadata.parse(object.metadata);
  if (maker && isRead(maker, labels['pod-template-hash'])) return null;
  return { namespace: namespace ?? '', name };
});

/** So many are read whole, one by one: bare pods and those of Jobs and of other products' controllers. */
const mostRead = 200;
const atOnce = 10;

/** Pods of all other makers: what they ask of the host, and which of them could not be read. Listed by name, which the rule of the list allows. */
const otherPods: Query<{ found: Subject[]; unread: PodName[] }> = {
  rules: namesOfOthers.rules,
  enlist: (session) => {
    const fetch = namesOfOthers.enlist(session);
    return async () => {
      const { value: all, missing } = await fetch();
      const wanted = all.slice(0, mostRead);
      const read = await inParallel(wanted, atOnce, (one) => onePod(session, one));
      const found = read.filter((one) => one !== 'unread' && one !== null);
      const unread = [...all.slice(mostRead), ...wanted.filter((_, at) => read[at] === 'unread')];
      return { value: { found, unread }, missing };
    };
  },
};

async function onePod(session: Session, { namespace, name }: PodName): Promise<Subject | 'unread' | null> {
  const options = session.signal ? { signal: session.signal } : {};
  const only = { ...options, namespace, fieldSelector: `metadata.name=${name}` };
  let pod: KubeObject | null = null;
  try {
    if (session.isDump) pod = await session.kube.get({ resource: resources.pods, namespace, name }, options);
    else for await (const { items } of session.kube.list(resources.pods, only)) pod ??= items[0] ?? null;
    // One that has ended, or is gone since, asks for nothing.
    if (pod === null || /^(Succeeded|Failed)$/.test(podStatusOf(pod).status.phase ?? '')) return null;
    return hostPortsIn(podOf(pod).spec, { kind: 'Pod', namespace, name });
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return 'unread';
  }
}

/** Workloads that ask for a port of their node (pain E1). */
export const hostPorts = defineCollector({
  id: 'features/host-ports',
  tells: ['hostPorts'],
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
