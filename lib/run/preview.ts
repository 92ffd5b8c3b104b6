import { isKubeError, type Kube, KubeError } from '#lib/kube/index.ts';
import { type Act, type Plan, type PlannedOperation, yamlDiff } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { isWriting, perform, type WritingAct } from './perform.ts';

/**
 * Fills a plan's diffs by server-side dry runs: nothing is changed that was not shown (product.md › Promises 1). An operation that the server
 * would refuse makes the whole preview fail with its sentence, now and not in the middle of a run.
 */
export async function previewPlan(kube: Kube, plan: Plan, signal: AbortSignal): Promise<Plan> {
  const system = await kube.get({ resource: resources.namespaces, name: names.systemNamespace }, { signal });
  const operations: PlannedOperation[] = [];
  for (const operation of plan.operations) {
    operations.push(operation.status === 'already-done' ? operation : await previewOperation(kube, operation, signal));
  }
  return { ...plan, clusterUid: system?.metadata.uid ?? null, operations };
}

async function previewOperation(
  kube: Kube,
  operation: PlannedOperation,
  signal: AbortSignal,
): Promise<PlannedOperation> {
  const acts = writingActs(operation.act);
  if (acts.length === 0) return operation;
  const diffs: string[] = [];
  const undoDiffs: string[] = [];
  let computed = false;
  for (const act of acts) {
    if (act.kind === 'helm') {
      computed = true;
      continue;
    }
    const before = await kube.get(act.target, { signal });
    const after = await dryRun(kube, operation.id, act, signal);
    diffs.push(yamlDiff(before, after));
    undoDiffs.push(yamlDiff(after, before));
  }
  const undo = operation.undo ? { ...operation.undo, diff: undoDiffs.reverse().join('') } : null;
  if (operation.undo) await tryUndo(kube, operation, signal);
  return { ...operation, diff: diffs.join(''), previewed: computed ? 'computed' : 'dry-run', undo };
}

async function dryRun(kube: Kube, id: string, act: WritingAct, signal: AbortSignal) {
  try {
    return await perform(kube, act, 'dry-run', signal);
  } catch (error) {
    if (!isKubeError(error)) throw error;
    throw new KubeError(error.code, `The dry run of ${id} was refused: ${error.message}`, error.detail, error);
  }
}

/** The way back is tried as well: what the server would refuse later is told before anything starts. Objects that the act would only create cannot be tried. */
async function tryUndo(kube: Kube, operation: PlannedOperation, signal: AbortSignal): Promise<void> {
  for (const act of writingActs(operation.undo?.act ?? { kind: 'wait' })) {
    if (act.kind === 'helm' || act.kind === 'delete' || act.kind === 'recreate') continue;
    try {
      await perform(kube, act, 'dry-run', signal);
    } catch (error) {
      if (isKubeError(error, 'not-found')) continue;
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
