import { z } from 'zod';
import { objectName } from '#lib/base/object-names.ts';
import { chartVersion, definitionCharts } from '#lib/spec/index.ts';
import { isChart, isHelmValue } from '../install/helm-charts.ts';
import { type Condition, conditionSchema, kindOnly } from './condition.ts';
import { body, dependants, helmDriver, manifestRef, objectRef, ownerUids as uids, whose } from './named-objects.ts';

const propagation = z.enum(['Background', 'Foreground']);

const helmName = z.string().regex(objectName, 'is not a name that helm takes');
const release = { kind: z.literal('helm'), release: helmName, namespace: helmName, driver: helmDriver };

/** Runs helm. The release's values stay in Helm and never pass through a plan. */
const helm = z.discriminatedUnion('verb', [
  z.strictObject({
    ...release,
    verb: z.literal('upgrade'),
    chart: z.string().refine(isChart, 'is not where a chart can be'),
    version: z.string().regex(chartVersion, 'is not a version of a chart').nullable(),
    /** Value by path, in helm's notation. */
    set: z.record(
      z.string().regex(/^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)*$/, 'is not the path of a value'),
      z.string().refine(isHelmValue, 'is not a value that a plan may set'),
    ),
    /** Merges the release's values into the new chart's; without it they are merged into the old chart's, so that only `set` changes. */
    values: z.literal('reset-then-reuse').exactOptional(),
    /** The chart holds these definitions (definition-charts.ts); if absent, it is the operator's. */
    holds: z.enum(definitionCharts.map(({ name }) => name)).exactOptional(),
  }),
  z.strictObject({ ...release, verb: z.literal('rollback'), revision: z.number().int().positive() }),
]);

/** All kinds but `sequence`, which combines them. */
const single = z.discriminatedUnion('kind', [
  kindOnly('journal'),
  /** Server-side apply of exactly these fields; the whole object when we create it. */
  z.strictObject({ kind: z.literal('apply'), target: objectRef, body, force: z.boolean() }),
  /**
   * Server-side apply of every object in one file of a release. Such files are too large for a plan: the plan names the file by its checksum, and the
   * run opens it again.
   */
  z.strictObject({
    kind: z.literal('apply-manifest'),
    manifest: manifestRef,
    targets: z.array(objectRef),
    force: z.boolean(),
  }),
  /** `whose`: write only those fields; leave the others. */
  z.strictObject({ kind: z.literal('merge-patch'), target: objectRef, body, whose }),
  /** Creates the recorded object again; server bookkeeping already removed. */
  z.strictObject({ kind: z.literal('recreate'), target: objectRef, body }),
  /** Creates an object that does not exist, marked with the run (`madeByAnnotation`). If another object has the name, the run changes nothing and pauses. */
  z.strictObject({ kind: z.literal('create'), target: objectRef, body }),
  /** `made`: delete only the object that this run created from this body, and only if it is unchanged; leave any other. */
  z.strictObject({ kind: z.literal('delete'), target: objectRef, propagation, made: body.exactOptional() }),
  /** Requests all deletions before it waits for any: none of these objects has to go before another. */
  z.strictObject({ kind: z.literal('delete-all'), targets: z.array(objectRef), propagation }),
  helm,
  /**
   * Removes exactly these references from exactly these objects, on condition that the object has not changed since it was read. `once-paused`: only
   * after the run has paused in this step, because somebody had restored them.
   */
  z.strictObject({ kind: z.literal('remove-owner-references'), dependants, when: z.enum(['at-once', 'once-paused']) }),
  /** Restores them with the UIDs that the v3 API serves at that moment, if those are the computed ones. An object whose owner has gone meanwhile gets none. */
  z.strictObject({ kind: z.literal('restore-owner-references'), dependants, uids }),
  /**
   * Makes us the owner of fields that were written without server-side apply, or by kubectl's: a later apply then removes fields that it no longer
   * contains. Values stay.
   */
  z.strictObject({ kind: z.literal('adopt-fields'), targets: z.array(objectRef) }),
  kindOnly('wait'),
  kindOnly('verify'),
  /** Tells the administrator what to do, as only they can do it. `done` checks that it was done. */
  z.strictObject({ kind: z.literal('instruct'), text: z.string() }),
]);

/**
 * What an operation does to the cluster, as plain data: it is shown, hashed, journalled and carried out by `lib/run` (architecture.md › Operation).
 * `sequence` is for the few operations that need several acts, each awaited before the next.
 */
export type Act = z.infer<typeof single> | { kind: 'sequence'; steps: { act: Act; done: Condition }[] };

export const actSchema: z.ZodType<Act> = z.discriminatedUnion('kind', [
  ...single.options,
  z.strictObject({
    kind: z.literal('sequence'),
    get steps(): z.ZodType<{ act: Act; done: Condition }[]> {
      return z.array(z.strictObject({ act: actSchema, done: conditionSchema }));
    },
  }),
]);
