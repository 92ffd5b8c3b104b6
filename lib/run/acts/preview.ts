import { isDeepStrictEqual } from 'node:util';
import { isKubeError, type Kube, KubeError, type KubeErrorCode, type KubeObject } from '#lib/kube/index.ts';
import {
  type Act,
  fileSummary,
  type Plan,
  type PlannedOperation,
  planHash,
  type TakenOver,
  takenOverLines,
  yamlDiff,
} from '#lib/plan/index.ts';
import { names, objectId } from '#lib/spec/index.ts';
import { HelmMissing } from './helm-program.ts';
import { actsOfManifest, ManifestMissing, type Manifests } from './manifest-acts.ts';
import { isWriting, perform, type WritingAct } from './perform.ts';
import { refusedChoice } from './refused-choice.ts';

/**
 * Replaces a plan's computed diffs by the server's dry runs, so that the run changes nothing that was not shown (product.md › Promises 1). What the
 * server refuses makes the preview fail with its sentence, before the run instead of in the middle of it.
 */
export async function previewPlan(kube: Kube, plan: Plan, signal: AbortSignal, manifests?: Manifests): Promise<Plan> {
  const operations: PlannedOperation[] = [];
  const writtenEarlier = new Set<string>();
  const adoptedEarlier = new Set<string>();
  const inconclusive = inconclusiveCodes(plan);
  for (const operation of plan.operations) {
    if (operation.status === 'already-done') operations.push(operation);
    else {
      const preview = { writtenEarlier, adoptedEarlier, inconclusive, manifests, choices: plan.choices, signal };
      operations.push(await previewOperation(kube, operation, preview));
    }
    // A change of owners changes no value, so later applies can be shown as the server has the object.
    const written = operation.act.kind === 'adopt-fields' ? adoptedEarlier : writtenEarlier;
    for (const target of operation.targets) written.add(target);
  }
  const previewed = { ...plan, operations };
  return { ...previewed, hash: planHash(previewed) };
}

/**
 * Errors of a dry run that say nothing about the plan. If a finding names missing permissions, a refusal comes from them: the plan is shown as
 * blocked by that finding, not as failed at its first operation.
 */
function inconclusiveCodes({ findings }: Plan): KubeErrorCode[] {
  const permissions = findings.findings.find(({ id }) => id === 'permissions.plan');
  return ['not-found', 'not-served', ...(permissions?.status === 'fail' ? (['forbidden'] as const) : [])];
}

type Preview = {
  writtenEarlier: ReadonlySet<string>;
  /** Objects whose fields belong to us by then, so that an apply without a field removes it. */
  adoptedEarlier: ReadonlySet<string>;
  inconclusive: readonly KubeErrorCode[];
  manifests: Manifests | undefined;
  choices: Plan['choices'];
  signal: AbortSignal;
};

/**
 * Keeps the computed diff if the server cannot show the change yet: an earlier operation of the plan writes the same object, or it does not exist
 * yet. The dry run is still made, and repeated by the act itself.
 */
async function previewOperation(kube: Kube, operation: PlannedOperation, preview: Preview): Promise<PlannedOperation> {
  const { writtenEarlier } = preview;
  if (operation.act.kind === 'apply-manifest') return previewFile(kube, operation, operation.act, preview);
  const acts = writingActs(operation.act);
  if (acts.length === 0) return operation;
  const diffs: string[] = [];
  const taken: TakenOver[] = [];
  const undoDiffs: string[] = [];
  let computed = operation.targets.some((target) => writtenEarlier.has(target));
  for (const act of acts) {
    if (act.kind === 'helm') {
      computed = true;
      await checkHelmFindsChart(kube, operation.id, act, preview);
      continue;
    }
    const before = await readBefore(kube, act, preview);
    if (before === 'cannot-tell-yet') {
      computed = true;
      continue;
    }
    const applied = await dryRun(kube, operation.id, act, preview);
    const after = applied === 'cannot-tell-yet' ? applied : await onceAdopted(kube, act, applied, preview);
    if (after === 'cannot-tell-yet') {
      computed = true;
      continue;
    }
    diffs.push(yamlDiff(before, after));
    if (before !== null) taken.push(...(await takenOver(kube, act, preview)));
    undoDiffs.push(yamlDiff(after, before));
  }
  if (operation.undo) await tryUndo(kube, operation, preview);
  if (computed) return { ...operation, previewed: 'computed' };
  const diff = diffs.join('') + takenOverLines(taken);
  // If the act changes nothing, its undo is not its inverse: what an earlier run left behind goes back to the state before that run.
  const undo =
    operation.undo && diffs.join('') !== ''
      ? { ...operation.undo, diff: undoDiffs.reverse().join('') }
      : operation.undo;
  return { ...operation, diff, previewed: 'dry-run', undo };
}

