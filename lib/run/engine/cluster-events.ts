import type { CoreV1Event } from '@kubernetes/client-node';
import type { Clock, Kube, ObjectToWrite } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';

/** Reasons of the Kubernetes Events that `kubectl describe installation default` shows. */
export type EventReason = 'RunStarted' | 'OperationFinished' | 'RunPaused' | 'RunResumed' | 'UndoStarted' | 'RunEnded';

/**
 * Records a Kubernetes Event, best effort: a cluster that refuses Events is switched all the same. Installation is cluster-scoped, so its Events go
 * to the namespace `default`.
 */
export async function recordEvent(
  kube: Kube,
  clock: Clock,
  run: string,
  type: 'Normal' | 'Warning',
  reason: EventReason,
  message: string,
  counter: number,
): Promise<void> {
  const now = new Date(clock.now()).toISOString();
  try {
    const installation = await kube.get({ resource: resources.installations, name: names.installation });
    await kube.create(resources.events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `signalbox-${run}-${counter}-${clock.now().toString(36)}`, namespace: 'default' },
      involvedObject: {
        apiVersion: 'operator.tigera.io/v1',
        kind: 'Installation',
        name: names.installation,
        ...(installation?.metadata.uid ? { uid: installation.metadata.uid } : {}),
      },
      type,
      reason,
      message: `Run ${run}: ${message}`.slice(0, 1000),
      source: { component: names.fieldManager },
      reportingComponent: names.fieldManager,
      reportingInstance: run,
      action: reason,
      firstTimestamp: now.replace(/\.\d+Z/, 'Z'),
      lastTimestamp: now.replace(/\.\d+Z/, 'Z'),
      count: 1,
    } satisfies ObjectToWrite<CoreV1Event>);
  } catch {
    // The journal and the stream have it in any case.
  }
}
