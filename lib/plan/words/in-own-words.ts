import type { Plan } from '../plan.ts';
import { planHash } from '../plan-hash.ts';
import type { PlannedOperation, Undo } from '../schema/planned-operation.ts';
import { actInWords } from './act-in-words.ts';

/**
 * A plan that somebody else made, with every sentence, command and diff of it replaced by what follows from its ids and acts (spec of trust:
 * docs/security.md). What it does stays the same; its findings are dropped, because no check ran here.
 */
export function inOwnWords(plan: Plan): Plan {
  const { counts } = plan.findings;
  const findings = {
    ...plan.findings,
    verdict: 'needs-answers' as const,
    counts: { ...counts, fail: { blocking: 0, warning: 0, info: 0 }, unknown: 0, pass: 0, skipped: 0 },
    findings: [],
  };
  const own = { ...plan, findings, operations: plan.operations.map(operationInOwnWords) };
  return { ...own, hash: planHash(own) };
}

function operationInOwnWords(operation: PlannedOperation): PlannedOperation {
  return {
    ...operation,
    title: titleOf(operation.id, operation.act),
    why: '',
    command: '',
    diff: '',
    undo: operation.undo && undoInOwnWords(operation.id, operation.undo),
    nudge: operation.nudge && { ...operation.nudge, because: actInWords(operation.nudge.act).join('; ') },
  };
}

function undoInOwnWords<T extends Undo & { diff: string }>(id: string, undo: T): T {
  return { ...undo, title: titleOf(`undo of ${id}`, undo.act), command: '', diff: '' };
}

function titleOf(id: string, act: PlannedOperation['act']): string {
  const [first, ...more] = actInWords(act);
  if (first === undefined) return id;
  return `${id}: ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}
