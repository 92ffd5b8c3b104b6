import { join } from 'node:path';
import type { ClickHouseAccess, FlowHistory } from '#lib/flows/index.ts';
import { privateFolder } from '#lib/folders/index.ts';
import { clusterUid, type Kube } from '#lib/kube/index.ts';
import { historyFile, historyFiles, removeOldHistories } from './history-files.ts';

/** Limits of a history on this machine. */
export type OwnHistory = { readonly keptSeconds: number; readonly mostBytes: number };

/** Null: no history is kept. `clickHouse`: collectors write it there, and it is read from there. */
export type HistorySettings = OwnHistory | { readonly clickHouse: ClickHouseAccess } | null;

/** Seven days, 5 GiB. */
export const usualHistory: OwnHistory = {
  keptSeconds: 7 * 86_400,
  mostBytes: 5 * 1024 ** 3,
};

export type FlowHistories = {
  /**
   * The history of a cluster; the first caller opens it. `kube`: a caller's open connection, which identifies the cluster. Rejects with a sentence;
   * null if none is kept.
   */
  of(slug: string, kube?: Kube): Promise<FlowHistory | null>;
  /** The same if one exists, open or as a file; none is created. */
  existing(slug: string): Promise<FlowHistory | null>;
  /** The UID of the cluster that `of` means; null if it cannot be read. */
  uidOf(slug: string): Promise<string | null>;
  /** Whether it is on the disk, so that following a cluster is useful although nobody looks. */
  isKept(slug: string): Promise<boolean>;
  /** The folder with files of histories although none are kept now; null if there are none. */
  leftIn(): Promise<string | null>;
  forget(slug: string): Promise<void>;
  close(): Promise<void>;
};

export type FlowHistoriesOptions = {
  stateFolder: string;
  settings: HistorySettings;
  isSandbox(slug: string): Promise<boolean>;
  /** Opens the cluster for the duration of the work. */
  using<T>(slug: string, work: (cluster: { kube: Kube }) => Promise<T>): Promise<T>;
  log(line: string, cause?: unknown): void;
};

const patienceMs = 5_000;
const inMemory =
  'Flows are kept only in memory, until the console ends: Namespace kube-system, whose UID identifies the cluster, cannot be read.';

const unknownToOthers = 'Namespace kube-system cannot be read. Its UID is needed to tell clusters apart in ClickHouse.';

/** One history for each cluster, open from the first request for its flows until this process ends, which alone may have the file open. */
export function flowHistories({ stateFolder, settings, isSandbox, using, log }: FlowHistoriesOptions): FlowHistories {
  const folder = join(stateFolder, 'flows');
  const opened = new Map<string, { slug: string; history: Promise<FlowHistory> }>();
  const uids = new Map<string, string | null>();
  const own = settings === null || 'clickHouse' in settings ? null : settings;
  const clickHouse = settings !== null && 'clickHouse' in settings ? settings.clickHouse : null;
  const swept = (own === null ? Promise.resolve() : removeOldHistories(folder, own.keptSeconds, Date.now())).catch(
    (error: unknown) => log('old histories of flows were not removed', error),
  );
  const leftIn = async () => (own === null && (await historyFiles(folder)).length > 0 ? folder : null);
  leftIn()
    .then(
      (left) =>
        left !== null && log(`no history of flows is kept here any more; files of earlier ones stay in ${left}`),
    )
    .catch((error: unknown) => log('the folder of histories of flows cannot be read', error));

  const readUid = async (slug: string, kube?: Kube): Promise<string | null> => {
    const signal = AbortSignal.timeout(patienceMs);
    const uid = await (kube
      ? clusterUid(kube, { signal })
      : using(slug, (cluster) => clusterUid(cluster.kube, { signal })));
    uids.set(slug, uid);
    return uid;
  };
  /** While a cluster does not answer, its last known UID counts. */
  const uidOf = (slug: string) =>
    readUid(slug).catch((error: unknown) => {
      const known = uids.get(slug);
      if (known === undefined) throw error;
      return known;
    });
  const open = async (slug: string, uid: string | null): Promise<FlowHistory> => {
    // Loaded only when flows are shown: the library is large.
    const { openHistory, openSharedHistory } = await import('#lib/flows/index.ts');
    await swept;
    const isOwn = await isSandbox(slug);
    if (clickHouse !== null && !isOwn) {
      if (uid === null) throw new Error(unknownToOthers);
      return openSharedHistory({ access: clickHouse, cluster: uid, now: () => Date.now() / 1000 });
    }
    return openHistory({
      ...(own ?? usualHistory),
      path: isOwn || uid === null ? null : join(privateFolder(folder, 'XDG_STATE_HOME'), historyFile(slug, uid)),
      remark: isOwn || uid !== null ? null : inMemory,
      now: () => Date.now() / 1000,
      log: (line, cause) => log(`${slug}: ${line}`, cause),
    });
  };
  const of: FlowHistories['of'] = async (slug, kube) => {
    if (settings === null) return null;
    const uid = await ((await isSandbox(slug)) ? null : kube ? readUid(slug, kube) : uidOf(slug));
    const key = `${slug} ${uid}`;
    const known = opened.get(key) ?? { slug, history: open(slug, uid) };
    opened.set(key, known);
    return known.history.catch((error: unknown) => {
      if (opened.get(key) === known) opened.delete(key);
      throw error;
    });
  };
  return {
    of,
    existing: async (slug) => {
      if (settings === null) return null;
      const uid = (await isSandbox(slug)) ? null : await uidOf(slug);
      if (opened.has(`${slug} ${uid}`)) return of(slug);
      if (clickHouse !== null) return uid === null ? null : of(slug);
      return uid !== null && (await historyFiles(folder)).includes(historyFile(slug, uid)) ? of(slug) : null;
    },
    uidOf,
    isKept: async (slug) => own !== null && !(await isSandbox(slug)) && uids.get(slug) !== null,
    leftIn,
    forget: async (slug) => {
      const all = [...opened].filter(([, one]) => one.slug === slug);
      for (const [key] of all) opened.delete(key);
      uids.delete(slug);
      await closed(all.map(([, one]) => one.history));
    },
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      await closed(all.map((one) => one.history));
    },
  };
}

async function closed(all: readonly Promise<FlowHistory>[]): Promise<void> {
  await Promise.all(all.map((one) => one.then((history) => history.close()).catch(() => undefined)));
}
