import { hostAndPort } from '#lib/base/ip.ts';
import { agreeing, counted } from '#lib/base/words.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { DecidedChange } from '#lib/plan/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import type { Draft } from '../host.ts';
import type { Answers, StepId } from './answers.ts';
import { goalWords } from './goal-words.ts';
import { type FindingInState, findingsInState, type OpenCounts, openCounts, undecidedWords } from './open-findings.ts';
import { goalOptions } from './proposals.ts';
import { type Step, stepsOf } from './steps.ts';
import type { WizardContext } from './wizard-context.ts';

/** Whether *Continue* is enabled; if not, the reason. */
export type Ready = { kind: 'ready' } | { kind: 'not-ready'; because: string };

export type StepState = Step & {
  mark: 'ok' | 'warn' | 'bad' | 'unknown' | 'idle';
  /** The answer in a few words: `kubeadm, highly available`. Empty without an answer. */
  says: string;
  ready: Ready;
  /** Why the step cannot be opened yet: an earlier one is not ready. Null: it can. */
  closed: string | null;
};

/**
 * The state of every step, computed from answers and findings only, so that a change in the cluster or another tab shows in all steps. `context` is null if
 * the cluster has not answered (yet); then `instead` says so.
 */
export function stepStates(
  { answers, answered }: Pick<Draft, 'answers' | 'answered'>,
  context: WizardContext | null,
  instead = '',
): StepState[] {
  const found = context && findingsInState(context.findings);
  const steps = stepsOf(answers);
  const last = steps.findLastIndex(({ id }) => answered.includes(id));
  let closed: string | null = null;
  return steps.map((step, at) => {
    const ready =
      context && found ? readyOf(step.id, context, found) : { kind: 'not-ready' as const, because: instead };
    const state: StepState = {
      ...step,
      mark: markOf(step.id, { isAnswered: at <= last, isReached: at === last + 1 }, found, ready),
      says: context && found ? says(step.id, context, found) : '',
      ready,
      closed,
    };
    if (closed === null && ready.kind === 'not-ready') closed = `${step.name} first: ${ready.because}`;
    return state;
  });
}

function readyOf(step: StepId, context: WizardContext, found: readonly FindingInState[]): Ready {
  const { draft, plan } = context;
  if (step === 'goal') {
    const because = goalOptions(context).find(({ value }) => value === draft.answers.goal)?.because;
    if (because) return no(because);
    if (!plannedGoals.has(draft.answers.goal)) return no('These steps do not plan this goal. Choose another one.');
  }
  if (step === 'release') return filesReady(context);
  if (step === 'resources') return resourcesReady(context);
  if (step === 'changes') return changesReady(context);
  if (step === 'afterwards') return afterwardsReady(context);
  if (step === 'endpoint' && context.endpoint?.origin === 'proposal')
    return no('Choose an address: use the proposed one, or type another.');
  const here = blockingIn(step, found);
  if (here.length > 0) return no(because(here));
  if (step !== 'compatibility') return { kind: 'ready' };
  const undecided = undecidedWords(openCounts(found));
  if (undecided !== null) return no(undecided);
  return plan.kind === 'made' ? { kind: 'ready' } : no(plan.problem);
}

const plannedGoals: ReadonlySet<Goal> = new Set<Goal>(['install', 'enable', 'upgrade', 'restore', 'policy']);

/** A plan needs the release's files. */
function filesReady({ release }: WizardContext): Ready {
  if (release === null) return { kind: 'ready' };
  const { progress } = release;
  const { version } = progress.wanted;
  switch (progress.kind) {
    case 'open':
      return { kind: 'ready' };
    case 'not-asked':
      return no(`Get the files of ${version} first.`);
    case 'opening':
      return no(`The files of ${version} are on their way.`);
    case 'failed':
      return no(`The files of ${version} could not be fetched: the reason is above.`);
  }
}

/** Problems of the Installation must be fixed before a plan is made. */
function resourcesReady({ installation }: WizardContext): Ready {
  const wrong = (installation?.problems ?? []).filter(({ severity }) => severity === 'error');
  const [first] = wrong;
  if (first === undefined) return { kind: 'ready' };
  const fields = new Set(wrong.map(({ field }) => field));
  if (fields.size > 1) return no(`Fix ${fields.size} fields of the Installation to continue, ${first.field} first.`);
  return no(
    first.sentence.length <= mostChars ? first.sentence : `Fix ${first.field} to continue: the reason is above.`,
  );
}

