import { type KubeObject, objectTime } from '#lib/kube/index.ts';
import { uidOf } from '../builders.ts';
import { injected, injector } from '../sidecar-injector.ts';
import { decideDaemonSet, revisionLabel } from '../workloads/daemon-set.ts';
import { decideDeployment } from '../workloads/deployment.ts';
import { holdAnnotation } from '../workloads/kubelets.ts';
import { mayBeScheduled, tolerationsOfDaemonPod } from '../workloads/placement.ts';
import {
  pinnedTo,
  podFromTemplate,
  podName,
  runningStatus,
  startingStatus,
  unschedulableStatus,
} from '../workloads/pod.ts';
import { decideReplicaSet, replicaSetFor } from '../workloads/replica-set.ts';
import { revisionAnnotation } from '../workloads/revision-annotation.ts';
import {
  daemonSetShape,
  deploymentShape,
  type NodeShape,
  nodeAddress,
  nodeShape,
  type PodShape,
  podShape,
  replicaSetShape,
  runsOn,
} from '../workloads/shapes.ts';
import { shortName } from '../workloads/template-hash.ts';
import type { ClusterShape } from './cluster-shape.ts';

const hourMs = 3_600_000;

/** The API server counts the changes of a DaemonSet's template in this annotation. */
const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/**
 * Adds the pods of all DaemonSets and Deployments, and the counters and conditions that controllers and nodes write once they have settled. Uses the
 * decisions of the simulation, so that opening the sandbox changes nothing.
 */
export function rolledOut(objects: readonly KubeObject[], shape: ClusterShape): KubeObject[] {
  const old = objectTime(shape.now - 29 * 24 * hourMs);
  const started = objectTime(shape.now - 2 * hourMs);
  const given = objects.map((object) => dated(object, old));
  const nodes = given.filter(({ kind }) => kind === 'Node').map((object) => nodeShape.parse(object));
  const sidecars = given.find(({ metadata }) => metadata.name === injector.name) ?? null;
  const pods: KubeObject[] = [];
  const assigned: AssignedAddress[] = [];
  const added: KubeObject[] = [];

  const start = (pod: KubeObject, node: NodeShape, isHeld = false): KubeObject => {
    // The API server's default, which every pod of a controller has.
    const spec = { enableServiceLinks: true, ...(pod.spec as object), nodeName: node.metadata.name };
    const bound = dated({ ...pod, spec }, started);
    const starting = podShape.parse({ ...bound, status: {} });
    const address = addressFor(starting, node, assigned);
    const runs = runsOn(node);
    const waits = runs === 'host network' && !starting.spec.hostNetwork;
    const status = {
      ...startingStatus(starting, node, started),
      ...(waits ? {} : runningStatus(starting, address, runs !== 'nothing' && !isHeld, started)),
    };
    const running = { ...bound, status };
    pods.push(running);
    assigned.push({ node: node.metadata.name, owner: pod.metadata.ownerReferences?.[0]?.uid ?? '', address });
    return running;
  };
  const wait = (pod: KubeObject): KubeObject => {
    const unbound = dated({ ...pod, spec: { enableServiceLinks: true, ...(pod.spec as object) } }, started);
    const waiting = { ...unbound, status: unschedulableStatus(podShape.parse(unbound), nodes, started) ?? {} };
    pods.push(waiting);
    return waiting;
  };
  const podShapes = (own: readonly KubeObject[]): PodShape[] => own.map((pod) => podShape.parse(pod));
  const isTaken = (name: string): boolean => pods.some((pod) => pod.metadata.name === name);

  const settled = given.map((object) => {
    if (object.kind === 'DaemonSet') {
      const generation = object.metadata.generation ?? 1;
      const annotations = { ...object.metadata.annotations, [templateGenerationAnnotation]: String(generation) };
      const daemonSet = { ...object, metadata: { ...object.metadata, generation, annotations } };
      const parsed = daemonSetShape.parse(daemonSet);
      const { create, hash } = decideDaemonSet(parsed, nodes, []);
      const stuckAt = nodes.find(({ metadata }) => metadata.annotations[holdAnnotation] === object.metadata.name);
      const own = create.flatMap((name) => {
        const node = nodes.find((each) => each.metadata.name === name);
        // A rollout takes nodes by name (daemon-set.ts): nodes after the one where it is stuck still have pods of the template before.
        const isBehind = stuckAt !== undefined && name > stuckAt.metadata.name;
        const pod = podFromTemplate(
          daemonSet,
          podName(daemonSet, isTaken, name, hash),
          {
            [revisionLabel]: isBehind ? shortName(10, hash, 'before') : hash,
            'pod-template-generation': String(isBehind ? generation - 1 : generation),
          },
          { affinity: pinnedTo(name), tolerations: tolerationsOfDaemonPod(parsed.spec.template.spec) },
        );
        return node ? [start(pod, node, node === stuckAt)] : [];
      });
      return { ...daemonSet, status: withoutNull(decideDaemonSet(parsed, nodes, podShapes(own)).status) };
    }
    if (object.kind === 'Deployment') {
      const generation = object.metadata.generation ?? 1;
      const annotations = { ...object.metadata.annotations, [revisionAnnotation]: '1' };
      const deployment = { ...object, metadata: { ...object.metadata, generation, annotations } };
      const parsed = deploymentShape.parse(deployment);
      const { hash } = decideDeployment(parsed, [], started);
      const replicaSet = dated(replicaSetFor(deployment, hash, '1', parsed.spec.replicas), old, 1);
      const own: KubeObject[] = [];
      for (let index = 0; index < parsed.spec.replicas; index++) {
        const node = leastLoaded(nodes, parsed.spec.template.spec, replicaSet.metadata.uid ?? '', assigned);
        const pod = injected(podFromTemplate(replicaSet, podName(replicaSet, isTaken, hash), {}), sidecars);
        own.push(node ? start(pod, node) : wait(pod));
      }
      const status = withoutNull(decideReplicaSet(replicaSetShape.parse(replicaSet), podShapes(own)).status);
      const finished = { ...replicaSet, status };
      added.push(finished);
      const decision = decideDeployment(parsed, [replicaSetShape.parse(finished)], started);
      return { ...deployment, status: withoutNull(decision.status) };
    }
    return object;
  });
  return [...settled, ...added, ...pods];
}

