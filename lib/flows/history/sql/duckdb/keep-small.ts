import type { HistoryEngine, HistoryTier } from '../../history-engine.ts';
import { tierSteps } from '../../history-tiers.ts';
import type { KnownKeys } from '../known-keys.ts';
import { tierTable } from '../schema.ts';
import { rowsOf, type Writer } from './writer.ts';

/**
 * What keeps a history small: older flows are added up into coarser tiers, and the oldest removed. `rowsMoved`: the most rows of a tier in one transaction.
 * `addedUp`: called in the transaction that adds up the flows before a time.
 */
export function keepingSmall(
  writer: Writer,
  { known, rowsMoved, addedUp }: { known: KnownKeys; rowsMoved: number; addedUp: (before: number) => void },
): Pick<HistoryEngine, 'rollUp' | 'removeOldest'> {
  const { connection } = writer;

  /** Removed time must not count as time without traffic. */
  const forgetRecorded = async (before: number) => {
    await connection.run('DELETE FROM recorded WHERE until <= ?', [before]);
    await connection.run('UPDATE recorded SET since = ? WHERE since < ?', [before, before]);
  };

  /**
   * Moves rows that are older than a tier keeps into the next tier, or removes them. It works in parts, because everything at once could take
   * unlimited memory and block the writer for long. Returns the number of rows.
   */
  const moveOlder = async ({ stepSeconds, keptSeconds }: HistoryTier, into: number | null, now: number) => {
    const toSeconds = into ?? stepSeconds;
    const before = endOf({ keptSeconds }, toSeconds, now);
    const table = tierTable(stepSeconds);
    let moved = 0;
    for (let until = 0; until < before; )
      await writer.inTransaction(async () => {
        const [first] = await rowsOf(connection, `SELECT min(start) AS start FROM ${table} WHERE start < ?`, [before]);
        if (typeof first?.start !== 'number') {
          until = before;
          return;
        }
        const [cut] = await rowsOf(
          connection,
          `SELECT start FROM ${table} WHERE start < ? ORDER BY start LIMIT 1 OFFSET ${rowsMoved}`,
          [before],
        );
        const wholes = (at: number) => Math.floor(at / toSeconds) * toSeconds;
        until = Math.max(wholes(first.start) + toSeconds, typeof cut?.start === 'number' ? wholes(cut.start) : before);
        if (into !== null)
          await connection.run(
            `INSERT INTO ${tierTable(into)} SELECT (start // ${toSeconds}) * ${toSeconds}, key, any_value(verdict), sum(told), sum(bytes_in), sum(bytes_out), sum(packets_in), sum(packets_out), sum(started), sum(completed), max(live) FROM ${table} WHERE start < ? GROUP BY 1, key`,
            [until],
          );
        if (into !== null) addedUp(until);
        moved += (await connection.run(`DELETE FROM ${table} WHERE start < ?`, [until])).rowsChanged;
      });
    return moved;
  };

  const removeUnusedKeys = async () => {
    const used = tierSteps.map((step) => `SELECT key FROM ${tierTable(step)}`).join(' UNION ALL ');
    await connection.run(`DELETE FROM keys WHERE key NOT IN (SELECT DISTINCT key FROM (${used}))`);
    for (const [table, columns] of usedBy)
      await connection.run(
        `DELETE FROM ${table} WHERE id NOT IN (${columns.map((id) => `SELECT ${id} FROM keys WHERE ${id} IS NOT NULL`).join(' UNION ')})`,
      );
    known.clear();
  };

  return {
    rollUp: async (now, tiers) => {
      let removed = 0;
      for (const [index, tier] of tiers.entries()) {
        const next = tiers[index + 1];
        const moved = await moveOlder(tier, next?.stepSeconds ?? null, now);
        if (!next) removed = moved;
      }
      const last = tiers.at(-1);
      if (last) await writer.inTransaction(() => forgetRecorded(endOf(last, last.stepSeconds, now)));
      if (removed > 0) await writer.inTransaction(removeUnusedKeys);
    },
    removeOldest: async () => {
      await writer.inTransaction(async () => {
        const all = tierSteps.map((step) => `SELECT min(start) AS first, max(start) AS last FROM ${tierTable(step)}`);
        const [range] = await rowsOf(
          connection,
          `SELECT min(first) AS first, max(last) AS last FROM (${all.join(' UNION ALL ')})`,
        );
        if (typeof range?.first !== 'number' || typeof range.last !== 'number') return;
        const before = range.first + Math.max(600, Math.ceil((range.last - range.first) / 10));
        for (const step of tierSteps) await connection.run(`DELETE FROM ${tierTable(step)} WHERE start < ?`, [before]);
        await forgetRecorded(before);
        await removeUnusedKeys();
      });
      // Waits for readers. Without FORCE one reader makes it fail, and removed rows would still count as used.
      await writer.oneAtATime(() => connection.run('FORCE CHECKPOINT'));
    },
  };
}

/** The columns of `keys` that refer to each table. */
const usedBy = [
  ['ends', ['from_id', 'to_id']],
  ['services', ['service_id']],
  ['policies', ['policies_id']],
] as const;

/** The most rows of a tier in one transaction. */
export const mostMoved = 200_000;

/** The time before which a tier keeps nothing, in whole steps of the next tier. */
const endOf = ({ keptSeconds }: Pick<HistoryTier, 'keptSeconds'>, toSeconds: number, now: number) =>
  Math.max(0, Math.floor((now - keptSeconds) / toSeconds) * toSeconds);
