/** What the operator knows about one TigeraStatus. Reconcilers write it, and the ticker publishes it. */
export type Monitor = {
  readonly name: MonitorName;
  /**
   * `tracked`: the CR exists. `gone`: the CR does not exist, and the TigeraStatus is deleted. `unknown`: not looked at yet. `leaving`: published a
   * last time before it is gone.
   */
  presence: 'unknown' | 'tracked' | 'leaving' | 'gone';
  /** Generation of the CR at the last reconcile. */
  generation: number | null;
  /** Generation of the CR after this process's first write to it. A quiet process reports no other (upgrade-3.30.7-to-3.31.4.jsonl, t=71.17). */
  firstWritten: number | null;
  ready: boolean;
  explicit: { reason: string; message: string } | null;
  /** What the deletion waits for. No workload shows it. */
  waitingFor: string[];
  /** Ticks of this process. In the first `quietTicks` it does not report what it found. */
  ticks: number;
  quietTicks: number | null;
  published: 'available' | 'unavailable' | 'nothing';
  /** Settles with the reconcile that is running. Null: none runs. */
  working: Promise<unknown> | null;
};

export const monitorNames = ['ippools', 'calico', 'apiserver', 'kubeproxy-monitor', 'goldmane', 'whisker'] as const;
type MonitorName = (typeof monitorNames)[number];

export type Monitors = Readonly<Record<MonitorName, Monitor>>;

export function createMonitors(): Monitors {
  const monitor = (name: MonitorName): Monitor => ({ name, presence: 'unknown', ...nothingSeen(), working: null });
  return {
    ippools: monitor('ippools'),
    calico: monitor('calico'),
    apiserver: monitor('apiserver'),
    'kubeproxy-monitor': monitor('kubeproxy-monitor'),
    goldmane: monitor('goldmane'),
    whisker: monitor('whisker'),
  };
}

function nothingSeen(): Omit<Monitor, 'name' | 'presence' | 'working'> {
  return {
    generation: null,
    firstWritten: null,
    ready: false,
    explicit: null,
    waitingFor: [],
    ticks: 0,
    quietTicks: null,
    published: 'nothing',
  };
}

/** Notes that a reconcile has begun for this generation of the CR. Null: no generation is reported. */
export function reportGeneration(monitor: Monitor, generation: number | null): void {
  monitor.presence = 'tracked';
  monitor.generation = generation;
}

export function reportDegraded(monitor: Monitor, reason: string, message: string): void {
  monitor.explicit = { reason, message };
}

/** Something is not there yet. This is normal in the first seconds, and yet reported as Degraded (calico.md §4). */
export function reportAwaiting(monitor: Monitor, reason: string): void {
  monitor.ready = false;
  reportDegraded(monitor, 'ResourceNotReady', `${reason}: `);
}

/** Notes that the reconcile succeeded: earlier errors are over, and the status may be judged. */
export function reportFinished(monitor: Monitor): void {
  Object.assign(monitor, { explicit: null, ready: true, waitingFor: [] } satisfies Partial<Monitor>);
}

export function reportDeleted(monitor: Monitor): void {
  Object.assign(monitor, { presence: 'gone', ...nothingSeen() } satisfies Partial<Monitor>);
}

/** Whether the last published status says Available, for which the Installation's status waits (calico.md §2.2). */
export function isAvailable(monitor: Monitor): boolean {
  return monitor.published === 'available';
}
