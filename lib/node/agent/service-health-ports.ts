import type { Clock } from '#lib/kube/index.ts';
import type { HealthCheck } from '../services/service-table.ts';
import { type Answer, notFound } from './answers.ts';
import { keepServing } from './keep-serving.ts';

/**
 * Serves each healthCheckNodePort for as long as its Service has it. The API server gives a port to one Service only; if two have it nevertheless,
 * the first is served.
 */
export class ServiceHealthPorts {
  readonly #running = new Map<number, { check: HealthCheck; end: AbortController; ended: Promise<void> }>();
  readonly #clock: Clock;
  readonly #answer: (check: HealthCheck) => Answer;
  readonly #refused: (because: string) => void;

  constructor(clock: Clock, answer: (check: HealthCheck) => Answer, refused: (because: string) => void) {
    this.#clock = clock;
    this.#answer = answer;
    this.#refused = refused;
  }

  set(checks: readonly HealthCheck[]): void {
    const wanted = new Map<number, HealthCheck>();
    for (const check of checks) if (!wanted.has(check.port)) wanted.set(check.port, check);
    for (const [port, running] of this.#running)
      if (!wanted.has(port)) {
        running.end.abort();
        this.#running.delete(port);
      }
    for (const [port, check] of wanted) {
      const running = this.#running.get(port);
      if (running) running.check = check;
      else this.#start(port, check);
    }
  }

  async close(): Promise<void> {
    const all = [...this.#running.values()];
    this.set([]);
    await Promise.all(all.map(({ ended }) => ended));
  }

  #start(port: number, check: HealthCheck): void {
    const end = new AbortController();
    // Load balancers probe with any path.
    const answer = (): Answer => {
      const running = this.#running.get(port);
      return running ? this.#answer(running.check) : notFound;
    };
    const ended = keepServing({ host: null, port, answer, refused: this.#refused }, this.#clock, end.signal);
    this.#running.set(port, { check, end, ended });
  }
}
