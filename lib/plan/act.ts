import type { HelmDriver, ManifestRef, ObjectRef } from '#lib/spec/index.ts';

/** The operator's chart in its public repository, under the name that its README gives. The chart keeps its version. */
export const operatorChart = 'projectcalico/tigera-operator';

/** One entry of `ownerReferences`. `uid`: as it was when the plan was made. */
type OwnerRef = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** An object and the references that are removed from it or restored. `uid`: the object's own, so that a new object of the same name is not meant. */
export type OwnedObject = { target: ObjectRef; uid: string; references: OwnerRef[] };

/** Which UID an owner in `projectcalico.org/v3` has: `stored`, that of its stored object, as before v3.28; or `derived` from it (calico.md §12). */
export type OwnerUids = 'stored' | 'derived';

/**
 * What an operation does to the cluster, as plain data: it is shown, hashed, journalled and carried out by `lib/run` (architecture.md › Operation).
 * `sequence` is for the few operations that need several acts, each awaited before the next.
 */
export type Act =
  | { kind: 'journal' }
  /** Server-side apply of exactly these fields; the whole object when we create it. */
  | { kind: 'apply'; target: ObjectRef; body: Record<string, unknown>; force: boolean }
  /**
   * Server-side apply of every object in one file of a release. Such files are too large for a plan: the plan names the file by its checksum, and the
   * run opens it again.
   */
  | { kind: 'apply-manifest'; manifest: ManifestRef; targets: ObjectRef[]; force: boolean }
  /** `whose`: write only those fields that `managedFields` shows as written by Calico's operator alone; leave the others. */
  | { kind: 'merge-patch'; target: ObjectRef; body: Record<string, unknown>; whose?: 'operators' }
  /** Creates the recorded object again; server bookkeeping already removed. */
  | { kind: 'recreate'; target: ObjectRef; body: Record<string, unknown> }
  /** Creates an object that does not exist, marked with the run (`madeByAnnotation`). If another object has the name, the run changes nothing and pauses. */
  | { kind: 'create'; target: ObjectRef; body: Record<string, unknown> }
  /** `made`: delete only the object that this run created from this body, and only if it is unchanged; leave any other. */
  | { kind: 'delete'; target: ObjectRef; propagation: 'Background' | 'Foreground'; made?: Record<string, unknown> }
  /** Requests all deletions before it waits for any: none of these objects has to go before another. */
  | { kind: 'delete-all'; targets: ObjectRef[]; propagation: 'Background' | 'Foreground' }
  /**
   * Runs `helm upgrade`. The release's values stay in Helm and never pass through a plan. `set`: value by path, in helm's notation. `values`:
   * `reset-then-reuse` merges the release's values into the new chart's; without it they are merged into the old chart's, so that only `set` changes.
   * `driver`: where Helm keeps its records; default: Secrets.
   */
  | {
      kind: 'helm';
      verb: 'upgrade';
      release: string;
      namespace: string;
      chart: string;
      version: string | null;
      set: Record<string, string>;
      values?: 'reset-then-reuse';
      /** The chart holds these definitions (definition-charts.ts); if absent, it is the operator's. */
      holds?: string;
      driver?: HelmDriver;
    }
  | { kind: 'helm'; verb: 'rollback'; release: string; namespace: string; revision: number; driver?: HelmDriver }
  /**
   * Removes exactly these references from exactly these objects, on condition that the object has not changed since it was read. `once-paused`: only
   * after the run has paused in this step, because somebody had restored them.
   */
  | { kind: 'remove-owner-references'; dependants: OwnedObject[]; when: 'at-once' | 'once-paused' }
  /** Restores them with the UIDs that the v3 API serves at that moment, if those are the computed ones. An object whose owner has gone meanwhile gets none. */
  | { kind: 'restore-owner-references'; dependants: OwnedObject[]; uids: OwnerUids }
  /**
   * Makes us the owner of fields that were written without server-side apply, or by kubectl's: a later apply then removes fields that it no longer
   * contains. Values stay.
   */
  | { kind: 'adopt-fields'; targets: ObjectRef[] }
  | { kind: 'wait' }
  | { kind: 'verify' }
  /** Tells the administrator what to do, as only they can do it. `done` checks that it was done. */
  | { kind: 'instruct'; text: string }
  | { kind: 'sequence'; steps: { act: Act; done: Condition }[] };

/** `path` is a list of keys, because annotation keys contain dots and slashes. */
export type FieldExpectation = { path: string[]; equals: unknown } | { path: string[]; absent: true };

