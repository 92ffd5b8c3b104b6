import { configFlags, type DataPlaneMaps } from '../bpf/index.ts';

/**
 * Sets the flag `leaving` while connections are handed over: new connections then go to the service proxy beside us, so that their number does not
 * grow. If the handover fails, nothing is detached and the flag is cleared, so the programs serve again. If it succeeds, the flag stays: an interface
 * without programs could not translate back what another interface has translated.
 */
export async function leaving({ config }: Pick<DataPlaneMaps, 'config'>, handOver: () => Promise<void>): Promise<void> {
  const set = (isLeaving: boolean) => {
    const known = config.get(0);
    const others = (known?.flags ?? 0) & ~configFlags.leaving;
    if (known) config.set(0, { ...known, flags: isLeaving ? others | configFlags.leaving : others });
  };
  set(true);
  try {
    await handOver();
  } catch (error) {
    set(false);
    throw error;
  }
}
