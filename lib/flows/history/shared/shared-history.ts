import { flowTime } from '../../flow-lines.ts';
import { answersOf } from '../answers.ts';
import type { FlowHistory } from '../flow-history.ts';
import {
  type ClickHouseAccess,
  ClickHouseFault,
  openClickHouse,
  readDatabase,
  type SharedEngine,
} from '../sql/clickhouse/index.ts';

export type SharedHistoryOptions = {
  readonly access: ClickHouseAccess;
  /** The UID of the cluster. */
  readonly cluster: string;
  /** Seconds since the epoch. */
  now(): number;
  /** Replaces the server in tests. */
  open?(): Promise<SharedEngine>;
};

const lookMs = 15_000;
/** Flows arrive late and in buckets, and a quiet cluster has none for a while. */
const silentSeconds = 600;

/**
 * Reads the history that collectors write to ClickHouse. It ignores flows that it is given, because the collectors write them. Rejects with a
 * ClickHouseFault.
 */
export async function openSharedHistory(options: SharedHistoryOptions): Promise<FlowHistory> {
  const { access, cluster, now } = options;
  const open =
    options.open ??
    (async () => openClickHouse(await readDatabase(access), { cluster, keptSeconds: Number.POSITIVE_INFINITY }));
  const engine = await open();
  let newest: number | null = null;
  let trouble: string | null = null;
  const look = async () => {
    try {
      newest = (await engine.spans()).at(-1)?.until ?? null;
      trouble = null;
    } catch (error) {
      if (!(error instanceof ClickHouseFault)) throw error;
      trouble = error.message;
    }
  };
  await look();
  const timer = setInterval(() => void look().catch(() => undefined), lookMs);
  timer.unref();

  const isRecording = () => trouble === null && newest !== null && now() - newest < silentSeconds;
  const silence = () =>
    newest === null
      ? 'No collector has written flows of this cluster yet: start `signalbox flows collect --clickhouse` for it.'
      : `No collector has written flows of this cluster since ${flowTime(newest)}.`;
  const nothing = async () => undefined;
  return {
    take: nothing,
    state: () => ({ isRecording: isRecording(), note: trouble ?? (isRecording() ? null : silence()) }),
    newest: () => newest,
    ...answersOf(
      () => engine,
      () => newest,
    ),
    left: nothing,
    flush: nothing,
    tidy: look,
    close: async () => {
      clearInterval(timer);
      await engine.close();
    },
  };
}
