import { isObjectName } from '#lib/base/object-names.ts';
import { type Fields, isRecord } from '#lib/base/records.ts';
import { apiVersionOf, cleanupFlagPath, names, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import { write } from '../define-operation.ts';
import { cleanupOff } from '../objects/cleanup-flag.ts';
import { writtenFields } from '../objects/field.ts';
import { installation, kubeProxy, openshiftProxy } from '../objects/object-refs.ts';
import type { Condition } from '../schema/condition.ts';
import type { UndoPhase } from '../schema/planned-operation.ts';
import {
  anyText,
  either,
  exactly,
  type Fits,
  fits,
  type Item,
  inOrder,
  listOf,
  mapOf,
  maybe,
  often,
  onceOrNever,
  type Pattern,
  shortText,
} from './pattern.ts';

/** Patterns of what acts and undos are made of. */

export const aName: Fits = (value) => typeof value === 'string' && isObjectName(value);

export const felixRef: Pattern = {
  resource: either(exactly(resources.felixConfigurations), exactly(resources.felixConfigurationsV3)),
  name: names.felixConfiguration,
};
/** The operator's Deployment, in the namespace that the plan uses: all objects of a plan must agree on it (pinned.ts). */
export const operatorRef: Pattern = {
  resource: exactly(resources.deployments),
  namespace: aName,
  name: names.operatorDeployment,
};
export const endpointRef: Pattern = {
  resource: exactly(resources.configMaps),
  namespace: aName,
  name: names.endpointConfigMap,
};
export const agentsRef: Pattern = {
  resource: exactly(resources.daemonSets),
  namespace: aName,
  name: names.nodeDaemonSet,
};
/** A reference to exactly this object, with no further field. */
export const ref = (one: ObjectRef): Fits => exactly(one);
export const installationRef = ref(installation);

const never: Fits = () => false;
const wait: Pattern = { kind: 'wait' };

/** A step that only waits for this condition. */
export function awaited(done: Pattern): Pattern {
  return { act: wait, done };
}

/** The condition that a workload has rolled out. */
export function rollout(target: Pattern): Pattern {
  return { kind: 'rollout', target };
}

/** Several conditions together. A single one is not wrapped. */
export function allOf(...of: readonly Pattern[]): Pattern {
  return of.length === 1 ? of[0] : { kind: 'all', of };
}

/** A merge patch, done when its fields are set and `besides` holds. */
export function patched(target: Pattern, body: Pattern, ...besides: readonly Pattern[]): Fits {
  return (step) =>
    fits(step, { act: { kind: 'merge-patch', target, body }, done: isRecord }) &&
    fits(
      ownField(step, 'done'),
      allOf(exactly(writtenBy(ownField(step, 'act'))), ...besides.map((one) => ofStep(one, step))),
    );
}

/** In addition to a patch: the patched workload has rolled out. */
export const itsRollout: Fits = () => false;

function ofStep(beside: Pattern, step: unknown): Pattern {
  return beside === itsRollout ? rollout(exactly(ownField(ownField(step, 'act'), 'target'))) : beside;
}

/** The condition that follows from a merge patch: no other one is allowed with it. */
export function writtenBy(act: unknown): Condition {
  const { target, body } = act as { target: ObjectRef; body: Fields };
  return write(target, body).done;
}

/** A FelixConfiguration that does not exist is created with exactly these fields. */
export function felixWritten(body: PatternBody): Fits {
  return either(patched(felixRef, body), (step) => {
    const target = ownField(ownField(step, 'act'), 'target');
    if (!fits(target, felixRef)) return false;
    const { resource, name } = target as ObjectRef & { resource: Resource };
    const made = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name }, ...body };
    if (!fits(step, { act: { kind: 'apply', target: felixRef, body: made, force: false }, done: isRecord }))
      return false;
    const {
      apiVersion: _apiVersion,
      kind: _kind,
      metadata: _metadata,
      ...fields
    } = ownField(ownField(step, 'act'), 'body') as Fields;
    return fits(ownField(step, 'done'), exactly(write(target as ObjectRef, fields).done));
  });
}

export type PatternBody = { readonly [key: string]: Pattern };

/** Restores the earlier fields, or deletes the FelixConfiguration that exists only because of the plan. */
export function felixBack(body: PatternBody): Fits {
  return either(patched(felixRef, body), removed(felixRef, 'Background'));
}

/** Deletes one object, done when it is absent. */
export function removed(target: Pattern, propagation: 'Background' | 'Foreground'): Fits {
  return (step) => {
    const deleted = ownField(ownField(step, 'act'), 'target');
    return fits(step, {
      act: { kind: 'delete', target, propagation },
      done: { kind: 'absent', target: exactly(deleted) },
    });
  };
}

function removedTogether(targets: Pattern): Fits {
  return (step) => {
    const deleted = ownField(ownField(step, 'act'), 'targets');
    return fits(step, {
      act: { kind: 'delete-all', targets, propagation: 'Background' },
      done: { kind: 'all-absent', targets: exactly(deleted) },
    });
  };
}

