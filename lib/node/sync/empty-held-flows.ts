import { configFlags, type DataPlaneMaps } from '../bpf/index.ts';
import { inTurns } from './in-turns.ts';

/**
 * Empties `heldFlows` unless the programs may begin flows there (`CONFIG_HOLDS_FLOWS`). What it holds then was left by an agent that had this table
 * before one that has not: the flows of the latter are newer, and would be hidden by those of the same ports. To be called before programs that know
 * the table are attached. @throws BpfError if the kernel refuses; the signal's reason once it aborts
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
