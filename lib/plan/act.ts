import type { HelmDriver, ManifestRef, ObjectRef } from '#lib/spec/index.ts';

/** The chart's public repository under the name that its own README gives it; its version stays what it is. */
export const operatorChart = 'projectcalico/tigera-operator';

/** One owner of an object, as its `ownerReferences` name it. `uid`: as the plan read it. */
export type OwnerRef = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** An object with the references that are taken from it, or brought back to it. `uid`: its own, so that no other one of its name is meant. */
export type OwnedObject = { target: ObjectRef; uid: string; references: OwnerRef[] };

/**
 * The UID by which an object of `projectcalico.org/v3` is an owner: that of its stored object, as before v3.28, or the one derived from it (calico.md §12).
 */
export type OwnerUids = 'stored' | 'derived';

/**
 * What an operation does to the cluster, as plain data: it is shown, hashed, journalled and carried out by `lib/run` (architecture.md › Operation).
 * `sequence` is for the few undos that need several acts, each awaited before the next.
 */
export type Act =
  | { kind: 'journal' }
  /** Server-side apply of exactly these fields; the whole object when we create it. */
  | { kind: 'apply'; target: ObjectRef; body: Record<string, unknown>; force: boolean }
  /** Server-side apply of every object of one file of a release. Such files are too large for a plan: it names the file by its checksum, and the run fetches it again. */
  | { kind: 'apply-manifest'; manifest: ManifestRef; targets: ObjectRef[]; force: boolean }
  /** `whose`: of its fields only those that nobody but Calico's operator is recorded to have written; the others stay as they are (`managedFields`). */
  | { kind: 'merge-patch'; target: ObjectRef; body: Record<string, unknown>; whose?: 'operators' }
  /** Creates the recorded object again; server bookkeeping already removed. */
  | { kind: 'recreate'; target: ObjectRef; body: Record<string, unknown> }
  /**
   * Makes an object that is not there, marked with the run (`madeByAnnotation`). One that is there already and that this run did not make is neither
   * changed nor taken for its own: the run pauses.
   */
  | { kind: 'create'; target: ObjectRef; body: Record<string, unknown> }
  /** `made`: only the object that this run has created from this body, as long as it is as it was created; any other stays. */
  | { kind: 'delete'; target: ObjectRef; propagation: 'Background' | 'Foreground'; made?: Record<string, unknown> }
  /** Asks for all of them to go before any is awaited: none needs another to be gone first. */
  | { kind: 'delete-all'; targets: ObjectRef[]; propagation: 'Background' | 'Foreground' }
  /**
   * The release's own values stay, as Helm has them: they never pass through a plan. `set`: value by path, as helm reads them. `values`: with
   * `reset-then-reuse` they lie on what the new chart says; left out, on what the old one said, so that nothing but `set` changes. `driver`: where Helm
   * keeps its records; left out, in Secrets.
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
      /** The chart is this one of definitions (definition-charts.ts); left out: the operator's. */
      holds?: string;
      driver?: HelmDriver;
    }
  | { kind: 'helm'; verb: 'rollback'; release: string; namespace: string; revision: number; driver?: HelmDriver }
  /**
   * Takes exactly these references from exactly these objects, on the condition that nothing of the object has changed since it was looked at.
   * `once-paused`: only after the run has paused in this step, as somebody had brought them back.
   */
  | { kind: 'remove-owner-references'; dependants: OwnedObject[]; when: 'at-once' | 'once-paused' }
  /** Brings them back with the UIDs that the v3 API serves at that moment, where they are those that are computed. What has lost its owner meanwhile gets none. */
  | { kind: 'restore-owner-references'; dependants: OwnedObject[]; uids: OwnerUids }
  /**
   * Fields of these objects that were written by anything but server-side apply, or by kubectl's, get us as their owner instead: an apply then takes out what
   * it no longer has. Values stay.
   */
  | { kind: 'adopt-fields'; targets: ObjectRef[] }
  | { kind: 'wait' }
  | { kind: 'verify' }
  /** Only the administrator can do it; the exact text. `done` is the re-check. */
  | { kind: 'instruct'; text: string }
  | { kind: 'sequence'; steps: { act: Act; done: Condition }[] };

/** `path` is a list of keys: annotation keys hold dots and slashes. */
export type FieldExpectation = { path: string[]; equals: unknown } | { path: string[]; absent: true };

