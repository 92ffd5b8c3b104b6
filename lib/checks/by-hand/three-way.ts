import type { ReadObject } from '#lib/facts/index.ts';
import { type Choices, imagePlace, type ManifestObject, splitImage } from '#lib/spec/index.ts';
import { joinedByDroppedPart } from './dropped-parts.ts';
import { fieldNamed, type ManualChange, manualChanges, sameField, withFieldNamed } from './manual-changes.ts';
import { imagesOfNewContainers } from './new-containers.ts';

/**
 * A change by hand that the new file would revert. `settled`: an answer, or a rule without a question, decides it. `open`: the new file changes the
 * same field, or the old file is unknown; only the administrator knows which value is right.
 */
export type ChangeByHand = ManualChange & {
  /** `kube-system/ConfigMap/calico-config:data.veth_mtu`; answers use this name. */
  readonly id: string;
  readonly object: string;
  /** The value in the new file. */
  readonly next: unknown;
  /** The value that is written: mine, theirs, or the answer. `undefined`: the field is removed. */
  readonly becomes: unknown;
  /** The value that `keep` writes: mine. Of an image, only its source. */
  readonly mine: unknown;
  /** What happens without an answer. `isLeft`: the new release did not change the field, so there is no question. */
  readonly proposed: { readonly decision: 'keep' | 'take'; readonly isLeft: boolean };
  readonly decision: 'keep' | 'take' | 'write';
  readonly decidedBy: 'answer' | 'proposal' | 'nobody';
};

export type Answers = NonNullable<Choices['changes']>;

type Three = {
  /** `kube-system/DaemonSet/calico-node` */
  readonly object: string;
  readonly live: ReadObject;
  /** The object in the release that runs; null if its file is not at hand, and only two versions are compared. */
  readonly old: ManifestObject | null;
  readonly next: ManifestObject;
  readonly answers: Answers;
};

/**
 * Changes by hand that the new file does not contain, each with its decision. Pure; the same for the finding, the plan and the browser. Without an
 * answer a change is kept. It is *open* (no `decidedBy`) if the new release changed the field as well. The version of an image is never a change by
 * hand: it is the new release's, from the registry that people use, for new containers too.
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
    old === null
      ? changes.map((change) => ({ change, isGone: false }))
      : joinedByDroppedPart(changes, { live, old, next });
  return [
    ...found.flatMap(({ change, isGone }) => {
      const comes = fieldNamed(next, change);
      if (old !== null && sameField(comes, change.live)) return [];
      const mine = mineOf(change, comes);
      if (sameField(mine, comes)) return [];
      // Without the old file, authors are unknown: settings are kept, and the form of pods and roles follows the release. The same applies to what the
      // release no longer has.
      const isOfRelease = (old === null || isGone) && !settings.test(change.path);
      const isLeft = old !== null && (isImage(change.path) || sameField(comes, change.released));
      return [answered(change, comes, { mine, decision: isOfRelease ? 'take' : 'keep', isLeft })];
    }),
    ...imagesOfNewContainers({ live, old, next }).map(({ change, comes, mine, isSure }) =>
      answered(change, comes, { mine, decision: 'keep', isLeft: isSure && old !== null }),
    ),
  ];
}

/** Values of a ConfigMap or a variable are text, even if they look like numbers; so is a value that was text before. */
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
  /** The new release did not change the field, so there is no question. */
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

/** Fields that administrators are told to edit in the published files (docs of each manifest), and fields for scheduling and limits of pods. */
const settings =
  /^(data|metadata)\.|\.(resources|nodeSelector|tolerations|affinity|priorityClassName|imagePullSecrets|dnsPolicy|dnsConfig)\b|\.env\[|\.image$|^spec\.replicas$|^imagePullSecrets/;

const isImage = (path: string) => path.endsWith('.image');

/** An image keeps its present source and gets the version of the new release. */
function mineOf({ path, live, released }: ManualChange, comes: unknown): unknown {
  if (!isImage(path) || typeof live !== 'string' || typeof comes !== 'string') return live;
  const here = imagePlace(live);
  const isMoved = here !== imagePlace(comes) && (typeof released !== 'string' || here !== imagePlace(released));
  return isMoved ? `${here}${splitImage(comes).version}` : comes;
}

/** The object that is written: the new file's, with the changes that are kept. */
export function withChanges(next: ManifestObject, changes: readonly ChangeByHand[]): ManifestObject {
  return changes.reduce<unknown>(
    (object, { steps, becomes, next: comes }) =>
      sameField(becomes, comes) ? object : withFieldNamed(object, steps, becomes),
    next,
  ) as ManifestObject;
}
