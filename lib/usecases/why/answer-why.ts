import { counted } from '#lib/base/words.ts';
import { isFlowError } from '#lib/flows/flow-error.ts';
import {
  evaluatePolicies,
  evaluationLines,
  type Flow,
  type FlowEnd,
  inForce,
  type ListedFlows,
  type PolicyEvaluation,
  type PolicyPod,
  type Query,
  stagedSentence,
  type Term,
  type Traffic,
  trailLines,
  trailSentence,
  type WhyPolicy,
  withStaged,
} from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type EndQuery, isNamed, type PodEnd, readEnd } from './pod-ends.ts';
import { type ClusterPolicies, policiesOf } from './policies-of.ts';
import type { WhyQuestion } from './question.ts';

export type WhyVerdict = PolicyEvaluation['verdict'];

/** The policies that apply at one end, in order, and what ends the list; each a line. */
export type WhyEnd = {
  readonly end: 'source' | 'destination';
  readonly pod: string;
  readonly verdict: WhyVerdict;
  readonly trail: readonly string[];
};

/** A flow in words: the sentence, the policies that decided, and what staged ones would change. */
type WhyFlow = {
  readonly flow: Flow;
  readonly sentence: string;
  readonly trail: readonly string[];
  readonly staged: string | null;
};

/**
 * Why one pod reaches another or not. `flows`: seen flows, the newest of each end that reports. `policies`: no flow was seen, for the reason in
 * `noFlows`; this is what the policies say now, with `because` if they cannot be evaluated and `staged` if staged ones would change the verdict.
 * `nobody`: neither a flow nor a pod exists. Names and sentences contain text from the cluster; a face must escape strange characters.
 */
export type WhyAnswer = {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: string;
} & (
  | {
      readonly answeredBy: 'flows';
      readonly verdict: 'allowed' | 'denied';
      readonly flows: readonly WhyFlow[];
      /** More flows exist than were read. If an end does not appear, older flows may still have it. */
      readonly isCut: boolean;
    }
  | {
      readonly answeredBy: 'policies';
      readonly noFlows: string;
      readonly verdict: WhyVerdict;
      readonly because: string | null;
      readonly ends: readonly WhyEnd[];
      readonly staged: { readonly verdict: WhyVerdict; readonly ends: readonly WhyEnd[] } | null;
    }
  | { readonly answeredBy: 'nobody'; readonly because: string }
);

/** Flows of a time, newest first. `words` names the time: `the last 15m`. */
export type SeenFlows = { readonly of: (terms: readonly Term[]) => Promise<ListedFlows>; readonly words: string };

/** Answers from the flows of a time if there are any, else from the policies as they are now. The answer says which. */
export async function answerWhy(
  kube: Kube,
  question: WhyQuestion,
  seen: SeenFlows,
  signal: AbortSignal,
): Promise<WhyAnswer> {
  const { from, to, port, protocol } = question;
  const [source, destination] = await Promise.all([readEnd(kube, from, signal), readEnd(kube, to, signal)]);
  const ends = { from: nameOf(from, source), to: nameOf(to, destination) };
  const common = { from: podName(ends.from), to: podName(ends.to), port, protocol };
  const { flows, isCut, because } = await flowsBetween({ ...ends, port, protocol }, seen);
  if (flows.length > 0) {
    const verdict = flows.some((flow) => flow.verdict === 'denied') ? 'denied' : 'allowed';
    return { ...common, answeredBy: 'flows', verdict, flows: flows.map(withSentences), isCut };
  }
  if (source === null) return { ...common, answeredBy: 'nobody', because: noPod(from, because) };
  if (destination === null) return { ...common, answeredBy: 'nobody', because: noPod(to, because) };
  const known = await policiesOf(kube, signal);
  const [one, other] = [source.pod([]), destination.pod([])];
  const isItself = one.namespace === other.namespace && one.name === other.name;
  const notEvaluated =
    known.notEvaluated ??
    source.notEvaluated ??
    destination.notEvaluated ??
    (isItself ? 'a pod reaches itself without the network, where no policy is asked' : null);
  if (notEvaluated !== null)
    return {
      ...common,
      answeredBy: 'policies',
      noFlows: because,
      verdict: 'unknown',
      because: notEvaluated,
      ends: [],
      staged: null,
    };
  const traffic = { from: source.pod(known.nets), to: destination.pod(known.nets), port, protocol };
  const now = bothEnds(inForce(known.policies), known, traffic);
  const staged = bothEnds(withStaged(known.policies), known, traffic);
  return {
    ...common,
    answeredBy: 'policies',
    noFlows: because,
    because: null,
    ...now,
    staged: staged.verdict === now.verdict ? null : staged,
  };
}