/** A postcondition on the cluster as plain data. `lib/run/conditions` evaluates it, and explains why it does not hold. */
export type Condition =
  | { kind: 'journalled' }
  | { kind: 'exists'; target: ObjectRef }
  /** The object exists, this run created it, and its spec equals that of `body` with the server's defaults. */
  | { kind: 'made'; target: ObjectRef; body: Record<string, unknown> }
  /** No object under this name was created by this run; one of somebody else may stay. */
  | { kind: 'unmade'; target: ObjectRef; body: Record<string, unknown> }
  /** The API server serves the kinds of all these CustomResourceDefinitions. */
  | { kind: 'established'; targets: ObjectRef[] }
  | { kind: 'absent'; target: ObjectRef }
  | { kind: 'all-absent'; targets: ObjectRef[] }
  /** `whose`: a field that somebody other than Calico's operator has written counts as met, because it was left alone. */
  | { kind: 'fields'; target: ObjectRef; fields: FieldExpectation[]; whose?: 'operators' }
  /** DaemonSet or Deployment: generation observed, all updated and available. */
  | { kind: 'rollout'; target: ObjectRef }
  /** A DaemonSet wants 0 pods and none is left. */
  | { kind: 'no-pods'; target: ObjectRef }
  /**
   * operations.md › `endpoint.active`: calico-node, Typha, kube-controllers and API server have this address and have rolled out. `null`: the
   * ClusterIP that the operator uses without an address.
   */
  | { kind: 'endpoint-active'; endpoint: { host: string; port: string } | null }
  /** operations.md › Proof of a node. */
  | { kind: 'bpf-active' }
  | { kind: 'bpf-inactive' }
  /**
   * operations.md › Proxy is back. `null`: there is no DaemonSet (embedded, static pods). Facts that are read again must then say that it runs, and
   * the settle time applies because its pods cannot be examined.
   */
  | { kind: 'proxy-back'; target: ObjectRef | null }
  /** Facts that are read again say that no service proxy runs: kind `none`, or `running` false. For proxies that only the administrator can turn off. */
  | { kind: 'proxy-gone' }
  /** On each node no `kube-ipvs0` and an empty `/proc/net/ip_vs`, seen by exec in the pods of this DaemonSet; else *unknown* (operations.md › proxy.ipvs-to-iptables). */
  | { kind: 'ipvs-gone'; target: ObjectRef }
  /** The operator has seen the current Installation: every condition of TigeraStatus `calico` has its generation in `observedGeneration`. */
  | { kind: 'reconciled' }
  /** Every agent has restarted since this field of FelixConfiguration was written (time in managedFields of `path`). */
  | { kind: 'agents-restarted'; since: { target: ObjectRef; path: string[] } }
  | { kind: 'status-not-available'; tigeraStatus: string }
  /**
   * The Installation is in effect: its generation observed, calico-node rolled out, and this version read twice in a row from its status
   * (controlplane.md › Recordings 2, 8, 14).
   */
  | { kind: 'installation-available'; version: string }
  /**
   * The release is in effect after an upgrade or its undo, with the agent of every node on it: the status says Available all the while (controlplane.md ›
   * Recordings 2). `workloads`: for an installation by manifest, which has neither operator nor status; the agents' DaemonSet first.
   */
  | { kind: 'upgraded'; version: string; workloads?: ObjectRef[] }
  /** Fields of these objects have owners by server-side apply only (`adopt-fields`). */
  | { kind: 'fields-adopted'; targets: ObjectRef[] }
  /** No object of any kind has an owner in `projectcalico.org/v3`. `dependants` are those that had one. */
  | { kind: 'owner-references-gone'; dependants: OwnedObject[] }
  /** The v3 API serves the owners of these objects with the computed UIDs, three times in a row. */
  | { kind: 'owners-served'; dependants: OwnedObject[]; uids: OwnerUids }
  /** Each of these objects that still exists, and whose owner exists, has its references again. */
  | { kind: 'owner-references-restored'; dependants: OwnedObject[]; uids: OwnerUids }
  /** These Namespaces, and the kinds of these CustomResourceDefinitions, contain nothing that somebody else created. */
  | { kind: 'only-ours-left'; within: ObjectRef[] }
  /** The check passes when its facts are read again. */
  | { kind: 'check-passes'; check: string }
  /** The newest revision of the release is deployed. `chart`: with this version of its chart. */
  | { kind: 'helm-deployed'; release: string; namespace: string; chart?: string; driver?: HelmDriver }
  /** Calico's controllers have created a host endpoint for every node. */
  | { kind: 'auto-host-endpoints' }
  /** Goldmane, and Whisker if it exists, are Available, and every agent has restarted with the address for its flows. */
  | { kind: 'flow-logs-active' }
  /** Goldmane and the objects that it created are gone, and every agent has restarted without that address. */
  | { kind: 'flow-logs-inactive' }
  /** The workload has rolled out, and each of its pods has the sidecar of this release. */
  | { kind: 'sidecars'; target: ObjectRef; version: string }
  | { kind: 'product-pods-ready' }
  | { kind: 'version'; equals: string }
  | { kind: 'services-answer' }
  | { kind: 'all'; of: Condition[] };
