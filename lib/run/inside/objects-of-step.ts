import { valueAt } from '#lib/base/records.ts';
import { conditionsOf, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { type Act, type Condition, targetsOf } from '#lib/plan/index.ts';
import { names, type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import { maskedAt, maskedText } from '#lib/text/index.ts';
import { nodeDaemonSet } from '../conditions/data-plane-objects.ts';
import { rolloutOf } from '../conditions/rollout.ts';

/** One object of a step as it is now. `says`: the part of it that matters to the step. */
export type StepObject = { object: string; says: string; state: 'ok' | 'now' | 'bad' | 'unknown' | 'idle' };

const installation: ObjectRef = { resource: resources.installations, name: names.installation };
const tigeraStatus: ObjectRef = { resource: resources.tigeraStatuses, name: 'calico' };
const operator: ObjectRef = {
  resource: resources.deployments,
  namespace: names.operatorNamespace,
  name: names.operatorDeployment,
};

/** The objects behind conditions that name none themselves (lib/run/conditions). */
const objectsBehind: Partial<Record<Condition['kind'], readonly ObjectRef[]>> = {
  'bpf-active': [nodeDaemonSet, installation, tigeraStatus],
  'bpf-inactive': [nodeDaemonSet, installation, tigeraStatus],
  'endpoint-active': [nodeDaemonSet, operator, tigeraStatus],
  reconciled: [installation, tigeraStatus],
  'installation-available': [installation, nodeDaemonSet, tigeraStatus],
  upgraded: [nodeDaemonSet, installation, operator, tigeraStatus],
  'product-pods-ready': [nodeDaemonSet, tigeraStatus],
  'agents-restarted': [nodeDaemonSet],
  'services-answer': [],
};

const workloads: ReadonlySet<string> = new Set(['DaemonSet', 'Deployment', 'StatefulSet']);
const isWorkload = ({ resource }: ObjectRef) => workloads.has(resource.kind);

/** Objects of a step, each once: the workloads that it writes, its other writes, then the objects that show its effect. */
export function objectsOfStep({ act, done }: { act: Act; done: Condition }): ObjectRef[] {
  const written = targetsOf(act).toSorted((one, other) => Number(isWorkload(other)) - Number(isWorkload(one)));
  const found = new Map([...written, ...objectsOfCondition(done)].map((ref) => [objectId(ref), ref]));
  return [...found.values()];
}

function objectsOfCondition(condition: Condition): readonly ObjectRef[] {
  if (condition.kind === 'all') return condition.of.flatMap(objectsOfCondition);
  const own = 'target' in condition && condition.target !== null ? [condition.target] : [];
  const many = 'targets' in condition ? condition.targets : [];
  const tigera: ObjectRef[] =
    condition.kind === 'status-not-available'
      ? [{ resource: resources.tigeraStatuses, name: condition.tigeraStatus }]
      : [];
  return [...own, ...many, ...tigera, ...(objectsBehind[condition.kind] ?? [])];
}

/** Reads one object. Rejects with the KubeError of the reading. */
export async function stepObject(
  kube: Kube,
  ref: ObjectRef,
  done: Condition,
  signal: AbortSignal,
): Promise<StepObject> {
  const found = await kube.get(ref, { signal });
  return { object: objectId(ref), ...(found === null ? absent(ref, done) : present(found, ref, done)) };
}

function absent(ref: ObjectRef, done: Condition): Omit<StepObject, 'object'> {
  return { says: 'not there', state: flat(done).some((one) => awaitsAbsence(one, ref)) ? 'ok' : 'idle' };
}

function awaitsAbsence(condition: Condition, ref: ObjectRef): boolean {
  if (condition.kind === 'absent') return isAbout(condition.target, ref);
  return condition.kind === 'all-absent' && condition.targets.some((one) => isAbout(one, ref));
}

function present(found: KubeObject, ref: ObjectRef, done: Condition): Omit<StepObject, 'object'> {
  const fields = flat(done).flatMap((one) => (one.kind === 'fields' && isAbout(one.target, ref) ? one.fields : []));
  // Values of a Secret are never shown.
  if (fields.length > 0 && found.kind !== 'Secret') return fieldsOf(found, fields);
  if (found.kind === 'DaemonSet' || found.kind === 'Deployment') {
    const { complete, words } = rolloutOf(found);
    return { says: words, state: complete ? 'ok' : 'now' };
  }
  if (found.kind === 'TigeraStatus') return statusOf(found);
  if (found.metadata.deletionTimestamp !== undefined) return { says: 'is being deleted', state: 'now' };
  if (flat(done).some((one) => awaitsAbsence(one, ref))) return { says: 'still there', state: 'now' };
  const { generation } = found.metadata;
  return { says: generation === undefined ? 'there' : `there, generation ${generation}`, state: 'idle' };
}

/** More fields are given as a count. */
const fieldsShown = 3;
const valueLetters = 60;

function fieldsOf(
  found: KubeObject,
  fields: Extract<Condition, { kind: 'fields' }>['fields'],
): Omit<StepObject, 'object'> {
  const shown = fields.map((field) => {
    const value = valueAt(found, field.path);
    const holds = 'absent' in field ? value === undefined : JSON.stringify(value) === JSON.stringify(field.equals);
    return { holds, words: `${field.path.at(-1)} ${valueWords(field.path, value)}` };
  });
  const more = shown.length > fieldsShown ? `, ${shown.length - fieldsShown} more fields` : '';
  return {
    says: `${shown
      .slice(0, fieldsShown)
      .map(({ words }) => words)
      .join(', ')}${more}`,
    state: shown.every(({ holds }) => holds) ? 'ok' : 'now',
  };
}

function valueWords(path: readonly string[], value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  const masked = maskedAt(path.join('.'), value);
  const text = typeof masked === 'string' ? masked : JSON.stringify(masked);
  return text.length > valueLetters ? `${text.slice(0, valueLetters - 1)}…` : text;
}

function statusOf(found: KubeObject): Omit<StepObject, 'object'> {
  const conditions = conditionsOf(found);
  const of = (type: string) => conditions.find((one) => one.type === type && one.status === 'True');
  const because = (message: string | null | undefined) => (message ? `: ${maskedText(message).slice(0, 200)}` : '');
  const degraded = of('Degraded');
  if (degraded) return { says: `Degraded${because(degraded.message)}`, state: 'bad' };
  const progressing = of('Progressing');
  if (progressing) return { says: `Progressing${because(progressing.message)}`, state: 'now' };
  return of('Available') ? { says: 'Available', state: 'ok' } : { says: 'no status yet', state: 'unknown' };
}

function flat(condition: Condition): Condition[] {
  return condition.kind === 'all' ? condition.of.flatMap(flat) : [condition];
}

function isAbout(one: ObjectRef, other: ObjectRef): boolean {
  return objectId(one) === objectId(other);
}
