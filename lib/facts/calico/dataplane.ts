import { containerNamed, installationOf, nodeOfFelix, type Workload } from '#lib/kube/index.ts';
import { fields, textOrNull } from '#lib/kube/read/lenient.ts';
import { isByOperator, isOnForFelix, names } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { calicoConfig, clusterInformation, tracked } from '../reading/sources.ts';
import { type ConfigMaps, variableOf } from '../reading/workload.ts';
import { dataplanes, type Facts, type Subject } from '../schema.ts';
import { agents } from './agents.ts';
import { systemConfigMaps } from './calico-config-maps.ts';
import { type Felix, felixConfigurations, felixObjects } from './felix.ts';

type Wanted = Facts['installation']['dataplane']['wanted'];
type Actual = Facts['installation']['dataplane']['actual'];

export const dataplane = defineCollector({
  id: 'dataplane',
  provides: ['dataplane', 'felix'],
  reads: {
    installation: tracked.installation,
    felixObjects,
    agents,
    clusterInformation,
    endpoint: tracked.systemEndpoint,
    calicoConfig,
  },
  collect: (read, facts) => {
    const { method } = facts.installation;
    const configMaps = systemConfigMaps({
      endpoint: read.endpoint.value,
      calico: read.calicoConfig.value,
      canal: null,
    });
    const wanted = read.installation.value && wantedBy(installationOf(read.installation.value));
    const felix = felixConfigurations(read.felixObjects, facts);
    const environment = read.agents.value.map((workload) => ({ workload, bpf: bpfVariable(workload, configMaps) }));
    const clusterType = read.clusterInformation.value && informed.parse(read.clusterInformation.value).spec.clusterType;
    // Without knowing the kind of installation, some agents may not have been read.
    const unread = method === 'unknown' || method === 'none' ? facts.coverage.installation.missing : [];
    const isReadable = felix.missing.length === 0;
    const ofNodes = configurationsOfNodes(felix.value, new Set(facts.nodes.map(({ name }) => name)));
    const deviatingNodes =
      method === 'none'
        ? []
        : [
            ...nodesThatDiffer(ofNodes, defaultOf(felix.value)),
            ...environmentsThatDiffer(felix.value, environment, isByOperator(facts.installation)),
          ];
    const byEnvironment = method === 'none' ? null : agreedOn(environment.map(({ bpf }) => bpf));
    const isVpp = wanted === 'VPP' || /\bvpp\b/.test(clusterType ?? '');
    const actual =
      method === 'none' || (method === 'unknown' && felix.value.length === 0)
        ? 'unknown'
        : isVpp
          ? 'VPP'
          : actualOf(
              felix.value,
              environment.map(({ bpf }) => bpf),
              deviatingNodes.length > 0,
              isReadable,
            );
    return {
      installation: {
        dataplane: { wanted, actual, ...(byEnvironment === null ? {} : { byEnvironment }) },
        deviatingNodes,
        cleaningUp: cleaningUp(ofNodes),
      },
      coverage: {
        // An installation by manifest has no Installation that could ask for a data plane.
        dataplane:
          method === 'manifest-etcd' || method === 'manifest-kdd' ? allOf(felix) : allOf(read.installation, felix),
        felix: allOf(felix, { value: null, missing: unread }),
      },
    };
  },
});

const informed = fields({ spec: fields({ clusterType: textOrNull }) });

function wantedBy({ spec, status }: ReturnType<typeof installationOf>): Wanted {
  const named = spec.calicoNetwork.linuxDataplane ?? status.computed.calicoNetwork.linuxDataplane;
  // The operator writes its default into an empty field (calico.md §2.1), so an empty field means that default.
  if (named === null) return 'Iptables';
  return dataplanes.find((one) => one === named) ?? null;
}

/** The value of FELIX_BPFENABLED as Felix reads flags; null: the variable is not set. */
function bpfVariable(workload: Workload, configMaps: ConfigMaps): boolean | null {
  const container = containerNamed(workload, names.nodeContainer);
  const value = container && variableOf(container, 'FELIX_BPFENABLED', configMaps);
  return value ? isOnForFelix(value) : null;
}

