import { containersOf, dataOf, type KubeObject, type Workload } from '#lib/kube/index.ts';
import { fields, textMap } from '#lib/kube/read/lenient.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { names, resources, systemOf } from '#lib/spec/index.ts';
import { evidence } from '../reading/evidence.ts';
import { labelSelector, selects } from '../reading/label-selector.ts';
import { picked } from '../reading/query.ts';
import type { Listing, Session } from '../reading/session.ts';
import { flagOf, wordsOf, workloadId } from '../reading/workload.ts';
import type { Evidence, Facts } from '../schema.ts';

type SeenNetwork = Facts['installation']['otherNetworks'][number];
export type NetworkParts = Omit<SeenNetwork, 'product' | 'object'>;

const nodeConfig = fields({ spec: fields({ nodeSelector: labelSelector, defaults: textMap }) });

type NodeConfig = { readonly object: string; readonly defaults: Readonly<Record<string, string>> };

/** Linux nodes with exactly these CiliumNodeConfigs. `nodes`: how many; null: unknown. */
type Group = { readonly nodes: number | null; readonly configs: readonly NodeConfig[] };

export type CiliumSettings = {
  readonly config: KubeObject | null;
  /** Null: nodes or their configs could not be read. */
  readonly groups: readonly Group[] | null;
};

const configName = 'cilium-config';

/** `cilium.io/v2` from v1.16 on, v2alpha1 from v1.13 (https://docs.cilium.io/en/stable/configuration/per-node-config/; read 2026-11-23). */
const nodeConfigListing: Listing = {
  resources: [resources.ciliumNodeConfigs, resources.ciliumNodeConfigsAlpha],
  detail: 'full',
};
/** A list of its own, read only if a config selects nodes: labels of all nodes take much memory. */
const nodeLabelListing: Listing = { resources: [resources.nodes], detail: 'metadata', emptyDumpSaysNothing: true };

const everyNodeConfig = picked(nodeConfigListing, (object) => {
  // A config without a selector applies to no node; an empty selector selects all.
  const { spec } = nodeConfig.parse(object);
  const { name, namespace } = metadata.parse(object.metadata);
  const hasSelector = 'spec' in object && Object(object.spec).nodeSelector != null;
  return hasSelector ? { object: `${namespace}/CiliumNodeConfig/${name}`, namespace, ...spec } : null;
});

const labelsOfNodes = picked(nodeLabelListing, (object) => {
  const { labels } = metadata.parse(object.metadata);
  return systemOf({ labels }) === 'windows' ? null : labels;
});

export const ciliumRules = [
  { verb: 'get', group: '', resource: 'configmaps', namespace: names.systemNamespace, name: configName },
  ...everyNodeConfig.rules,
];

/** Reads the settings of a Cilium in this namespace. Only for clusters with Cilium: others do not have the kind. */
export async function readCiliumSettings(session: Session, namespace: string): Promise<CiliumSettings> {
  const { value: config } = await session.object({ resource: resources.configMaps, namespace, name: configName });
  const read = await everyNodeConfig.enlist(session)();
  if (read.missing.length > 0) return { config, groups: null };
  const configs = read.value.filter((one) => one.namespace === namespace);
  if (configs.length === 0) return { config, groups: [{ nodes: null, configs: [] }] };
  const nodes = await labelsOfNodes.enlist(session)();
  if (nodes.missing.length > 0) return { config, groups: null };
  const matching = nodes.value.map((labels) => configs.filter(({ nodeSelector }) => selects(nodeSelector, labels)));
  const grouped = Map.groupBy(matching, (some) => some.map(({ object }) => object).join(' '));
  return {
    config,
    groups: [...grouped.values()].map((same) => ({ nodes: same.length, configs: same[0] ?? [] })),
  };
}

/** Values of `kube-proxy-replacement`, and whether Cilium then serves all Services. Releases before 1.14 have `strict`, `partial` and `probe`; the last two leave some to kube-proxy. */
const replaces: Readonly<Record<string, boolean>> = {
  true: true,
  strict: true,
  partial: true,
  probe: true,
  false: false,
  disabled: false,
};

