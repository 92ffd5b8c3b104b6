import type { Duplex } from 'node:stream';
import type { ByNodeTest, ObjectRef, Resource, ServiceKind } from '#lib/spec/index.ts';
import type { KubeError, MissingRule } from './error.ts';
import type { KubeObject, ObjectMeta } from './object.ts';

export type { ObjectRef };

/** Every call: `signal` cancels it; `timeoutMs` bounds it (default 30 s, watches and followed logs excepted; of a list, each page). */
export type CallOptions = { signal?: AbortSignal; timeoutMs?: number };

export type ListOptions = CallOptions & {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Objects a page; default 500. */
  pageSize?: number;
};

/**
 * One page of a list. All pages show one moment, that of `resourceVersion`. `apiVersion`: of a dump, where a file says that its list was of this form, which
 * tells a list of Calico's own API that holds nothing from one of the API's datastore.
 */
export type Page<T> = { items: T[]; resourceVersion: string; remaining: number | null; apiVersion?: string };

export type ObjectMetadata = { apiVersion: string; kind: string; metadata: ObjectMeta };

export type WatchOptions = CallOptions & { namespace?: string; labelSelector?: string; fieldSelector?: string };

/**
 * What a watch tells. It starts with `synced`; whenever it had to list again (410, a CRD that was updated, a gap), the whole
 * set comes again as `synced` and replaces what was known: whoever folds events never goes blind or stale.
 * It ends only when its signal aborts, or by throwing a KubeError that waiting cannot fix (`unauthorized`, `forbidden`, `credentials`, `invalid`).
 * A kind that is not served (yet) is `interrupted`, and tried again.
 */
export type WatchEvent =
  | { type: 'synced'; objects: KubeObject[]; resourceVersion: string }
  | { type: 'added' | 'modified' | 'deleted'; object: KubeObject }
  | { type: 'bookmark'; resourceVersion: string }
  | { type: 'interrupted'; because: KubeError; retryInMs: number };

export type WriteOptions = CallOptions & {
  /** `all`: the server validates, defaults and answers with the result, and stores nothing. */
  dryRun?: 'all';
  fieldManager?: string;
  subresource?: 'status' | 'scale';
  /** Field validation; default `Strict`: a misspelt field is an error, never dropped in silence. */
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
};

export type ApplyOptions = WriteOptions & { force?: boolean };

export type JsonPatchOperation = {
  op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  path: string;
  from?: string;
  value?: unknown;
};

/** `resourceVersion` makes the patch conditional: another version ⇒ `conflict`. */
export type Patch =
  | { type: 'merge'; body: Record<string, unknown>; resourceVersion?: string }
  | { type: 'json'; operations: JsonPatchOperation[] };

export type DeleteOptions = CallOptions & {
  dryRun?: 'all';
  /** Precondition: another UID ⇒ `conflict`. */
  uid?: string;
  resourceVersion?: string;
  propagation?: 'Background' | 'Foreground' | 'Orphan';
};

export type AccessAnswer = MissingRule & { allowed: boolean; reason?: string };

export type Discovery = {
  resources: (Resource & { verbs: string[] })[];
  /** Group versions that could not be read, e.g. an aggregated API whose backend is away. The rest is still true. */
  failing: { groupVersion: string; because: string }[];
  /** Of a dump alone, which holds no kinds but those of its objects: the groups that the cluster serves; null: it does not tell them. */
  groups?: readonly string[] | null;
};

export type LogOptions = CallOptions & {
  container: string;
  /** RFC 3339; whole seconds on the wire. */
  sinceTime?: string;
  limitBytes?: number;
  tailLines?: number;
  previous?: boolean;
  /** Prefix each line with its RFC 3339 time, as the container runtime recorded it. */
  timestamps?: boolean;
};

export type ExecResult = { stdout: string; stderr: string; exitCode: number };

/** One `host:port` as this machine sees it: connection, certificate against the cluster's authorities, then readiness. All of it without credentials. */
export type Dialled = {
  /** `notTested`: the address was left alone, and `because` says why. */
  connection: { made: true; latencyMs: number } | { made: false; because: string; notTested?: true };
  /** `names`: subject alternative names. `expiresAt`: RFC 3339. Null: no connection, so none was shown. */
  certificate:
    | (({ verified: true; names: string[] } | { verified: false; names: string[]; because: string }) & {
        issuer: string | null;
        expiresAt: string | null;
      })
    | null;
  /**
   * `failing`: the parts that `/readyz?verbose` names as failed. `refusesStrangers`: it answered 401 or 403 as an API server does, which answers
   * that one is there and not whether it is ready. Null: not asked, as the certificate did not verify, or no answer.
   */
  ready: { status: number; ok: boolean; failing: string[]; refusesStrangers?: true } | null;
};

