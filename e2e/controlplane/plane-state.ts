import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { platformNames } from './objects/platform-shapes.ts';
import { clusterKinds, standInNamed, standIns } from './objects/standard-cluster.ts';

const nodeSchema = z.object({
  name: z.string(),
  number: z.number(),
  role: z.enum(['control-plane', 'worker']).exactOptional(),
  address: z.string().exactOptional(),
  kernel: z.string().exactOptional(),
  osImage: z.string().exactOptional(),
  architecture: z.string().exactOptional(),
  operatingSystem: z.enum(['linux', 'windows']).exactOptional(),
  labels: z.record(z.string(), z.string()).exactOptional(),
  annotations: z.record(z.string(), z.string()).exactOptional(),
  providerID: z.string().exactOptional(),
});

/** Folders of version 0.1.0 name an operator that no longer exists. */
const standIn = z.preprocess((word) => (typeof word === 'string' ? standInNamed(word) : word), z.enum(standIns));

/** The supervisor's instructions: `<dir>/plan.json`. */
export const planSchema = z.object({
  dir: z.string(),
  kind: z.enum(clusterKinds),
  platform: z.enum(platformNames),
  nodes: z.array(nodeSchema),
  pace: z.enum(['normal', 'slow']),
  like: standIn,
  /** `with-parent`: everything ends when the pipe on stdin closes, also when the parent was killed. */
  lives: z.enum(['with-parent', 'detached']),
  /** `api-only`: etcd and API server, and nothing that acts on objects (benchmarks). */
  components: z.enum(['all', 'api-only']),
  /** `with-data`: etcd starts with the data of another plane's cluster of the same kind. */
  begins: z.enum(['empty', 'with-data']).default('empty'),
  /** The supervisor removes the folder when it ends without having failed. */
  temporary: z.boolean(),
  binaries: z.record(z.string(), z.string()),
});
export type PlanePlan = z.infer<typeof planSchema>;

/** The supervisor's report: `<dir>/state.json`, rewritten at every change. */
const stateSchema = z.object({
  /** Process id of the supervisor. */
  pid: z.number(),
  phase: z.enum(['starting', 'ready', 'failed', 'stopped']),
  /** Whether the API server has ever been ready. */
  served: z.boolean().default(false),
  /** What it is doing, or what went wrong. */
  sentence: z.string(),
  url: z.string(),
  /** Unix socket that takes commands (supervisor.ts). */
  control: z.string(),
  kind: z.enum(clusterKinds),
  like: standIn,
  nodes: z.number(),
  processes: z.array(z.object({ name: z.string(), pid: z.number(), ended: z.string().nullable() })),
});
export type PlaneState = z.infer<typeof stateSchema>;

export const planFile = (dir: string) => join(dir, 'plan.json');
const stateFile = (dir: string) => join(dir, 'state.json');
export const egressLogFile = (dir: string) => join(dir, 'egress.log');
export const processLog = (dir: string, name: string) => join(dir, 'log', `${name}.log`);
export const kubeconfigFile = (dir: string, user: string) =>
  user === 'admin' ? join(dir, 'kubeconfig') : join(dir, 'users', `${user}.kubeconfig`);

/** Null when there is no state, or this version cannot read it. */
export function readState(dir: string): PlaneState | null {
  if (!existsSync(stateFile(dir))) return null;
  const parsed = stateSchema.safeParse(JSON.parse(readFileSync(stateFile(dir), 'utf8')));
  return parsed.success ? parsed.data : null;
}

export function writeState(dir: string, state: PlaneState): void {
  const draft = `${stateFile(dir)}.tmp`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(draft, stateFile(dir));
}
