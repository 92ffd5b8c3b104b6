import { isRecord, valueAt } from '#lib/base/records.ts';
import { cgroupFolderOf, felixDefaults } from '#lib/spec/index.ts';

/** The settings of agents on which a test of the nodes depends. `interfacePattern`: null if each agent chooses its interface. */
export type ProbedSettings = {
  readonly vxlanPort: number;
  readonly cgroupFolder: string;
  readonly interfacePattern: string | null;
};

/** Reads the settings of a FelixConfiguration. Felix' defaults apply to what is absent, or if there is no object. */
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
