import { join } from 'node:path';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { type Identity, memoryInProcess, ownIdentity, type RunMemory } from '#lib/run/index.ts';
import type { ClusterEntry } from '../../host.ts';
import type { OpenedCluster } from '../clusters/open-clusters.ts';
import { type MadeHost, makeHost } from '../make-host.ts';

export type AConsole = MadeHost & {
  state: string;
  logged: string[];
  /** As SIGTERM: resolves when everything is released. */
  end(): Promise<void>;
};

export type ConsoleOptions = {
  /** A new folder if absent. */
  state?: string;
  identity?: Identity;
  memory?: RunMemory;
  kubeconfig?: string;
  /** As the switch sets it; the default if absent. */
  flowHistory?: null;
  openLive?: (entry: ClusterEntry) => Promise<OpenedCluster>;
};

const open: AConsole[] = [];

const memories = new Map<string, RunMemory>();

/** The memory of runs of a state folder, shared by its consoles. Not in files: a sandbox's time would go on while they are written. */
function memoryOf(state: string): RunMemory {
  const memory = memories.get(state) ?? memoryInProcess(state);
  memories.set(state, memory);
  return memory;
}

/** A console's host. Time in its sandboxes jumps. */
export async function aConsole(options: ConsoleOptions = {}): Promise<AConsole> {
  const state = options.state ?? testFolder('host');
  const stop = new AbortController();
  const logged: string[] = [];
  const made = await makeHost({
    // A release that was downloaded outside of the test must not change its result.
    env: { HOME: state, XDG_CACHE_HOME: join(state, 'cache') },
    kubeconfig: options.kubeconfig,
    stateFolder: state,
    identity: options.identity ?? (await ownIdentity(state)),
    memory: options.memory ?? memoryOf(state),
    log: (line, cause) => logged.push(cause instanceof Error ? `${line} (${cause.stack})` : line),
    signal: stop.signal,
    sandboxSpeed: 'instant',
    ...(options.flowHistory === null ? { flowHistory: null } : {}),
    ...(options.openLive ? { openLive: options.openLive } : {}),
  });
  let ended: Promise<void> | null = null;
  const console: AConsole = {
    ...made,
    state,
    logged,
    end: () => {
      stop.abort(new Error('the console ends'));
      ended ??= made.close();
      return ended;
    },
  };
  open.push(console);
  return console;
}

export async function closeConsoles(): Promise<void> {
  await Promise.all(open.splice(0).map((console) => console.end()));
}

/** As a console that was killed: nothing is released. */
export function forgetConsole(console: AConsole): void {
  open.splice(open.indexOf(console), 1);
}
