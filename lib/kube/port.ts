import type { Duplex } from 'node:stream';
import type { ByNodeTest, ObjectRef, Resource, ServiceKind } from '#lib/spec/index.ts';
import type { KubeError, MissingRule } from './error.ts';
import type { KubeObject, ObjectMeta } from './object.ts';

export type { ObjectRef };

/** Options of every call. `signal` cancels it. `timeoutMs`: its time limit, for lists that of each page (default 30 s; none for watches and followed logs). */
export type CallOptions = { signal?: AbortSignal; timeoutMs?: number };

export type ListOptions = CallOptions & {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Objects on a page; default 500. */
  pageSize?: number;
};

/**
 * One page of a list. All pages show the state at one `resourceVersion`. `remaining`: objects on later pages; null: unknown. `apiVersion`: only for dumps
 * whose files say it, to tell an empty list of Calico's own API from one of its stored form.
 */
export type Page<T> = { items: T[]; resourceVersion: string; remaining: number | null; apiVersion?: string };

export type ObjectMetadata = { apiVersion: string; kind: string; metadata: ObjectMeta };

export type WatchOptions = CallOptions & { namespace?: string; labelSelector?: string; fieldSelector?: string };

/**
 * An event of a watch. A watch begins with `synced`, and repeats it with all objects whenever it had to list again (410, an updated CRD, a gap), so that
 * readers never miss a change. It ends only when its signal aborts, or by a KubeError that waiting cannot fix (`unauthorized`, `forbidden`, `credentials`,
 * `invalid`). For a kind that is not served (yet) it sends `interrupted` and tries again.
 */
export type WatchEvent =
  | { type: 'synced'; objects: KubeObject[]; resourceVersion: string }
  | { type: 'added' | 'modified' | 'deleted'; object: KubeObject }
  | { type: 'bookmark'; resourceVersion: string }
  | { type: 'interrupted'; because: KubeError; retryInMs: number };

export type WriteOptions = CallOptions & {
  /** `all`: the server validates the object, adds defaults and returns it, and stores nothing. */
  dryRun?: 'all';
  fieldManager?: string;
  subresource?: 'status' | 'scale';
  /** Field validation; default `Strict`, so that a misspelt field is an error instead of being dropped. */
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
};

export type ApplyOptions = WriteOptions & { force?: boolean };

export type JsonPatchOperation = {
  op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  path: string;
  from?: string;
  value?: unknown;
};

/** A patch. With `resourceVersion` it is conditional: `conflict` if the object has another version. */
export type Patch =
  | { type: 'merge'; body: Record<string, unknown>; resourceVersion?: string }
  | { type: 'json'; operations: JsonPatchOperation[] };

export type DeleteOptions = CallOptions & {
  dryRun?: 'all';
  /** Precondition: `conflict` if the object has another UID. */
  uid?: string;
  resourceVersion?: string;
  propagation?: 'Background' | 'Foreground' | 'Orphan';
};

export type AccessAnswer = MissingRule & { allowed: boolean; reason?: string };

export type Discovery = {
  resources: (Resource & { verbs: string[] })[];
  /** Group versions that could not be read, such as an aggregated API whose server does not answer. */
  failing: { groupVersion: string; because: string }[];
  /** Only for dumps, whose `resources` are the kinds of their objects: all groups that the cluster serves; null: unknown. */
  groups?: readonly string[] | null;
};

export type LogOptions = CallOptions & {
  container: string;
  /** RFC 3339; whole seconds on the wire. */
  sinceTime?: string;
  limitBytes?: number;
  tailLines?: number;
  previous?: boolean;
  /** Puts the time that the container runtime recorded before each line (RFC 3339). */
  timestamps?: boolean;
};

export type ExecResult = { stdout: string; stderr: string; exitCode: number };

/** The test of one `host:port` from this machine, without credentials: connection, certificate by the cluster's authorities, readiness. */
export type DialResult = {
  /** `because`: why there is no connection. `notTested`: none was tried. */
  connection: { made: true; latencyMs: number } | { made: false; because: string; notTested?: true };
  /** `names`: subject alternative names. `expiresAt`: RFC 3339. Null: there was no connection. */
  certificate:
    | (({ verified: true; names: string[] } | { verified: false; names: string[]; because: string }) & {
        issuer: string | null;
        expiresAt: string | null;
      })
    | null;
  /**
   * Answer of `/readyz?verbose`. `failing`: its failed parts. `refusesStrangers`: an API server answered 401 or 403, which does not say whether it is ready.
   * Null: not asked, because the certificate did not verify, or no answer.
   */
  ready: { status: number; ok: boolean; failing: string[]; refusesStrangers?: true } | null;
};

