import { z } from 'zod';
import { objectName } from '#lib/base/object-names.ts';
import { findingsSchema } from '#lib/checks/index.ts';
import {
  chartVersion,
  choicesSchema,
  definitionCharts,
  fileStandings,
  goals,
  type Resource,
  resources,
} from '#lib/spec/index.ts';
import type { Act, Condition } from './act.ts';
import { isChart, isHelmValue } from './install/helm-arguments.ts';
import { type PlannedOperation, undoPhases } from './operation.ts';
import { misfitInPlan } from './pins/pinned.ts';
import type { Plan } from './plan.ts';
import { PlanError } from './plan-error.ts';

/** The form of plan.json (cli.md › plan). Strict, because the author of the file decides what is done to a cluster. */

const known: readonly Resource[] = Object.values(resources);
/** A map, because a release has thousands of objects. */
const knownByName = Map.groupBy(known, ({ group, plural }) => `${plural}.${group}`);

const resource = z
  .strictObject({
    group: z.string(),
    version: z.string(),
    kind: z.string(),
    plural: z.string(),
    namespaced: z.boolean(),
  })
  .refine((given) => isKnown(given) || isOfOperator(given), 'is not a kind of object that a plan may name');

function isKnown(given: Resource): boolean {
  const named = knownByName.get(`${given.plural}.${given.group}`) ?? [];
  return named.some((one) => Object.entries(given).every(([key, value]) => one[key as keyof Resource] === value));
}

/** Kinds for the operator that this table does not list: a release may define more, as Calico Enterprise does. All names of the kind must belong together. */
function isOfOperator({ group, version, kind, plural, namespaced }: Resource): boolean {
  return (
    group === resources.installations.group &&
    version === resources.installations.version &&
    !namespaced &&
    /^[A-Z][A-Za-z0-9]{0,62}$/.test(kind) &&
    /^[a-z][a-z0-9]{0,62}$/.test(plural) &&
    !known.some((one) => one.group === group && (one.kind === kind || one.plural === plural))
  );
}

/** What Kubernetes allows in a path: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names */
const name = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[^/%\s]+$/, 'is not the name of an object')
  .refine((text) => text !== '.' && text !== '..', 'is not the name of an object');

const objectRef = z
  .strictObject({ resource, namespace: name.exactOptional(), name })
  .refine(
    (ref) => ref.resource.namespaced === (ref.namespace !== undefined),
    'has a namespace exactly when its kind has one',
  );

const body = z.record(z.string(), z.unknown());
const path = z.array(z.string()).min(1);
const helmDriver = z.literal('configmap').exactOptional();
const whose = z.literal('operators').exactOptional();
const propagation = z.enum(['Background', 'Foreground']);

const fieldExpectation = z.union([
  z.strictObject({ path, equals: z.unknown() }),
  z.strictObject({ path, absent: z.literal(true) }),
]);

const manifestRef = z.strictObject({
  version: z.string(),
  file: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not a checksum'),
});

const apiWord = (form: RegExp) => z.string().max(253).regex(form, 'is not part of an API');

/** An object of any kind. Only its references to owners in Calico's own API are written. */
const anyObjectRef = z
  .strictObject({
    resource: z.strictObject({
      group: apiWord(/^[a-z0-9.-]*$/),
      version: apiWord(/^[a-z0-9]+$/),
      kind: apiWord(/^[A-Za-z0-9]+$/),
      plural: apiWord(/^[a-z0-9.-]+$/),
      namespaced: z.boolean(),
    }),
    namespace: name.exactOptional(),
    name,
  })
  .refine(
    (ref) => ref.resource.namespaced === (ref.namespace !== undefined),
    'has a namespace exactly when its kind has one',
  );

const dependants = z.array(
  z.strictObject({
    target: anyObjectRef,
    uid: z.string(),
    references: z.array(
      z.strictObject({
        apiVersion: z.string().regex(/^projectcalico\.org\/v\d+$/, "is not Calico's own API"),
        kind: z.string(),
        name,
        uid: z.string(),
        controller: z.boolean().exactOptional(),
        blockOwnerDeletion: z.boolean().exactOptional(),
      }),
    ),
  }),
);
const uids = z.enum(['stored', 'derived']);

