import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Order, Reply } from './api.ts';

const replySchema: z.ZodType<Reply> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), objects: z.number() }),
  z.object({ kind: z.literal('flooded'), events: z.number(), ms: z.number() }),
]);

/** The API server of an emulated cluster: see api.ts. */
export type EmulatedCluster = {
  /** The context's name, as the console lists it. */
  readonly name: string;
  readonly kubeconfig: string;
  /** Resolves when the last event was sent. */
  flood(order: Omit<Order, 'kind'>): Promise<Extract<Reply, { kind: 'flooded' }>>;
  stop(): void;
};

/** `upgrade.ts`: one that moves, and is a release behind; no flood. */
export async function startEmulatedCluster(
  nodes: number,
  report: (line: string) => void,
  program: 'api.ts' | 'upgrade.ts' = 'api.ts',
): Promise<EmulatedCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const child = fork(join(import.meta.dirname, program), [String(nodes), kubeconfig]);
  const next = async <Kind extends Reply['kind']>(kind: Kind): Promise<Extract<Reply, { kind: Kind }>> => {
    const message = await new Promise<unknown>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`The emulated API server ended with ${code}.`));
      child.once('exit', ended);
      child.once('message', (come) => {
        child.off('exit', ended);
        resolve(come);
      });
    });
    const parsed = replySchema.parse(message);
    if (!isOf(parsed, kind)) throw new Error(`The emulated API server told ${parsed.kind} and not ${kind}.`);
    return parsed;
  };
  const { objects } = await next('listening');
  report(`an emulated API server holds ${objects} objects`);
  return {
    name: 'emulated',
    kubeconfig,
    flood(order) {
      child.send({ kind: 'flood', ...order });
      return next('flooded');
    },
    stop() {
      child.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isOf<Kind extends Reply['kind']>(message: Reply, kind: Kind): message is Extract<Reply, { kind: Kind }> {
  return message.kind === kind;
}
