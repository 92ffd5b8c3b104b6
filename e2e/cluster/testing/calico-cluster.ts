import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSettled, type Plane, startSettledPlane } from '#e2e/controlplane/index.ts';
import { connect, type LiveKube } from '#lib/kube/index.ts';
import { eventually } from './eventually.ts';
import type { Workplace } from './signalbox-process.ts';

export { isSettled };

/** A control plane with a settled Calico, and a workplace for the administrator. */
export type CalicoCluster = {
  readonly plane: Plane;
  /** The administrator, of the first installation. */
  readonly workplace: Workplace;
  readonly kube: LiveKube;
  /** A workplace on another machine, with its own state folder. `kubeconfig` absent: the administrator's. */
  workplaceOf(installation: string, kubeconfig?: string): Workplace;
  stop(): Promise<void>;
};

export async function startCalicoCluster(options: Parameters<typeof startSettledPlane>[0]): Promise<CalicoCluster> {
  const plane = await startSettledPlane(options);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-workplace-'));
  const workplaceOf = (installation: string, kubeconfig = plane.kubeconfig): Workplace => {
    const cwd = join(folder, installation);
    mkdirSync(cwd, { recursive: true });
    return { kubeconfig, stateHome: cwd, cwd };
  };
  const kube = await connect({ kubeconfig: plane.kubeconfig });
  const stop = async () => {
    await kube.close();
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually('Calico to stand still', () => isSettled(plane), { everyMs: 250 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { plane, kube, workplace: workplaceOf('administrator'), workplaceOf, stop };
}