export type ResolvedName =
  | {
      resolved: true;
      addresses: string[];
      /** `machine`: this machine knows the name and DNS does not (a hosts file, mDNS); `undecided`: DNS itself did not answer. */
      by: 'address' | 'dns' | 'machine' | 'undecided';
      records: { type: 'A' | 'AAAA'; address: string; ttlSeconds: number }[];
      /** Names that it leads over (CNAME), in order. */
      aliases: string[];
    }
  | { resolved: false; because: string };

/**
 * What the console's machine sees when it dials an address as the data plane would (checks `endpoint.resolvable`, `endpoint.reachable`,
 * `endpoint.certificate`). Only to the chosen endpoint and the API servers behind it, 5 s in all at the most.
 */
export type EndpointProbe = Dialled & {
  name: ResolvedName;
  /** Of three connections, in milliseconds; null where none was made. */
  latency: { minMs: number; medianMs: number } | null;
  servers: (Dialled & { address: string })[];
  /** Every `address:port` to which a connection was tried. */
  dialled: string[];
  /** Every `address:port` that was named and not dialled. */
  leftAlone: LeftAlone[];
};

/** `because` follows the address: *is a loopback address: …*. */
export type LeftAlone = { address: string; because: string };

export type ProbeOptions = CallOptions & {
  /** The API servers behind the endpoint: each is dialled by itself. */
  servers?: readonly { host: string; port: number }[];
};

/** `because`: a phrase about the node. */
export type TestOutcome = { kind: 'passed' } | { kind: 'failed' | 'not-run'; because: string };

/** What was measured on one node, by test. `ms`: how long its API server took to answer there; null: it did not. */
export type NodeMeasurement = {
  node: string;
  ms: number | null;
  /** Of the API address a connection alone; absent: its certificate was verified too. */
  asked?: 'connection';
  /** Between which of its addresses VXLAN was tested; absent: an earlier version did not say. */
  addresses?: string[] | undefined;
  /** Bytes, of the link that carries its address; null: it did not say. */
  linkMtu?: number | null | undefined;
  /** What serves Services there: rules alone are left, or written by a program that is not named kube-proxy. Null: it did not say. */
  proxy?: 'none' | 'rules' | 'in-pod' | 'outside' | null | undefined;
  tests: ByNodeTest<TestOutcome>;
};

/** What a test of the nodes was made for. `images`: those that the plan brings to nodes. */
export type MeasuredPlan = {
  release: string;
  images: string[];
  flexVolumeFolder: string | null;
  /** Ids of all that the test had made; absent: an earlier version did not say. */
  objects?: string[] | undefined;
  /** What became of them: `left` where some may still be there against its will. Absent: an earlier version did not say. */
  ended?: 'removed' | 'kept' | 'left' | undefined;
};

/** `plan` is absent where the nodes answer for any. */
export type MeasuredNodes = { nodes: NodeMeasurement[]; plan?: MeasuredPlan | undefined };

/**
 * One Kubernetes API. Implemented by the real client and by the store behind sandboxes, dumps and tests; `e2e/contract` holds
 * both to the same behaviour. Every method rejects with a KubeError and nothing else.
 */
export interface Kube {
  /** For people: context name, sandbox name or dump path. Data, never a path or URL. */
  readonly name: string;
  readonly source: 'live' | 'sandbox' | 'dump';
  /** Where a live cluster is reached, as the kubeconfig says: `host:port`, without credentials or path. */
  readonly server?: string;
  /** Where the context of the kubeconfig puts what names no namespace; absent: `default`. */
  readonly namespace?: string;
  /** Sentences that stand on every page and in every plan of this cluster: its certificate is not verified, or it is reached without TLS. */
  readonly warnings?: readonly string[];
  /** How another program (helm) is led to this very cluster; absent where no kubeconfig leads there. */
  readonly reachedBy?: { kubeconfig: string | null; context: string };
  /** A sandbox's own helm, by the words that helm takes; gives what that prints. No program can be led into a sandbox. */
  readonly helm?: (words: readonly string[]) => Promise<string>;