/** Settings that replace parts of kube-proxy (docs.cilium.io › Kubernetes Without kube-proxy › Hybrid Modes). */
const inPart = ['enable-node-port', 'enable-external-ips', 'enable-host-port', 'bpf-lb-sock'];

type OnNodes = { nodes: number | null; serves: boolean | null; connects: boolean | null; evidence: Evidence[] };

/** What Cilium does in the cluster. It serves Services if it does on one node, and leaves pods to another network only if it does on all. */
export function ciliumParts(workload: Workload, { config, groups }: CiliumSettings): NetworkParts {
  const onGroups = (groups ?? [{ nodes: null, configs: [] }]).map((group) => onNodes(workload, config, group));
  const serving = onGroups.filter(({ serves }) => serves === true);
  const others = onGroups.filter(({ serves }) => serves !== true);
  const serves = serving.length > 0 ? true : groups === null ? null : common(onGroups.map((one) => one.serves));
  const connects = onGroups.some((one) => one.connects === true)
    ? true
    : groups === null
      ? null
      : common(onGroups.map((one) => one.connects));
  return {
    serves,
    ...(serving.length > 0 && others.length > 0
      ? { servesOn: { nodes: sumOfNodes(serving), of: sumOfNodes(onGroups) } }
      : {}),
    connects,
    attaches: true,
    evidence: [
      ...new Map(
        onGroups.flatMap((one) => one.evidence).map((one) => [`${one.object} ${one.path} ${one.value}`, one]),
      ).values(),
    ],
  };
}

const sumOfNodes = (some: readonly OnNodes[]) => some.reduce((sum, { nodes }) => sum + (nodes ?? 0), 0);

/** The common value; null: the values differ, or one is unknown. */
function common(values: readonly (boolean | null)[]): boolean | null {
  const [first = null] = values;
  return values.every((one) => one === first) ? first : null;
}

/**
 * What Cilium does on these nodes. A flag of the agent wins over the node's configs, and these over the ConfigMap; the order of two configs for one node
 * is not documented, so each may count. With `cni-chaining-mode` another network connects the pods, and Cilium attaches programs to their interfaces
 * (docs.cilium.io › CNI Chaining; read 2026-11-22).
 */
function onNodes(workload: Workload, config: KubeObject | null, { nodes, configs }: Group): OnNodes {
  const agent = containersOf(workload).find(({ container: { name } }) => name === 'cilium-agent');
  const words = agent ? wordsOf(agent.container) : [];
  const data = dataOf(config);
  const setting = (key: string): Evidence[] => {
    const flag = flagOf(words, key);
    if (flag !== null) return [evidence(workloadId(workload), `${agent?.path}.args --${key}`, flag)];
    const own = configs.flatMap(({ object, defaults }) => {
      const value = defaults[key];
      return value === undefined ? [] : [evidence(object, `spec.defaults['${key}']`, value)];
    });
    if (own.length > 0) return own;
    const value = data[key];
    return config === null || value === undefined ? [] : [evidence(config, `data['${key}']`, value)];
  };
  const replacement = setting('kube-proxy-replacement');
  const parts = inPart.flatMap(setting).filter(({ value }) => String(value) === 'true');
  const chained = setting('cni-chaining-mode').filter(({ value }) => !['', 'none'].includes(String(value).trim()));
  const unchained = setting('cni-chaining-mode').length - chained.length;
  const replaced = replacement.map(({ value }) => replaces[String(value).trim().toLowerCase()] ?? null);
  const replacesAll = replaced.includes(true);
  const isChained = chained.length > 0 && unchained === 0;
  return {
    nodes,
    serves: replacesAll || parts.length > 0 ? true : common(replaced),
    // Without its settings another network may connect the pods.
    connects: isChained ? false : chained.length + unchained === 0 && config === null ? null : true,
    evidence: [...replacement, ...(replacesAll ? [] : parts), ...(isChained ? chained : [])],
  };
}
