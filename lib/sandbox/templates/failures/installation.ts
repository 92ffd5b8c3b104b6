import { gzipSync } from 'node:zlib';
import type { KubeObject } from '#lib/kube/index.ts';
import { adding, all, changing, marking } from '../dress.ts';
import { byManifest } from '../manifest.ts';
import { daemon } from '../objects.ts';
import type { Samples } from '../sample.ts';

/** A release as Helm keeps it: JSON, zipped, in base64, and that again as every Secret's data is. */
function helmRelease(config: Record<string, unknown>): KubeObject {
  const release = {
    name: 'calico',
    namespace: 'tigera-operator',
    version: 1,
    info: { status: 'deployed' },
    chart: { metadata: { name: 'tigera-operator', version: 'v3.31.4' }, templates: [] },
    config,
  };
  const packed = gzipSync(JSON.stringify(release)).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      namespace: 'tigera-operator',
      name: 'sh.helm.release.v1.calico.v1',
      labels: { name: 'calico', owner: 'helm', status: 'deployed', version: '1' },
    },
    data: { release: Buffer.from(packed).toString('base64') },
  };
}

/** Installations that are not as the operator left them, and those that it did not make (pain F, H). */
export const installationFailures: Samples = {
  'by-manifest': {
    shows: 'Calico installed by calico.yaml: there is no Installation that could be switched',
    differs: { dressed: byManifest('calico') },
    calico: 'absent',
  },
  'by-manifest-etcd': {
    shows: 'Calico installed by manifest, with its data in etcd where the API does not show it',
    differs: { dressed: byManifest('calico-etcd') },
    calico: 'absent',
  },
  canal: {
    shows: "Canal: flannel's network with Calico's policy",
    differs: { dressed: byManifest('canal', 'VXLAN') },
    calico: 'absent',
  },
  flannel: {
    shows: 'another network (flannel), and no Calico',
    differs: { dressed: adding(daemon('kube-system', 'kube-flannel-ds', 'images.sandbox.example/flannel:v0.26.1')) },
    calico: 'absent',
  },
  helm: {
    shows: 'Calico installed by Helm, whose values say Iptables: its next upgrade would switch back',
    differs: {
      dressed: all(
        ...['Installation/default', 'tigera-operator/Deployment/tigera-operator'].map((id) =>
          marking(id, {
            labels: { 'app.kubernetes.io/managed-by': 'Helm' },
            annotations: {
              'meta.helm.sh/release-name': 'calico',
              'meta.helm.sh/release-namespace': 'tigera-operator',
            },
          }),
        ),
        adding(helmRelease({ installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } })),
      ),
    },
  },
  gitops: {
    shows: 'Flux applies the Installation from Git, and would revert the switch',
    differs: {
      dressed: marking('Installation/default', {
        labels: {
          'kustomize.toolkit.fluxcd.io/name': 'networking',
          'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
        },
      }),
    },
  },
  'bpf-by-hand': {
    shows: 'somebody set bpfEnabled by hand: the operator refuses to go on',
    differs: {
      dressed: changing('FelixConfiguration/default', (object) => ({
        ...object,
        spec: { ...Object(object.spec), bpfEnabled: true },
      })),
    },
  },
};
