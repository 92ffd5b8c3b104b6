import { isDeepStrictEqual } from 'node:util';
import { type Findings, isManifestInstall } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { nearestField } from '#lib/installation/index.ts';
import { type Choices, proxyManagementSetting, type ReleaseContents } from '#lib/spec/index.ts';
import { scopeOf } from './access/scope.ts';
import { resolveOperation } from './define-operation.ts';
import { yamlDiff } from './diff/diff.ts';
import { fileSummary } from './diff/file-summary.ts';
import { withDefaultsOf } from './diff/with-defaults-of.ts';
import { holdsByFacts } from './holds-by-facts.ts';
import { plannedRelease } from './install/planned-release.ts';
import { refuseInstall } from './install/refuse-install.ts';
import { journeyOf, upgradeSteps } from './journeys.ts';
import { madeUnder } from './made-under.ts';
import { fieldAt } from './objects/field.ts';
import { knownObjects } from './objects/known-objects.ts';
import { afterAct, type Objects, objectOf, targetsOf } from './objects/objects.ts';
import type { OperationDefinition, PlanContext } from './operation.ts';
import type { Plan } from './plan.ts';
import { PlanError } from './plan-error.ts';
import { planHash } from './plan-hash.ts';
import { refusePolicy } from './policy/refuse-policy.ts';
import type { Act } from './schema/act.ts';
import type { PlannedOperation } from './schema/planned-operation.ts';
import { whyNoFlowLogs } from './upgrade/afterwards/flow-logs.ts';
import { refuseAfterwards } from './upgrade/afterwards/refuse-afterwards.ts';
import { refuseStray } from './upgrade/manifest/refuse-stray.ts';
import { ownerActsOf, ownersDiff } from './upgrade/owned-objects.ts';
import { refuseUpgrade } from './upgrade/refuse-upgrade.ts';

export type PlanInput = {
  facts: Facts;
  choices: Choices;
  findings: Findings;
  now: string;
  /** *install* and *upgrade* need it; other goals ignore it. */
  release?: ReleaseContents | null;
  /** *upgrade*: the files of the release that runs, if they are at hand. */
  running?: ReleaseContents | null;
  /** *upgrade*: the releases in between, in order. Each is a whole upgrade. */
  through?: readonly ReleaseContents[];
};

/**
 * Facts + Choices → ordered operations. Pure: diffs are computed here, until `lib/run` has asked the server for them. Findings that block do not
 * prevent a plan: it shows what would be done, and they prevent the start. Throws PlanError if the choices contradict each other or the journey.
 */
export function makePlan({
  facts,
  choices,
  findings,
  now,
  release = null,
  running = null,
  through = [],
}: PlanInput): Plan {
  const operations = withDiffs({ facts, choices, release, running, through });
  const plan: Omit<Plan, 'hash'> = {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Plan',
    goal: choices.goal,
    cluster: facts.cluster.name,
    ...(facts.cluster.warnings.length > 0 ? { warnings: facts.cluster.warnings } : {}),
    clusterUid: clusterUidOf(facts),
    madeAt: now,
    choices,
    operations,
    findings,
    ...plannedRelease(release),
    ...madeUnder(facts, choices, release, operations),
  };
  return { ...plan, hash: planHash(plan) };
}

type OperationsInput = Pick<PlanInput, 'facts' | 'choices' | 'release' | 'running' | 'through'>;

/** The operations without diffs: computing the text of each change takes longer than all the rest. Findings play no part. Throws as `makePlan` does. */
export function plannedOperations(input: OperationsInput): PlannedOperation[] {
  const drafts = draftsOf(input).map(({ draft }) => draft);
  return withWaits(drafts, input.facts);
}

function withDiffs(input: OperationsInput): PlannedOperation[] {
  const drafts = draftsOf(input).map(({ draft, before, after }) =>
    draft.status === 'needed' ? withComputedDiffs(draft, before, after) : draft,
  );
  return withWaits(drafts, input.facts);
}

