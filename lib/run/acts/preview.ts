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

/**
 * Replaces a plan's computed diffs by what the server says in dry runs: nothing is changed that was not shown (product.md › Promises 1). What the
 * server would refuse makes the whole preview fail with its sentence, now and not in the middle of a run.
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
    // Who owns a field changes no value: what is applied next can be shown as the server has it.
    const written = operation.act.kind === 'adopt-fields' ? adoptedEarlier : writtenEarlier;
    for (const target of operation.targets) written.add(target);
  }
  const previewed = { ...plan, operations };
  return { ...previewed, hash: planHash(previewed) };
}

/**
 * Errors of a dry run that say nothing about the plan. Where a finding already names the permissions that are missing, a refusal is one of them:
 * the plan is shown with that finding, as blocked, and not as an error about the first of its operations.
 */
function inconclusiveCodes({ findings }: Plan): KubeErrorCode[] {
  const permissions = findings.findings.find(({ id }) => id === 'permissions.plan');
  return ['not-found', 'not-served', ...(permissions?.status === 'fail' ? (['forbidden'] as const) : [])];
}

type Preview = {
  writtenEarlier: ReadonlySet<string>;
  /** Objects whose fields are ours by then: what is applied without them takes them away. */
  adoptedEarlier: ReadonlySet<string>;
  inconclusive: readonly KubeErrorCode[];
  manifests: Manifests | undefined;
  choices: Plan['choices'];
  signal: AbortSignal;
};

/**
 * The diff that was computed stays where the server cannot show it yet: an earlier operation of the plan writes the same object, or it does not
 * exist yet. The dry run is made all the same, and again right before the act by the act itself.
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
      await seeHelm(kube, operation.id, act, preview);
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
  // Where the act changes nothing, its way back is not its inverse: what an earlier run left behind goes back to what was before that.
  const undo =
    operation.undo && diffs.join('') !== ''
      ? { ...operation.undo, diff: undoDiffs.reverse().join('') }
      : operation.undo;
  return { ...operation, diff, previewed: 'dry-run', undo };
}

/** Of a file of megabytes: which of its objects would be new, which another, and how many stay. */
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
    // The run would pause with it; what the plan says stays as it was computed.
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

/** Whose fields an apply with force takes: what the server says to the same without it. */
async function takenOver(kube: Kube, act: WritingAct, { signal }: Preview): Promise<TakenOver[]> {
  if (act.kind !== 'apply' || !act.force) return [];
  try {
    await perform(kube, { ...act, force: false }, 'dry-run', signal);
    return [];
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // Whatever else speaks against it, the dry run with force has said.
    const object = objectId(act.target);
    const others = (error.detail.conflicts ?? []).filter(({ manager }) => manager !== names.fieldManager);
    return others.map(({ manager, field }) => ({ object, manager, field }));
  }
}

/**
 * What an apply leaves once the fields are ours: lists are as they are written, and what kubectl had in them beside is gone. The server says it of a
 * merge patch; a dry run of the apply would show those as if they stayed.
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
  { inconclusive, signal }: Preview,
): Promise<KubeObject | null | 'cannot-tell-yet'> {
  try {
    return await perform(kube, act, 'dry-run', signal);
  } catch (error) {
    if (isKubeError(error, ...inconclusive)) return 'cannot-tell-yet';
    if (!isKubeError(error)) throw error;
    throw new KubeError(error.code, `The dry run of ${id} was refused: ${error.message}`, error.detail, error);
  }
}

/** That helm finds its chart; where there is no helm, somebody else runs it. What the chart holds, helm asks the server right before the act. */
async function seeHelm(kube: Kube, id: string, act: WritingAct, preview: Preview): Promise<void> {
  try {
    await dryRun(kube, id, act, preview);
  } catch (error) {
    if (!(error instanceof HelmMissing)) throw error;
  }
}

/** The way back is tried as well: what the server would refuse later is told before anything starts. Objects that the act would only create cannot be tried. */
async function tryUndo(kube: Kube, operation: PlannedOperation, { inconclusive, signal }: Preview): Promise<void> {
  for (const act of writingActs(operation.undo?.act ?? { kind: 'wait' })) {
    if (act.kind === 'helm' || act.kind === 'delete' || act.kind === 'create' || act.kind === 'recreate') continue;
    try {
      await perform(kube, act, 'dry-run', signal);
    } catch (error) {
      if (isKubeError(error, ...inconclusive)) continue;
      if (!isKubeError(error)) throw error;
      throw new KubeError(
        error.code,
        `The dry run of the undo of ${operation.id} was refused: ${error.message}`,
        error.detail,
        error,
      );
    }
  }
}

function writingActs(act: Act): WritingAct[] {
  if (isWriting(act)) return [act];
  return act.kind === 'sequence' ? act.steps.flatMap((step) => writingActs(step.act)) : [];
}
