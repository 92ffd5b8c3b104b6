import { z } from 'zod';
import type { Evidence, Subject } from '#lib/facts/index.ts';
import { goals, missingRuleSchema, wizardQuestions } from '#lib/spec/index.ts';

/** *blocking* cannot be waved through; *warning* can, with a reason that is recorded (architecture.md › Check). */
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

// Written out again, and held to the same types: the schemas of lib/facts come with its collectors, and those with a cluster's client.
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
}) satisfies z.ZodType<Subject>;

const remedySchema = z.object({
  /** What to do now, shortest way first. */
  steps: z.array(z.string()),
  /** What explains a step, or comes later or more rarely: in the console behind *Why?*. */
  details: z.array(z.string()).exactOptional(),
  /** Runnable as it is; every value from the cluster is quoted for a shell. */
  command: z.string().exactOptional(),
  /** Wizard step where the answer is changed. */
  fixIn: z.enum(wizardQuestions).exactOptional(),
  /** Operation that `--fix ID` takes into the plan. */
  autofix: z.string().exactOptional(),
  /** The goal of a plan of its own that settles it. */
  goal: z.enum(goals).exactOptional(),
});
export type Remedy = z.infer<typeof remedySchema>;

/** One check's answer (cli.md › check). Add fields; never rename or remove one. */
const findingSchema = z.object({
  id: z.string(),
  group: z.enum(groups),
  severity: z.enum(severities),
  status: z.enum(['fail', 'pass', 'unknown', 'skipped']),
  /** Traffic of the cluster is broken now, whatever the goal and whatever was answered. */
  outage: z.boolean().default(false),
  /** A gap or a question while it is open, a statement when it is settled: each check has one text per outcome. */
  title: z.string(),
  because: z.string(),
  subjects: z.array(subjectSchema),
  /** What happens where it is left as it is, in a few words. Empty in what earlier versions wrote. */
  ifIgnored: z.string().default(''),
  consequence: z.string(),
  remedy: remedySchema,
  evidence: z.array(evidenceSchema),
  /** When the facts were read that this rests on. */
  observedAt: z.string(),
  /** The recorded reason; only for warnings and unknowns. */
  acknowledged: z.string().nullable(),
  /** When that was recorded, where it was before the plan was made. */
  acceptedAt: z.string().exactOptional(),
  /** The reason that an earlier run of this installation on this cluster was started with, to be confirmed; only while the finding is open. */
  acceptedBefore: z.object({ reason: z.string(), at: z.string(), run: z.string() }).exactOptional(),
  /**
   * What a run of this installation proved of it on the nodes; only while the finding is open, and no verdict changes by it. `at`: when. `stale`: why it no longer holds of
   * the whole cluster; null: it does, as far as the cluster tells.
   */
  verifiedBy: z
    .object({ run: z.string(), at: z.string(), because: z.string(), stale: z.string().nullable() })
    .exactOptional(),
  /** The operation that the chosen fix puts into the plan: the fail stays in `counts`, but not in the verdict. */
  fixedBy: z.string().nullable(),
  /** How a preflight pod on each node will measure it, where that alone is missing; null for everything else. */
  notMeasured: z.string().nullable().default(null),
  /**
   * What it needs, was not let see and somebody can give: with the rule that is missing, or a kind that the dump lacks. Left out where nothing is.
   */
  withheld: z.array(z.object({ kind: z.string(), rule: missingRuleSchema.exactOptional() })).exactOptional(),
  /** The failing check that has to be settled first: until then this finding is no problem of its own. Null for most. */
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
  /** What has to be said of the way to this cluster (`Facts.cluster.warnings`); left out where nothing has. */
  warnings: z.array(z.string()).exactOptional(),
  verdict: z.enum(verdicts),
  counts: countsSchema,
  findings: z.array(findingSchema),
  /** When the checks ran; the facts may be older (`observedAt` of each finding). */
  checkedAt: z.string(),
});
export type Findings = z.infer<typeof findingsSchema>;
