import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type Running, startProcess } from '../child-process.ts';
import { processLog } from '../plane-state.ts';

const graceMs = 3_000;
const readyWithinMs = 120_000;

/** The programs of a control plane, by name: at most one of each runs. */
export class Processes {
  readonly #dir: string;
  readonly #changed: () => void;
  readonly #running = new Map<string, Running>();

  /** `dir`: the folder of the control plane, where logs lie. `changed`: called when a program began or ended. */
  constructor(dir: string, changed: () => void) {
    this.#dir = dir;
    this.#changed = changed;
  }

  get(name: string): Running | undefined {
    return this.#running.get(name);
  }

  all(): Running[] {
    return [...this.#running.values()];
  }

  async start(name: string, command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Running> {
    const log = processLog(this.#dir, name);
    const started = await startProcess({ name, command, args, log, ...(env ? { env } : {}) });
    this.#running.set(name, started);
    this.#changed();
    void started.exited.then(() => this.#changed());
    return started;
  }

  async stop(name: string): Promise<void> {
    await this.#running.get(name)?.stop(graceMs);
    this.#running.delete(name);
    this.#changed();
  }

  /** Stops what depends on the API server first, then it, then etcd. */
  async stopAll(): Promise<void> {
    const last = ['kube-apiserver', 'etcd'];
    await Promise.all(this.all().map((one) => (last.includes(one.name) ? undefined : one.stop(graceMs))));
    for (const name of last) await this.#running.get(name)?.stop(graceMs);
  }

  /** Kills all at once, for a process that ends now. */
  killNow(): void {
    for (const each of this.all()) each.killNow();
  }

  /** Waits for `condition`. Throws with the last words of the program, if etcd or what is `needed` ends before it, or after two minutes. */
  async until(what: string, needed: Running, condition: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + readyWithinMs; !(await condition()); await sleep(50)) {
      const over = [this.get('etcd'), needed].find((one) => one?.exit);
      if (over?.exit)
        throw new Error(
          `${over.name} ended (${describeExit(over.exit)}) before ${what}; its last words: ${this.#lastWords(over.name)}`,
        );
      if (Date.now() > deadline) {
        throw new Error(
          `waited ${readyWithinMs / 1000} s until ${what}; last words of ${needed.name}: ${this.#lastWords(needed.name)}`,
        );
      }
    }
  }

  #lastWords(name: string): string {
    return readFileSync(processLog(this.#dir, name), 'utf8').trim().split('\n').slice(-3).join('\n');
  }
}
