import { counted } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';
import { isClusterService, type ServiceKind, serviceTitle } from '#lib/spec/index.ts';
import { openGaps, type ServicesWatched } from '../services/services.ts';
import { everyAskedNode, gapLength, gapsSentence, heardWithinMs, serviceGaps } from '../services/services-in-words.ts';
import type { ConditionContext } from './context.ts';
import type { Progress } from './progress.ts';

/** All Services that nodes ask answer now on each of these nodes. *unknown* where the run does not watch Services, or a node does not report on one of them. */
export async function servicesAnswer(
  _condition: unknown,
  { services, clock }: Pick<ConditionContext, 'services' | 'clock'>,
): Promise<Progress> {
  const gaps = serviceGaps(services);
  if (services === null || gaps === null) return unknown('This run did not watch them.', []);
  if (services.missed.length > 0)
    return unknown(`Services from every node: not verified. ${services.missed.at(-1)}`, []);
  const silent = services.nodes.flatMap((node) => nodeWithoutReports(node, services, clock.now()));
  const [first] = silent;
  if (first !== undefined)
    return unknown(
      `Services are not verified on ${counted(silent.length, 'node')}. ${first.name}: ${first.detail}.`,
      silent,
    );
  const open = openGaps(services).map(({ node, kind, ms }) => ({
    kind,
    subject: aNode(node, `${serviceTitle(kind)} has not answered for ${gapLength(ms)}`),
  }));
  const ofCluster = open.filter(({ kind }) => isClusterService(kind)).map(({ subject }) => subject);
  if (ofCluster.length > 0)
    return { kind: 'waiting', awaiting: `Services to answer from ${everyAskedNode(gaps)}`, heldUpBy: ofCluster };
  const [other] = open;
  if (other !== undefined)
    return unknown(
      `The cluster's own Services answer from ${everyAskedNode(gaps)}. On ${other.subject.name}, ${other.subject.detail}: the pods behind it may be gone.`,
      open.map(({ subject }) => subject),
    );
  return { kind: 'met', evidence: [], note: gapsSentence(gaps) };
}

/** The node as a subject if it lacks a recent report of a Service, or one has never answered there; else nothing. */
function nodeWithoutReports(
  { node, kinds, fault }: ServicesWatched['nodes'][number],
  { nodes }: ServicesWatched,
  now: number,
): Subject[] {
  const isHeard = ({ heardAt }: (typeof kinds)[number]) => heardAt !== undefined && now - heardAt <= heardWithinMs;
  if (!kinds.some(isHeard)) return [aNode(node, fault ?? 'tells nothing')];
  const answersSomewhere = (kind: ServiceKind) =>
    nodes.some((one) => one.kinds.some((each) => each.kind === kind && each.answers));
  const lacking = kinds.flatMap((kind) => {
    const title = serviceTitle(kind.kind);
    if (!isHeard(kind)) return [`no report about ${title}`];
    // A NodePort that answers on no node at all has nothing behind it.
    const isOwed = isClusterService(kind.kind) || answersSomewhere(kind.kind);
    return !kind.answers && isOwed ? [`${title} has never answered`] : [];
  });
  return lacking.length === 0 ? [] : [aNode(node, lacking.join(', '))];
}

function aNode(name: string, detail: string): Subject {
  return { kind: 'Node', namespace: null, name, detail };
}

function unknown(because: string, subjects: Subject[]): Progress {
  return { kind: 'unknown', because, subjects };
}
