import { counted, inList } from '#lib/base/words.ts';
import { type Afterwards, afterwards, hostAnswer, resources } from '#lib/spec/index.ts';
import { agentRollout } from '../../agent-rollout.ts';
import { knownObjects } from '../../objects/known-objects.ts';
import { afterAct } from '../../objects/objects.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';
import { restartsInWords, whyNoFlowLogs } from './flow-logs.ts';
import { type HostDecision, labelsToCopy, labelsToDecide } from './labels-to-copy.ts';
import { isRequested, whyItCannotFollow, whyNoHostEndpoints } from './refuse-afterwards.ts';
import { selectedInWords } from './selected-in-words.ts';
import { whyNoSidecars } from './sidecars.ts';
import { endpointsToDecide } from './successors.ts';

/** Optional steps after an upgrade, with the decisions that they need. `stray`: names in answers that need no decision. */
export type UpgradeAfterwards = {
  offers: AfterwardsOffer[];
  decisions: (HostDecision & { decided: boolean })[];
  stray: string[];
};

/** One optional step. `cannot`: why this cluster cannot have it; null: it can. */
export type AfterwardsOffer = {
  what: Afterwards;
  title: string;
  does: string;
  undo: string;
  isAsked: boolean;
  cannot: string | null;
};

type Known = Pick<PlanContext, 'facts' | 'choices'>;
type Words = (facts: PlanContext['facts'], known: Known) => Pick<AfterwardsOffer, 'title' | 'does' | 'undo' | 'cannot'>;

const words: Readonly<Record<Afterwards, Words>> = {
  'host-endpoints': (facts) => {
    const { autoCreate, byHand } = facts.upgrade.hostEndpoints;
    const isSettled = autoCreate === 'Enabled' && byHand.length === 0;
    const moved =
      byHand.length === 0
        ? 'Lets Calico make a host endpoint for every node.'
        : `Copies labels of ${counted(byHand.length, 'host endpoint')} to the nodes, lets Calico make one for every node, then deletes the old ones.`;
    return {
      title: 'Automatic host endpoints',
      does: `${moved} ${selectedInWords(facts)}`,
      undo: 'The undo makes the old ones again, takes the automatic ones away and the copied labels off.',
      cannot: isSettled ? 'Calico makes them already, and none made by hand is left.' : whyNoHostEndpoints(facts),
    };
  },
  'flow-logs': (facts, { choices }) => ({
    title: 'Flow logs',
    does: `Calico tells what it decided about each connection. ${restartsInWords(agentsOf(facts))}`,
    undo: 'The undo turns them off again, which restarts the agents once more.',
    cannot: whyNoFlowLogs(facts, choices.release ?? facts.installation.version),
  }),
  'allow-all-upgrade': ({ upgrade: { temporaryPolicies } }) => ({
    title: 'The temporary policy of an earlier upgrade',
    does: `Deletes ${inList(temporaryPolicies.map(({ name }) => name))}. Traffic that no other policy allows is denied from then on.`,
    undo: 'The undo creates it again.',
    cannot: temporaryPolicies.length === 0 ? 'No policy allow-all-upgrade is in this cluster.' : null,
  }),
  sidecars: (facts, { choices }) => ({
    title: 'Sidecars of application layer policy',
    does: `Lets Istio’s injector add the new release’s sidecar, then replaces the pods of ${sidecarsOf(facts)}, one workload after the other, each waited for.`,
    undo: 'The undo brings the injector’s template back, and replaces the pods once more.',
    cannot: whyNoSidecars(facts, choices.release ?? null),
  }),
};

const sidecarsOf = ({ upgrade: { sidecars } }: PlanContext['facts']) => counted(sidecars.length, 'workload');
const agentsOf = (facts: PlanContext['facts']) => agentRollout({ facts, before: knownObjects(facts) }).nodes;

/** What the wizard's step *Afterwards* asks and shows. Pure, never throws. */
export function upgradeAfterwards({ facts, choices }: Known): UpgradeAfterwards {
  const offers = afterwards.map((what): AfterwardsOffer => {
    const because = whyItCannotFollow(facts, what);
    const { cannot, ...texts } = words[what](facts, { facts, choices });
    return { what, ...texts, isAsked: isRequested(what, { choices }), cannot: because ? `It ${because}` : cannot };
  });
  const answers = choices.changes ?? {};
  const decisions = isRequested('host-endpoints', { choices }) ? decidable({ facts, choices }) : [];
  const known = new Set<string>([
    ...decisions.map(({ id }) => id),
    ...(decisions.some(isOfEndpoint) ? [everyEndpoint] : []),
  ]);
  const decided = (one: HostDecision) =>
    (answers[one.id] ?? (isOfEndpoint(one) ? answers[everyEndpoint] : undefined)) !== undefined;
  const isOpen = decisions.some((one) => !decided(one));
  return {
    offers,
    decisions: decisions.map((one) => ({ ...one, decided: decided(one) })),
    // While a label is open it is unknown which endpoints differ, so answers about endpoints are not stray yet.
    stray: Object.keys(answers).filter(
      (name) => hostAnswer.test(name) && !known.has(name) && !(isOpen && name.startsWith(everyEndpoint)),
    ),
  };
}

/** The name of an answer about all host endpoints that differ. */
const everyEndpoint = resources.hostEndpoints.kind;
const isOfEndpoint = ({ id }: HostDecision) => id.startsWith(everyEndpoint);

/** Decisions about labels; once these are made, also about endpoints, compared with the labels that nodes will have. None if a node was not read: the plan then says so. */
function decidable({ facts, choices }: Known): HostDecision[] {
  const context = { facts, choices, before: knownObjects(facts) };
  try {
    const labels = labelsToDecide(context);
    if (labels.some(({ id }) => choices.changes?.[id] === undefined)) return labels;
    const copied = labelsToCopy(context).reduce(
      (before, { node, labels: copies }) =>
        afterAct(before, { kind: 'merge-patch', target: node, body: { metadata: { labels: copies } } }),
      context.before,
    );
    return [...labels, ...endpointsToDecide({ facts, before: copied })];
  } catch (error) {
    if (error instanceof PlanError) return [];
    throw error;
  }
}
