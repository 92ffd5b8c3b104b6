import type { Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { maskedText } from '#lib/text/index.ts';

/** What Kubernetes or a controller wrote about an object. `at`: when it was seen last. */
export type StepEvent = { at: string; object: string; isWarning: boolean; reason: string; message: string };

export type About = { kind: string; namespace: string | null; name: string };

/** Of one object so many are read. */
const pageSize = 50;
const lettersShown = 300;

/**
 * Events about an object since a time (RFC 3339), as they were listed. Those about objects without a namespace lie in `default`. Rejects with the
 * KubeError that kept them from being read.
 */
export async function eventsAbout(
  kube: Kube,
  { kind, namespace, name }: About,
  since: string,
  signal: AbortSignal,
): Promise<StepEvent[]> {
  const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name}`;
  const listed = kube.list(resources.events, { namespace: namespace ?? 'default', fieldSelector, pageSize, signal });
  for await (const { items } of listed)
    return items
      .map((event): StepEvent => {
        const told = (value: unknown) => (typeof value === 'string' ? value : '');
        const at = told(event.lastTimestamp) || told(event.eventTime) || told(event.metadata.creationTimestamp);
        return {
          at,
          object: `${kind}/${name}`,
          isWarning: event.type === 'Warning',
          reason: told(event.reason).slice(0, 100),
          message: maskedText(told(event.message)).slice(0, lettersShown),
        };
      })
      .filter(({ at }) => Date.parse(at) >= Date.parse(since));
  return [];
}