function dated(object: KubeObject, time: string, generation?: number): KubeObject {
  const { name = '', namespace = '' } = object.metadata;
  return {
    ...object,
    metadata: {
      uid: uidOf(object.kind, namespace, name),
      creationTimestamp: time,
      ...(generation === undefined ? {} : { generation }),
      ...object.metadata,
    },
  };
}

type AssignedAddress = { node: string; owner: string; address: string };

function leastLoaded(
  nodes: readonly NodeShape[],
  spec: PodShape['spec'],
  owner: string,
  assigned: readonly AssignedAddress[],
): NodeShape | undefined {
  const load = (node: NodeShape) => {
    const there = assigned.filter((one) => one.node === node.metadata.name);
    return { node, siblings: there.filter((one) => one.owner === owner).length, pods: there.length };
  };
  return nodes
    .filter((node) => mayBeScheduled(spec, node))
    .map(load)
    .sort((a, b) => a.siblings - b.siblings || a.pods - b.pods)[0]?.node;
}

function addressFor(pod: PodShape, node: NodeShape, assigned: readonly AssignedAddress[]): string {
  if (pod.spec.hostNetwork) return nodeAddress(node);
  const [prefix = '192.168.0'] = /^\d+\.\d+\.\d+/.exec(node.spec.podCIDR ?? '') ?? [];
  const taken = new Set(assigned.map(({ address }) => address));
  for (let host = 2; ; host++) if (!taken.has(`${prefix}.${host}`)) return `${prefix}.${host}`;
}

function withoutNull(status: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== null));
}
