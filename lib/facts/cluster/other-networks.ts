import { containersOf, type Workload, workloadOf } from '#lib/kube/index.ts';
import { type OtherNetwork, otherNetworkOf } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { evidence } from '../reading/evidence.ts';
import { picked, type Query } from '../reading/query.ts';
import { daemonSetListing } from '../reading/sources.ts';
import { wordsOf, workloadId } from '../reading/workload.ts';
import type { Facts } from '../schema.ts';
import { type CiliumSettings, ciliumParts, ciliumRules, type NetworkParts, readCiliumSettings } from './cilium.ts';

type SeenNetwork = Facts['installation']['otherNetworks'][number];
type Found = { readonly row: OtherNetwork; readonly workload: Workload };

/** DaemonSets of other products that handle the traffic of pods, without those that are scheduled on no node. */
const found = picked(daemonSetListing, (object): Found | null => {
  const { name = '', namespace = null } = object.metadata;
  const row = otherNetworkOf({ name, namespace });
  if (row === null) return null;
  const workload = workloadOf(object);
  return workload.status.desiredNumberScheduled === 0 ? null : { row, workload };
});

/** These DaemonSets with settings that are elsewhere: Cilium's ConfigMap and its configurations for nodes. */
const withSettings: Query<readonly (Found & { cilium: CiliumSettings | null })[]> = {
  rules: [...found.rules, ...ciliumRules],
  enlist: (session) => {
    const fetch = found.enlist(session);
    return async () => {
      const { value, missing } = await fetch();
      const read = await Promise.all(
        value.map(async (one) => {
          const { namespace } = one.workload.metadata;
          const isCilium = one.row.product === 'Cilium' && namespace !== null;
          return { ...one, cilium: isCilium ? await readCiliumSettings(session, namespace) : null };
        }),
      );
      // Without its settings the product is still known to be there; only its parts are unknown.
      return { value: read, missing };
    };
  },
};

export const otherNetworks = defineCollector({
  id: 'other-networks',
  provides: ['otherNetworks'],
  reads: { found: withSettings },
  collect: (read) => ({
    installation: {
      otherNetworks: read.found.value.flatMap(({ row, workload, cilium }): SeenNetwork[] => {
        const object = workloadId(workload);
        const parts = partsOf(row, workload, cilium);
        return parts === null ? [] : [{ product: row.product, object, ...parts }];
      }),
    },
  }),
});

function partsOf(row: OtherNetwork, workload: Workload, cilium: CiliumSettings | null): NetworkParts | null {
  if (row.product === 'Amazon VPC CNI') return vpcParts(workload);
  if (row.product === 'Cilium') return ciliumParts(workload, cilium ?? { config: null, groups: null });
  if (row.product === 'kube-router') return kubeRouterParts(workload);
  return {
    connects: true,
    serves: row.serves === 'set' ? null : row.serves,
    attaches: row.attaches === true,
    evidence: [],
  };
}

/**
 * Parts of the Amazon VPC CNI. From v1.14 on a second container enforces NetworkPolicies by eBPF programs on pods' interfaces, if its flag is on
 * (aws/aws-network-policy-agent README.md; read 2026-11-23).
 */
function vpcParts(workload: Workload): NetworkParts {
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
 * Parts of kube-router. Each of three flags turns one off; the default is on (cloudnativelabs/kube-router docs/user-guide.md › command line options; read
 * 2026-11-22). Null: all are off.
 */
function kubeRouterParts(workload: Workload): NetworkParts | null {
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

/** A boolean flag as Go reads it, on by default; null: its value is no boolean. */
function switchOf(words: readonly string[], flag: string): boolean | null {
  const given = words.findLast((one) => one === `--${flag}` || one.startsWith(`--${flag}=`));
  const value = given?.split('=')[1];
  if (value === undefined) return true;
  return /^(?:1|t|true)$/i.test(value) ? true : /^(?:0|f|false)$/i.test(value) ? false : null;
}
