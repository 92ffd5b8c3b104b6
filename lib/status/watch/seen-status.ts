import type { Clock, FollowedKind, KubeObject } from '#lib/kube/index.ts';
import { agentDaemonSets, resources } from '#lib/spec/index.ts';
import { type ClusterStatus, statusOf } from '../cluster-status.ts';
import { type Followed, followNamed, keptByName } from './followed.ts';

/** The objects that a cluster's status is computed from, as they were last seen, and the kinds that could not be read. */
export class SeenStatus {
  private readonly cluster: { readonly name: string; readonly clock: Clock };
  private readonly moved: () => void;
  private readonly objects = new Map<string, KubeObject>();
  private readonly components = new Map<string, KubeObject>();
  private readonly unknown = new Map<string, string>();

  /** `moved`: called after each change. */
  constructor(cluster: { readonly name: string; readonly clock: Clock }, moved: () => void) {
    this.cluster = cluster;
    this.moved = moved;
  }

  /** Follows the object of this name and keeps it for the status; `then` is called after that. */
  named(id: string, scope: FollowedKind, name: string, then: (object: KubeObject | null) => void = () => {}): Followed {
    return followNamed(id, scope, name, (object) => {
      this.keep(id, object);
      then(object);
    });
  }

  /** Follows what the operator reports of each component. */
  followedComponents(): Followed {
    return {
      id: 'statuses',
      kind: { resource: resources.tigeraStatuses },
      sink: keptByName(this.components, (object) => object, this.moved),
    };
  }

  keep(id: string, object: KubeObject | null): void {
    if (object) this.objects.set(id, object);
    else this.objects.delete(id);
    this.moved();
  }

  unreadable(kind: string, because: string): void {
    this.unknown.set(kind, because);
    this.moved();
  }

  readable(kind: string): void {
    if (this.unknown.delete(kind)) this.moved();
  }

  status(): ClusterStatus {
    const { name, clock } = this.cluster;
    const object = (id: string) => this.objects.get(id) ?? null;
    return statusOf({
      cluster: name,
      observedAt: new Date(clock.now()).toISOString(),
      installation: object('installation'),
      felix: object('felix'),
      agents: this.agents(),
      proxy: object('proxy'),
      statuses: [...this.components.values()].sort((a, b) => byName(a, b)),
      unknown: [...this.unknown].map(([kind, because]) => ({ kind, because })),
    });
  }

  /** The agents' DaemonSet, wherever it lies; null: there is none. */
  agents(): KubeObject | null {
    return agentDaemonSets.map((one) => this.objects.get(agentsId(one))).find((one) => one !== undefined) ?? null;
  }
}

/** Under which an agents' DaemonSet is kept. */
export function agentsId({ namespace, name }: (typeof agentDaemonSets)[number]): string {
  return `agents/${namespace}/${name}`;
}

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '', 'en');
}