/** For a file of megabytes: which of its objects would be created, which changed, and how many stay. */
async function previewFile(
  kube: Kube,
  operation: PlannedOperation,
  act: Extract<Act, { kind: 'apply-manifest' }>,
  preview: Preview,
): Promise<PlannedOperation> {
  const { choices, manifests, signal } = preview;
  let acts: Awaited<ReturnType<typeof actsOfManifest>>;
  try {
    acts = await actsOfManifest(act, manifests, { choices, signal });
  } catch (error) {
    // The run would pause there; the plan keeps its computed diffs.
    if (error instanceof ManifestMissing) return { ...operation, previewed: 'computed' };
    throw error;
  }
  const fresh: string[] = [];
  const changed: string[] = [];
  const taken: TakenOver[] = [];
  for (const one of acts) {
    const before = await kube.get(one.target, { signal });
    const after = await dryRun(kube, operation.id, one, preview);
    if (after === 'cannot-tell-yet') return { ...operation, previewed: 'computed' };
    if (before === null) fresh.push(one.target.name);
    else if (!isSameDefinition(before, after)) {
      changed.push(one.target.name);
      taken.push(...(await takenOver(kube, one, preview)));
    }
  }
  return { ...operation, diff: fileSummary(act, { fresh, changed }) + takenOverLines(taken), previewed: 'dry-run' };
}

/** The owners whose fields an apply with force takes: learned from a dry run without force. */
async function takenOver(kube: Kube, act: WritingAct, { signal }: Preview): Promise<TakenOver[]> {
  if (act.kind !== 'apply' || !act.force) return [];
  try {
    await perform(kube, { ...act, force: false }, 'dry-run', signal);
    return [];
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // Every other refusal was reported by the dry run with force.
    const object = objectId(act.target);
    const others = (error.detail.conflicts ?? []).filter(({ manager }) => manager !== names.fieldManager);
    return others.map(({ manager, field }) => ({ object, manager, field }));
  }
}

/**
 * The result of an apply once the fields are ours: lists are exactly as written. A dry run of the apply would show kubectl's entries as if they
 * stayed, so a merge patch is tried instead.
 */
async function onceAdopted(
  kube: Kube,
  act: WritingAct,
  applied: KubeObject | null,
  { adoptedEarlier, signal }: Preview,
): Promise<KubeObject | null | 'cannot-tell-yet'> {
  if (act.kind !== 'apply' || !adoptedEarlier.has(objectId(act.target))) return applied;
  try {
    return await perform(kube, { kind: 'merge-patch', target: act.target, body: act.body }, 'dry-run', signal);
  } catch (error) {
    if (isKubeError(error)) return 'cannot-tell-yet';
    throw error;
  }
}

function isSameDefinition(before: KubeObject, after: KubeObject | null): boolean {
  return isDeepStrictEqual(before.spec, after?.spec);
}

async function readBefore(
  kube: Kube,
  { target }: Exclude<WritingAct, { kind: 'helm' }>,
  { inconclusive, signal }: Preview,
): Promise<KubeObject | null | 'cannot-tell-yet'> {
  try {
    return await kube.get(target, { signal });
  } catch (error) {
    if (isKubeError(error, ...inconclusive)) return 'cannot-tell-yet';
    throw error;
  }
}

async function dryRun(
  kube: Kube,
  id: string,
  act: WritingAct,
  { inconclusive, choices, signal }: Preview,
): Promise<KubeObject | null | 'cannot-tell-yet'> {
  try {
    return await perform(kube, act, 'dry-run', signal);
  } catch (error) {
    if (isKubeError(error, ...inconclusive)) return 'cannot-tell-yet';
    const isOfInstallation = act.kind !== 'helm' && act.target.resource.kind === 'Installation';
    const refused = isOfInstallation && isKubeError(error, 'invalid') ? (error.detail.fields ?? []) : [];
    throw refusedChoice(refused, choices.set) ?? failed(`The dry run of ${id}`, error);
  }
}

/** Codes of a server's answer about the request. With another one there was no answer, or one that says nothing about the plan. */
const answers = [
  'forbidden',
  'not-found',
  'not-served',
  'already-exists',
  'conflict',
  'invalid',
  'unsupported',
] as const satisfies readonly KubeErrorCode[];

/** The error of a dry run, with the step in its sentence. */
function failed(dryRun: string, error: unknown): unknown {
  if (!isKubeError(error) || error.code === 'aborted') return error;
  const how = isKubeError(error, ...answers) ? 'was refused' : 'was not answered';
  return new KubeError(error.code, `${dryRun} ${how}: ${error.message}`, error.detail, error);
}

/** Checks that helm finds its chart; without helm on this machine the user runs it elsewhere. Helm compares the chart with the server right before the act. */
async function checkHelmFindsChart(kube: Kube, id: string, act: WritingAct, preview: Preview): Promise<void> {
  try {
    await dryRun(kube, id, act, preview);
  } catch (error) {
    if (!(error instanceof HelmMissing)) throw error;
  }
}

/** Tries the way back as well, to report early what the server would refuse. Objects that the act would create cannot be tried. */
async function tryUndo(kube: Kube, operation: PlannedOperation, { inconclusive, signal }: Preview): Promise<void> {
  for (const act of writingActs(operation.undo?.act ?? { kind: 'wait' })) {
    if (act.kind === 'helm' || act.kind === 'delete' || act.kind === 'create' || act.kind === 'recreate') continue;
    try {
      await perform(kube, act, 'dry-run', signal);
    } catch (error) {
      if (isKubeError(error, ...inconclusive)) continue;
      throw failed(`The dry run of the undo of ${operation.id}`, error);
    }
  }
}

function writingActs(act: Act): WritingAct[] {
  if (isWriting(act)) return [act];
  return act.kind === 'sequence' ? act.steps.flatMap((step) => writingActs(step.act)) : [];
}
