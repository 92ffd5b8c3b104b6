import { type KubeObject, rolloutCounts } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { parseSpec } from '../installation/installation.ts';
import type { NextReconcile } from '../process/loop.ts';
import { jittered, type Operator, pace } from '../process/operator.ts';
import { apiServer } from '../render/api-server.ts';
import { serviceAccount } from '../render/foundation.ts';
import { planBesideAgents } from '../render/plan.ts';
import { reportAwaiting, reportDeleted, reportFinished, reportGeneration } from '../status/monitor.ts';
import { endpointConfigMapRef, refs } from './refs.ts';

const againMs = 1_000;

/** Keeps Deployment calico-apiserver there while APIServer/default exists. A finalizer keeps the Installation until the Deployment is gone. */
export async function reconcileApiServer(op: Operator): Promise<NextReconcile> {
  const monitor = op.monitors.apiserver;
  const wanted = await op.kube.get(refs.apiServer, { signal: op.signal });
  const installation = await op.kube.get(refs.installation, { signal: op.signal });
  const leaving =
    !wanted ||
    Boolean(wanted.metadata.deletionTimestamp) ||
    !installation ||
    Boolean(installation.metadata.deletionTimestamp);
  if (leaving) {
    if (!wanted) {
      reportDeleted(monitor);
    } else {
      reportGeneration(monitor, wanted.metadata.generation ?? 1);
      reportAwaiting(monitor, 'Waiting for Installation to be created');
    }
    if (installation?.metadata.finalizers?.includes(names.apiServerFinalizer)) {
      if (!(await op.write.remove(refs.apiServerDeployment))) return { inMs: againMs };
      await finalizers(op, installation, (there) => there.filter((one) => one !== names.apiServerFinalizer));
    } else if (!wanted && (await op.kube.get(refs.apiServerDeployment, { signal: op.signal }))) {
      await op.write.remove(refs.apiServerDeployment);
    }
    return null;
  }

  reportGeneration(monitor, wanted.metadata.generation ?? 1);
  const parsed = parseSpec(installation);
  const namespace = await op.kube.get(refs.calicoNamespace, { signal: op.signal });
  if ('problem' in parsed || !parsed.spec.variant || !namespace) {
    reportAwaiting(monitor, 'Waiting for Installation Variant to be set');
    return { inMs: againMs };
  }
  await finalizers(op, installation, (there) =>
    there.includes(names.apiServerFinalizer) ? there : [...there, names.apiServerFinalizer],
  );
  const configMap = await op.kube.get(endpointConfigMapRef(op.namespace), { signal: op.signal });
  const plan = planBesideAgents(op, wanted, parsed.spec, op.endpoint.read(configMap));
  await op.write.ensure(resources.serviceAccounts, serviceAccount(plan, names.apiServerDeployment), 'present');
  const deployment = await op.write.ensure(resources.deployments, apiServer(plan), 'whole');
  reportFinished(monitor);
  if (rolloutCounts(deployment).complete)
    await op.write.merge(refs.apiServer, wanted, { status: { state: 'Ready' } }, { subresource: 'status' });
  return { inMs: jittered(pace.periodMs, op.random) };
}

async function finalizers(
  op: Operator,
  installation: KubeObject,
  change: (there: readonly string[]) => readonly string[],
): Promise<void> {
  const there = installation.metadata.finalizers ?? [];
  await op.write.merge(refs.installation, installation, { metadata: { finalizers: change(there) } }, { guarded: true });
}
