import type { Socket } from 'node:net';

/** Connections that have a place, oldest first. Whoever comes when all are taken has the place of the oldest, which ends. */
export class Places {
  readonly #most: number;
  readonly #held = new Set<Socket>();

  constructor(most: number) {
    this.#most = most;
  }

  take(socket: Socket): void {
    if (socket.destroyed) return;
    this.#held.add(socket);
    socket.once('close', () => this.leave(socket));
    if (this.#held.size <= this.#most) return;
    const [oldest] = this.#held;
    if (oldest === undefined) return;
    this.leave(oldest);
    oldest.destroy();
  }

  /** It is counted here no more; nothing ends. */
  leave(socket: Socket): void {
    this.#held.delete(socket);
  }
}