/** Deletes these together, once they contain nothing of others. */
export function removedOnceEmpty(targets: Pattern): Fits {
  return (undo) => {
    const last = ownField(ownField(stepsOf(ownField(undo, 'act'))[1], 'act'), 'targets');
    return fits(undo, {
      act: {
        kind: 'sequence',
        steps: [awaited({ kind: 'only-ours-left', within: exactly(last) }), removedTogether(targets)],
      },
      done: { kind: 'all-absent', targets: exactly(last) },
    });
  };
}

export const proxyRef: Pattern = either(null, ref(kubeProxy), ref(openshiftProxy));
export const proxyBack: Pattern = { kind: 'proxy-back', target: proxyRef };

/** The sequence of proxy-off.ts › onceProven: waits until every node is proven on eBPF, then `off`. */
export function onceProvenIs(off: Pattern): Pattern {
  return { kind: 'sequence', steps: [awaited({ kind: 'bpf-active' }), off] };
}

const restarted: Pattern = { kind: 'agents-restarted', since: { target: felixRef, path: exactly(cleanupFlagPath) } };

/** The step of proxy-first.ts › protectRules, and the same where no agent restarts. */
const rulesProtected: Fits = either(
  patched(felixRef, exactly(cleanupOff), restarted),
  patched(felixRef, exactly(cleanupOff)),
);

/** The steps of proxy-first.ts › proxyFirst. */
export const proxyFirstSteps = [rulesProtected, onceOrNever(awaited(proxyBack))] as const;

/** An act of several steps in this order; `items` may be optional (`onceOrNever`) or repeated (`often`). */
export function sequence(...items: readonly Item[]): Pattern {
  return { kind: 'sequence', steps: inOrder(...items) };
}

/** The undo of an operation: its phase, its act and condition as in `step`, and exactly these images to pull. */
export function undoneBy(phase: UndoPhase, step: Pattern, pulls: readonly string[] = []): Fits {
  return (undo) =>
    isRecord(undo) && undo.phase === phase && fits(undo.pulls, pulls) && fits({ act: undo.act, done: undo.done }, step);
}

/** The condition of a sequence is that of its last step. */
export function lastDone(act: unknown): unknown {
  return ownField(stepsOf(act).at(-1), 'done');
}

/** An own field of unparsed data; undefined if the data is no record or lacks it. */
export function ownField(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Several objects, each awaited before the next. */
export function madeTogether(part: Pattern, ...besides: readonly Pattern[]): Fits {
  return (step) =>
    fits(ownField(step, 'act'), sequence(often(part))) &&
    fits(
      ownField(step, 'done'),
      allOf(...stepsOf(ownField(step, 'act')).map((one) => exactly(ownField(one, 'done'))), ...besides),
    );
}

/** An object that is applied, done when every field that says something is set. */
export function writesItself(step: unknown): Pattern {
  if (ownField(ownField(step, 'act'), 'kind') !== 'apply') return never;
  const { target, body } = ownField(step, 'act') as { target: ObjectRef; body: Fields };
  return exactly({ kind: 'fields', target, fields: writtenFields(body) });
}

/** Deletes an object that did not exist, or restores what was in the written fields: no other field, whatever the values. */
export function takenBack(target: ObjectRef, written: Fields): Fits {
  const propagation = target.resource.group === 'apps' ? 'Foreground' : 'Background';
  return either(removed(exactly(target), propagation), patched(exactly(target), backFrom(written)));
}

/** The patch that undoes `written`: the same fields with earlier values. */
export function backFrom(written: Fields): Fits {
  return (body) => isRecord(body) && isInverse(body, written);
}

/** inverse-patch.ts › inversePatch: the same keys where both are records; elsewhere the earlier value, or null. */
function isInverse(back: unknown, patch: unknown): boolean {
  if (!isRecord(patch) || !isRecord(back)) return back !== undefined;
  const keys = Object.keys(patch);
  return (
    Object.keys(back).length === keys.length &&
    keys.every((key) => Object.hasOwn(back, key) && isInverse(back[key], patch[key]))
  );
}

/** The steps of a sequence, unparsed; none for any other act. */
export function stepsOf(act: unknown): unknown[] {
  const steps = ownField(act, 'steps');
  return Array.isArray(steps) ? steps : [];
}

/** Metadata of an object without the server's bookkeeping (without-bookkeeping.ts). */
export function recordedMetadata({ name, namespace }: ObjectRef): Pattern {
  const texts = maybe(mapOf(anyText));
  return { name, namespace, labels: texts, annotations: texts, finalizers: maybe(listOf(shortText)) };
}

/** The undo of felix.cleanup-restore: no agent may still run with another value. */
export const protectedAgain: Fits = patched(felixRef, exactly(cleanupOff), restarted);
