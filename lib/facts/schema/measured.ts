import { z } from 'zod';
import { type AlwaysTested, alwaysTested, onRequest, type TestedOnRequest } from '#lib/spec/index.ts';

const testOutcomeSchema = z.union([
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.enum(['failed', 'not-run']), because: z.string() }),
]);

/** The outcome of each test of one node (lib/spec/node-tests.ts). */
const testsSchema = z.object({
  ...(Object.fromEntries(alwaysTested.map((id) => [id, testOutcomeSchema])) as Record<
    AlwaysTested,
    typeof testOutcomeSchema
  >),
  /** Tests on request. Absent: not requested. */
  ...(Object.fromEntries(onRequest.map((id) => [id, testOutcomeSchema.exactOptional()])) as Record<
    TestedOnRequest,
    z.ZodExactOptional<typeof testOutcomeSchema>
  >),
});

const measuredNodeSchema = z.object({
  node: z.string(),
  /** How long the API server took to answer, in ms; null: it did not answer. */
  ms: z.number().nullable(),
  /** Only a connection to the API's address was tested. Absent: its certificate was verified too. */
  asked: z.literal('connection').optional(),
  /** The node's addresses between which VXLAN was tested. Absent: unknown. */
  addresses: z.array(z.string()).optional(),
  /** MTU of the link with the node's address, in bytes; null: unknown. */
  linkMtu: z.number().nullable().optional(),
  /** What serves Services on the node; null: unknown. `rules`: rules of kube-proxy without a process; `outside`: kube-proxy as a service of the system. */
  proxy: z.enum(['none', 'rules', 'in-pod', 'outside']).nullable().optional(),
  tests: testsSchema,
});

/** Results of tests on nodes (lib/spec/node-tests.ts). `endpoint`: the address that was tested; null: none. */
export const measurementSchema = z.object({
  endpoint: z.object({ host: z.string(), port: z.string() }).nullable(),
  /** The release, images and folder that were tested; others were not. */
  plan: z.object({
    release: z.string(),
    images: z.array(z.string()),
    flexVolumeFolder: z.string().nullable(),
    /** Ids of the objects that the test created. */
    objects: z.array(z.string()).optional(),
    /** What happened to them. `left`: some could not be removed. */
    ended: z.enum(['removed', 'kept', 'left']).optional(),
  }),
  nodes: z.array(measuredNodeSchema),
});

/** Null: no test ran. `plan` absent: the results hold for every plan (sandboxes). */
export const measuredSchema = measurementSchema.partial({ plan: true }).nullable();
