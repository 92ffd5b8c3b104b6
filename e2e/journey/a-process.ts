import type { Clock, Kube } from '#lib/kube/index.ts';
import {
  memoryInProcess,
  type RunContext,
  type RunControl,
  type RunEvent,
  type RunMemory,
  runControl,
  thisMachine,
} from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';

/** A process that carries runs, in this process. `end` is SIGTERM. */
export type AProcess = RunContext & { control: RunControl; events: RunEvent[]; end(): void };

export type ProcessOptions = {
  kube: Kube;
  clock: Clock;
  install?: string;
  /** What installations remember, by name: processes that share it are of one machine. Left out: one for all. */
  memories?: Map<string, RunMemory>;
  /** `alive` (the default) or `dead`: what the machine says when somebody asks whether it still runs. */
  to?: 'live' | 'die';
};

/** No machine has a process with this number. */
const numberOfTheDead = 2 ** 31 - 2;
const machine = await thisMachine();
let started = 0;

const everywhere = new Map<string, RunMemory>();

/** Processes of one installation share what it remembers. */
function memoryOf(install: string, memories: Map<string, RunMemory>): RunMemory {
  const memory = memories.get(install) ?? memoryInProcess(install);
  memories.set(install, memory);
  return memory;
}

export function aProcess({
  kube,
  clock,
  install = 'install-a',
  memories = everywhere,
  to = 'live',
}: ProcessOptions): AProcess {
  const stop = new AbortController();
  const events: RunEvent[] = [];
  // After the first `@` comes the start time; without one the number alone decides. Leading zeros make identities differ.
  const pid =
    to === 'live'
      ? `${'0'.repeat(started++ % 50)}${process.pid}@@${machine}`
      : `${numberOfTheDead}@${started++}@${machine}`;
  return {
    kube,
    clock,
    journalNamespaces,
    identity: { install, process: pid },
    memory: memoryOf(install, memories),
    control: runControl(),
    events,
    onEvent: (event) => events.push(event),
    signal: stop.signal,
    random: () => 0.5,
    // The store's time advances while files are read, by more on a busy machine.
    stateOf: async (process) => (process.startsWith(`${numberOfTheDead}@`) ? 'dead' : 'alive'),
    end: () => stop.abort(new Error('SIGTERM')),
  };
}