/** The newest flow of each end that reports; if none, why. */
async function flowsBetween(
  { from, to, port, protocol }: { from: Named; to: Named; port: number; protocol: string },
  seen: SeenFlows,
): Promise<{ flows: Flow[]; isCut: boolean; because: string }> {
  const terms: Query['terms'] = [
    { not: false, key: 'from', namespace: from.namespace, name: null },
    { not: false, key: 'to', namespace: to.namespace, name: null },
    { not: false, key: 'port', first: port, last: port },
  ];
  try {
    const { flows: found, isCut } = await seen.of(terms);
    const between = found.filter(
      (flow) =>
        flow.port === port && flow.protocol.toUpperCase() === protocol && isOf(flow.from, from) && isOf(flow.to, to),
    );
    const flows = (['source', 'destination'] as const).flatMap(
      (reporter) => between.find((flow) => flow.reporter === reporter) ?? [],
    );
    const because = isCut
      ? `Flow logs show no flow between them among the newest ${counted(found.length, 'flow')} of ${seen.words}; there are more.`
      : `Flow logs show no flow between them in ${seen.words}.`;
    return { flows, isCut, because };
  } catch (error) {
    if (isFlowError(error))
      return { flows: [], isCut: false, because: `No flow logs were read: ${error.message.split(/(?<=\.)\s/)[0]}` };
    throw error;
  }
}

const withSentences = (flow: Flow): WhyFlow => ({
  flow,
  sentence: trailSentence(flow),
  trail: trailLines(flow),
  staged: stagedSentence(flow),
});

/** The name of an end, as it was asked for if that is a name. */
type Named = { readonly namespace: string; readonly name: string };

function nameOf(query: EndQuery, found: PodEnd | null): Named {
  if ('name' in query) return query;
  return found?.pod([]) ?? { namespace: query.namespace, name: query.labels };
}

const noPod = (query: EndQuery, because: string) =>
  'name' in query
    ? `There is no pod ${podName(query)}, and no flow with that name. ${because}`
    : `No pod in ${query.namespace} has the labels ${query.labels}.`;

/** Flows show all pods of one owner as one end, `checkout-7d9c6b8f5-*`. */
function isOf(end: FlowEnd, { namespace, name }: Named): boolean {
  const isName = isNamed(end, name) || (end.name.endsWith('*') && name.startsWith(end.name.slice(0, -1)));
  return end.kind === 'workload' && end.namespace === namespace && isName;
}

function bothEnds(policies: readonly WhyPolicy[], { tiers }: ClusterPolicies, traffic: Traffic) {
  const endOf = (end: WhyEnd['end'], pod: PolicyPod, judgement: PolicyEvaluation): WhyEnd => ({
    end,
    pod: podName(pod),
    verdict: judgement.verdict,
    trail: evaluationLines(judgement, pod),
  });
  const ends = [
    endOf('source', traffic.from, evaluatePolicies(policies, tiers, 'egress', traffic)),
    endOf('destination', traffic.to, evaluatePolicies(policies, tiers, 'ingress', traffic)),
  ];
  const verdicts = ends.map(({ verdict }) => verdict);
  const verdict: WhyVerdict = (['denied', 'unknown'] as const).find((one) => verdicts.includes(one)) ?? 'allowed';
  return { ends, verdict };
}

const podName = ({ namespace, name }: Named) => `${namespace}/${name}`;
