import type { ReadObject } from '#lib/facts/index.ts';
import { type Choices, type ManifestObject, splitImage } from '#lib/spec/index.ts';
import { fieldNamed, type ManualChange, manualChanges, sameField, withFieldNamed } from './manual-changes.ts';

/**
 * A change by hand that the new file would set back. `settled`: what becomes of it, and who says so: an answer, or a rule that needs none. `open`:
 * the new file changes the same, or nobody knows what the old file had; which of both is right, nobody but the administrator can say.
 */
export type ChangeByHand = ManualChange & {
  /** `kube-system/ConfigMap/calico-config:data.veth_mtu`, by which answers name it. */
  readonly id: string;
  readonly object: string;
  /** What the new file has there. */
  readonly next: unknown;
  /** What is written there: mine, theirs, or what was answered. `undefined`: the field goes. */
  readonly becomes: unknown;
  readonly decision: 'keep' | 'take' | 'write';
  readonly decidedBy: 'answer' | 'proposal' | 'nobody';
};

export type Answers = NonNullable<Choices['changes']>;

type Three = {
  /** `kube-system/DaemonSet/calico-node` */
  readonly object: string;
  readonly live: ReadObject;
  /** As the release that runs has it; null: its file is not at hand, and two are compared. */
  readonly old: ManifestObject | null;
  readonly next: ManifestObject;
  readonly answers: Answers;
};

/**
 * What people changed in an object and the new file does not have so, with what is decided of each. Pure; the same for the finding, the plan and the
 * browser. Without an answer a change stays where the new file leaves the field as it was; otherwise it stays too, and is *open* (`decidedBy`
 * nobody). Which release an image is of is never a change by hand: it is the new one's, from where people have theirs.
 */
export function changesByHand({ object, live, old, next, answers }: Three): ChangeByHand[] {
  return manualChanges(live, old ?? next).flatMap((change): ChangeByHand[] => {
    const comes = fieldNamed(next, change);
    if (old !== null && sameField(comes, change.live)) return [];
    const mine = mineOf(change, comes);
    if (sameField(mine, comes)) return [];
    const id = `${object}:${change.path}`;
    const answer = answers[id] ?? answers[object] ?? answers.all;
    return [{ ...change, id, object, next: comes, ...decided(change, { mine, comes, answer, old }) }];
  });
}

function decided(
  change: ManualChange,
  { mine, comes, answer, old }: { mine: unknown; comes: unknown; answer: Answers[string] | undefined; old: unknown },
): Pick<ChangeByHand, 'becomes' | 'decision' | 'decidedBy'> {
  if (answer === 'keep') return { becomes: mine, decision: 'keep', decidedBy: 'answer' };
  if (answer === 'take') return { becomes: comes, decision: 'take', decidedBy: 'answer' };
  if (answer !== undefined) return { becomes: answer.write, decision: 'write', decidedBy: 'answer' };
  if (old === null) {
    // Of two files nobody knows who wrote what: settings stay, the shape of pods and of rights is the release's.
    const isKept = settings.test(change.path);
    return { becomes: isKept ? mine : comes, decision: isKept ? 'keep' : 'take', decidedBy: 'nobody' };
  }
  const isLeft = isImage(change.path) || sameField(comes, change.released);
  return { becomes: mine, decision: 'keep', decidedBy: isLeft ? 'proposal' : 'nobody' };
}

/** What administrators are told to edit in the published files (docs of each manifest), and what schedules and limits pods. */
const settings =
  /^(data|metadata)\.|\.(resources|nodeSelector|tolerations|affinity|priorityClassName|imagePullSecrets|dnsPolicy|dnsConfig)\b|\.env\[|\.image$|^spec\.replicas$|^imagePullSecrets/;

const isImage = (path: string) => path.endsWith('.image');

/** An image is taken from where it comes from now, at the version of the new release. */
function mineOf({ path, live, released }: ManualChange, comes: unknown): unknown {
  if (!isImage(path) || typeof live !== 'string' || typeof comes !== 'string') return live;
  const [there, here] = [splitImage(live), splitImage(comes)];
  const isMoved =
    placeOf(live) !== placeOf(comes) && (typeof released !== 'string' || placeOf(live) !== placeOf(released));
  return isMoved ? `${there.registry}${[...there.path, there.name].join('/')}${here.version}` : comes;
}

function placeOf(image: string): string {
  const { registry, path, name } = splitImage(image);
  return `${registry}${[...path, name].join('/')}`;
}

/** The object as it is written: the new file's, with what is kept of each change. */
export function withChanges(next: ManifestObject, changes: readonly ChangeByHand[]): ManifestObject {
  return changes.reduce<unknown>(
    (object, { steps, becomes, next: comes }) =>
      sameField(becomes, comes) ? object : withFieldNamed(object, steps, becomes),
    next,
  ) as ManifestObject;
}