export type ResolvedName =
  | {
      resolved: true;
      addresses: string[];
      /** `machine`: only this machine knows the name (hosts file, mDNS); `undecided`: DNS did not answer. */
      by: 'address' | 'dns' | 'machine' | 'undecided';
      records: { type: 'A' | 'AAAA'; address: string; ttlSeconds: number }[];
      /** Names on the way to the addresses (CNAME), in order. */
      aliases: string[];
    }
  | { resolved: false; because: string };

/**
 * The test of an endpoint and of the API servers behind it, from this machine and as the data plane would connect (checks `endpoint.resolvable`,
 * `endpoint.reachable`, `endpoint.certificate`). Takes 5 s at the most.
 */
export type EndpointProbe = DialResult & {
  name: ResolvedName;
  /** Time of three connections, in ms; null: there was none. */
  latency: { minMs: number; medianMs: number } | null;
  servers: (DialResult & { address: string })[];
  /** Every `address:port` to which a connection was tried. */
  dialled: string[];
  /** Every `address:port` that was named and not tried. */
  leftAlone: LeftAlone[];
};

/** An address that was not tried. `because`: a phrase after the address, *is a loopback address: …*. */
export type LeftAlone = { address: string; because: string };

export type ProbeOptions = CallOptions & {
  /** API servers behind the endpoint, each of which is tested on its own. */
  servers?: readonly { host: string; port: number }[];
};

/** The outcome of a test on a node. `because`: a phrase about the node. */
export type TestOutcome = { kind: 'passed' } | { kind: 'failed' | 'not-run'; because: string };

/** Results of the tests on one node. `ms`: how long the API server took to answer; null: it did not answer. */
export type NodeMeasurement = {
  node: string;
  ms: number | null;
  /** Only a connection to the API's address was tested. Absent: its certificate was verified too. */
  asked?: 'connection';
  /** The node's addresses between which VXLAN was tested. Absent in results of earlier versions. */
  addresses?: string[] | undefined;
  /** MTU of the link with the node's address, in bytes; null: unknown. */
  linkMtu?: number | null | undefined;
  /** What serves Services on the node. `rules`: rules without a process named kube-proxy; `outside`: kube-proxy as a service of the system. Null: unknown. */
  proxy?: 'none' | 'rules' | 'in-pod' | 'outside' | null | undefined;
  tests: ByNodeTest<TestOutcome>;
};

/** The plan that nodes were tested for. `images`: those that it brings to nodes. */
export type MeasuredPlan = {
  release: string;
  images: string[];
  flexVolumeFolder: string | null;
  /** Ids of the objects that the test created. Absent in results of earlier versions. */
  objects?: string[] | undefined;
  /** What happened to them. `left`: some could not be removed. Absent in results of earlier versions. */
  ended?: 'removed' | 'kept' | 'left' | undefined;
};

/** Results of tests on nodes. `plan` absent: they hold for every plan (sandboxes). */
export type MeasuredNodes = { nodes: NodeMeasurement[]; plan?: MeasuredPlan | undefined };

/**
 * A Kubernetes API. The real client implements it, and the store behind sandboxes, dumps and tests; `e2e/contract` tests that both behave alike. Every
 * method rejects with KubeErrors only.
 */
export interface Kube {
  /** A name for people: of the context, sandbox or dump. Never use it as a path or URL. */
  readonly name: string;
  readonly source: 'live' | 'sandbox' | 'dump';
  /** `host:port` of a live cluster's server in the kubeconfig, without credentials or path. */
  readonly server?: string;
  /** The namespace of the kubeconfig's context. Absent: `default`. */
  readonly namespace?: string;
  /** Sentences for every page and plan of this cluster: its certificate is not verified, or there is no TLS. */
  readonly warnings?: readonly string[];
  /** Kubeconfig and context by which other programs (helm) reach this cluster. Absent: no kubeconfig leads there. */
  readonly reachedBy?: { kubeconfig: string | null; context: string };
  /** Helm of a sandbox, which no real program can reach: takes helm's arguments, resolves with its output. */
  readonly helm?: (words: readonly string[]) => Promise<string>;

