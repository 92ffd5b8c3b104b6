import { z } from 'zod';
import {
  body,
  dependants,
  fieldExpectation,
  helmDriver,
  objectRef,
  ownerUids as uids,
  whose,
} from './named-objects.ts';

/** An act or a condition without further fields. */
export const kindOnly = <K extends string>(kind: K) => z.strictObject({ kind: z.literal(kind) });
const about = <K extends string>(kind: K) => z.strictObject({ kind: z.literal(kind), target: objectRef });
const aboutAll = <K extends string>(kind: K) => z.strictObject({ kind: z.literal(kind), targets: z.array(objectRef) });

/** All kinds but `all`, which combines them. */
const single = z.discriminatedUnion('kind', [
  kindOnly('journalled'),
  about('exists'),
  /** The API server serves the kinds of all these CustomResourceDefinitions. */
  aboutAll('established'),
  about('absent'),
  /** The object exists, this run created it, and its spec equals that of `body` with the server's defaults. */
  z.strictObject({ kind: z.literal('made'), target: objectRef, body }),
  /** No object under this name was created by this run; one of somebody else may stay. */
  z.strictObject({ kind: z.literal('unmade'), target: objectRef, body }),
  aboutAll('all-absent'),
  /** `whose`: a field that somebody other than Calico's operator has written counts as met, because it was left alone. */
  z.strictObject({ kind: z.literal('fields'), target: objectRef, fields: z.array(fieldExpectation), whose }),
  /** DaemonSet or Deployment: generation observed, all updated and available. */
  about('rollout'),
  /** A DaemonSet wants 0 pods and none is left. */
  about('no-pods'),
  /**
   * operations.md › `endpoint.active`: calico-node, Typha, kube-controllers and API server have this address and have rolled out. `null`: the
   * ClusterIP that the operator uses without an address.
   */
  z.strictObject({
    kind: z.literal('endpoint-active'),
    endpoint: z.strictObject({ host: z.string(), port: z.string() }).nullable(),
  }),
  /** Calico's controllers have created a host endpoint for every node. */
  kindOnly('auto-host-endpoints'),
  /** Goldmane, and Whisker if it exists, are Available, and every agent has restarted with the address for its flows. */
  kindOnly('flow-logs-active'),
  /** Goldmane and the objects that it created are gone, and every agent has restarted without that address. */
  kindOnly('flow-logs-inactive'),
  /** The workload has rolled out, and each of its pods has the sidecar of this release. */
  z.strictObject({ kind: z.literal('sidecars'), target: objectRef, version: z.string() }),
  /** operations.md › Proof of a node. */
  kindOnly('bpf-active'),
  kindOnly('bpf-inactive'),
  /**
   * operations.md › Proxy is back. `null`: there is no DaemonSet (embedded, static pods). Facts that are read again must then say that it runs, and
   * the settle time applies because its pods cannot be examined.
   */
  z.strictObject({ kind: z.literal('proxy-back'), target: objectRef.nullable() }),
  /** Facts that are read again say that no service proxy runs: kind `none`, or `running` false. For proxies that only the administrator can turn off. */
  kindOnly('proxy-gone'),
  /** On each node no `kube-ipvs0` and an empty `/proc/net/ip_vs`, seen by exec in the pods of this DaemonSet; else *unknown* (operations.md › proxy.ipvs-to-iptables). */
  about('ipvs-gone'),
  /** The operator has seen the current Installation: every condition of TigeraStatus `calico` has its generation in `observedGeneration`. */
  kindOnly('reconciled'),
  /** Every agent has restarted since this field of FelixConfiguration was written (time in managedFields of `path`). */
  z.strictObject({
    kind: z.literal('agents-restarted'),
    since: z.strictObject({ target: objectRef, path: z.array(z.string()) }),
  }),
  z.strictObject({ kind: z.literal('status-not-available'), tigeraStatus: z.string() }),
  /**
   * The Installation is in effect: its generation observed, calico-node rolled out, and this version read twice in a row from its status
   * (controlplane.md › Recordings 2, 8, 14).
   */
  z.strictObject({ kind: z.literal('installation-available'), version: z.string() }),
  /**
   * The release is in effect after an upgrade or its undo, with the agent of every node on it: the status says Available all the while (controlplane.md ›
   * Recordings 2). `workloads`: for an installation by manifest, which has neither operator nor status; the agents' DaemonSet first.
   */
  z.strictObject({
    kind: z.literal('upgraded'),
    version: z.string(),
    workloads: z.array(objectRef).min(1).exactOptional(),
  }),
  /** Fields of these objects have owners by server-side apply only (`adopt-fields`). */
  aboutAll('fields-adopted'),
  /** No object of any kind has an owner in `projectcalico.org/v3`. `dependants` are those that had one. */
  z.strictObject({ kind: z.literal('owner-references-gone'), dependants }),
  /** The v3 API serves the owners of these objects with the computed UIDs, three times in a row. */
  z.strictObject({ kind: z.literal('owners-served'), dependants, uids }),
  /** Each of these objects that still exists, and whose owner exists, has its references again. */
  z.strictObject({ kind: z.literal('owner-references-restored'), dependants, uids }),
  /** These Namespaces, and the kinds of these CustomResourceDefinitions, contain nothing that somebody else created. */
  z.strictObject({ kind: z.literal('only-ours-left'), within: z.array(objectRef) }),
  /** The check passes when its facts are read again. */
  z.strictObject({ kind: z.literal('check-passes'), check: z.string() }),
  /** The newest revision of the release is deployed. `chart`: with this version of its chart. */
  z.strictObject({
    kind: z.literal('helm-deployed'),
    release: z.string(),
    namespace: z.string(),
    chart: z.string().exactOptional(),
    driver: helmDriver,
  }),
  kindOnly('product-pods-ready'),
  z.strictObject({ kind: z.literal('version'), equals: z.string() }),
  kindOnly('services-answer'),
]);

/** A postcondition on the cluster as plain data. `lib/run/conditions` evaluates it, and explains why it does not hold. */
export type Condition = z.infer<typeof single> | { kind: 'all'; of: Condition[] };

export const conditionSchema: z.ZodType<Condition> = z.discriminatedUnion('kind', [
  ...single.options,
  z.strictObject({
    kind: z.literal('all'),
    get of(): z.ZodType<Condition[]> {
      return z.array(conditionSchema);
    },
  }),
]);
