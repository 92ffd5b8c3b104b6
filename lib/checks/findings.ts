import { z } from 'zod';
import type { Evidence, Subject } from '#lib/facts/index.ts';
import { goals, missingRuleSchema, wizardQuestions } from '#lib/spec/index.ts';

/** A failure of a *blocking* check cannot be accepted; one of a *warning* can, with a reason that is recorded (architecture.md › Check). */
const severities = ['blocking', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Groups in the order in which they are shown; checks.md's headings. */
export const groups = [
  'Platform and permissions',
  'API endpoint',
  'Service proxy',
  'Nodes',
  'Network',
  'Features',
  'Installation and upgrade',
] as const;
export type Group = (typeof groups)[number];

// A copy of the schemas in lib/facts, checked against their types: importing those would load collectors and the client of a cluster.
const evidenceSchema = z.object({
  object: z.string(),
  path: z.string(),
  value: z.unknown(),
}) satisfies z.ZodType<Evidence>;
const subjectSchema = z.object({
  kind: z.string(),
  namespace: z.string().nullable(),
  name: z.string(),
  detail: z.string(),
  missing: z.literal(true).exactOptional(),
}) satisfies z.ZodType<Subject>;

const remedySchema = z.object({
  /** What to do now; the shortest way comes first. */
  steps: z.array(z.string()),
  /** Explanations, and steps that come later or are rarely needed; the console shows them behind *Why?*. */
  details: z.array(z.string()).exactOptional(),
  /** A command that can be run as it is; values from the cluster are quoted for a shell. */
  command: z.string().exactOptional(),
  /** Step of the wizard where the answer can be changed. */
  fixIn: z.enum(wizardQuestions).exactOptional(),
  /** The operation that `--fix ID` puts into the plan. */
  autofix: z.string().exactOptional(),
  /** The goal of another plan that fixes it. */
  goal: z.enum(goals).exactOptional(),
});
export type Remedy = z.infer<typeof remedySchema>;

/** The result of one check (cli.md › check). Add fields; never rename or remove one. */
const findingSchema = z.object({
  id: z.string(),
  group: z.enum(groups),
  severity: z.enum(severities),
  status: z.enum(['fail', 'pass', 'unknown', 'skipped']),
  /** The cluster's traffic is broken now, whatever the goal and the answers are. */
  outage: z.boolean().default(false),
  /** A gap while the finding is open, a statement once it is settled: each check has a text for each outcome. */
  title: z.string(),
  because: z.string(),
  subjects: z.array(subjectSchema),
  /** What happens if nothing is done, in a few words. Empty in findings of earlier versions. */
  ifIgnored: z.string().default(''),
  consequence: z.string(),
  remedy: remedySchema,
  evidence: z.array(evidenceSchema),
  /** When the facts were read. */
  observedAt: z.string(),
  /** The recorded reason for accepting it, for warnings and unknowns; null: not accepted. */
  acknowledged: z.string().nullable(),
  /** When it was accepted, if that was before the plan was made. */
  acceptedAt: z.string().exactOptional(),
  /** The reason from an earlier run of this installation of Signalbox on this cluster, to be confirmed; only while the finding is open. */
  acceptedBefore: z.object({ reason: z.string(), at: z.string(), run: z.string() }).exactOptional(),
  /**
   * What a run of this installation of Signalbox proved on the nodes; only while the finding is open. It changes no verdict. `stale`: why it no longer holds
   * for the whole cluster; null: it does, as far as the facts show.
   */
  verifiedBy: z
    .object({ run: z.string(), at: z.string(), because: z.string(), stale: z.string().nullable() })
    .exactOptional(),
  /** The operation of the chosen fix; null: none. The failure still counts in `counts`, and no longer in the verdict. */
  fixedBy: z.string().nullable(),
  /** How a test on each node will measure it, if only that is missing; else null. */
  notMeasured: z.string().nullable().default(null),
  /** Kinds that the check needs and that were not read: fixed by granting `rule`, or by adding the kind to the dump. Absent: none. */
  withheld: z.array(z.object({ kind: z.string(), rule: missingRuleSchema.exactOptional() })).exactOptional(),
  /** The check that must be settled first; until then this finding is no problem of its own. Null: none. */
  followsFrom: z.string().nullable().default(null),
});
export type Finding = z.infer<typeof findingSchema>;

const verdicts = ['ready', 'needs-answers', 'blocked'] as const;
export type Verdict = (typeof verdicts)[number];

const countsSchema = z.object({
  fail: z.object({ blocking: z.number(), warning: z.number(), info: z.number() }),
  unknown: z.number(),
  pass: z.number(),
  skipped: z.number(),
});
export type Counts = z.infer<typeof countsSchema>;

/** `signalbox check` and `signalbox schema Findings`: a public contract. */
export const findingsSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('Findings'),
  goal: z.enum(goals),
  cluster: z.string(),
  /** Warnings about the connection to the cluster (`Facts.cluster.warnings`). Absent: none. */
  warnings: z.array(z.string()).exactOptional(),
  verdict: z.enum(verdicts),
  counts: countsSchema,
  findings: z.array(findingSchema),
  /** When the checks ran; the facts may be older (`observedAt` of each finding). */
  checkedAt: z.string(),
});
export type Findings = z.infer<typeof findingsSchema>;
