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

/** What may differ between planes that begin with the same data; keys, tokens and certificates are each plane's own. */
export type SettledOptions = Pick<PlaneOptions, 'nodes' | 'pace' | 'certified' | 'report'> & {
  readonly like?: SettledCluster['like'];
};

/**
 * A control plane of kind `standard` that begins with the data of one on which Calico stood still: to make such a cluster takes three times as
 * much of the processor as to start it again. Resolves when it is ready; its operator has yet to say that it stands still (`isSettled`).
 */
export async function startSettledPlane(options: SettledOptions = {}): Promise<Plane> {
  const { like = emulatedOperators[0], nodes = 4 } = options;
  const cluster = { like, nodes: typeof nodes === 'number' ? standardNodes(nodes) : nodes };
  const data = await settledData(cluster, options.report);
  return startControlPlane({ ...options, ...cluster, kind: 'standard', data });
}

/** The folder of etcd's data, made on first use. A second process that wants the same waits for the first. */
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

/** Whole when it has its name: it gets it last. */
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

/** Two may have made the same, where each took the lock of a process that had died: the first one counts. */
export function giveName(made: string, name: string): void {
  try {
    renameSync(made, name);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const settlesWithinMs = 180_000;

/**
 * What processes say of themselves: the next operator would find its predecessor's words for its own, and its lease. Events of others grow old.
 */
async function forget({ api }: Plane): Promise<void> {
  const namespaces = await api.list('/api/v1/namespaces');
  for (const { metadata } of namespaces) {
    await api.delete(`/api/v1/namespaces/${metadata.name}/events`);
    await api.delete(`/apis/coordination.k8s.io/v1/namespaces/${metadata.name}/leases`);
  }
  await api.delete('/apis/operator.tigera.io/v1/tigerastatuses');
}

/** etcd keeps 64 MB for each file of its log; what it has not written yet need not be copied. It takes a shorter file, and makes it as long again. */
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

/** Names change with the day and with our code: what nobody has made for two days, nobody asks for again. */
function prune(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
const keptMs = 2 * 24 * 3_600_000;
