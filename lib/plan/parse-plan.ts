import { misfitInPlan } from './pins/pinned.ts';
import { type Plan, planSchema } from './plan.ts';
import { PlanError } from './plan-error.ts';

/**
 * Parses a plan that was saved or journalled: it must have that form, and contain nothing that the definitions cannot produce (pins/pinned.ts).
 * Throws PlanError; its sentence and `path` name the fault.
 */
export function parsePlan(value: unknown): Plan {
  return safely(() => {
    const result = planSchema.safeParse(value);
    if (!result.success) {
      const [issue] = result.error.issues;
      const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? key : String(key)));
      throw noPlan(path, issue?.message ?? 'it cannot be read', result.error.issues.length - 1);
    }
    const misfit = misfitInPlan(result.data);
    if (misfit !== null) throw noPlan(misfit.path, misfit.message, 0);
    return result.data;
  });
}

function noPlan(path: (string | number)[], because: string, more: number): PlanError {
  const words = inOneLine(`${pathText(path)}: ${because}`);
  return new PlanError('plan.shape', `This is not a plan: ${words}${more > 0 ? `, and ${more} more` : ''}.`, path);
}

/** Keeps names of fields and objects, which are text of whoever wrote the plan, in one line of limited length. */
function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** A file with endless nesting is refused like any other invalid plan. */
function safely(read: () => Plan): Plan {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PlanError('plan.shape', 'This is not a plan: it is nested too deeply.');
  }
}

function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the file';
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}
