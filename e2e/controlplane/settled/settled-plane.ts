import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { emulatedOperators } from '#lib/operator/index.ts';
import { cacheFolder } from '#lib/release/index.ts';
import { ensureBinaries } from '../binaries.ts';
import { withFileLock } from '../file-lock.ts';
import { standardNodes } from '../objects/nodes.ts';
import { type Plane, type PlaneOptions, startControlPlane } from '../plane.ts';
import { isSettled } from './is-settled.ts';
import { type SettledCluster, settledKey } from './settled-key.ts';

/** The options of a plane that starts with existing data. Each plane has its own keys, tokens and certificates. */
export type SettledOptions = Pick<PlaneOptions, 'nodes' | 'pace' | 'certified' | 'report'> & {
  readonly like?: SettledCluster['like'];
};

/**
 * Starts a control plane of kind `standard` with the data of one on which Calico had settled: that takes a third of the processor time of making such a
 * cluster. Resolves when the plane is ready; the operator has yet to report that nothing is left to do (`isSettled`).
 */
export async function startSettledPlane(options: SettledOptions = {}): Promise<Plane> {
  const { like = emulatedOperators[0], nodes = 4 } = options;
  const cluster = { like, nodes: typeof nodes === 'number' ? standardNodes(nodes) : nodes };
  const data = await settledData(cluster, options.report);
  return startControlPlane({ ...options, ...cluster, kind: 'standard', data });
}

/** The folder of etcd's data, made on first use. A second process that needs the same data waits for the first. */
export async function settledData(cluster: SettledCluster, report?: PlaneOptions['report']): Promise<string> {
  const folder = join(cacheFolder(process.env), 'planes');
  const data = join(folder, await settledKey(cluster, await ensureBinaries(report ? { report } : {})));
  if (existsSync(data)) return data;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await withFileLock(
    `${data}.lock`,
    (owner) => report?.(`Process ${owner} makes the same cluster; waiting for it.`),
    async () => {
      if (existsSync(data)) return;
      prune(folder);
      const draft = mkdtempSync(join(folder, '.making-'));
      try {
        await make(cluster, data, draft, report);
      } finally {
        rmSync(draft, { recursive: true, force: true });
      }
    },
  );
  return data;
}

/** Gives the data its name as the last step, so that a folder of that name is always complete. */
async function make(
  cluster: SettledCluster,
  data: string,
  draft: string,
  report: PlaneOptions['report'],
): Promise<void> {
  const dir = join(draft, 'plane');
  const plane = await startControlPlane({ ...cluster, kind: 'standard', dir, ...(report ? { report } : {}) });
  try {
    for (const deadline = Date.now() + settlesWithinMs; !(await isSettled(plane)); await sleep(250))
      if (Date.now() > deadline) throw new Error(`Calico did not stand still within ${settlesWithinMs / 1000} s`);
    await plane.stopOperator();
    await forget(plane);
  } finally {
    await plane.stop();
  }
  trimLogs(join(dir, 'etcd'));
  giveName(join(dir, 'etcd'), data);
}

/** Keeps the first data if two processes have made the same: both can take over the lock of a process that died. */
export function giveName(made: string, name: string): void {
  try {
    renameSync(made, name);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const settlesWithinMs = 180_000;

/**
 * Deletes what processes reported of themselves: otherwise the next operator would take the status and the lease of the last one for its own. Events are
 * deleted because they would be too old.
 */
async function forget({ api }: Plane): Promise<void> {
  const namespaces = await api.list('/api/v1/namespaces');
  for (const { metadata } of namespaces) {
    await api.delete(`/api/v1/namespaces/${metadata.name}/events`);
    await api.delete(`/apis/coordination.k8s.io/v1/namespaces/${metadata.name}/leases`);
  }
  await api.delete('/apis/operator.tigera.io/v1/tigerastatuses');
}

/** Cuts off the unused end of etcd's log files, so that it is not copied: etcd reserves 64 MB for each file. It accepts a shorter one and extends it again. */
function trimLogs(etcd: string): void {
  const folder = join(etcd, 'member', 'wal');
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.tmp')) rmSync(path);
    else {
      const used = readFileSync(path).findLastIndex((byte) => byte !== 0) + 1;
      const file = openSync(path, 'r+');
      ftruncateSync(file, Math.ceil(used / sector) * sector + sector);
      closeSync(file);
    }
  }
}
const sector = 4096;

/** Deletes data that is older than two days. Keys change every day, so such data is not used again. */
function prune(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
const keptMs = 2 * 24 * 3_600_000;
