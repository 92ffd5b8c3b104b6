import { join } from 'node:path';
import type { FlowHistory } from '#lib/flows/index.ts';
import { privateFolder } from '#lib/folders/index.ts';

/** Null: no history is kept. */
export type HistorySettings = { readonly keptSeconds: number; readonly mostBytes: number } | null;

/** Seven days, 5 GiB. */
export const usualHistory: NonNullable<HistorySettings> = {
  keptSeconds: 7 * 86_400,
  mostBytes: 5 * 1024 ** 3,
};

export type FlowHistories = {
  /** Of a cluster; opened by who asks first. Rejects with a sentence; null where none is kept. */
  of(slug: string): Promise<FlowHistory | null>;
  /** Whether it lies on the disk, so that it is worth to follow a cluster that nobody looks at. */
  isKept(slug: string): Promise<boolean>;
  forget(slug: string): Promise<void>;
  close(): Promise<void>;
};

export type FlowHistoriesOptions = {
  stateFolder: string;
  settings: HistorySettings;
  isSandbox(slug: string): Promise<boolean>;
  log(line: string, cause?: unknown): void;
};

/** One history a cluster, open from when its flows are first asked for until this process ends: it alone may have the file. */
export function flowHistories({ stateFolder, settings, isSandbox, log }: FlowHistoriesOptions): FlowHistories {
  const opened = new Map<string, Promise<FlowHistory>>();
  const open = async (slug: string, kept: NonNullable<HistorySettings>): Promise<FlowHistory> => {
    // The library is large: who shows no flows never loads it.
    const { openHistory } = await import('#lib/flows/index.ts');
    const path = (await isSandbox(slug))
      ? null
      : join(privateFolder(join(stateFolder, 'flows'), 'XDG_STATE_HOME'), `${slug}.duckdb`);
    return openHistory({
      ...kept,
      path,
      now: () => Date.now() / 1000,
      log: (line, cause) => log(`${slug}: ${line}`, cause),
    });
  };
  return {
    of: async (slug) => {
      if (settings === null) return null;
      const known = opened.get(slug) ?? open(slug, settings);
      opened.set(slug, known);
      return known.catch((error: unknown) => {
        if (opened.get(slug) === known) opened.delete(slug);
        throw error;
      });
    },
    isKept: async (slug) => settings !== null && !(await isSandbox(slug)),
    forget: async (slug) => {
      const known = opened.get(slug);
      opened.delete(slug);
      await known?.then((history) => history.close()).catch(() => undefined);
    },
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map((one) => one.then((history) => history.close()).catch(() => undefined)));
    },
  };
}
