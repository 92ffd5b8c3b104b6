import { mergeDifference } from '#lib/base/records.ts';
import { type Context, type InstallationSpec, type Refusal, validate, wantsBpf } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { newFelixConfiguration, preparation, switchPatch } from '../felix.ts';
import { type DefaultsContext, withDefaults } from '../installation/defaults.ts';
import { parseSpec } from '../installation/installation.ts';
import type { NextReconcile } from '../process/loop.ts';
import { jittered, leaveDegraded, type Operator, pace } from '../process/operator.ts';
import { versionInstalled } from '../releases.ts';
import { calicoNamespace } from '../render/foundation.ts';
import { ownedBy, type RenderPlan } from '../render/plan.ts';
import { workloadsOf } from '../render/workloads.ts';
import { reportAwaiting, reportDegraded, reportDeleted, reportFinished, reportGeneration } from '../status/monitor.ts';
import { decideSwitch } from '../switch.ts';
import { removeWorkloads } from './deletion.ts';
import { goldmaneAddress } from './flow-logs.ts';
import { storeResult } from './installation-status.ts';
import { bootstrapAddresses, cidrOf, listAll } from './read.ts';
import { endpointConfigMapRef, operatorDeploymentRef, refs } from './refs.ts';

/** What one process remembers about the Installation between reconciles. */
export type InstallationMemory = { statusLostUntilMs: number | null };

/** Until the tick after the next one: the first reconcile after that writes the lost status (upgrade-3.30.7-to-3.31.4.jsonl, t=11.62 to 16.65). */
const statusLostMs = 9_000;

/**
 * Writes defaults, the agents' configuration, workloads and the switch for the Installation (calico.md §2, §3). Each run looks at the whole state.
 */
export async function reconcileInstallation(op: Operator, memory: InstallationMemory): Promise<NextReconcile> {
  const monitor = op.monitors.calico;
  const found = await op.kube.get(refs.installation, { signal: op.signal });
  if (!found) {
    reportDeleted(monitor);
    return null;
  }
  if (found.metadata.deletionTimestamp) return removeWorkloads(op, found);

  const parsed = parseSpec(found);
  if ('problem' in parsed)
    return refuse(op, found, [{ ...parsed.problem, group: 0, reason: 'InvalidConfigurationError' }]);

  const poolCidrs = (await listAll(op, resources.ipPools)).map(cidrOf);
  const defaults: DefaultsContext = {
    release: op.release,
    provider: op.provider,
    pools: poolCidrs,
    awsNode: (await op.kube.get(refs.awsNode, { signal: op.signal })) !== null,
  };
  const given = parsed.spec;
  const mismatch = validate(given, { provider: op.provider }).filter((one) => one.group === 11);
  if (mismatch.length > 0) return refuse(op, found, mismatch);

  const spec = withDefaults(given, defaults);
  const installation = await writeDefaults(op, found, spec);
  const generation = installation.metadata.generation ?? 1;

  const configMap = await op.kube.get(endpointConfigMapRef(op.namespace), { signal: op.signal });
  const endpoint = op.endpoint.read(configMap);
  const asksBootstrap = spec.calicoNetwork?.bpfNetworkBootstrap === 'Enabled';
  const bootstrap = asksBootstrap ? await bootstrapAddresses(op) : null;
  const context: Context = {
    provider: op.provider,
    endpointConfigMap: configMap !== null,
    endpointKnown: endpoint !== null,
    imageSets: (await listAll(op, resources.imageSets)).map((one) => one.metadata.name ?? ''),
    calicoVersion: versionInstalled(op.release, spec.variant),
    ...(asksBootstrap ? { apiServerEndpoints: bootstrap?.apiServers ?? null } : {}),
  };
  const refusals = validate(spec, context);
  // The public operator refuses bpfNetworkBootstrap only after it has switched nftablesMode (install-enable-rollback-3.31.4.jsonl, t=218.89).
  const early = refusals.filter((one) => one.group !== 12);
  if (early.length > 0) return refuse(op, installation, early);

  const pools = spec.calicoNetwork?.ipPools;
  const wantsPools = pools === undefined || pools.length > 0;
  if (wantsPools && spec.cni?.ipam?.type === 'Calico' && poolCidrs.length === 0) {
    reportGeneration(monitor, generation);
    reportAwaiting(monitor, 'waiting for enabled IP pools to be created');
    return { inMs: pace.poolsMs };
  }

  if (op.lostRaces.has('default-status-conflict') && installation.status === undefined) {
    memory.statusLostUntilMs ??= op.clock.monotonic() + statusLostMs;
  }
  const lost = memory.statusLostUntilMs !== null && op.clock.monotonic() < memory.statusLostUntilMs;
  if (lost) {
    reportGeneration(monitor, generation - 1);
    reportDegraded(
      monitor,
      'ResourceUpdateError',
      'Failed to write default status: Operation cannot be fulfilled on installations.operator.tigera.io "default": the object has been modified; please apply your changes to the latest version and try again',
    );
  } else {
    reportGeneration(monitor, generation);
  }

  // Read before anything is written, because the outcome of the public operator's race depends on it.
  const before = await op.kube.get(refs.calicoNode, { signal: op.signal });
  let felix = await op.kube.get(refs.felix, { signal: op.signal });
  felix = await prepareFelix(op, felix, spec, before);

  if (refusals.length > 0) return refuse(op, installation, refusals);

  const flowLogs = await goldmaneAddress(op);
  const plan: RenderPlan = {
    release: op.release,
    spec,
    owner: ownedBy(installation),
    endpoint,
    bootstrap: asksBootstrap ? bootstrap : null,
    flowLogs: flowLogs === 'wait' ? null : flowLogs,
    dns: await operatorDns(op),
    linuxNodes: op.linuxNodes().length,
    cgroupV2Path: textAt(felix, 'cgroupV2Path'),
  };
  if (flowLogs === 'wait') {
    // The Service's owner waits for this namespace, so that without it the Service would never get an address.
    await op.write.ensure(resources.namespaces, calicoNamespace(plan), 'members');
    reportAwaiting(monitor, 'Goldmane enabled, waiting for Service to receive an IP');
    return { inMs: pace.poolsMs };
  }
  for (const { resource, object, keep } of workloadsOf(plan, op.namespace))
    await op.write.ensure(resource, object, keep);

  const decision = decideSwitch(
    {
      wantsBpf: wantsBpf(spec),
      felix,
      before,
      now: await op.kube.get(refs.calicoNode, { signal: op.signal }),
    },
    op.lostRaces,
  );
  if (decision.kind === 'refused') {
    return leaveDegraded(monitor, 'ResourceUpdateError', decision.sentence);
  }
  if (decision.kind === 'write') await op.write.merge(refs.felix, felix, switchPatch(decision), { guarded: true });

  if (!lost) reportFinished(monitor);
  const available = await storeResult(op, installation, spec);
  if (before === null || lost) return { inMs: pace.firstMs };
  return { inMs: available ? jittered(pace.periodMs, op.random) : pace.unavailableMs };
}