/** Changes of both sides need a decision, unless the finding was accepted as a whole. */
function changesReady({ changes, release, findings, plan, draft }: WizardContext): Ready {
  if (changes === null)
    return release?.progress.kind === 'open' && plan.kind === 'none'
      ? no(plan.problem)
      : release?.progress.kind === 'open'
        ? { kind: 'ready' }
        : no('The files of the release are not here yet.');
  if (changes.kind !== 'manifest') return { kind: 'ready' };
  if (changes.stray.length > 0)
    return no(
      `${counted(changes.stray.length, 'answer')} no longer ${agreeing(changes.stray.length, 'fits', 'fit')}: take ${agreeing(changes.stray.length, 'it', 'them')} back.`,
    );
  const isAccepted = findings.findings.some(
    ({ id, acknowledged }) => id === 'upgrade.manual-changes' && acknowledged !== null,
  );
  const open = openChanges(changes, draft.answers);
  if (open.length === 0 || isAccepted) return { kind: 'ready' };
  return no(`${counted(open.length, 'change')} still ${agreeing(open.length, 'needs', 'need')} your decision.`);
}

/** Differences between host endpoints and their nodes need a decision before a plan is made. */
function afterwardsReady({ afterwards }: WizardContext): Ready {
  const open = (afterwards?.decisions ?? []).filter(({ decided }) => !decided).length;
  const stray = afterwards?.stray.length ?? 0;
  if (stray > 0)
    return no(
      `${counted(stray, 'answer')} no longer ${agreeing(stray, 'fits', 'fit')}: take ${agreeing(stray, 'it', 'them')} back.`,
    );
  return open === 0
    ? { kind: 'ready' }
    : no(`${counted(open, 'decision')} about host endpoints ${agreeing(open, 'is', 'are')} still yours to make.`);
}

/** Changes by hand without an answer or an accepted proposal. */
function openChanges({ changes }: { changes: readonly DecidedChange[] }, { acceptProposals }: Answers) {
  return changes.filter(({ decidedBy }) => decidedBy === 'nobody' || (decidedBy === 'proposal' && !acceptProposals));
}

function no(because: string): Ready {
  return { kind: 'not-ready', because };
}

/** Blocking failures of a step: those whose answer it changes. Compatibility has those without such a step and, at the end, all. */
export function blockingIn(step: StepId, found: readonly FindingInState[]): Finding[] {
  const blocking = found.filter(({ state }) => state === 'blocking').map(({ finding }) => finding);
  return step === 'compatibility' ? blocking : blocking.filter(({ remedy }) => remedy.fixIn === step);
}

/** The reason in words: a few nodes by name, a single finding by its own sentence. */
function because(findings: readonly Finding[]): string {
  const subjects = findings.flatMap((finding) => finding.subjects);
  const names = [...new Set(subjects.map(({ name }) => name))];
  if (subjects.every(({ kind }) => kind === 'Node') && names.length > 0 && names.length <= mostNames)
    return `Fix ${names.join(' and ')} to continue, or take ${names.length === 1 ? 'it' : 'them'} out of the cluster.`;
  const [first] = findings;
  if (!first || findings.length > 1) return `Fix ${findings.length} findings to continue.`;
  // The footer has little room; the finding itself has the whole sentence.
  return first.because.length <= mostChars ? first.because : 'Fix this finding to continue.';
}
const mostNames = 3;
const mostChars = 110;

/** `isAnswered`: it was submitted, or its proposal was accepted. `isReached`: the first one after those. */
function markOf(
  step: StepId,
  { isAnswered, isReached }: { isAnswered: boolean; isReached: boolean },
  found: readonly FindingInState[] | null,
  ready: Ready,
): StepState['mark'] {
  if (step === 'review' || step === 'run') return 'idle';
  if (found === null) return isAnswered ? 'unknown' : 'idle';
  // A missing address is a question, not an error.
  const isBad = blockingIn(step, found).some(({ id }) => id !== 'endpoint.present');
  if (isBad && (isAnswered || isReached || step !== 'compatibility')) return 'bad';
  if (ready.kind === 'not-ready') return isAnswered || isReached ? 'warn' : 'idle';
  return isAnswered ? 'ok' : 'idle';
}