const kindOnly = <K extends string>(kind: K) => z.strictObject({ kind: z.literal(kind) });
const about = <K extends string>(kind: K) => z.strictObject({ kind: z.literal(kind), target: objectRef });

const conditionSchema = z.discriminatedUnion('kind', [
  kindOnly('journalled'),
  about('exists'),
  z.strictObject({ kind: z.literal('established'), targets: z.array(objectRef) }),
  about('absent'),
  z.strictObject({ kind: z.literal('made'), target: objectRef, body }),
  z.strictObject({ kind: z.literal('unmade'), target: objectRef, body }),
  z.strictObject({ kind: z.literal('all-absent'), targets: z.array(objectRef) }),
  z.strictObject({ kind: z.literal('fields'), target: objectRef, fields: z.array(fieldExpectation), whose }),
  about('rollout'),
  about('no-pods'),
  z.strictObject({
    kind: z.literal('endpoint-active'),
    endpoint: z.strictObject({ host: z.string(), port: z.string() }).nullable(),
  }),
  kindOnly('auto-host-endpoints'),
  kindOnly('flow-logs-active'),
  kindOnly('flow-logs-inactive'),
  z.strictObject({ kind: z.literal('sidecars'), target: objectRef, version: z.string() }),
  kindOnly('bpf-active'),
  kindOnly('bpf-inactive'),
  z.strictObject({ kind: z.literal('proxy-back'), target: objectRef.nullable() }),
  kindOnly('proxy-gone'),
  about('ipvs-gone'),
  kindOnly('reconciled'),
  z.strictObject({
    kind: z.literal('agents-restarted'),
    since: z.strictObject({ target: objectRef, path: z.array(z.string()) }),
  }),
  z.strictObject({ kind: z.literal('status-not-available'), tigeraStatus: z.string() }),
  z.strictObject({ kind: z.literal('installation-available'), version: z.string() }),
  z.strictObject({
    kind: z.literal('upgraded'),
    version: z.string(),
    workloads: z.array(objectRef).min(1).exactOptional(),
  }),
  z.strictObject({ kind: z.literal('fields-adopted'), targets: z.array(objectRef) }),
  z.strictObject({ kind: z.literal('owner-references-gone'), dependants }),
  z.strictObject({ kind: z.literal('owners-served'), dependants, uids }),
  z.strictObject({ kind: z.literal('owner-references-restored'), dependants, uids }),
  z.strictObject({ kind: z.literal('only-ours-left'), within: z.array(objectRef) }),
  z.strictObject({ kind: z.literal('check-passes'), check: z.string() }),
  z.strictObject({
    kind: z.literal('helm-deployed'),
    release: z.string(),
    namespace: z.string(),
    chart: z.string().exactOptional(),
    driver: helmDriver,
  }),
  kindOnly('product-pods-ready'),
  z.strictObject({ kind: z.literal('version'), equals: z.string() }),
  kindOnly('services-answer'),
  z.strictObject({
    kind: z.literal('all'),
    get of(): z.ZodArray<z.ZodType<Condition>> {
      return z.array(conditionSchema);
    },
  }),
]);

const helmName = z.string().regex(objectName, 'is not a name that helm takes');
const release = { kind: z.literal('helm'), release: helmName, namespace: helmName, driver: helmDriver };
const helm = z.discriminatedUnion('verb', [
  z.strictObject({
    ...release,
    verb: z.literal('upgrade'),
    chart: z.string().refine(isChart, 'is not where a chart can be'),
    version: z.string().regex(chartVersion, 'is not a version of a chart').nullable(),
    set: z.record(
      z.string().regex(/^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)*$/, 'is not the path of a value'),
      z.string().refine(isHelmValue, 'is not a value that a plan may set'),
    ),
    values: z.literal('reset-then-reuse').exactOptional(),
    holds: z.enum(definitionCharts.map(({ name }) => name)).exactOptional(),
  }),
  z.strictObject({ ...release, verb: z.literal('rollback'), revision: z.number().int().positive() }),
]);

