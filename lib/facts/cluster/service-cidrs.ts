import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { fields, texts } from '#lib/kube/read/lenient.ts';
import { defineCollector } from '../collector.ts';
import { type ApiServerPod, apiServerPods } from '../endpoint/api-server-pods.ts';
import { kubeadmConfigOf } from '../proxy/kubeadm.ts';
import { foundOr, uncovered } from '../reading/coverage.ts';
import { evidence } from '../reading/evidence.ts';
import { nodeArguments, rangesOfServer } from '../reading/node-arguments.ts';
import { picked } from '../reading/query.ts';
import { openshiftClusterNetwork, serviceCidrListing, tracked } from '../reading/sources.ts';
import type { Evidence } from '../schema.ts';

type Cidrs = { readonly cidrs: readonly string[]; readonly evidence: Evidence };

const serviceCidr = fields({ spec: fields({ cidrs: texts }) });
const openshiftNetwork = fields({ spec: fields({ serviceNetwork: texts }), status: fields({ serviceNetwork: texts }) });

/** https://docs.k3s.io/cli/server and https://docs.rke2.io/reference/server_config: `--service-cidr`, when it is not given. */
const distributionDefault = '10.43.0.0/16';

export const serviceCidrs = defineCollector({
  id: 'service-cidrs',
  provides: ['serviceCIDRs'],
  reads: {
    objects: picked(serviceCidrListing, serviceCidrOf),
    apiServerPods,
    kubeadmConfig: tracked.kubeadmConfig,
    openshift: openshiftClusterNetwork,
    nodeArguments,
  },
  collect: ({ objects, apiServerPods: pods, kubeadmConfig, openshift, nodeArguments: started }, facts) => {
    // By the strongest source: the API's objects, the API server's flags, then the installer's or distribution's settings.
    const found =
      [
        objects.value,
        pods.value.flatMap(flagCidrs),
        kubeadmCidrs(kubeadmConfig.value),
        openshiftCidrs(openshift.value),
        started.value.flatMap((one) => rangesOfServer(one, 'service-cidr', distributionDefault)),
      ]
        .map((source) => source.filter(({ cidrs }) => cidrs.length > 0))
        .find((source) => source.length > 0) ?? [];
    const cidrs = [...new Set(found.flatMap((one) => one.cidrs))];
    const isFound = cidrs.length > 0;
    const read = foundOr(isFound, objects, pods, kubeadmConfig, openshift, started);
    return {
      cluster: { serviceCIDRs: cidrs, evidence: [...facts.cluster.evidence, ...found.map((one) => one.evidence)] },
      coverage: {
        // A ClusterIP alone does not show the range.
        serviceCIDRs:
          isFound || !read.covered
            ? read
            : uncovered('ServiceCIDR.networking.k8s.io', 'nothing in the cluster says its service range'),
      },
    };
  },
});

function serviceCidrOf(object: KubeObject | ObjectMetadata): Cidrs {
  const { cidrs } = serviceCidr.parse(object).spec;
  return { cidrs, evidence: evidence(object, 'spec.cidrs', cidrs) };
}

function flagCidrs(pod: ApiServerPod): Cidrs[] {
  const path = 'spec.containers[kube-apiserver].command --service-cluster-ip-range';
  return [{ cidrs: pod.serviceCidrs, evidence: { object: pod.object, path, value: pod.serviceCidrs.join(',') } }];
}

function kubeadmCidrs(configMap: KubeObject | null): Cidrs[] {
  const subnet = kubeadmConfigOf(configMap)?.networking.serviceSubnet ?? null;
  if (configMap === null || subnet === null) return [];
  const cidrs = subnet
    .split(',')
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '');
  return [{ cidrs, evidence: evidence(configMap, 'data.ClusterConfiguration.networking.serviceSubnet', subnet) }];
}

function openshiftCidrs(network: KubeObject | null): Cidrs[] {
  if (network === null) return [];
  const { spec, status } = openshiftNetwork.parse(network);
  const [path, cidrs] =
    status.serviceNetwork.length > 0
      ? (['status.serviceNetwork', status.serviceNetwork] as const)
      : (['spec.serviceNetwork', spec.serviceNetwork] as const);
  return [{ cidrs, evidence: evidence(network, path, cidrs) }];
}