  /** The object; null: there is none, or no such kind. Rejects with `not-served` if an aggregated API does not answer, since the object may exist. */
  get(ref: ObjectRef, options?: CallOptions): Promise<KubeObject | null>;
  /** Rejects with `not-served` for an unknown kind. When the continue token expires (410), the list starts over once without repeating objects. */
  list(resource: Resource, options?: ListOptions): AsyncIterable<Page<KubeObject>>;
  listMetadata(resource: Resource, options?: ListOptions): AsyncIterable<Page<ObjectMetadata>>;
  watch(resource: Resource, options?: WatchOptions): AsyncIterable<WatchEvent>;

  create(resource: Resource, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  /** Server-side apply, by default as field manager `signalbox`. Rejects with `conflict` and `detail.conflicts` for fields of others. */
  apply(resource: Resource, object: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  /** PUT with the object's resourceVersion. */
  replace(resource: Resource, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch(ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<KubeObject>;
  /** Resolves when the deletion was accepted; finalizers may keep the object longer. Rejects with `not-found` if it does not exist. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<void>;

  /** Answers of SelfSubjectAccessReviews, in the order of the rules. */
  allowed(rules: readonly MissingRule[], options?: CallOptions): Promise<AccessAnswer[]>;
  discover(options?: CallOptions): Promise<Discovery>;
  /** `gitVersion`: `v1.36.3`; null: unknown (most dumps). */
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
   * A connection to a port of a pod. `timeoutMs`: limit for opening it; `signal` ends it. Ending the stream ends both directions. Absent, or rejects with
   * `unsupported`, where no pods run.
   */
  portForward?(pod: { namespace: string; name: string; port: number }, options?: CallOptions): Promise<Duplex>;

  /** Tests an endpoint from this machine. Absent for dumps and sandboxes, which have no network. */
  probeEndpoint?(endpoint: { host: string; port: number }, options?: ProbeOptions): Promise<EndpointProbe>;

  /** Results of tests on the nodes that run an agent, for this endpoint. Absent where nodes cannot be tested. */
  measureNodes?(endpoint: { host: string; port: string } | null, options?: CallOptions): Promise<MeasuredNodes>;

  /** Makes nodes ask Services over and over. Absent where nodes cannot be tested. */
  services?: WatchedServices;

  close(): Promise<void>;
}

export type WatchedServices = {
  /** Begins. Rejects with `forbidden` and the missing rule before anything is created, with `unsupported` if there is nothing to ask or no image. */
  watch(options: { signal: AbortSignal }): Promise<ServiceWatch>;
  /** Removes what an ended process has left. `isLeft`: called if something is there; false keeps it. */
  sweep(options: { signal: AbortSignal; isLeft?: () => Promise<boolean> }): Promise<void>;
};

export type ServiceWatch = {
  /** Time between two questions, in ms. */
  readonly intervalMs: number;
  /** Names of the nodes that ask, of `of` nodes that can run an agent. */
  readonly nodes: readonly string[];
  readonly of: number;
  /** Readings since the last call, oldest first. Rejects with `not-found` if somebody has deleted the watch. */
  read(options: { signal: AbortSignal }): Promise<ServiceReading[]>;
  /** Why nodes do not report, by node, as of the last call: their pod does not start. Absent: unknown. */
  faults?(): ReadonlyMap<string, string>;
  /** Removes the watch. Resolves with the reason why something may be left, or null. */
  end(): Promise<string | null>;
};

/** A node's report about a span of time, in ms. `at`: its end, since the epoch, by the reader's clock, as the node's may be wrong. */
export type ServiceReading = {
  readonly node: string;
  readonly at: number;
  readonly spanMs: number;
  readonly kinds: Partial<Record<ServiceKind, ServiceCounts>>;
  /** Gaps that ended in this span. */
  readonly gaps: readonly { readonly kind: ServiceKind; readonly at: number; readonly ms: number }[];
};

/** Counts for one Service in a span. `openMs`: how long it has not answered at the end of the span; 0: it answers. */
type ServiceCounts = {
  readonly tried: number;
  readonly answered: number;
  readonly late: number;
  readonly none: number;
  readonly openMs: number;
};