function draftsOf({ facts, choices, release = null, running = null, through = [] }: OperationsInput): Drafted[] {
  refuseAfterwards({ facts, choices });
  if (choices.goal === 'install') refuseInstall({ facts, choices, release });
  else if (choices.goal === 'upgrade') refuseUpgrade({ facts, choices, release }, through);
  else refuseContradictions(choices, facts);
  const drafted = operationsOf({ facts, choices, before: knownObjects(facts), release, running }, through);
  // Checked last, so that an object that could not be read is reported as that, not as unchanged.
  if (choices.goal === 'upgrade' && isManifestInstall(facts)) refuseStray({ facts, choices, release, running });
  return drafted;
}

const ourAffairs: readonly { path: string; because: string }[] = [
  { path: 'calicoNetwork.linuxDataplane', because: 'the switch sets it' },
  { path: 'calicoNetwork.hostPorts', because: 'the switch decides about it' },
  { path: 'calicoNetwork.bpfNetworkBootstrap', because: 'it excludes the endpoint ConfigMap that this plan relies on' },
];

function refuseContradictions(choices: Choices, facts: Facts): void {
  if (choices.goal === 'flow-logs') {
    const because = whyNoFlowLogs(facts, facts.installation.version);
    if (because !== null) throw new PlanError('goal.not-planned', `goal: ${because}`, ['goal']);
  } else if (choices.goal === 'policy') refusePolicy({ facts, choices });
  else if (choices.goal !== 'enable' && choices.goal !== 'restore')
    throw new PlanError(
      'goal.not-planned',
      'goal: an undo has no plan of its own. `signalbox undo` shows what it would do, and asks.',
      ['goal'],
    );
  if (choices.automatic)
    throw new PlanError(
      'choices.automatic',
      'automatic: this is for a new installation. Leave it out here: the plan uses the endpoint ConfigMap.',
      ['automatic'],
    );
  for (const { path, because } of ourAffairs)
    if (Object.hasOwn(choices.set, path))
      throw new PlanError('choices.set', `set: ${path} cannot be set here: ${because}.`, ['set', path]);
  for (const path of Object.keys(choices.set)) {
    const meant = nearestField(path);
    if (meant !== null)
      throw new PlanError(
        'choices.set',
        `set: ${JSON.stringify(path)} is not a known field of an Installation. Did you mean ${meant}?`,
        ['set', path],
      );
  }
  if (choices.keepProxy && choices.set[proxyManagementSetting] === 'Enabled')
    throw new PlanError(
      'choices.set',
      `set: ${proxyManagementSetting} Enabled lets the operator turn the service proxy off, and keepProxy says that it stays; leave one of them out.`,
      ['set', proxyManagementSetting],
    );
}

type Draft = Omit<PlannedOperation, 'seq' | 'status'> & { status: PlannedOperation['status'] | 'wait' };

/** An operation, with the objects before it and after it. */
type Drafted = { readonly draft: Draft; readonly before: Objects; readonly after: Objects };

function stepsOf(context: PlanContext, through: readonly ReleaseContents[]): [OperationDefinition, PlanContext][] {
  if (context.choices.goal === 'upgrade') return upgradeSteps(context, through);
  return journeyOf(context).operations.map((definition) => [definition, context]);
}

/** Makes each operation from the objects as the operations before it will leave them. */
function operationsOf(context: PlanContext, through: readonly ReleaseContents[]): Drafted[] {
  const drafts: Drafted[] = [];
  let { before } = context;
  const scope = scopeOf(context);
  for (const [definition, known] of stepsOf(context, through)) {
    const here = { ...known, before };
    if (!definition.appliesTo(here)) continue;
    const operation = resolveOperation(definition, here, scope);
    const status = statusOf(definition, operation, here);
    const after = status === 'needed' ? afterAct(before, operation.act) : before;
    drafts.push({ draft: { ...operation, status }, before, after });
    before = after;
  }
  return drafts;
}

