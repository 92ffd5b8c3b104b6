import { isRecord, valueAt } from '#lib/base/records.ts';
import { cgroupFolderOf, felixDefaults } from '#lib/spec/index.ts';

/** Of the agents' configuration, what a test on the nodes depends on. `interfacePattern`: null where the agents choose by their own. */
export type ProbedSettings = {
  readonly vxlanPort: number;
  readonly cgroupFolder: string;
  readonly interfacePattern: string | null;
};

/** From a FelixConfiguration; Felix' own defaults where it is silent, or not there. */
export function probedSettings(felix: unknown): ProbedSettings {
  const found = valueAt(felix, ['spec']);
  const { vxlanPort, cgroupV2Path, bpfDataIfacePattern } = isRecord(found) ? found : {};
  return {
    vxlanPort: typeof vxlanPort === 'number' ? vxlanPort : felixDefaults.vxlanPort,
    cgroupFolder: cgroupFolderOf(cgroupV2Path),
    interfacePattern:
      typeof bpfDataIfacePattern === 'string' && bpfDataIfacePattern !== '' ? bpfDataIfacePattern : null,
  };
}
