import { z } from 'zod';
import { same } from '#lib/base/records.ts';
import { type InstallationSpec, poolProblem } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { poolsWithDefaults } from '../installation/defaults.ts';
import { parseSpec } from '../installation/installation.ts';
import { ipPoolOf, kubeadmPodSubnets, ownsPool } from '../installation/pools.ts';
import type { NextReconcile } from '../process/loop.ts';
import { jittered, leaveDegraded, type Operator, pace } from '../process/operator.ts';
import { reportAwaiting, reportDeleted, reportFinished, reportGeneration } from '../status/monitor.ts';
import { cidrOf, listAll } from './read.ts';
import { refs } from './refs.ts';

const againMs = 1_000;

/** Writes Installation.spec.calicoNetwork.ipPools with its defaults, and keeps IPPool objects equal to it (calico.md §2.3). */
export async function reconcileIpPools(op: Operator): Promise<NextReconcile> {
  const monitor = op.monitors.ippools;
  const installation = await op.kube.get(refs.installation, { signal: op.signal });
  if (!installation || installation.metadata.deletionTimestamp) {
    reportDeleted(monitor);
    return null;
  }
  reportGeneration(monitor, installation.metadata.generation ?? 1);
  const parsed = parseSpec(installation);
  if ('problem' in parsed || !installation.metadata.finalizers?.includes(names.installationFinalizer)) {
    reportAwaiting(monitor, 'Waiting for Installation defaulting to occur');
    return { inMs: againMs };
  }
  const { spec } = parsed;
  // An aggregated API that cannot be reached makes this fail, although the pools are fine (controlplane.md › Recordings, item 9).
  const failing = (await op.kube.discover({ signal: op.signal })).failing;
  const served = (await op.kube.get(refs.apiServer, { signal: op.signal })) !== null;
  if (served && failing.length > 0) {
    const list = failing.map((one) => `${one.groupVersion}: ${one.because}`).join(', ');
    return leaveDegraded(
      monitor,
      'ResourceUpdateError',
      `error creating / updating IPPools: unable to retrieve the complete list of server APIs: ${list}`,
    );
  }

  const live = await listAll(op, resources.ipPools);
  // Existing pools decide, whatever the platform says.
  const platform = live.length > 0 ? { cidrs: [] } : await platformCidrs(op, spec);
  if ('problem' in platform) return leaveDegraded(monitor, 'ResourceReadError', platform.problem);
  const wanted = poolsWithDefaults(spec.calicoNetwork?.ipPools, {
    calicoCni: spec.cni?.type === 'Calico',
    calicoIpam: spec.cni?.ipam?.type === 'Calico',
    provider: op.provider,
    existing: live.map(cidrOf),
    platformCidrs: platform.cidrs,
  });
  const problem = poolProblem(wanted, { cni: spec.cni?.type, platformCIDRs: platform.cidrs });
  if (problem) return leaveDegraded(monitor, 'InvalidConfigurationError', problem);

  if (!same(spec.calicoNetwork?.ipPools, wanted)) {
    await op.write.merge(
      refs.installation,
      installation,
      { spec: { calicoNetwork: { ipPools: wanted } } },
      { guarded: true },
    );
    return { inMs: 0 };
  }

  for (const pool of wanted) {
    const there = live.find((one) => cidrOf(one) === pool.cidr);
    if (!there) await op.write.create(resources.ipPools, ipPoolOf(pool));
    else if (ownsPool(there))
      await op.write.merge({ resource: resources.ipPools, name: there.metadata.name ?? '' }, there, {
        spec: ipPoolOf(pool).spec,
      });
  }
  for (const pool of live) {
    if (!ownsPool(pool) || wanted.some((one) => one.cidr === cidrOf(pool))) continue;
    if (!(await apiServerReady(op)))
      return leaveDegraded(
        monitor,
        'ResourceNotReady',
        'Unable to delete IP pools while Calico API server is unavailable: ',
      );
    await op.write.remove({ resource: resources.ipPools, name: pool.metadata.name ?? '' }, 'Background');
  }
  reportFinished(monitor);
  return { inMs: jittered(pace.periodMs, op.random) };
}

async function apiServerReady(op: Operator): Promise<boolean> {
  const apiServer = await op.kube.get(refs.apiServer, { signal: op.signal });
  return memberAt(apiServer, 'status', 'state') === 'Ready';
}

/** CIDRs that the platform prescribes for an installation without pools: OpenShift's clusterNetwork, else kubeadm's podSubnet (calico.md §2.3). */
async function platformCidrs(op: Operator, spec: InstallationSpec): Promise<{ cidrs: string[] } | { problem: string }> {
  if (spec.cni?.type !== 'Calico') return { cidrs: [] };
  if (op.provider === 'OpenShift') {
    const read = openshiftNetwork.safeParse(await op.kube.get(refs.openshiftNetwork, { signal: op.signal }));
    return { cidrs: read.success ? read.data.spec.clusterNetwork.map(({ cidr }) => cidr) : [] };
  }
  const configMap: KubeObject | null = await op.kube.get(refs.kubeadmConfig, { signal: op.signal });
  if (!configMap) return { cidrs: [] };
  const cidrs = kubeadmPodSubnets(String(memberAt(configMap, 'data', 'ClusterConfiguration') ?? ''));
  return cidrs ? { cidrs } : { problem: 'kubeadm configuration is missing required podSubnet field' };
}

const openshiftNetwork = z.object({
  spec: z.object({ clusterNetwork: z.array(z.object({ cidr: z.string() })).default([]) }),
});