/** Adds diffs that need no server, so without its defaults and refusals. The preview replaces them, except where the server cannot tell yet. */
function withComputedDiffs<T extends Pick<PlannedOperation, 'act' | 'diff' | 'previewed' | 'undo'>>(
  operation: T,
  before: Objects,
  after: Objects,
): T {
  const diff = operation.diff || diffOf(operation.act, before, after);
  const { undo } = operation;
  // Sometimes only the undo changes something: what an earlier run left behind.
  const back = undo && { ...undo, diff: diffOf(undo.act, after, afterAct(after, undo.act)) };
  return { ...operation, diff, previewed: diff === '' ? operation.previewed : 'computed', undo: back };
}

function diffOf(act: Act, before: Objects, after: Objects): string {
  if (act.kind === 'apply-manifest') {
    const fresh = act.targets.filter((ref) => !objectOf(before, ref)).map(({ name }) => name);
    return fileSummary(act, { fresh, changed: [] });
  }
  const owners = ownerActsOf(act).map(ownersDiff).join('');
  if (owners !== '') return owners;
  return targetsOf(act)
    .map((ref) => {
      const was = objectOf(before, ref) ?? null;
      return yamlDiff(was, withDefaultsOf(was, objectOf(after, ref) ?? null) as typeof was);
    })
    .join('');
}

function statusOf(
  definition: OperationDefinition,
  { act, done }: Pick<PlannedOperation, 'act' | 'done'>,
  context: PlanContext,
): Draft['status'] {
  if (act.kind === 'wait' || act.kind === 'journal') return 'wait';
  if (act.kind === 'verify') return 'needed';
  if (definition.settled?.(context)) return 'already-done';
  if (definition.adopts?.(context)) return 'needed';
  return holdsByFacts(done, context) === 'yes' || isWritten({ act, done }, context) ? 'already-done' : 'needed';
}

/** The act would change nothing, and its effect is not known to be missing. */
function isWritten({ act, done }: Pick<PlannedOperation, 'act' | 'done'>, context: PlanContext): boolean {
  if (holdsByFacts(done, context) === 'no') return false;
  const patches = patchesOf(act);
  return patches.length > 0 && patches.every((patch) => changesNothing(patch, context.before));
}

/** The merge patches of an act; none if the act does anything that its objects do not show. */
function patchesOf(act: Act): Extract<Act, { kind: 'merge-patch' }>[] {
  if (act.kind === 'merge-patch') return [act];
  if (act.kind !== 'sequence') return [];
  const acts = act.steps.map((step) => step.act).filter(({ kind }) => kind !== 'wait');
  return acts.every(({ kind }) => kind === 'merge-patch') ? acts.flatMap(patchesOf) : [];
}

function changesNothing(patch: Extract<Act, { kind: 'merge-patch' }>, before: Objects): boolean {
  const object = objectOf(before, patch.target);
  return Boolean(object) && isDeepStrictEqual(object, objectOf(afterAct(before, patch), patch.target));
}

/**
 * Leaves out what is not needed. Waits and the journal are needed as soon as anything is written, because they separate one write from the next. If
 * nothing is, they are needed only where facts do not show what they wait for. Verifications always stay.
 */
function withWaits(drafts: readonly Draft[], facts: Facts): PlannedOperation[] {
  const writes = drafts.some(({ status, act }) => status === 'needed' && act.kind !== 'verify');
  const before = knownObjects(facts);
  const isNeeded = ({ act, done }: Draft) =>
    writes || (act.kind !== 'journal' && holdsByFacts(done, { facts, before }) !== 'yes');
  return drafts.map((draft, index) => ({
    ...draft,
    seq: index + 1,
    status: draft.status !== 'wait' ? draft.status : isNeeded(draft) ? 'needed' : 'already-done',
  }));
}

/** The UID of kube-system; null in dumps that lack it. */
export function clusterUidOf({ resources }: Pick<Facts, 'resources'>): string | null {
  const uid = fieldAt(resources.objects['Namespace/kube-system'], ['metadata', 'uid']);
  return typeof uid === 'string' ? uid : null;
}
