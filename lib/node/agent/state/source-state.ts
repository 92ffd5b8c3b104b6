import { messageOf } from '#lib/base/message-of.ts';
import { same } from '#lib/base/records.ts';
import { type Clock, endpointSliceOf, type KubeObject, nodeOf, serviceOf } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import { type NodeAddresses, nodeAddresses } from '../../services/node-view.ts';
import type { ServiceTable } from '../../services/service-table.ts';
import { fullName, neededKinds, type SourceKind, sourceKinds, sourceResources } from '../../source/source.ts';
import { Bell } from '../../sync/bell.ts';
import { type AgentState, eligibilityOf, type WithoutPolicy } from './agent-state.ts';
import { FelixAllows } from './felix-allows.ts';

/**
 * Lists of all kinds arrive together, each within `settledMs` after the one before. Below `objects` Services and slices, collecting garbage is not
 * worth its time.
 */
const largeLists = { settledMs: 2_000, objects: 1_000 } as const;

/** The newest state of the source, and which of it is written. */
export class SourceState {
  readonly bell = new Bell();
  readonly nodes = new Map<string, NodeAddresses>();
  readonly felix = new FelixAllows();
  readonly #nodeName: string;
  readonly #withoutPolicy: WithoutPolicy;
  readonly #table: ServiceTable;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #listed = new Set<Resource>();
  readonly #interrupted = new Map<Resource, string>();
  readonly #refused = new Set<Resource>();
  readonly #policies = new Set<string>();
  readonly #heard = new Bell();
  /** Changes of Services and slices since garbage was last collected, and when the last list ended. */
  #changesSeen = 0;
  #listedAt: number | null = null;
  /** How often `nodes` has changed. Heartbeats change nothing in it. */
  #nodesChanged = 0;
  #node: AgentState['node'] = 'unknown';
  #isSynced = false;
  #isAttached = false;
  #lastSyncedAt: number | null = null;
  #pendingSince: number | null = null;
  #lastFailure: string | null = null;

  constructor(
    {
      nodeName,
      withoutPolicy,
      clock,
      log,
    }: {
      readonly nodeName: string;
      readonly withoutPolicy: WithoutPolicy;
      readonly clock: Clock;
      readonly log: (line: string) => void;
    },
    table: ServiceTable,
  ) {
    this.#log = log;
    this.#nodeName = nodeName;
    this.#withoutPolicy = withoutPolicy;
    this.#table = table;
    this.#clock = clock;
  }

  changed(kind: SourceKind, key: string, object: KubeObject | null): void {
    if (kind === 'services' || kind === 'slices') this.#changesSeen++;
    if (kind === 'services') this.#table.service(key, object && serviceOf(object));
    else if (kind === 'slices') this.#table.slice(key, object && endpointSliceOf(object));
    else if (kind === 'felix') this.felix.changed(key, object);
    else if (kind === 'policies') {
      if (object) this.#policies.add(key);
      else this.#policies.delete(key);
    } else this.#nodeChanged(key.replace(/^\//, ''), object);
    if (!this.#table.hasChanged) return;
    this.#pendingSince ??= this.#clock.monotonic();
    this.bell.ring();
  }

  listed(_kind: SourceKind, resource: Resource): void {
    this.#listedAt = this.#clock.monotonic();
    this.#listed.add(resource);
    this.#interrupted.delete(resource);
    this.#refused.delete(resource);
    this.#heard.ring();
  }

  interrupted(_kind: SourceKind, resource: Resource, because: string): void {
    if (this.#interrupted.get(resource) !== because) this.#log(`${fullName(resource)} cannot be read: ${because}`);
    this.#interrupted.set(resource, because);
    this.#heard.ring();
  }

  refused(kind: SourceKind, resource: Resource, because: string): void {
    this.#refused.add(resource);
    this.interrupted(kind, resource, because);
  }

  synced(): void {
    this.#isSynced = true;
    this.#lastSyncedAt = this.#clock.now();
    this.#lastFailure = null;
    this.#pendingSince = this.#table.hasChanged ? this.#clock.monotonic() : null;
  }

  attached(isWhole: boolean): void {
    this.#isAttached = isWhole;
  }

  get nodesChanged(): number {
    return this.#nodesChanged;
  }

  addressesOf(node: string): string[] {
    return Object.values(this.nodes.get(node)?.of ?? {});
  }

  failed(error: unknown): void {
    this.#lastFailure = messageOf(error);
  }

  /** Whether large lists have arrived, none within the last moments, and all of them are written. Returns true once per batch of lists. */
  takeLargeLists(): boolean {
    const at = this.#listedAt;
    if (at === null || this.#changesSeen < largeLists.objects || this.#pendingSince !== null) return false;
    if (this.#clock.monotonic() - at < largeLists.settledMs) return false;
    this.#listedAt = null;
    this.#changesSeen = 0;
    return true;
  }

  /** Resolves once every needed resource was listed. Policies that the agent may not read end the wait too; whether there are any is then unknown. */
  async untilListed(signal: AbortSignal): Promise<void> {
    const isThere = (kind: SourceKind) =>
      sourceResources[kind].every((one) => this.#listed.has(one) || (kind === 'policies' && this.#refused.has(one)));
    while (!signal.aborted && !neededKinds.every(isThere)) await this.#heard.heard(signal);
  }

  policyRefusal(): string | null {
    if (this.#policies.size > 0) {
      const [first] = [...this.#policies].sort();
      const others = this.#policies.size - 1;
      return `There ${others > 0 ? 'are policies' : 'is a policy'}: ${first}${others > 0 ? ` and ${others} more` : ''}`;
    }
    const unread = sourceResources.policies.filter((one) => !this.#listed.has(one) || this.#refused.has(one));
    if (unread.length === 0) return null;
    const because = this.#because(unread) ?? unread.map(fullName).join(', ');
    return `Not verified that there are no network policies (${because})`;
  }

  /** The reasons, each once: an API server that is down gives the same for every resource. */
  #because(all: readonly Resource[]): string | null {
    const reasons = new Set(all.map((one) => this.#interrupted.get(one)).filter((one) => one !== undefined));
    return reasons.size === 0 ? null : [...reasons].join('; ');
  }

  #interruptedKinds(): ReadonlyMap<SourceKind, string> {
    const kinds = new Map<SourceKind, string>();
    for (const kind of sourceKinds) {
      const because = this.#because(sourceResources[kind]);
      if (because !== null) kinds.set(kind, because);
    }
    return kinds;
  }

  state(): AgentState {
    return {
      nodeName: this.#nodeName,
      interrupted: this.#interruptedKinds(),
      isSynced: this.#isSynced,
      isAttached: this.#isAttached,
      lastSyncedAt: this.#lastSyncedAt,
      pendingSince: this.#pendingSince,
      lastFailure: this.#lastFailure,
      policies: this.#policies.size,
      withoutPolicy: this.#withoutPolicy,
      node: this.#node,
    };
  }

  #nodeChanged(name: string, object: KubeObject | null): void {
    const node = object && nodeOf(object);
    const addresses = node && nodeAddresses(node);
    if (!same(this.nodes.get(name) ?? null, addresses)) this.#nodesChanged++;
    if (addresses) this.nodes.set(name, addresses);
    else this.nodes.delete(name);
    this.#table.node(name, addresses);
    if (name !== this.#nodeName) return;
    this.#node = eligibilityOf(node && { ...node, isBeingDeleted: object?.metadata.deletionTimestamp !== undefined });
  }
}