const defaultOf = (felix: readonly Felix[]): Felix['spec'] | null =>
  felix.find(({ metadata }) => metadata.name === names.felixConfiguration)?.spec ?? null;

type OfNode = { readonly node: string; readonly name: string; readonly spec: Felix['spec'] };

/** FelixConfigurations `node.NAME`, which beat `default`. One of a node that no longer exists does not count; if nodes could not be read, it does. */
function configurationsOfNodes(felix: readonly Felix[], nodes: ReadonlySet<string>): OfNode[] {
  return felix.flatMap(({ metadata: { name }, spec }): OfNode[] => {
    const node = nodeOfFelix(name);
    return node === null || (nodes.size > 0 && !nodes.has(node)) ? [] : [{ node, name, spec }];
  });
}

function nodesThatDiffer(ofNodes: readonly OfNode[], byDefault: Felix['spec'] | null): Subject[] {
  const everywhere = byDefault?.bpfEnabled ?? false;
  return ofNodes.flatMap(({ node, name, spec: { bpfEnabled } }): Subject[] => {
    if (bpfEnabled === null || bpfEnabled === everywhere) return [];
    const detail = `FelixConfiguration ${name} sets bpfEnabled: ${bpfEnabled}; the default is ${everywhere}`;
    return [{ kind: 'Node', namespace: null, name: node, detail }];
  });
}

function cleaningUp(ofNodes: readonly OfNode[]): Subject[] {
  const field = 'bpfKubeProxyIptablesCleanupEnabled';
  return ofNodes
    .filter(({ spec }) => spec[field] === true)
    .map(({ name }) => ({ kind: 'FelixConfiguration', namespace: null, name, detail: `sets ${field}: true` }));
}

/**
 * Nodes or agents whose environment contradicts the default FelixConfiguration; the variable wins over it. With an operator an unset field counts as
 * false, which the operator will write. Without one, an unset field contradicts nothing.
 */
function environmentsThatDiffer(
  felix: readonly Felix[],
  environment: readonly { workload: Workload; bpf: boolean | null }[],
  hasOperator: boolean,
): Subject[] {
  const bpfByDefault = defaultOf(felix)?.bpfEnabled ?? (hasOperator ? false : null);
  const others = environment.map(({ bpf }) => bpf).filter((bpf) => bpf !== null);
  return environment.flatMap(({ workload, bpf }): Subject[] => {
    const { kind, metadata } = workload;
    const subject = { kind, namespace: metadata.namespace, name: metadata.name };
    if (bpf !== null && bpfByDefault !== null && bpf !== bpfByDefault) {
      return [
        { ...subject, detail: `FELIX_BPFENABLED=${bpf} overrides bpfEnabled: ${bpfByDefault} on all of its nodes` },
      ];
    }
    const contradicted = bpf !== null && others.some((other) => other !== bpf);
    return contradicted
      ? [{ ...subject, detail: `FELIX_BPFENABLED=${bpf}, and another agent's DaemonSet says otherwise` }]
      : [];
  });
}

/** The value that all agents have in their environment; null: they differ, or one has none. */
function agreedOn(environment: readonly (boolean | null)[]): boolean | null {
  const [first = null, ...others] = environment;
  return others.every((one) => one === first) ? first : null;
}

function actualOf(
  felix: readonly Felix[],
  environment: readonly (boolean | null)[],
  differs: boolean,
  isReadable: boolean,
): Actual {
  // If all agents have the same variable, no FelixConfiguration changes anything.
  const agreed = agreedOn(environment);
  if (agreed !== null) {
    if (agreed) return 'BPF';
    return isReadable ? standardOf(defaultOf(felix)) : 'unknown';
  }
  if (differs) return 'mixed';
  const everywhere = defaultOf(felix);
  if (everywhere === null && !isReadable) return 'unknown';
  return everywhere?.bpfEnabled === true ? 'BPF' : standardOf(everywhere);
}

function standardOf(felix: Felix['spec'] | null): Actual {
  return felix?.nftablesMode === 'Enabled' ? 'Nftables' : 'Iptables';
}