const actSchema = z.discriminatedUnion('kind', [
  kindOnly('journal'),
  z.strictObject({ kind: z.literal('apply'), target: objectRef, body, force: z.boolean() }),
  z.strictObject({
    kind: z.literal('apply-manifest'),
    manifest: manifestRef,
    targets: z.array(objectRef),
    force: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('merge-patch'), target: objectRef, body, whose }),
  z.strictObject({ kind: z.literal('recreate'), target: objectRef, body }),
  z.strictObject({ kind: z.literal('create'), target: objectRef, body }),
  z.strictObject({ kind: z.literal('delete'), target: objectRef, propagation, made: body.exactOptional() }),
  z.strictObject({ kind: z.literal('delete-all'), targets: z.array(objectRef), propagation }),
  helm,
  z.strictObject({ kind: z.literal('remove-owner-references'), dependants, when: z.enum(['at-once', 'once-paused']) }),
  z.strictObject({ kind: z.literal('restore-owner-references'), dependants, uids }),
  z.strictObject({ kind: z.literal('adopt-fields'), targets: z.array(objectRef) }),
  kindOnly('wait'),
  kindOnly('verify'),
  z.strictObject({ kind: z.literal('instruct'), text: z.string() }),
  z.strictObject({
    kind: z.literal('sequence'),
    get steps(): z.ZodArray<z.ZodType<{ act: Act; done: Condition }>> {
      return z.array(z.strictObject({ act: actSchema, done: conditionSchema }));
    },
  }),
]);

const rule = z.strictObject({
  group: z.string(),
  resource: z.string(),
  subresource: z.string().exactOptional(),
  verbs: z.array(z.string()),
  namespace: z.string().exactOptional(),
  names: z.array(z.string()).exactOptional(),
});

const seconds = z.number().nonnegative();

const undo = z.strictObject({
  title: z.string(),
  act: actSchema,
  done: conditionSchema,
  phase: z.enum(undoPhases),
  pulls: z.array(z.string()),
  command: z.string(),
  usualSeconds: seconds,
  deadlineSeconds: seconds,
  diff: z.string(),
});

const plannedOperation = z.strictObject({
  id: z.string(),
  seq: z.number().int().positive(),
  title: z.string(),
  why: z.string(),
  effect: z.enum(['none', 'control-plane', 'traffic']),
  reversible: z.boolean(),
  status: z.enum(['needed', 'already-done']),
  targets: z.array(z.string()),
  diff: z.string(),
  previewed: z.enum(['dry-run', 'computed', 'nothing-written']),
  needs: z.array(rule),
  reads: z.array(z.strictObject({ target: objectRef, expected: z.array(fieldExpectation) })),
  act: actSchema,
  done: conditionSchema,
  until: z.string().nullable(),
  nudge: z.strictObject({ afterSeconds: seconds, because: z.string(), act: actSchema }).nullable(),
  undo: undo.nullable(),
  command: z.string(),
  usualSeconds: seconds,
  deadlineSeconds: seconds,
});

/** `signalbox schema Plan`: a public contract. */
export const planSchema = z.strictObject({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Plan'),
  goal: z.enum(goals),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'is not a hash of a plan'),
  cluster: z.string(),
  warnings: z.array(z.string()).exactOptional(),
  clusterUid: z.string().nullable(),
  madeAt: z.string(),
  choices: choicesSchema,
  operations: z
    .array(plannedOperation)
    .refine((all) => all.every(({ seq }, index) => seq === index + 1), 'are not numbered from 1 without a gap'),
  findings: findingsSchema,
  release: z
    .strictObject({
      version: z.string(),
      operator: z.string(),
      source: z.string(),
      files: z.array(z.strictObject({ file: z.string(), sha256: z.string(), standing: z.enum(fileStandings) })),
      notice: z.string().nullable(),
    })
    .optional(),
  madeUnder: z
    .strictObject({
      release: z.string().nullable(),
      cgroupFolder: z.string().nullable(),
      kernels: z.array(z.strictObject({ kernel: z.string(), nodes: z.array(z.string()) })),
    })
    .optional(),
});

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

/** Escapes names of fields and objects, which are text of whoever wrote the plan. */
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

/** Each of these lines fails to compile if schema and type differ. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const _conditions: Same<z.infer<typeof conditionSchema>, Condition> = true;
const _acts: Same<z.infer<typeof actSchema>, Act> = true;
const _operations: Same<z.infer<typeof plannedOperation>, PlannedOperation> = true;
const _plans: Same<z.infer<typeof planSchema>, Plan> = true;
