import { resources } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { parseSpec } from '../installation/installation.ts';
import type { NextReconcile } from '../process/loop.ts';
import { jittered, type Operator, pace } from '../process/operator.ts';
import { flowLogDeployment, flowLogParts, flowLogService } from '../render/flow-logs.ts';
import { planBesideAgents } from '../render/plan.ts';
import { reportAwaiting, reportDeleted, reportFinished, reportGeneration } from '../status/monitor.ts';
import { refs } from './refs.ts';

const againMs = 1_000;
/** A ClusterIP for sandboxes, which give Services no address. */
const sampleAddress = '10.100.0.60';

/** Keeps Goldmane and Whisker there while their objects exist (calico.md §6.1). These own the workloads, so that Kubernetes deletes both together. */
export async function reconcileFlowLogs(op: Operator): Promise<NextReconcile> {
  const again = await Promise.all((['goldmane', 'whisker'] as const).map((name) => reconcilePart(op, name)));
  const soonest = again.flatMap((one) => one?.inMs ?? []);
  return soonest.length === 0 ? null : { inMs: Math.min(...soonest) };
}

async function reconcilePart(op: Operator, name: keyof typeof flowLogParts): Promise<NextReconcile> {
  const monitor = op.monitors[name];
  const part = flowLogParts[name];
  const wanted = await op.kube.get(refs[name], { signal: op.signal });
  if (!wanted || wanted.metadata.deletionTimestamp || (await isSomebodysOwn(op, name))) {
    reportDeleted(monitor);
    return null;
  }
  reportGeneration(monitor, wanted.metadata.generation ?? 1);
  const installation = await op.kube.get(refs.installation, { signal: op.signal });
  const parsed = installation && parseSpec(installation);
  const namespace = await op.kube.get(refs.calicoNamespace, { signal: op.signal });
  if (!parsed || 'problem' in parsed || !parsed.spec.variant || !namespace) {
    reportAwaiting(monitor, 'Waiting for Installation to be ready');
    return { inMs: againMs };
  }
  if (name === 'whisker' && !(await op.kube.get(refs.goldmane, { signal: op.signal }))) {
    reportAwaiting(monitor, 'Goldmane CR not present');
    return { inMs: againMs };
  }
  const plan = planBesideAgents(op, wanted, parsed.spec, null);
  await op.write.ensure(resources.services, flowLogService(plan, part), 'members');
  await op.write.ensure(resources.deployments, flowLogDeployment(plan, part), 'whole');
  reportFinished(monitor);
  return { inMs: jittered(pace.periodMs, op.random) };
}

/** Whether the Deployment was not made by the operator. Samples bring an aggregator with its own certificates, which must not be overwritten. */
async function isSomebodysOwn(op: Operator, name: keyof typeof flowLogParts): Promise<boolean> {
  const found = await op.kube.get(refs[`${name}Deployment`], { signal: op.signal });
  return found !== null && (found.metadata.ownerReferences ?? []).length === 0;
}

/** Address to which agents send flows. `wait`: the Service has no address yet. Null: there is no Goldmane. */
export async function goldmaneAddress(op: Operator): Promise<{ address: string } | 'wait' | null> {
  const wanted = await op.kube.get(refs.goldmane, { signal: op.signal });
  if (!wanted || wanted.metadata.deletionTimestamp || (await isSomebodysOwn(op, 'goldmane'))) return null;
  const service = await op.kube.get(refs.goldmaneService, { signal: op.signal });
  const address = memberAt(service, 'spec', 'clusterIP');
  if (typeof address === 'string' && address !== '') return { address };
  return service !== null && op.kube.source === 'sandbox' ? { address: sampleAddress } : 'wait';
}
