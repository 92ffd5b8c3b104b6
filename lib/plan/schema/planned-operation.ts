import { z } from 'zod';
import { actSchema } from './act.ts';
import { conditionSchema } from './condition.ts';
import { fieldExpectation, objectRef } from './named-objects.ts';

/**
 * The order in which a run is undone (operations.md › journey 4). Within a phase, the last step is undone first. Phases are part of the plan, so that
 * a journal of an older version is undone in the order that it showed.
 */
export const undoPhases = [
  /** Protects the proxy's rules before the proxy comes back. */
  'cleanup-off',
  /** What the proxy needs to start. */
  'proxy-configuration',
  /** The proxy itself, until its rules are seen. */
  'proxy',
  /** If `bpfEnabled` was set by hand, the operator must stop owning it before the Installation is restored. */
  'ownership',
  /** The Installation, until no node uses eBPF. */
  'data-plane',
  /** Settings that had to stay while eBPF was on. */
  'options',
  'operator-dns',
  /** Agents may use the ClusterIP again only now. */
  'endpoint',
  /** Deleting the endpoint's ConfigMap takes effect when the operator starts again. */
  'operator',
  'workloads',
  /** *install*: the operator cleans up after its custom resources, so it is deleted after them (calico.md §13 no. 30). */
  'operator-gone',
  'namespace',
  /** A running operator would write its definitions again. */
  'definitions',
  /** The network that was there before Calico’s. */
  'network',
  /** *upgrade*: the releases one after the other, last first, each with its own wait. */
  'release',
] as const;
export type UndoPhase = (typeof undoPhases)[number];

const rule = z.strictObject({
  group: z.string(),
  resource: z.string(),
  subresource: z.string().exactOptional(),
  verbs: z.array(z.string()),
  namespace: z.string().exactOptional(),
  names: z.array(z.string()).exactOptional(),
});
/** One RBAC rule that an operation uses; `signalbox rbac` and `permissions.plan` are made from these. */
export type Rule = z.infer<typeof rule>;

const guard = z.strictObject({ target: objectRef, expected: z.array(fieldExpectation) });
/** Fields that must still be as the plan read them, right before the act: never resourceVersion, status or managedFields (operations.md › Two consoles). */
export type Guard = z.infer<typeof guard>;

const seconds = z.number().nonnegative();

const undo = z.strictObject({
  title: z.string(),
  act: actSchema,
  done: conditionSchema,
  phase: z.enum(undoPhases),
  /** Ids of operations that are undone together with this one, begun or not. */
  pulls: z.array(z.string()),
  command: z.string(),
  usualSeconds: seconds,
  deadlineSeconds: seconds,
  diff: z.string(),
});
export type Undo = Omit<z.infer<typeof undo>, 'diff'>;

/** What a wait may do once if the operator has not reacted for so long (operations.md › endpoint.active). */
const nudge = z.strictObject({ afterSeconds: seconds, because: z.string(), act: actSchema });
export type Nudge = z.infer<typeof nudge>;

const effect = z.enum(['none', 'control-plane', 'traffic']);
export type Effect = z.infer<typeof effect>;

export const plannedOperation = z.strictObject({
  id: z.string(),
  /** 1-based; the same id may occur twice, so journal, events and undo name operations by `seq`. */
  seq: z.number().int().positive(),
  title: z.string(),
  why: z.string(),
  effect,
  reversible: z.boolean(),
  status: z.enum(['needed', 'already-done']),
  /** objectIds that the act writes. */
  targets: z.array(z.string()),
  /** Unified diff of YAML from a server-side dry run, secrets masked; empty for waits. */
  diff: z.string(),
  /** How the diff was made: a dry run on the server, or computed where the server cannot tell yet; or nothing is written. */
  previewed: z.enum(['dry-run', 'computed', 'nothing-written']),
  needs: z.array(rule),
  reads: z.array(guard),
  act: actSchema,
  done: conditionSchema,
  until: z.string().nullable(),
  nudge: nudge.nullable(),
  undo: undo.nullable(),
  command: z.string(),
  usualSeconds: seconds,
  deadlineSeconds: seconds,
});
/** One operation of a Plan (cli.md › plan): plain data, a public contract. */
export type PlannedOperation = z.infer<typeof plannedOperation>;