/** A postcondition on the cluster as plain data; evaluated, and explained while it does not hold, by `lib/run/conditions`. */
export type Condition =
  | { kind: 'journalled' }
  | { kind: 'exists'; target: ObjectRef }
  /** It is there, this run has created it, and its spec is that of `body`, with what the server adds. */
  | { kind: 'made'; target: ObjectRef; body: Record<string, unknown> }
  /** What this run has created under this name is gone, or nothing of this run: one that somebody else made stays. */
  | { kind: 'unmade'; target: ObjectRef; body: Record<string, unknown> }
  /** CustomResourceDefinitions: the API server serves the kinds of all of them. */
  | { kind: 'established'; targets: ObjectRef[] }
  | { kind: 'absent'; target: ObjectRef }
  | { kind: 'all-absent'; targets: ObjectRef[] }
  /** `whose`: a field that somebody else than Calico's operator is recorded to have written is left, and holds by that. */
  | { kind: 'fields'; target: ObjectRef; fields: FieldExpectation[]; whose?: 'operators' }
  /** DaemonSet or Deployment: generation observed, all updated and available. */
  | { kind: 'rollout'; target: ObjectRef }
  /** DaemonSet: desired 0 and no pod of it left. */
  | { kind: 'no-pods'; target: ObjectRef }
  /** operations.md › `endpoint.active`: calico-node, Typha, kube-controllers and API server carry this address and have rolled out. `null`: the ClusterIP that the operator falls back to. */
  | { kind: 'endpoint-active'; endpoint: { host: string; port: string } | null }
  /** operations.md › Proof of a node. */
  | { kind: 'bpf-active' }
  | { kind: 'bpf-inactive' }
  /** operations.md › Proxy is back. `null`: there is no DaemonSet (embedded, static pods); facts read again must say that it runs, and since nobody can look into its pods the settle time applies. */
  | { kind: 'proxy-back'; target: ObjectRef | null }
  /** Facts read again say that no service proxy runs: kind `none`, or `running` false. For proxies that only the administrator can turn off. */
  | { kind: 'proxy-gone' }
  /** On each node no `kube-ipvs0` and an empty `/proc/net/ip_vs`, seen by exec in the pods of this DaemonSet; else *unknown* (operations.md › proxy.ipvs-to-iptables). */
  | { kind: 'ipvs-gone'; target: ObjectRef }
  /** The operator has taken note of the Installation as it is now: TigeraStatus `calico` says its current generation in every condition's `observedGeneration`. */
  | { kind: 'reconciled' }
  /** Every agent has started again since this field of FelixConfiguration was written (managedFields time of `path`). */
  | { kind: 'agents-restarted'; since: { target: ObjectRef; path: string[] } }
  | { kind: 'status-not-available'; tigeraStatus: string }
  /**
   * The Installation is carried out: its generation reached, calico-node rolled out and this version read twice in a row from its status
   * (controlplane.md › Recordings 2, 8, 14).
   */
  | { kind: 'installation-available'; version: string }
  /**
   * The same after an upgrade or its undo, and every node's agent is of this release: the status alone says Available all the while (controlplane.md ›
   * Recordings 2). `workloads`: of an installation by manifest, which has neither operator nor status, the agents' DaemonSet first.
   */
  | { kind: 'upgraded'; version: string; workloads?: ObjectRef[] }
  /** Nobody owns fields of these but by server-side apply (`adopt-fields`). */
  | { kind: 'fields-adopted'; targets: ObjectRef[] }
  /** No object of any kind has an owner in `projectcalico.org/v3`; those of `dependants` had one before. */
  | { kind: 'owner-references-gone'; dependants: OwnedObject[] }
  /** The v3 API serves the owners of these with the UIDs that are computed, three times in a row. */
  | { kind: 'owners-served'; dependants: OwnedObject[]; uids: OwnerUids }
  /** Each of these that is still there, and whose owner is, has its references again. */
  | { kind: 'owner-references-restored'; dependants: OwnedObject[]; uids: OwnerUids }
  /** In these Namespaces, and of the kinds of these CustomResourceDefinitions, nothing is left that somebody else made. */
  | { kind: 'only-ours-left'; within: ObjectRef[] }
  /** The check passes when its facts are read again. */
  | { kind: 'check-passes'; check: string }
  /** The newest revision of the release is deployed. `chart`: it is of this version of its chart. */
  | { kind: 'helm-deployed'; release: string; namespace: string; chart?: string; driver?: HelmDriver }
  /** Calico's controllers have made a host endpoint for every node. */
  | { kind: 'auto-host-endpoints' }
  /** Goldmane, and Whisker where it is there, are Available, and every agent has restarted with the address to which it sends its flows. */
  | { kind: 'flow-logs-active' }
  /** Goldmane and what it made are gone, and every agent has restarted without that address. */
  | { kind: 'flow-logs-inactive' }
  /** The workload has rolled out, and each of its pods carries the sidecar of this release. */
  | { kind: 'sidecars'; target: ObjectRef; version: string }
  | { kind: 'product-pods-ready' }
  | { kind: 'version'; equals: string }
  | { kind: 'services-answer' }
  | { kind: 'all'; of: Condition[] };
