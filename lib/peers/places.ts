import type { Socket } from 'node:net';

/** Connections with a place, oldest first. When all places are taken, a new connection gets that of the oldest, which is closed. */
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

  /** Stops counting the connection, without closing it. */
  leave(socket: Socket): void {
    this.#held.delete(socket);
  }
}
