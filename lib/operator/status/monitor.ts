/** What the operator knows about one TigeraStatus; reconcilers write it, the ticker publishes it. */
export type Monitor = {
  readonly name: MonitorName;
  /** `tracked` its CR exists; `gone` it does not, and the TigeraStatus goes; `unknown` not looked at yet; `leaving` on its way out. */
  presence: 'unknown' | 'tracked' | 'leaving' | 'gone';
  /** Of the CR at the last reconcile. */
  generation: number | null;
  /** Of the CR after this process's first write to it; all that a quiet process says (upgrade-3.30.7-to-3.31.4.jsonl, t=71.17). */
  firstWritten: number | null;
  ready: boolean;
  explicit: { reason: string; message: string } | null;
  /** What its deletion waits for; no workload shows that. */
  waitingFor: string[];
  /** Ticks in this process; `quietTicks` of them say nothing of what was found. */
  ticks: number;
  quietTicks: number | null;
  published: 'available' | 'unavailable' | 'nothing';
  /** Ends with the reconcile that is under way; null between two. */
  working: Promise<unknown> | null;
};

export const monitorNames = ['ippools', 'calico', 'apiserver', 'kubeproxy-monitor', 'goldmane', 'whisker'] as const;
export type MonitorName = (typeof monitorNames)[number];

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

/** A reconcile has begun for this generation of the CR (0 = the CR has none that counts). */
export function track(monitor: Monitor, generation: number | null): void {
  monitor.presence = 'tracked';
  monitor.generation = generation;
}

export function degrade(monitor: Monitor, reason: string, message: string): void {
  monitor.explicit = { reason, message };
}

/** Something is not there yet: normal in the first seconds, and called Degraded all the same (calico.md §4). */
export function awaiting(monitor: Monitor, reason: string): void {
  monitor.ready = false;
  degrade(monitor, 'ResourceNotReady', `${reason}: `);
}

/** The reconcile came to its end: what was wrong is over, and the status may be judged. */
export function finished(monitor: Monitor): void {
  Object.assign(monitor, { explicit: null, ready: true, waitingFor: [] } satisfies Partial<Monitor>);
}

export function gone(monitor: Monitor): void {
  Object.assign(monitor, { presence: 'gone', ...nothingSeen() } satisfies Partial<Monitor>);
}

/** What was last published says Available: what calico.md §2.2 lets the Installation's status wait for. */
export function isAvailable(monitor: Monitor): boolean {
  return monitor.published === 'available';
}
