/**
 * A chart with definitions only. `isNative`: Calico's definitions are those of `projectcalico.org/v3`, which no release file has; otherwise those of
 * `crd.projectcalico.org`. Both have the operator's definitions.
 */
export type DefinitionChart = {
  readonly name: string;
  readonly isNative: boolean;
  readonly source: string;
  readonly read: string;
};

const read = '2026-11-27';

/** From v3.32 on the operator's chart has no definitions; a separate Helm release may have them. */
export const definitionCharts: readonly DefinitionChart[] = [
  {
    name: 'crd.projectcalico.org.v1',
    isNative: false,
    source: 'RN v3.32.0; projectcalico/calico charts/crd.projectcalico.org.v1',
    read,
  },
  {
    name: 'projectcalico.org.v3',
    isNative: true,
    source: 'RN v3.32.0; projectcalico/calico charts/projectcalico.org.v3',
    read,
  },
];

/** The form of a chart's version in charts and plans. */
export const chartVersion = /^v?\d[0-9A-Za-z.+-]*$/;

/** Helm's label of a chart's name and version has at most 63 characters. */
const longestRecorded = 300;

/** The version in a chart's recorded name: `tigera-operator-v3.31.4` → `v3.31.4`. Null: it has none. */
export function versionInChart(recorded: string | null): string | null {
  // The end alone: each hyphen of a longer name could begin a version, and would be searched from.
  return /-(v?\d[0-9A-Za-z.+-]*)$/.exec((recorded ?? '').slice(-longestRecorded))?.[1] ?? null;
}

/** The definition chart that Helm recorded with its version: `crd.projectcalico.org.v1-v3.32.1`. Undefined: none. */
export function definitionChartOf(recorded: string | null): DefinitionChart | undefined {
  return definitionCharts.find(({ name }) => recorded?.startsWith(`${name}-`) === true);
}
