import type { Subject } from '#lib/facts/index.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import type { Act, Condition, Plan } from '#lib/plan/index.ts';
import { directionOf, type Journal, phaseOf } from '../model/journal.ts';
import { type EventSubject, eventsAbout, newestFirst, type StepEvent } from './events-about.ts';
import { objectsOfStep, type StepObject, stepObject } from './objects-of-step.ts';
import { podsHeldUp, type StepPod, workloadsOf } from './pods-held-up.ts';

/**
 * One step of a run in detail: its change, and its objects as they are now. `diff` and `command`: for the run's present direction. `notRead`:
 * sentences about what could not be read; the rest is complete.
 */
export type StepInside = {
  seq: number;
  why: string;
  command: string;
  diff: string;
  objects: StepObject[];
  /** Number of objects that are not listed: a manifest may have hundreds. */
  moreObjects: number;
  /** Newest first. */
  events: StepEvent[];
  pods: StepPod[];
  notRead: string[];
};

const objectsShown = 12;
const eventsShown = 10;

/**
 * Reads everything about one step. `heldUpBy`: what it waits for, if it is under way. Null if the plan has no such step. What cannot be read becomes
 * part of the answer; only an API server that does not answer at all is thrown.
 */
export async function insideStep(
  kube: Kube,
  { plan, journal, seq, heldUpBy }: { plan: Plan; journal: Journal; seq: number; heldUpBy: readonly Subject[] },
  signal: AbortSignal,
): Promise<StepInside | null> {
  const operation = plan.operations.find((one) => one.seq === seq);
  if (operation === undefined) return null;
  const isUndone = directionOf(journal) === 'undo' && phaseOf(journal, { direction: 'undo', seq }) !== 'ahead';
  const way: { act: Act; done: Condition; diff: string; command: string } =
    isUndone && operation.undo !== null ? operation.undo : operation;
  const refs = objectsOfStep(way);
  const notRead = new Set<string>();
  const orNotRead = async <T>(reading: Promise<T>, instead: T): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      if (!isKubeError(error) || isKubeError(error, 'unreachable', 'unauthorized', 'credentials')) throw error;
      notRead.add(error.message);
      return instead;
    }
  };
  const shown = refs.slice(0, objectsShown);
  const isAwaited = heldUpBy.length > 0;
  const [objects, pods] = await Promise.all([
    Promise.all(shown.map((ref) => orNotRead(stepObject(kube, ref, way.done, signal), null))),
    isAwaited ? orNotRead(podsHeldUp(kube, workloadsOf(refs, heldUpBy), heldUpBy, signal), []) : [],
  ]);
  const about: EventSubject[] = [
    ...pods.map(({ namespace, pod }) => ({ kind: 'Pod', namespace, name: pod })),
    ...shown.map(({ resource, namespace, name }) => ({ kind: resource.kind, namespace: namespace ?? null, name })),
  ];
  const found = await Promise.all(
    about.map((one) => orNotRead(eventsAbout(kube, one, journal.startedAt, signal), { events: [], notRead: null })),
  );
  for (const { notRead: sentence } of found) if (sentence !== null) notRead.add(sentence);
  return {
    seq,
    why: operation.why,
    command: way.command,
    diff: way.diff,
    objects: objects.filter((one) => one !== null),
    moreObjects: refs.length - shown.length,
    events: newestFirst(found.flatMap(({ events }) => events)).slice(0, eventsShown),
    pods,
    notRead: [...notRead],
  };
}
