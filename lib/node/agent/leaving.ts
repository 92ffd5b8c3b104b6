import { configFlags, type DataPlaneMaps } from '../bpf/index.ts';

/**
 * From now on whoever serves beside the programs gets what begins: there would be more of it for as long as it is being handed over. Where that fails, nothing was
 * detached, and the programs serve again as they did before. Once it is done they are not to: an interface that has none any more would not change back what
 * another one had translated.
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
