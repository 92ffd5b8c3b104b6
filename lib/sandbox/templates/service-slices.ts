import { z } from 'zod';
import { type KubeObject, objectTime } from '#lib/kube/index.ts';
import { uidOf } from '../builders.ts';
import { isReady, podShape } from '../workloads/shapes.ts';
import { shortName } from '../workloads/template-hash.ts';
import type { ClusterShape } from './cluster-shape.ts';

const selectingService = z.looseObject({
  metadata: z.looseObject({ name: z.string(), namespace: z.string(), uid: z.string() }),
  spec: z.looseObject({
    selector: z.record(z.string(), z.string()),
    ports: z.array(
      z.looseObject({
        name: z.string(),
        protocol: z.string(),
        targetPort: z.union([z.number(), z.string()]),
        port: z.number(),
      }),
    ),
  }),
});

/**
 * EndpointSlices of every Service that selects pods, as their controller writes them. A pod that was not placed has no address yet, and is left out.
 */
export function serviceSlices(objects: readonly KubeObject[], { now }: ClusterShape): KubeObject[] {
  const pods = objects.filter(({ kind }) => kind === 'Pod').map((object) => podShape.parse(object));
  return objects.flatMap((object) => {
    const service = object.kind === 'Service' ? selectingService.safeParse(object) : null;
    if (!service?.success) return [];
    const { metadata, spec } = service.data;
    const behind = pods.filter(
      (pod) =>
        pod.status.podIP !== undefined &&
        pod.metadata.namespace === metadata.namespace &&
        Object.entries(spec.selector).every(([key, value]) => pod.metadata.labels[key] === value),
    );
    const name = `${metadata.name}-${shortName(5, metadata.namespace, metadata.name, 'slice')}`;
    const slice: KubeObject = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name,
        namespace: metadata.namespace,
        generateName: `${metadata.name}-`,
        uid: uidOf('EndpointSlice', metadata.namespace, name),
        creationTimestamp: objectTime(now - 29 * 24 * 3_600_000),
        generation: 1,
        labels: {
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          'kubernetes.io/service-name': metadata.name,
        },
        ownerReferences: [
          {
            apiVersion: 'v1',
            blockOwnerDeletion: true,
            controller: true,
            kind: 'Service',
            name: metadata.name,
            uid: metadata.uid,
          },
        ],
      },
      addressType: 'IPv4',
      endpoints: behind.map((pod) => ({
        addresses: [pod.status.podIP],
        conditions: { ready: isReady(pod), serving: isReady(pod), terminating: false },
        nodeName: pod.spec.nodeName,
        targetRef: {
          kind: 'Pod',
          name: pod.metadata.name,
          namespace: pod.metadata.namespace,
          uid: pod.metadata.uid,
        },
      })),
      ports: spec.ports.map(({ name: portName, protocol, targetPort, port }) => ({
        name: portName,
        // In these samples a named port has the Service's own number.
        port: typeof targetPort === 'number' ? targetPort : port,
        protocol,
      })),
    };
    return [slice];
  });
}
