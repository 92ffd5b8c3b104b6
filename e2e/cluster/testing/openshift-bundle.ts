import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { calicoFile, type KubeObject } from '#e2e/controlplane/index.ts';

const privileged = Object.fromEntries(
  ['audit', 'enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'privileged']),
);

/**
 * The files of OpenShift's `ocp.tgz` in a folder, made from the operator's public manifest with the differences that calico.md §1.2 lists: both namespaces,
 * the endpoint with placeholders for its host, two init containers, custom resources with eBPF, and a network operator that runs no proxy.
 *
 * @returns The folder, as a source.
 */
export async function writeOpenshiftBundle(folder: string, version: string): Promise<string> {
  const text = await calicoFile(version, 'tigera-operator.yaml');
  const published = parseAllDocuments(text).flatMap((document) =>
    document.contents ? [document.toJS() as KubeObject] : [],
  );
  const rights = published.filter(({ kind }) => !['Namespace', 'Deployment'].includes(kind));
  const deployment = published.find(({ kind }) => kind === 'Deployment');
  if (!deployment) throw new Error(`tigera-operator.yaml of ${version} has no Deployment`);
  const files: Readonly<Record<string, readonly object[]>> = {
    '00-namespace-calico-system.yaml': [namespace('calico-system')],
    '00-namespace-tigera-operator.yaml': [namespace('tigera-operator')],
    '01-configmap-kubernetes-services-endpoint.yaml': [
      configMap('kubernetes-services-endpoint', {
        KUBERNETES_SERVICE_HOST: 'api.<cluster_name>.<base_domain>',
        KUBERNETES_SERVICE_PORT: '6443',
      }),
    ],
    '02-configmap-calico-resources.yaml': [configMap('calico-resources', {})],
    '02-rights.yaml': rights,
    '02-tigera-operator.yaml': [withInitContainers(deployment, version)],
    '01-cr-installation.yaml': [
      custom('Installation', { variant: 'Calico', calicoNetwork: { linuxDataplane: 'BPF' } }),
    ],
    '01-cr-apiserver.yaml': [custom('APIServer', {})],
    '01-cr-goldmane.yaml': [custom('Goldmane', {})],
    '01-cr-whisker.yaml': [custom('Whisker', {})],
    '01-cr-network.yaml': [
      {
        apiVersion: 'operator.openshift.io/v1',
        kind: 'Network',
        metadata: { name: 'cluster' },
        spec: { deployKubeProxy: false },
      },
    ],
  };
  const ocp = join(folder, 'ocp');
  mkdirSync(ocp, { recursive: true });
  for (const [name, objects] of Object.entries(files))
    writeFileSync(join(ocp, name), objects.map((object) => stringify(object)).join('---\n'));
  return folder;
}

function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { name, ...privileged } } };
}

function configMap(name: string, data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'tigera-operator' }, data };
}

function custom(kind: string, spec: object) {
  return { apiVersion: 'operator.tigera.io/v1', kind, metadata: { name: 'default' }, spec };
}

type Template = { spec: { containers: readonly { image: string }[] } };

function withInitContainers(deployment: KubeObject, version: string): object {
  const { template, ...spec } = deployment.spec as { template: Template };
  const bring = {
    name: 'create-initial-crds',
    image: template.spec.containers[0]?.image,
    command: ['operator'],
    args: ['-bootstrap-crds'],
  };
  const create = {
    name: 'create-initial-resources',
    image: `quay.io/calico/ctl:${version}`,
    command: ['calicoctl', 'create', '--skip-exists', '--skip-empty', '-f', '/calico-resources/'],
    env: [{ name: 'DATASTORE_TYPE', value: 'kubernetes' }],
    volumeMounts: [{ name: 'calico-resources', mountPath: '/calico-resources' }],
  };
  const { volumes = [], ...pod } = template.spec as Template['spec'] & { volumes?: readonly object[] };
  const resources = { name: 'calico-resources', configMap: { defaultMode: 0o400, name: 'calico-resources' } };
  return {
    ...deployment,
    spec: {
      ...spec,
      template: { ...template, spec: { ...pod, initContainers: [bring, create], volumes: [...volumes, resources] } },
    },
  };
}
