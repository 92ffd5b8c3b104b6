import { type Container, containersOf, dataOf, type KubeObject, type Workload, workloadOf } from '#lib/kube/index.ts';
import { names, type OtherNetwork, otherNetworkOf, resources } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { evidence } from '../reading/evidence.ts';
import { picked, type Query } from '../reading/query.ts';
import { daemonSetListing } from '../reading/sources.ts';
import { flagOf, workloadId } from '../reading/workload.ts';
import type { Evidence, Facts } from '../schema.ts';

type Told = Facts['installation']['otherNetworks'][number];
type Found = { readonly row: OtherNetwork; readonly workload: Workload };

/** Other products that work on the traffic of pods. One that is scheduled on no node does not. */
const found = picked(daemonSetListing, (object): Found | null => {
  const { name = '', namespace = null } = object.metadata;
  const row = otherNetworkOf({ name, namespace });
  if (row === null) return null;
  const workload = workloadOf(object);
  return workload.status.desiredNumberScheduled === 0 ? null : { row, workload };
});

const ciliumConfigName = 'cilium-config';

/** Each with its ConfigMap where it keeps its settings in one; null: it is not there, or could not be read. */
const withSettings: Query<readonly (Found & { settings: KubeObject | null })[]> = {
  rules: [
    ...found.rules,
    { verb: 'get', group: '', resource: 'configmaps', namespace: names.systemNamespace, name: ciliumConfigName },
  ],
  enlist: (session) => {
    const fetch = found.enlist(session);
    return async () => {
      const { value, missing } = await fetch();
      const read = await Promise.all(
        value.map(async (one) => {
          const { namespace } = one.workload.metadata;
          const isCilium = one.row.product === 'Cilium' && namespace !== null;
          const ref = { resource: resources.configMaps, namespace: namespace ?? '', name: ciliumConfigName };
          return { ...one, settings: isCilium ? (await session.object(ref)).value : null };
        }),
      );
      // Settings that nobody may read make a product's part unknown; that it is there is known all the same.
      return { value: read, missing };
    };
  },
};

export const otherNetworks = defineCollector({
  id: 'other-networks',
  tells: ['otherNetworks'],
  reads: { found: withSettings },
  collect: (read) => ({
    installation: {
      otherNetworks: read.found.value.flatMap(({ row, workload, settings }): Told[] => {
        const object = workloadId(workload);
        const told = partsOf(row, workload, settings);
        return told === null ? [] : [{ product: row.product, object, ...told }];
      }),
    },
  }),
});

type Parts = Omit<Told, 'product' | 'object'>;

function partsOf(row: OtherNetwork, workload: Workload, settings: KubeObject | null): Parts | null {
  if (row.product === 'Amazon VPC CNI') return vpcParts(workload);
  if (row.product === 'Cilium') return ciliumParts(workload, settings);
  if (row.product === 'kube-router') return kubeRouterParts(workload);
  return {
    connects: true,
    serves: row.serves === 'set' ? null : row.serves,
    attaches: row.attaches === true,
    evidence: [],
  };
}

/** Started through a shell, all of it is in one string. */
function wordsOf({ command, args }: Container): string[] {
  return [...command, ...args].flatMap((one) => one.trim().split(/\s+/));
}

/**
 * From v1.14 on its second container enforces NetworkPolicies by eBPF programs on the host's end of a pod's interface, once its flag says so
 * (aws/aws-network-policy-agent README.md; read 2026-11-23). Releases before that have no such container.
 */
function vpcParts(workload: Workload): Parts {
  const agent = containersOf(workload).find(({ container: { name, image } }) =>
    /nodeagent|network-policy-agent/.test(`${name} ${image}`),
  );
  const flag = 'enable-network-policy';
  const words = agent ? wordsOf(agent.container) : [];
  const given = words.filter((one) => one === `--${flag}` || one.startsWith(`--${flag}=`));
  return {
    connects: true,
    serves: false,
    attaches: given.length === 0 ? false : switchOf(words, flag),
    evidence: given.map((one) => evidence(workloadId(workload), `${agent?.path}.args`, one)),
  };
}

/**
 * Three parts that its flags turn off, each on unless they do (cloudnativelabs/kube-router docs/user-guide.md › command line options; read 2026-11-22).
 * Null: none of them is on.
 */
function kubeRouterParts(workload: Workload): Parts | null {
  const container = containersOf(workload).find(({ container: one }) =>
    /kube-?router/.test(`${one.name} ${one.image}`),
  );
  const words = container ? wordsOf(container.container) : [];
  const [connects, serves, filters] = ['run-router', 'run-service-proxy', 'run-firewall'].map((flag) =>
    switchOf(words, flag),
  );
  if (connects === false && serves === false && filters === false) return null;
  const path = container?.path ?? 'spec.template.spec.containers';
  const shown = words.filter((one) => /^--run-(?:router|service-proxy|firewall)\b/.test(one));
  return {
    connects: connects ?? null,
    serves: serves ?? null,
    attaches: false,
    evidence: [evidence(workloadId(workload), `${path}.args`, shown.join(' '))],
  };
}

/** A flag that is on or off, as Go reads one, and on where it is not given; null: a value that is neither. */
function switchOf(words: readonly string[], flag: string): boolean | null {
  const given = words.findLast((one) => one === `--${flag}` || one.startsWith(`--${flag}=`));
  const value = given?.split('=')[1];
  if (value === undefined) return true;
  return /^(?:1|t|true)$/i.test(value) ? true : /^(?:0|f|false)$/i.test(value) ? false : null;
}

/** `strict`, `partial` and `probe` are what releases before 1.14 say; `partial` and `probe` leave a part of it to kube-proxy. */
const replaces: Readonly<Record<string, boolean>> = {
  true: true,
  strict: true,
  partial: true,
  probe: true,
  false: false,
  disabled: false,
};

/** Parts of it that can be on without the whole (docs.cilium.io › Kubernetes Without kube-proxy › Hybrid Modes). */
const inPart = ['enable-node-port', 'enable-external-ips', 'enable-host-port', 'bpf-lb-sock'];

/**
 * A flag of the agent beats its ConfigMap. `cni-chaining-mode`: another network connects the pods, and Cilium attaches its programs to what that made
 * (docs.cilium.io › CNI Chaining; read 2026-11-22).
 */
function ciliumParts(workload: Workload, settings: KubeObject | null): Parts {
  const agent = containersOf(workload).find(({ container: { name } }) => name === 'cilium-agent');
  const words = agent ? wordsOf(agent.container) : [];
  const data = dataOf(settings);
  const told = (key: string): Evidence | null => {
    const flag = flagOf(words, key);
    if (flag !== null) return evidence(workloadId(workload), `${agent?.path}.args --${key}`, flag);
    const value = data[key];
    return settings === null || value === undefined ? null : evidence(settings, `data['${key}']`, value);
  };
  const whole = told('kube-proxy-replacement');
  const parts = inPart.flatMap((key) => told(key) ?? []).filter(({ value }) => String(value) === 'true');
  const chained = told('cni-chaining-mode');
  const isChained = chained !== null && !['', 'none'].includes(String(chained.value).trim());
  const serves = whole === null ? null : (replaces[String(whole.value).trim().toLowerCase()] ?? null);
  return {
    // Without its settings nothing says that nobody else connects the pods.
    connects: isChained ? false : chained === null && settings === null ? null : true,
    serves: serves !== true && parts.length > 0 ? true : serves,
    attaches: true,
    evidence: [...(whole ? [whole] : []), ...(serves === true ? [] : parts), ...(isChained ? [chained] : [])],
  };
}