function says(step: StepId, context: WizardContext, found: readonly FindingInState[]): string {
  const { answers } = context.draft;
  switch (step) {
    case 'goal':
      return goalWords[answers.goal];
    case 'platform':
      return platformWords(context);
    case 'endpoint':
      return endpointWords(context);
    case 'proxy':
      return proxyWords(context);
    case 'release':
      return releaseWords(context);
    case 'resources':
      return answers.installation === undefined ? 'as proposed' : 'edited';
    case 'changes':
      return changesWords(context);
    case 'afterwards':
      return answers.afterwards?.join(', ') ?? 'nothing';
    case 'options':
      if (answers.dataplane === 'Iptables') return 'standard data plane';
      return answers.dsr ? 'answers straight to the client' : 'as proposed';
    case 'compatibility':
      return countWords(openCounts(found));
    case 'review':
      return reviewWords(context);
    case 'run':
      return '';
  }
}

function releaseWords({ release, draft }: WizardContext): string {
  const version = draft.answers.release ?? release?.progress.wanted.version ?? '';
  if (release === null) return version;
  const words = {
    'not-asked': `${version}, files not here yet`,
    opening: `${version}, files on their way`,
    failed: `${version}, files could not be fetched`,
    open: version,
  };
  return words[release.progress.kind];
}

function changesWords({ changes, draft }: WizardContext): string {
  if (changes === null) return '';
  if (changes.kind === 'helm') {
    const set = changes.values.filter(({ becomes }) => becomes === 'changed' || becomes === 'added').length;
    return set === 0 ? 'values stay' : `${counted(set, 'value')} written`;
  }
  if (changes.kind === 'operator')
    return changes.kept.length === 0 ? 'nothing set by hand' : `${counted(changes.kept.length, 'field')} kept`;
  const open = openChanges(changes, draft.answers).length;
  if (open > 0) return `${open} of ${counted(changes.changes.length, 'change')} to decide`;
  return changes.changes.length === 0 ? 'no change by hand' : `${counted(changes.changes.length, 'change')} decided`;
}

function platformWords({ platform, facts, draft }: WizardContext): string {
  const servers = facts.endpoint.apiServers.length;
  const size = servers > 1 ? ', highly available' : servers === 1 ? ', one API server' : '';
  return `${platform.title}${size}${draft.answers.platform === undefined ? '' : ', as you chose'}`;
}

function endpointWords({ endpoint, facts, draft }: WizardContext): string {
  if (draft.answers.automatic) return 'the operator finds the API servers';
  if (endpoint === null) return facts.endpoint.configMap === null ? 'none yet' : 'not needed';
  const address = hostAndPort(endpoint);
  return endpoint.origin === 'proposal' ? `${address} is proposed` : address;
}

function proxyWords({ proxy, facts, findings, draft }: WizardContext): string {
  if (draft.answers.automatic) return 'the operator turns kube-proxy off at once';
  const ipvs = findings.findings.find(({ id }) => id === 'proxy.not-ipvs');
  if (ipvs?.status === 'fail')
    return ipvs.fixedBy === null ? 'kube-proxy runs in IPVS mode' : 'kube-proxy changes to iptables mode first';
  if (facts.proxy.kind !== 'none' && facts.proxy.running === false) return 'kube-proxy is off already';
  switch (proxy.now) {
    case 'stays':
      return 'kube-proxy stays beside eBPF';
    case 'none':
      return 'there is none';
    case 'managed':
      return 'the operator turns kube-proxy off';
    case 'instructions':
      return 'yours to turn off';
    case 'daemonset':
    case 'openshift':
      return 'kube-proxy will be turned off';
  }
}

function countWords({ blocking, toDecide, withheld }: OpenCounts): string {
  if (blocking + toDecide + withheld.length === 0) return 'nothing in the way';
  return [
    blocking > 0 ? `${blocking} blocking` : '',
    toDecide > 0 ? `${toDecide} to decide` : '',
    withheld.length > 0 ? `${withheld.length} not read` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function reviewWords({ plan }: WizardContext): string {
  if (plan.kind === 'none') return '';
  const needed = plan.operations.filter(({ status }) => status === 'needed').length;
  return needed === 0 ? 'nothing to change' : `${needed} step${needed === 1 ? '' : 's'}`;
}
