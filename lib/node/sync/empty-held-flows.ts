import { configFlags, type DataPlaneMaps } from '../bpf/index.ts';
import { inTurns } from './in-turns.ts';

/**
 * Empties `heldFlows` unless the programs may begin flows there (`CONFIG_HOLDS_FLOWS`). Its entries then come from an agent that used this table and
 * was followed by one that did not: the newer flows are in the other table, and old entries with the same ports would hide them. Call it before
 * programs that know the table are attached. @throws BpfError if the kernel refuses; the signal's reason once it aborts
 */
export async function emptyHeldFlows(
  { config, heldFlows }: Pick<DataPlaneMaps, 'config' | 'heldFlows'>,
  signal: AbortSignal,
): Promise<void> {
  if ((config.get(0)?.flags ?? 0) & configFlags.holdsFlows) return;
  let looks = 0;
  for (const [key] of heldFlows.entries()) {
    heldFlows.delete(key);
    await inTurns(++looks, signal);
  }
}
