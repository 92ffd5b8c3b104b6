import type { Fields } from '#lib/base/records.ts';
import type { ObjectRef } from '#lib/spec/index.ts';
import { objectId, rewrittenByOperator } from '#lib/spec/index.ts';
import { inversePatch } from './diff/inverse-patch.ts';
import { expectationAt, expectationsOf, fieldAt } from './objects/field.ts';
import { objectOf, targetsOf } from './objects/objects.ts';
import type {
  Derived,
  GuardedPaths,
  OperationDefinition,
  PlanContext,
  RuleScope,
  UndoDefinition,
} from './operation.ts';
import type { Condition } from './schema/condition.ts';
import type { Guard, PlannedOperation, Rule, Undo } from './schema/planned-operation.ts';
import { actCommand } from './shell/act-command.ts';
import { conditionCommand } from './shell/condition-command.ts';

const seconds = { usual: 2, deadline: 60 } as const;

type Optional = 'traffic' | 'reads' | 'nudge' | 'undo' | 'usualSeconds' | 'deadlineSeconds';

/** Defines an operation (operations.md › Operations). Defaults: no guards, no undo, a quick write. If it touches traffic, traffic may pause. */
export function defineOperation(
  definition: Omit<OperationDefinition, Optional> & Partial<Pick<OperationDefinition, Optional>>,
): OperationDefinition {
  return {
    traffic: definition.effect === 'traffic' ? 'may-pause' : 'none',
    reads: [],
    nudge: null,
    undo: null,
    usualSeconds: seconds.usual,
    deadlineSeconds: seconds.deadline,
    ...definition,
  };
}

/** The operation as plain data, without `seq` and `status`, which its place in the plan decides. */
export function resolveOperation(
  definition: OperationDefinition,
  context: PlanContext,
  scope: RuleScope,
): Omit<PlannedOperation, 'seq' | 'status'> {
  const act = resolve(definition.act, context);
  const done = resolve(definition.done, context);
  const deadlineSeconds = Math.ceil(resolve(definition.deadlineSeconds, context));
  const undo = resolve(definition.undo, context);
  return {
    id: definition.id,
    title: resolve(definition.title, context),
    why: resolve(definition.why, context),
    effect: definition.effect,
    reversible: definition.reversible,
    targets: targetsOf(act).map(objectId),
    diff: definition.changes === undefined ? '' : resolve(definition.changes, context),
    previewed: 'nothing-written',
    needs: mergedRules(definition.needs(scope)),
    reads: resolve(definition.reads, context).flatMap((guarded) =>
      'expected' in guarded ? [guarded] : guardOf(guarded, context),
    ),
    act,
    done,
    until: definition.until ?? null,
    nudge: resolve(definition.nudge, context),
    undo: undo === null ? null : { ...resolveUndo(undo, context), diff: '' },
    command:
      definition.command === undefined
        ? commandOf({ act, done }, context, deadlineSeconds)
        : resolve(definition.command, context),
    usualSeconds: Math.ceil(resolve(definition.usualSeconds, context)),
    deadlineSeconds,
  };
}

function resolveUndo(undo: UndoDefinition, context: PlanContext): Undo {
  const deadlineSeconds = Math.ceil(undo.deadlineSeconds ?? seconds.deadline);
  return {
    title: undo.title,
    act: undo.act,
    done: undo.done,
    phase: undo.phase,
    pulls: undo.pulls ?? [],
    command: commandOf(undo, context, deadlineSeconds),
    usualSeconds: Math.ceil(undo.usualSeconds ?? seconds.usual),
    deadlineSeconds,
  };
}

/** The write, then the wait for its effect. The parts of a sequence contain their own waits. */
function commandOf({ act, done }: Pick<Undo, 'act' | 'done'>, context: PlanContext, deadlineSeconds: number): string {
  const write = actCommand(act, context, deadlineSeconds);
  const wait = conditionCommand(done, context, deadlineSeconds);
  const isInWrite = wait.split('\n').every((one) => write.split('\n').includes(one));
  return [write, isInWrite ? '' : wait].filter((command) => command !== '').join('\n');
}

/**
 * The guard for these paths. Fields that the operator writes by itself are not guarded (lib/spec/objects/operator-rewrites.ts). An object that did
 * not exist must still not exist: otherwise an undo would delete what somebody else created meanwhile.
 */
function guardOf({ target, paths }: GuardedPaths, context: PlanContext): Guard[] {
  const object = objectOf(context.before, target);
  const expected = paths
    .filter((path) => {
      const value = fieldAt(object, path) === undefined ? 'absent' : 'present';
      return !rewrittenByOperator(target.resource.kind, path, value);
    })
    .map((path) => expectationAt(object, path));
  if (!object) expected.unshift({ path: ['metadata', 'name'], absent: true });
  return expected.length === 0 ? [] : [{ target, expected }];
}

/** A merge patch, and the condition that shows that it took effect. */
export function write(
  target: ObjectRef,
  body: Fields,
): { act: { kind: 'merge-patch'; target: ObjectRef; body: Fields }; done: Extract<Condition, { kind: 'fields' }> } {
  const fields = expectationsOf(body).filter(({ path }) => !rewrittenByOperator(target.resource.kind, path, 'present'));
  return { act: { kind: 'merge-patch', target, body }, done: { kind: 'fields', target, fields } };
}

/** The patch that restores what `body` replaces, from the object as it is right before. */
export function writeBack(context: Pick<PlanContext, 'before'>, target: ObjectRef, body: Fields) {
  return write(target, inversePatch(objectOf(context.before, target), body));
}

/** Several conditions as one. A single one stays as it is. */
export function all(...of: Condition[]): Condition {
  return of.length === 1 && of[0] !== undefined ? of[0] : { kind: 'all', of };
}

function resolve<T>(value: Derived<T>, context: PlanContext): T {
  return typeof value === 'function' ? (value as (context: PlanContext) => T)(context) : value;
}

/** The rules with one entry for each object and all its verbs, in the order of first mention. */
export function mergedRules(rules: readonly Rule[]): Rule[] {
  const merged = new Map<string, Rule>();
  for (const rule of rules) {
    const { verbs, ...where } = rule;
    const key = JSON.stringify([where.group, where.resource, where.subresource, where.namespace, where.names]);
    const known = merged.get(key);
    merged.set(
      key,
      known ? { ...known, verbs: [...new Set([...known.verbs, ...verbs])] } : { ...rule, verbs: [...verbs] },
    );
  }
  return [...merged.values()];
}
