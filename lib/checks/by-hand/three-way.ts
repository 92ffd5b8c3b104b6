import type { ReadObject } from '#lib/facts/index.ts';
import { type Choices, imagePlace, type ManifestObject, splitImage } from '#lib/spec/index.ts';
import { wholeWhereGone } from './gone-in-next.ts';
import { fieldNamed, type ManualChange, manualChanges, sameField, withFieldNamed } from './manual-changes.ts';
import { imagesOfNewContainers } from './new-containers.ts';

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
  /** What `keep` writes: mine, but of an image only from where it comes. */
  readonly mine: unknown;
  /** What happens without an answer; `isLeft`: the new release left the field as it was, so that nobody need be asked. */
  readonly proposed: { readonly decision: 'keep' | 'take'; readonly isLeft: boolean };
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
 * nobody). Which release an image is of is never a change by hand: it is the new one's, from where people have theirs, also in a container that is new.
 */
export function changesByHand({ object, live, old, next, answers }: Three): ChangeByHand[] {
  const answered = (change: ManualChange, comes: unknown, proposal: Proposal): ChangeByHand => {
    const id = `${object}:${change.path}`;
    const answer = answers[id] ?? answers[object] ?? answers.all;
    const { mine, ...proposed } = proposal;
    return {
      ...change,
      id,
      object,
      next: comes,
      mine,
      proposed,
      ...decided(comes, proposal, asWritten(change, comes, answer)),
    };
  };
  const changes = manualChanges(live, old ?? next);
  const found =
    old === null ? changes.map((change) => ({ change, isGone: false })) : wholeWhereGone(changes, { live, old, next });
  return [
    ...found.flatMap(({ change, isGone }) => {
      const comes = fieldNamed(next, change);
      if (old !== null && sameField(comes, change.live)) return [];
      const mine = mineOf(change, comes);
      if (sameField(mine, comes)) return [];
      // Of two files nobody knows who wrote what: settings stay, the shape of pods and of rights is the release's. So with what it no longer has.
      const isOfRelease = (old === null || isGone) && !settings.test(change.path);
      const isLeft = old !== null && (isImage(change.path) || sameField(comes, change.released));
      return [answered(change, comes, { mine, decision: isOfRelease ? 'take' : 'keep', isLeft })];
    }),
    ...imagesOfNewContainers({ live, old, next }).map(({ change, comes, mine, isSure }) =>
      answered(change, comes, { mine, decision: 'keep', isLeft: isSure && old !== null }),
    ),
  ];
}

/** A value of a ConfigMap and of a variable is a text, also where it looks like a number; so is what was one. */
function asWritten({ path, released, live }: ManualChange, comes: unknown, answer: Answers[string] | undefined) {
  if (typeof answer !== 'object' || !/^(number|boolean)$/.test(typeof answer.write)) return answer;
  const isText = /^data\.|\.env\[.*\]\.value$|^metadata\.|\.nodeSelector\./.test(path);
  const wasText = [live, released, comes].some((value) => typeof value === 'string');
  const wasAmount = /\.resources\.|^spec\..*(maxUnavailable|maxSurge)$/.test(path);
  return isText || (wasText && !wasAmount) ? { write: String(answer.write) } : answer;
}

type Proposal = {
  readonly mine: unknown;
  readonly decision: 'keep' | 'take';
  /** Whether the new release left it as it was, so that nobody need be asked. */
  readonly isLeft: boolean;
};

function decided(
  comes: unknown,
  { mine, decision, isLeft }: Proposal,
  answer: Answers[string] | undefined,
): Pick<ChangeByHand, 'becomes' | 'decision' | 'decidedBy'> {
  if (answer === 'keep') return { becomes: mine, decision: 'keep', decidedBy: 'answer' };
  if (answer === 'take') return { becomes: comes, decision: 'take', decidedBy: 'answer' };
  if (answer !== undefined) return { becomes: answer.write, decision: 'write', decidedBy: 'answer' };
  return { becomes: decision === 'keep' ? mine : comes, decision, decidedBy: isLeft ? 'proposal' : 'nobody' };
}

/** What administrators are told to edit in the published files (docs of each manifest), and what schedules and limits pods. */
const settings =
  /^(data|metadata)\.|\.(resources|nodeSelector|tolerations|affinity|priorityClassName|imagePullSecrets|dnsPolicy|dnsConfig)\b|\.env\[|\.image$|^spec\.replicas$|^imagePullSecrets/;

const isImage = (path: string) => path.endsWith('.image');

/** An image is taken from where it comes from now, at the version of the new release. */
function mineOf({ path, live, released }: ManualChange, comes: unknown): unknown {
  if (!isImage(path) || typeof live !== 'string' || typeof comes !== 'string') return live;
  const here = imagePlace(live);
  const isMoved = here !== imagePlace(comes) && (typeof released !== 'string' || here !== imagePlace(released));
  return isMoved ? `${here}${splitImage(comes).version}` : comes;
}

/** The object as it is written: the new file's, with what is kept of each change. */
export function withChanges(next: ManifestObject, changes: readonly ChangeByHand[]): ManifestObject {
  return changes.reduce<unknown>(
    (object, { steps, becomes, next: comes }) =>
      sameField(becomes, comes) ? object : withFieldNamed(object, steps, becomes),
    next,
  ) as ManifestObject;
}
