import { holdSandbox } from '#lib/console/instance/hold-sandbox.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { type Clock, isKubeError, type Kube, systemClock } from '#lib/kube/index.ts';
import type { Invocation } from './command.ts';
import { etcdAccess } from './etcd-access.ts';
import { usageError } from './exit.ts';
import { type Flags, parseDuration } from './flags.ts';
import { dumpsOf } from './global-flags.ts';

/** A cluster as a command uses it. `close` ends connections and, for sandboxes, the processes inside. */
export type OpenCluster = {
  kube: Kube;
  clock: Clock;
  close(): Promise<void>;
  describe: string;
  /** Set if this command uses the cluster through the console of this state folder; aborts when the console closes it. */
  inConsole?: AbortSignal;
};

/** `fresh`: a copy of the sandbox's template in memory. `kept`: the sandbox in the state folder (cli.md › Sandboxes). */
export type SandboxUse = 'fresh' | 'kept';

/** Opens the cluster that the flags name, does the work, and always closes it. */
export async function withCluster<T>(
  { flags, env }: Pick<Invocation, 'flags' | 'env'>,
  sandboxUse: SandboxUse,
  work: (cluster: OpenCluster) => Promise<T>,
): Promise<T> {
  const cluster = await openCluster(flags, env, sandboxUse);
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
  }
}

/** Opens what the flags name: a dump, a sandbox or a live cluster; at most one of them may be named. Loads only what that one needs. */
async function openCluster(flags: Flags, env: NodeJS.ProcessEnv, sandboxUse: SandboxUse): Promise<OpenCluster> {
  const paths = dumpsOf(flags);
  const { refusal } = flags.table.from ?? {};
  // First: whoever gave a dump and another cluster would else learn of it only once the other is left out. The dump is not read for this.
  if (paths.length > 0 && refusal !== undefined) throw usageError(refusal);
  const sandboxName = flags.text('sandbox');
  const named = [
    paths.length > 0 ? '--from' : null,
    sandboxName !== undefined ? '--sandbox' : null,
    flags.has('context') ? '--context' : flags.has('kubeconfig') ? '--kubeconfig' : null,
  ].filter((one) => one !== null);
  if (named.length > 1) throw usageError(`${named.join(' and ')} name different clusters; give one of them`);
  if (flags.has('instant') && sandboxName === undefined)
    throw usageError('--instant is for sandboxes; give --sandbox too');
  const timeoutMs = parseDuration('timeout', flags.text('timeout') ?? '30s');
  const etcd = await etcdAccess(flags);
  if (etcd !== null && (paths.length > 0 || sandboxName !== undefined))
    throw usageError('--etcd-endpoints is for a cluster that runs: a dump or a sandbox has no etcd to ask');

  if (paths.length > 0) {
    const { openDump } = await import('#lib/kube/index.ts');
    const kube = await openDump(paths);
    return { kube, clock: systemClock, close: () => kube.close(), describe: kube.name };
  }
  if (sandboxName !== undefined) {
    const speed = flags.has('instant') ? 'instant' : 'normal';
    if (sandboxUse === 'kept') return openKeptSandbox(await stateFolder(env), sandboxName, speed);
    const { openSandbox } = await import('#lib/sandbox/index.ts');
    const opened = await openSandbox(sandboxName, { speed });
    return { kube: opened.kube, clock: opened.clock, close: () => opened.close(), describe: `sandbox ${sandboxName}` };
  }
  const { connect } = await import('#lib/kube/index.ts');
  const kube = await connect({
    kubeconfig: flags.text('kubeconfig'),
    context: flags.text('context'),
    timeoutMs,
    env,
  });
  const { withKeptMeasurement } = await import('#lib/usecases/index.ts');
  const measured = withKeptMeasurement(kube, await stateFolder(env), systemClock);
  if (etcd === null) return { kube: measured, clock: systemClock, close: () => kube.close(), describe: kube.name };
  const { withCalicoOfEtcd } = await import('#lib/etcd/index.ts');
  const opened = await withCalicoOfEtcd(measured, etcd, { timeoutMs }).catch(async (error: unknown) => {
    await kube.close();
    throw error;
  });
  const close = async () => {
    opened.close();
    await kube.close();
  };
  return { kube: opened.kube, clock: systemClock, close, describe: kube.name };
}

/** Only one process can have it open. If a console runs, this uses the console's, so that its pages show the command's effect. */
async function openKeptSandbox(state: string, name: string, speed: 'normal' | 'instant'): Promise<OpenCluster> {
  const { joinSandbox, openSandbox, remoteSandbox } = await import('#lib/sandbox/index.ts');
  const describe = `sandbox ${name}`;
  const held = speed === 'normal' ? await holdSandbox(state, name) : null;
  if (held !== null) {
    const kube = await remoteSandbox(name, held.kubeconfig, held.disconnected);
    const close = async () => {
      held.release();
      await kube.close();
    };
    return { kube, clock: systemClock, close, describe, inConsole: held.disconnected };
  }
  try {
    const opened = await openSandbox(name, { speed, state });
    return { kube: opened.kube, clock: opened.clock, close: () => opened.close(), describe };
  } catch (error) {
    const joined = isKubeError(error, 'conflict') ? await joinSandbox(state, name) : null;
    if (joined === null) throw error;
    return { kube: joined.kube, clock: systemClock, close: joined.close, describe };
  }
}
