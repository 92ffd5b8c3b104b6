import type { Recording } from './row.ts';

/** Distilled from the recording of this name. recordings.test.ts distils it again and compares. */
export const upgrade: Recording = {
  file: 'upgrade-3.30.7-to-3.31.4.jsonl',
  steps: [
    {
      mark: 'v3.30.7: create Installation BPF',
      at: 3.89,
      rows: [
        [0.1, 'Installation', 'linuxDataplane', 'BPF'],
        [0.2, 'Installation', 'hostPorts', 'Enabled'],
        [2.6, 'FelixConfiguration', 'nftablesMode', 'Disabled'],
        [2.6, 'FelixConfiguration', 'bpfEnabled', 'true'],
        [2.6, 'FelixConfiguration', 'annotation', 'true'],
        [2.9, 'calico-node', 'generation', '1'],
        [2.9, 'calico-node', 'host', 'api.lab.example'],
        [6.2, 'calico-node', 'rollout', 'complete @1'],
        [7.7, 'TigeraStatus calico', 'Degraded', 'True @2 default status lost'],
        [12.7, 'TigeraStatus calico', 'Available', 'True @3 all well'],
        [12.8, 'TigeraStatus calico', 'Progressing', 'False @3 all well'],
        [12.8, 'TigeraStatus calico', 'Degraded', 'False @3 all well'],
        [12.9, 'Installation', 'calicoVersion', 'v3.30.7'],
        [14, 'Installation', 'calicoVersion', '–'],
        [14.1, 'Installation', 'calicoVersion', 'v3.30.7'],
      ],
    },
    {
      mark: 'apply v3.31.4 operator-crds.yaml server-side force-conflicts',
      at: 47.35,
      rows: [],
    },
    {
      mark: 'apply v3.31.4 tigera-operator.yaml; operator 1.38.16 stops, 1.40.7 starts',
      at: 60.05,
      rows: [
        [8.4, 'FelixConfiguration', 'nftablesMode', 'Enabled'],
        [9.3, 'calico-node', 'generation', '2'],
        [9.3, 'calico-node', 'rollout', 'under way'],
        [11.1, 'TigeraStatus calico', 'Degraded', 'False @4 nothing'],
        [20.3, 'calico-node', 'rollout', 'complete @2'],
        [26.1, 'TigeraStatus calico', 'Available', 'True @5 all well'],
        [26.2, 'TigeraStatus calico', 'Progressing', 'False @5 all well'],
        [26.2, 'TigeraStatus calico', 'Degraded', 'False @5 all well'],
        [26.2, 'Installation', 'calicoVersion', 'v3.31.4'],
      ],
    },
    {
      mark: 'end',
      at: 116.64,
      rows: [],
    },
  ],
};