function refuse(op: Operator, installation: KubeObject, refusals: readonly Refusal[]): NextReconcile {
  const monitor = op.monitors.calico;
  reportGeneration(monitor, installation.metadata.generation ?? 1);
  // Only the first of several invalid fields is reported (calico.md §2.4).
  const first = refusals[0];
  if (first) reportDegraded(monitor, first.reason, messageOf(first));
  return { inMs: pace.unavailableMs };
}

/**
 * The message of TigeraStatus. Prefixes as in calico.md §2.4; `%!w(<nil>)` where the public operator prints a nil error
 * (install-enable-rollback-3.31.4.jsonl, t=223.05).
 */
function messageOf(refusal: Refusal): string {
  const why: Record<Refusal['reason'], string> = {
    InvalidConfigurationError: `Invalid Installation provided: ${refusal.sentence}`,
    ResourceReadError: `Error querying installation: ${refusal.sentence}`,
    ImageSetError: `Error getting ImageSet: ${refusal.sentence}`,
    ResourceValidationError: `bpfNetworkBootstrap is Enabled but the requirements are not met: ${
      refusal.sentence.includes('EndpointSlice')
        ? 'failed to get kubernetes endpoint slices: %!w(<nil>)'
        : refusal.sentence
    }`,
  };
  return why[refusal.reason];
}

/** Writes defaults and finalizers in one patch, as the public operator does (install-enable-rollback-3.31.4.jsonl, t=4.13). */
async function writeDefaults(op: Operator, installation: KubeObject, spec: InstallationSpec): Promise<KubeObject> {
  const ours = [names.installationFinalizer, names.cleanupFinalizer];
  const there = installation.metadata.finalizers ?? [];
  const missing = ours.filter((one) => !there.includes(one));
  const changed = mergeDifference((installation.spec ?? {}) as Record<string, unknown>, spec);
  const metadata = missing.length > 0 ? { metadata: { finalizers: [...there, ...missing] } } : {};
  if (missing.length > 0 || !changed?.cni) {
    return patched(op, installation, { ...metadata, ...(changed ? { spec: changed } : {}) });
  }
  // After an upgrade the public operator writes cni's folders separately (upgrade-3.30.7-to-3.31.4.jsonl, t=66.60 against 68.17).
  const { cni, ...rest } = changed;
  const first = await patched(op, installation, { spec: rest });
  return patched(op, first, { spec: { cni } });
}

async function patched(op: Operator, installation: KubeObject, body: Record<string, unknown>): Promise<KubeObject> {
  const written = await op.write.merge(refs.installation, installation, body, { guarded: true });
  if (written !== installation) op.monitors.calico.firstWritten ??= written.metadata.generation ?? null;
  return written;
}

async function prepareFelix(
  op: Operator,
  felix: KubeObject | null,
  spec: InstallationSpec,
  before: KubeObject | null,
): Promise<KubeObject> {
  if (felix) {
    const patch = preparation(felix, spec, op.release);
    return patch ? op.write.merge(refs.felix, felix, patch, { guarded: true }) : felix;
  }
  const decision = decideSwitch({ wantsBpf: wantsBpf(spec), felix: null, before, now: before }, op.lostRaces);
  return op.write.create(
    resources.felixConfigurations,
    newFelixConfiguration(spec, decision.kind === 'write' ? decision : null, op.release),
  );
}

/**
 * DNS settings of the agents: since 1.40 copied from the operator's Deployment, before that the node's resolver (upgrade-3.30.7-to-3.31.4.jsonl,
 * t=6.79).
 */
async function operatorDns(op: Operator): Promise<RenderPlan['dns']> {
  if (!op.release.copiesDns) return { dnsPolicy: 'Default' };
  const deployment = await op.kube.get(operatorDeploymentRef(op.namespace), { signal: op.signal });
  const dnsPolicy = memberAt(deployment, 'spec', 'template', 'spec', 'dnsPolicy');
  const dnsConfig = memberAt(deployment, 'spec', 'template', 'spec', 'dnsConfig');
  return {
    dnsPolicy: typeof dnsPolicy === 'string' ? dnsPolicy : 'ClusterFirstWithHostNet',
    ...(dnsConfig === undefined ? {} : { dnsConfig }),
  };
}

function textAt(felix: KubeObject, field: string): string | null {
  const value = memberAt(felix, 'spec', field);
  return typeof value === 'string' && value !== '' ? value : null;
}