  /** `null` when there is no such object, or no such kind. A kind whose aggregated API does not answer is `not-served`: it says nothing about the object. */
  get(ref: ObjectRef, options?: CallOptions): Promise<KubeObject | null>;
  /** Rejects with `not-served` when the kind is not there. A page whose continue token expired (410) starts over once, from the first page, without repeating objects. */
  list(resource: Resource, options?: ListOptions): AsyncIterable<Page<KubeObject>>;
  listMetadata(resource: Resource, options?: ListOptions): AsyncIterable<Page<ObjectMetadata>>;
  watch(resource: Resource, options?: WatchOptions): AsyncIterable<WatchEvent>;

  create(resource: Resource, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  /** Server-side apply; field manager `signalbox` unless told. Conflicts ⇒ `conflict` with `detail.conflicts`. */
  apply(resource: Resource, object: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  /** PUT with the object's resourceVersion. */
  replace(resource: Resource, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch(ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<KubeObject>;
  /** Resolves when the deletion was accepted; finalizers may hold the object longer. `not-found` when it is gone already. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<void>;

  /** SelfSubjectAccessReview for each, in the given order, a few at a time. */
  allowed(rules: readonly MissingRule[], options?: CallOptions): Promise<AccessAnswer[]>;
  discover(options?: CallOptions): Promise<Discovery>;
  /** `gitVersion`, e.g. `v1.36.3`; null when the source cannot tell (most dumps). */
  version(options?: CallOptions): Promise<string | null>;

  logs(pod: { namespace: string; name: string }, options: LogOptions): Promise<string>;
  /** GET through the API server's pod proxy. */
  podGet(
    pod: { namespace: string; name: string; port: number; path: string; scheme?: 'http' | 'https' },
    options?: CallOptions,
  ): Promise<{ status: number; body: string }>;
  exec(
    pod: { namespace: string; name: string; container: string },
    command: readonly string[],
    options?: CallOptions,
  ): Promise<ExecResult>;

  /**
   * A connection to a port of a pod: its bytes both ways. `timeoutMs` bounds its opening, `signal` its life; to end it ends both directions.
   * Absent, or `unsupported`, where no pod runs.
   */
  portForward?(pod: { namespace: string; name: string; port: number }, options?: CallOptions): Promise<Duplex>;

  /** Absent where nothing may be dialled (dumps, sandboxes). */
  probeEndpoint?(endpoint: { host: string; port: number }, options?: ProbeOptions): Promise<EndpointProbe>;

  /** Tests each node that runs an agent, for this endpoint. Absent where nobody can look at nodes. */
  measureNodes?(endpoint: { host: string; port: string } | null, options?: CallOptions): Promise<MeasuredNodes>;

  /** Lets nodes ask services over and over. Absent where nobody can look at nodes. */
  services?: WatchedServices;

  close(): Promise<void>;
}

export type WatchedServices = {
  /** Begins. Rejects with `forbidden` and the missing rule before anything is made, `unsupported` where there is nothing to ask or to ask with. */
  watch(options: { signal: AbortSignal }): Promise<ServiceWatch>;
  /** Takes away what a process that is gone has left; nothing where there is none. `isLeft`: asked once it is known what there is. */
  sweep(options: { signal: AbortSignal; isLeft?: () => Promise<boolean> }): Promise<void>;
};

export type ServiceWatch = {
  /** From one question to the next. */
  readonly intervalMs: number;
  /** Those that ask, of so many. */
  readonly nodes: readonly string[];
  readonly of: number;
  /** What was told since the last time, oldest first. Rejects with `not-found` where somebody has taken the watch away: nothing comes any more. */
  read(options: { signal: AbortSignal }): Promise<ServiceReading[]>;
  /** Why nodes tell nothing, by node, as of the last time: their pod does not start. Left out: nobody knows. */
  faults?(): ReadonlyMap<string, string>;
  /** Takes it away again, whatever was interrupted; why something may be left, or null. */
  end(): Promise<string | null>;
};

/** What a node told of some time. Times in ms: `at`, its end, since the epoch by the clock of whoever reads: a node's own may go wrong. */
export type ServiceReading = {
  readonly node: string;
  readonly at: number;
  readonly spanMs: number;
  readonly kinds: Partial<Record<ServiceKind, ServiceCounts>>;
  /** Those that ended in it. */
  readonly gaps: readonly { readonly kind: ServiceKind; readonly at: number; readonly ms: number }[];
};

/** `openMs`: for how long nothing has been answered by the end of that time; 0 where something is. */
export type ServiceCounts = {
  readonly tried: number;
  readonly answered: number;
  readonly late: number;
  readonly none: number;
  readonly openMs: number;
};
