import { expect, test } from 'vitest';
import { apiServerSlice, endpointConfigMap } from '../testing/stage.ts';
import { automaticAndStuckNode } from './automatic-and-stuck-node.ts';
import { differences, type Exception } from './compare.ts';
import { endpointConfigMap as endpointRecording } from './endpoint-configmap.ts';
import { installEnableRollback } from './install-enable-rollback.ts';
import {
  changingEndpoint,
  creating,
  creatingEndpoint,
  deletingEndpoint,
  holdingBack,
  type Play,
  patching,
  replay,
  restartingAs,
} from './replay.ts';
import { upgrade } from './upgrade.ts';

const nothing = async () => {};

/** The acts for the marks of each recording. `races` names the recorded outcome. */
const plays: readonly (Play & { exceptions?: readonly Exception[] })[] = [
  {
    recording: installEnableRollback,
    like: 'v3.31.4',
    races: { without: ['version-flicker'] },
    runningForSeconds: 1,
    objects: [endpointConfigMap('api.lab.example')],
    acts: {
      'create custom-resources (Installation Iptables, Goldmane, Whisker; no APIServer)': creating(),
      'patch Installation: linuxDataplane BPF, hostPorts null': patching({
        linuxDataplane: 'BPF',
        hostPorts: null,
      }),
      'patch Installation: kubeProxyManagement Enabled': patching({ kubeProxyManagement: 'Enabled' }),
      'patch Installation: linuxDataplane Iptables': patching({ linuxDataplane: 'Iptables' }),
      'delete ConfigMap kubernetes-services-endpoint': deletingEndpoint,
      'patch Installation: bpfNetworkBootstrap Enabled, BPF': patching({
        bpfNetworkBootstrap: 'Enabled',
        linuxDataplane: 'BPF',
      }),
    },
  },
  {
    recording: automaticAndStuckNode,
    like: 'v3.31.4',
    races: { without: ['switch-reads-old-status'] },
    runningForSeconds: 2,
    objects: [apiServerSlice],
    acts: {
      'create Installation (automatic: BPF, bpfNetworkBootstrap, kubeProxyManagement) on a cluster with kube-proxy':
        creating({
          linuxDataplane: 'BPF',
          bpfNetworkBootstrap: 'Enabled',
          kubeProxyManagement: 'Enabled',
        }),
      'patch Installation: linuxDataplane Iptables (kubeProxyManagement stays Enabled, bootstrap Disabled)': patching({
        linuxDataplane: 'Iptables',
        bpfNetworkBootstrap: 'Disabled',
      }),
      'patch Installation: kubeProxyManagement Disabled': patching({ kubeProxyManagement: 'Disabled' }),
      'pods of worker-3 stop becoming ready (its pods are held back)': holdingBack('worker-3'),
      'patch Installation: linuxDataplane BPF': patching({ linuxDataplane: 'BPF', hostPorts: null }),
    },
    exceptions: [
      {
        mark: 'patch Installation: linuxDataplane BPF',
        object: 'kube-proxy',
        field: 'pods',
        because:
          'the held node went NotReady after 40 s in the recording; the simulation has no kubelet that falls silent',
      },
    ],
  },
  {
    recording: endpointRecording,
    like: 'v3.31.4',
    runningForSeconds: 2,
    acts: {
      'create Installation (standard), no endpoint ConfigMap': creating(),
      'create ConfigMap kubernetes-services-endpoint': creatingEndpoint('api.lab.example'),
      'change its host': changingEndpoint('api2.lab.example'),
      'delete it': deletingEndpoint,
      'restart the operator': restartingAs('v3.31.4'),
    },
  },
  {
    recording: upgrade,
    like: 'v3.30.7',
    races: { with: ['default-status-conflict'] },
    runningForSeconds: 2.5,
    objects: [endpointConfigMap('api.lab.example')],
    acts: {
      'v3.30.7: create Installation BPF': creating({ linuxDataplane: 'BPF' }),
      'apply v3.31.4 operator-crds.yaml server-side force-conflicts': nothing,
      'apply v3.31.4 tigera-operator.yaml; operator 1.38.16 stops, 1.40.7 starts': restartingAs('v3.31.4'),
    },
  },
];

test.each(plays)('the stand-in tells the story of $recording.file', async ({ exceptions, ...play }) => {
  const { steps, log } = await replay(play);
  expect(log.filter((line) => !line.startsWith('operator v'))).toEqual([]);
  const found = differences(play.recording.steps, steps, exceptions);
  expect(found, found.length > 0 ? JSON.stringify(steps, null, 1) : undefined).toEqual([]);
});
