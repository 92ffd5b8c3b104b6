/**
 * A chart that holds definitions and nothing else. `isNative`: Calico's own are those of `projectcalico.org/v3`, which no file of a release names; else
 * those of `crd.projectcalico.org`. The kinds of its operator are in both.
 */
export type DefinitionChart = {
  readonly name: string;
  readonly isNative: boolean;
  readonly source: string;
  readonly read: string;
};

const read = '2026-11-27';

/** From v3.32 on the operator's chart has no definitions: a Helm release of its own may hold them. */
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

/** The version of a chart, as charts and plans write it. */
export const chartVersion = /^v?\d[0-9A-Za-z.+-]*$/;

/** The version in a chart's recorded name: `tigera-operator-v3.31.4` → `v3.31.4`. Null: it names none. */
export function versionInChart(recorded: string | null): string | null {
  return /-(v?\d[0-9A-Za-z.+-]*)$/.exec(recorded ?? '')?.[1] ?? null;
}

/** Which of them a chart is, as Helm records it with its version: `crd.projectcalico.org.v1-v3.32.1`. Undefined: none. */
export function definitionChartOf(recorded: string | null): DefinitionChart | undefined {
  return definitionCharts.find(({ name }) => recorded?.startsWith(`${name}-`) === true);
}
