import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import { type Connection, openConnection } from '../connection.ts';
import { chooseContext } from '../kubeconfig/choose.ts';
import { loadKubeconfig } from '../kubeconfig/load.ts';
import { resolveAccess } from '../kubeconfig/resolve.ts';
import { kubeconfigFor } from './local-server.ts';

/** A connection to a local server, below the port: for tests that tune time. */
export async function connectionTo(server: string, user = {}, cluster = {}, env = {}): Promise<Connection> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-client-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, kubeconfigFor(server, user, cluster));
  const uses = { clock: systemClock, env };
  try {
    const access = await resolveAccess(chooseContext(await loadKubeconfig({ kubeconfig }), null), uses);
    return openConnection(access, { ...uses, random: () => 0.5, userAgent: 'signalbox/test', timeoutMs: 30_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
