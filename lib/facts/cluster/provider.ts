import { type KubeObject, type ObjectMetadata, serviceOf } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { evidence } from '../reading/evidence.ts';
import { folded, objectQuery, servedApis } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import { listedNode, nodeListing } from '../reading/sources.ts';
import type { Evidence, Facts } from '../schema.ts';

type Provider = NonNullable<Facts['platform']['provider']>['detected'];

const inSystem = { namespace: 'kube-system' };
const configMap = (name: string) => objectQuery({ resource: resources.configMaps, ...inSystem, name });
const service = (name: string) => objectQuery({ resource: resources.services, ...inSystem, name });

/** What the operator looks for on nodes: MKE's label together with the old role label, and kind's providerID. */
const nodeSigns = folded(nodeListing, () => {
  const seen: { mke: Evidence | null; kind: Evidence | null } = { mke: null, kind: null };
  return { each: (object) => lookAtNode(object, seen), result: () => seen };
});

function lookAtNode(object: KubeObject | ObjectMetadata, seen: { mke: Evidence | null; kind: Evidence | null }): void {
  // Nodes are parsed only if they have one of these, which most clusters have not.
  const { labels } = object.metadata;
  for (const key in labels) {
    if (seen.mke || !key.startsWith('com.docker.ucp') || !('node-role.kubernetes.io/master' in labels)) continue;
    seen.mke = evidence(object, `metadata.labels['${key}']`, labels[key]);
  }
  if (seen.kind) return;
  const { providerID } = listedNode(object).spec;
  if (providerID?.startsWith('kind://')) seen.kind = evidence(object, 'spec.providerID', providerID);
}

type Step = { readonly provider: Provider; readonly read: Reading<unknown>; readonly proof: Evidence | null };

/**
 * The provider that the operator detects when it starts (calico.md §3.1), by its order: the first sign counts. It never detects AKS. Covered only if all
 * signs before the first seen one were read, or all signs if none was seen.
 */
export const provider = defineCollector({
  id: 'provider',
  provides: ['provider'],
  reads: {
    servedApis,
    nodeSigns,
    awsAuth: configMap('aws-auth'),
    eksCertificates: configMap('eks-certificates-controller'),
    kubeDns: service('kube-dns'),
    rke2: configMap('rke2'),
    rke2Dns: service('rke2-coredns-rke2-coredns'),
  },
  collect: (read) => {
    const served = (provider: Provider, group: string): Step => ({
      provider,
      read: read.servedApis,
      proof: read.servedApis.value.groups.includes(group) ? evidence('APIGroupList', 'groups', group) : null,
    });
    const there = (provider: Provider, reading: Reading<KubeObject | null>): Step => ({
      provider,
      read: reading,
      proof: reading.value && evidence(reading.value, 'metadata.name', reading.value.metadata.name),
    });
    const label = 'eks.amazonaws.com/component';
    const dnsLabel = read.kubeDns.value && serviceOf(read.kubeDns.value).metadata.labels[label];
    const steps: readonly Step[] = [
      served('GKE', 'networking.gke.io'),
      served('TKG', 'core.tanzu.vmware.com'),
      served('OpenShift', 'config.openshift.io'),
      { provider: 'DockerEnterprise', read: read.nodeSigns, proof: read.nodeSigns.value.mke },
      there('EKS', read.awsAuth),
      there('EKS', read.eksCertificates),
      {
        provider: 'EKS',
        read: read.kubeDns,
        proof:
          read.kubeDns.value && dnsLabel ? evidence(read.kubeDns.value, `metadata.labels['${label}']`, dnsLabel) : null,
      },
      there('RKE2', read.rke2),
      there('RKE2', read.rke2Dns),
      { provider: 'Kind', read: read.nodeSigns, proof: read.nodeSigns.value.kind },
    ];
    const at = steps.findIndex(({ proof }) => proof !== null);
    const found = steps[at];
    const coverage = allOf(...(found ? steps.slice(0, at) : steps).map((step) => step.read));
    const detected = { detected: found?.provider ?? '', evidence: found?.proof ? [found.proof] : [] } as const;
    return { platform: { provider: coverage.covered ? detected : null }, coverage: { provider: coverage } };
  },
});
