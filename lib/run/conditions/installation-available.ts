import { conditionsOf, installationOf, isTrue } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { dataPlaneObjects, observedGeneration, waitingForGeneration } from './data-plane-objects.ts';
import { met, type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';

/** The version comes and goes when it first appears (controlplane.md › Recordings 14), so it counts once two readings this far apart agree. */
const readAgainMs = 1_000;

/**
 * The operator has applied the Installation's generation, the agents have rolled out, and two readings show this version. TigeraStatus is not enough:
 * it says Available for older generations and during rollouts (controlplane.md › Recordings 2). A complaint in it is passed on and decides nothing,
 * since complaints come and go (Recordings 8); statuses of other components are not read (Recordings 9).
 */
export async function installationAvailable(
  { version }: Extract<Condition, { kind: 'installation-available' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { installation, daemonSet, status, complaint, also } = await dataPlaneObjects(context);
  if (!installation) return waiting('Installation/default to exist');
  const operator = (detail: string) => [
    { kind: 'TigeraStatus', namespace: null, name: 'calico', detail: complaint ?? detail },
  ];
  if (!daemonSet)
    return waiting(`the operator to make DaemonSet calico-system/calico-node${also}`, operator('no status yet'));
  const rolling = await rollingOut(daemonSet, context);
  if (rolling) return { ...rolling, awaiting: `${rolling.awaiting}${also}` };
  const generation = installation.metadata.generation ?? 0;
  const observed = observedGeneration(status);
  if (observed === null || observed < generation)
    return waitingForGeneration(generation, observed, { complaint, also });
  if (!isTrue(conditionsOf(status), 'Available'))
    return waiting(`TigeraStatus calico to be Available${also}`, operator('it is not Available'));
  const reported = installationOf(installation).status.calicoVersion;
  if (reported !== version || (await versionAgain(context)) !== version)
    return waiting(
      `Installation/default to report version ${version}, it reports ${reported ?? 'none'}${also}`,
      operator('it writes the version once everything is as it should be'),
    );
  return met([{ object: 'Installation/default', path: 'status.calicoVersion', value: version }]);
}

async function versionAgain({ kube, clock, signal }: ConditionContext): Promise<unknown> {
  await clock.sleep(readAgainMs, signal);
  const again = await kube.get({ resource: resources.installations, name: names.installation }, { signal });
  return installationOf(again).status.calicoVersion;
}
