import { coveringRange, parseCidr } from '#lib/base/ip.ts';
import { counted } from '#lib/base/words.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { fields, listOf, text } from '#lib/kube/read/lenient.ts';
import { defineCollector } from '../collector.ts';
import { type ControllerManagerPod, controllerManagerPods } from '../endpoint/api-server-pods.ts';
import { kubeadmConfigOf } from '../proxy/kubeadm.ts';
import { foundOr, uncovered } from '../reading/coverage.ts';
import { embedded } from '../reading/embedded.ts';
import { evidence } from '../reading/evidence.ts';
import { nodeArguments, rangesOfServer } from '../reading/node-arguments.ts';
import { picked } from '../reading/query.ts';
import { listedNode, nodeListing, openshiftClusterNetwork, tracked } from '../reading/sources.ts';
import type { Evidence, Facts, podCidrSources } from '../schema.ts';

type Source = (typeof podCidrSources)[number];
type Ranges = { readonly cidrs: readonly string[]; readonly evidence: Evidence };

const openshiftNetwork = fields({
  spec: fields({ clusterNetwork: listOf(fields({ cidr: text })) }),
  status: fields({ clusterNetwork: listOf(fields({ cidr: text })) }),
});

const rangesOfNodes = picked(nodeListing, (object) => {
  const { podCIDR, podCIDRs } = listedNode(object).spec;
  const ranges = podCIDRs.length > 0 ? podCIDRs : [podCIDR ?? ''].filter((one) => one !== '');
  return ranges.length > 0 ? ranges : null;
});

/**
 * The ranges of pods' addresses. The operator uses OpenShift's, then kubeadm's, and refuses a pool outside of them (calico.md §2.3). Elsewhere the
 * controller manager that gives ranges to nodes knows them, then the service proxy, and last the nodes, which only show ranges already given.
 */
export const podCidrs = defineCollector({
  id: 'pod-cidrs',
  provides: ['podCIDRs'],
  reads: {
    openshift: openshiftClusterNetwork,
    kubeadmConfig: tracked.kubeadmConfig,
    controllerManagerPods,
    nodeArguments,
    proxyConfig: tracked.kubeProxyConfig,
    rangesOfNodes,
  },
  collect: (read, facts) => {
    const sources: readonly (readonly [Source, readonly Ranges[]])[] = [
      ['openshift', ofOpenshift(read.openshift.value)],
      ['kubeadm', ofKubeadm(read.kubeadmConfig.value)],
      ['controller-manager', read.controllerManagerPods.value.map(ofControllerManager)],
      [
        'distribution',
        read.nodeArguments.value.flatMap((one) => rangesOfServer(one, 'cluster-cidr', distributionDefault)),
      ],
      ['kube-proxy', ofProxy(read.proxyConfig.value)],
      ['nodes', ofNodes(read.rangesOfNodes.value)],
    ];
    const found = sources
      .map(([source, ranges]) => ({ source, ranges: ranges.filter(({ cidrs }) => cidrs.some(isCidr)) }))
      .find(({ ranges }) => ranges.length > 0);
    const cidrs = [...new Set(found?.ranges.flatMap((one) => one.cidrs).filter(isCidr) ?? [])];
    const sourcesRead = foundOr(found !== undefined, ...Object.values(read));
    return {
      cluster: {
        podCIDRs: cidrs,
        podCIDRsFrom: found?.source ?? null,
        evidence: [...facts.cluster.evidence, ...(found?.ranges.slice(0, 3).map((one) => one.evidence) ?? [])],
      } satisfies Partial<Facts['cluster']>,
      coverage: {
        podCIDRs:
          found || !sourcesRead.covered
            ? sourcesRead
            : uncovered('Node', 'nothing in the cluster says where pods have addresses'),
      },
    };
  },
});

const isCidr = (text: string) => parseCidr(text) !== null;

const split = (ranges: string) =>
  ranges
    .split(',')
    .map((cidr) => cidr.trim())
    .filter((cidr) => cidr !== '');

function ofOpenshift(network: KubeObject | null): Ranges[] {
  if (network === null) return [];
  const { spec, status } = openshiftNetwork.parse(network);
  const [path, ranges] =
    status.clusterNetwork.length > 0
      ? (['status.clusterNetwork', status.clusterNetwork] as const)
      : (['spec.clusterNetwork', spec.clusterNetwork] as const);
  const cidrs = ranges.map(({ cidr }) => cidr);
  return [{ cidrs, evidence: evidence(network, path, cidrs) }];
}

function ofKubeadm(configMap: KubeObject | null): Ranges[] {
  const subnet = kubeadmConfigOf(configMap)?.networking.podSubnet ?? null;
  if (configMap === null || subnet === null) return [];
  const path = 'data.ClusterConfiguration.networking.podSubnet';
  return [{ cidrs: split(subnet), evidence: evidence(configMap, path, subnet) }];
}

function ofControllerManager({ object, podCidrs: cidrs }: ControllerManagerPod): Ranges {
  const path = 'spec.containers[kube-controller-manager].command --cluster-cidr';
  return { cidrs, evidence: evidence(object, path, cidrs.join(',')) };
}

/** https://docs.k3s.io/cli/server and https://docs.rke2.io/reference/server_config: `--cluster-cidr`, when it is not given. */
const distributionDefault = '10.42.0.0/16';

function ofProxy(configMap: KubeObject | null): Ranges[] {
  if (configMap === null) return [];
  return ['config.conf', 'config'].flatMap((key) => {
    const clusterCIDR = embedded(configMap, key)?.clusterCIDR;
    if (typeof clusterCIDR !== 'string' || clusterCIDR === '') return [];
    return [{ cidrs: split(clusterCIDR), evidence: evidence(configMap, `data['${key}'].clusterCIDR`, clusterCIDR) }];
  });
}

function ofNodes(ranges: readonly (readonly string[])[]): Ranges[] {
  const all = ranges.flat();
  const cidrs = [coveringRange(all, 4), coveringRange(all, 6)].filter((one) => one !== null);
  const shown = all.slice(0, 5).join(', ');
  return [{ cidrs, evidence: evidence('Node', `spec.podCIDRs of ${counted(ranges.length, 'node')}`, shown) }];
}
