import type { Recording } from './row.ts';

/** Distilled from the recording of this name. recordings.test.ts distils it again and compares. */
export const endpointConfigMap: Recording = {
  file: 'endpoint-configmap-3.31.4.jsonl',
  steps: [
    {
      mark: 'create Installation (standard), no endpoint ConfigMap',
      at: 3.82,
      rows: [
        [0.2, 'Installation', 'linuxDataplane', 'Iptables'],
        [0.2, 'Installation', 'hostPorts', 'Enabled'],
        [2.5, 'FelixConfiguration', 'nftablesMode', 'Disabled'],
        [2.9, 'calico-node', 'generation', '1'],
        [6.5, 'calico-node', 'rollout', 'complete @1'],
        [8.1, 'FelixConfiguration', 'bpfEnabled', 'false'],
        [8.1, 'FelixConfiguration', 'annotation', 'false'],
        [8.4, 'TigeraStatus calico', 'Available', 'True @4 all well'],
        [8.4, 'TigeraStatus calico', 'Progressing', 'False @4 all well'],
        [8.4, 'TigeraStatus calico', 'Degraded', 'False @4 all well'],
        [8.5, 'Installation', 'calicoVersion', 'v3.31.4'],
        [8.6, 'Installation', 'calicoVersion', '–'],
        [8.6, 'Installation', 'calicoVersion', 'v3.31.4'],
      ],
    },
    {
      mark: 'create ConfigMap kubernetes-services-endpoint',
      at: 44.06,
      rows: [
        [0.3, 'calico-node', 'generation', '2'],
        [0.3, 'calico-node', 'rollout', 'under way'],
        [0.3, 'calico-node', 'host', 'api.lab.example'],
        [3.3, 'TigeraStatus calico', 'Available', 'False @4 nothing'],
        [3.3, 'TigeraStatus calico', 'Progressing', 'True @4 rolling'],
        [3.3, 'TigeraStatus calico', 'Degraded', 'False @4 nothing'],
        [13.6, 'calico-node', 'rollout', 'complete @2'],
        [18.2, 'TigeraStatus calico', 'Available', 'True @4 all well'],
        [18.2, 'TigeraStatus calico', 'Progressing', 'False @4 all well'],
        [18.2, 'TigeraStatus calico', 'Degraded', 'False @4 all well'],
      ],
    },
    {
      mark: 'change its host',
      at: 94.17,
      rows: [
        [0.3, 'calico-node', 'generation', '3'],
        [0.3, 'calico-node', 'rollout', 'under way'],
        [0.3, 'calico-node', 'host', 'api2.lab.example'],
        [3, 'TigeraStatus calico', 'Available', 'False @4 nothing'],
        [3.1, 'TigeraStatus calico', 'Progressing', 'True @4 rolling'],
        [3.1, 'TigeraStatus calico', 'Degraded', 'False @4 nothing'],
        [13, 'calico-node', 'rollout', 'complete @3'],
        [13, 'TigeraStatus calico', 'Available', 'True @4 all well'],
        [13, 'TigeraStatus calico', 'Progressing', 'False @4 all well'],
        [13.1, 'TigeraStatus calico', 'Degraded', 'False @4 all well'],
      ],
    },
    {
      mark: 'delete it',
      at: 144.31,
      rows: [],
    },
    {
      mark: 'restart the operator',
      at: 189.43,
      rows: [
        [8.1, 'calico-node', 'generation', '4'],
        [8.1, 'calico-node', 'rollout', 'under way'],
        [8.1, 'calico-node', 'host', '–'],
        [11, 'TigeraStatus calico', 'Degraded', 'False @– nothing'],
        [20.7, 'calico-node', 'rollout', 'complete @4'],
        [26.1, 'TigeraStatus calico', 'Degraded', 'False @4 all well'],
      ],
    },
    {
      mark: 'end',
      at: 242.44,
      rows: [],
    },
  ],
};
