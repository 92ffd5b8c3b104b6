import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { Order, Told } from './played-api.ts';

const told: z.ZodType<Told> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), url: z.string(), objects: z.number() }),
  z.object({ kind: z.literal('flooded'), events: z.number(), ms: z.number() }),
]);

/** The API server of a cluster that is only played: see played-api.ts. */
export type PlayedCluster = {
  /** The context's name, as the console lists it. */
  readonly name: string;
  readonly kubeconfig: string;
  /** Resolves when the last event was told. */
  flood(order: Omit<Order, 'kind'>): Promise<Extract<Told, { kind: 'flooded' }>>;
  stop(): void;
};

export async function startPlayedCluster(nodes: number, report: (line: string) => void): Promise<PlayedCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const child = fork(join(import.meta.dirname, 'played-api.ts'), [String(nodes)]);
  const next = async <Kind extends Told['kind']>(kind: Kind): Promise<Extract<Told, { kind: Kind }>> => {
    const message = await new Promise<unknown>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`The played API server ended with ${code}.`));
      child.once('exit', ended);
      child.once('message', (come) => {
        child.off('exit', ended);
        resolve(come);
      });
    });
    const parsed = told.parse(message);
    if (!isOf(parsed, kind)) throw new Error(`The played API server told ${parsed.kind} and not ${kind}.`);
    return parsed;
  };
  const { url, objects } = await next('listening');
  report(`a played API server holds ${objects} objects`);
  const name = 'played';
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: url } }],
      users: [{ name, user: {} }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    }),
  );
  return {
    name,
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

function isOf<Kind extends Told['kind']>(message: Told, kind: Kind): message is Extract<Told, { kind: Kind }> {
  return message.kind === kind;
}
