import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import type { Manifest } from '#lib/spec/index.ts';
import type {
  InstallationBasis,
  InstallationChoices,
  InstallationFacts,
  InstallationNode,
} from '../installation-facts.ts';

/** A kubeadm cluster with two nodes that wait for their network, without Calico. */
function someInstallationFacts(given: Partial<InstallationFacts> = {}): InstallationFacts {
  return {
    cluster: { serviceCIDRs: ['10.96.0.0/12'], podCIDRs: ['10.244.0.0/16'], podCIDRsFrom: 'kubeadm' },
    platform: { kind: 'kubeadm', provider: null },
    nodes: [anInstallationNode(), anInstallationNode({ name: 'node-2', addresses: ['192.0.2.12'] })],
    installation: { otherNetworks: [] },
    proxy: { kind: 'daemonset' },
    endpoint: { configMap: null, apiServers: ['192.0.2.10:6443'], clusterIPs: ['10.96.0.1'] },
    pools: [],
    resources: { objects: {} },
    coverage: { nodes: { covered: true }, pools: { covered: true } },
    ...given,
  };
}

export function anInstallationNode(given: Partial<InstallationNode> = {}): InstallationNode {
  return {
    name: 'node-1',
    os: 'linux',
    ready: false,
    notReady: given.ready === true ? null : { waitsFor: 'network' },
    addresses: ['192.0.2.11'],
    distribution: { id: 'ubuntu' },
    providerID: null,
    virtual: false,
    ...given,
  };
}

export function aBasis(
  facts: Partial<InstallationFacts> = {},
  choices: Partial<InstallationChoices> = {},
  release: InstallationBasis['release'] = null,
): InstallationBasis {
  return { facts: someInstallationFacts(facts), choices: { set: {}, ...choices }, release };
}

/** A release that publishes this spec. */
export function published(spec: Readonly<Record<string, unknown>>): NonNullable<InstallationBasis['release']> {
  const installation = {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec,
  };
  const file = 'custom-resources.yaml';
  const manifest = { version: 'v3.31.4', file, sha256: '0'.repeat(64), objects: [installation] };
  return { version: 'v3.31.4', operator: 'v1.40.7', manifests: { [file]: manifest } };
}

/** A published release with these files. Needs SIGNALBOX_CALICO_DIR. */
export function aRelease(
  version: string,
  operator: string,
  files: readonly string[],
): NonNullable<InstallationBasis['release']> {
  return {
    version,
    operator,
    manifests: Object.fromEntries(files.map((file) => [file, readManifest(version, file)])),
  };
}

const manifestObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

function readManifest(version: string, file: string): Manifest {
  const text = readFileSync(join(process.env.SIGNALBOX_CALICO_DIR ?? '', version, file), 'utf8');
  const objects = parseAllDocuments(text).flatMap((document) => {
    const parsed = manifestObject.safeParse(document.toJS());
    return parsed.success ? [parsed.data] : [];
  });
  return { version, file, sha256: '0'.repeat(64), objects };
}
