import { mergeDifference } from '#lib/base/records.ts';
import type { InstallationSpec } from '#lib/installation/index.ts';
import { type KubeObject, objectTime } from '#lib/kube/index.ts';

import { type Condition, installationStatus } from '../installation/installation.ts';
import type { Operator } from '../process/operator.ts';
import { versionInstalled } from '../releases.ts';
import { forInstallation, mergedConditions } from '../status/conditions.ts';
import { isAvailable } from '../status/monitor.ts';
import { refs } from './refs.ts';

/**
 * Writes `status.variant`, `computed` and `calicoVersion`, but only while TigeraStatus calico is Available (calico.md §2.2). Resolves to whether it
 * is.
 */
export async function storeResult(op: Operator, installation: KubeObject, spec: InstallationSpec): Promise<boolean> {
  if (!isAvailable(op.monitors.calico)) return false;
  const status = installationStatus.safeParse(installation.status ?? {}).data ?? {};
  const first = status.calicoVersion === undefined;
  const changed = mergeDifference(status.computed ?? {}, spec);
  const body = {
    status: {
      variant: spec.variant,
      calicoVersion: versionInstalled(op.release, spec.variant),
      ...(changed ? { computed: changed } : {}),
    },
  };
  const written = await op.write.merge(refs.installation, installation, body, { subresource: 'status' });
  if (first && op.lostRaces.has('version-flicker')) await flicker(op, written, body);
  return true;
}

/** Plays two writers that overwrite each other's status (endpoint-configmap-3.31.4.jsonl, t=12.33 to 12.58). */
async function flicker(op: Operator, written: KubeObject, body: Record<string, unknown>): Promise<void> {
  let live = written;
  for (const _ of [1, 2]) {
    await op.clock.sleep(80, op.signal);
    live = await op.write.merge(
      refs.installation,
      live,
      { status: { variant: null, calicoVersion: null, computed: null } },
      { subresource: 'status' },
    );
    live = await op.write.merge(refs.installation, live, body, { subresource: 'status' });
  }
}

/** Installation.status.conditions follow TigeraStatus calico, with Available called Ready (calico.md §2.2). */
export async function copyConditions(op: Operator, conditions: readonly Condition[]): Promise<void> {
  const installation = await op.kube.get(refs.installation, { signal: op.signal });
  if (!installation) return;
  const status = installationStatus.safeParse(installation.status ?? {}).data ?? {};
  const now = objectTime(op.clock.now());
  const next = mergedConditions(status.conditions ?? [], forInstallation(conditions), now);
  if (next)
    await op.write.merge(refs.installation, installation, { status: { conditions: next } }, { subresource: 'status' });
}
