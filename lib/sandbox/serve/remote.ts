import { readFileSync } from 'node:fs';
import { connect, type Kube, KubeError, systemClock } from '#lib/kube/index.ts';
import { measureSandboxNodes } from '../measured-nodes.ts';
import { sandboxServices } from '../watched-services.ts';

const lookEveryMs = 1_000;

/**
 * A sandbox that another process of this machine has open and serves. `disconnected` aborts when that process stops serving it, even if another one begins;
 * `kubeconfig`: a path.
 */
export type JoinedSandbox = { kube: Kube; kubeconfig: string; disconnected: AbortSignal; close(): Promise<void> };

/** Connects to a sandbox that another process serves; null if none does. */
export async function joinSandbox(state: string, name: string): Promise<JoinedSandbox | null> {
  const { servedKubeconfig } = await import('../persistence/sandbox-folder.ts');
  const kubeconfig = servedKubeconfig(state, name);
  const joined = textOf(kubeconfig);
  if (kubeconfig === null || joined === null) return null;
  const disconnected = new AbortController();
  const looking = setInterval(() => {
    // Each server has its own token, so the same text means the same server.
    if (textOf(servedKubeconfig(state, name)) !== joined) disconnected.abort();
  }, lookEveryMs);
  looking.unref();
  const kube = await remoteSandbox(name, kubeconfig, disconnected.signal);
  return {
    kube,
    kubeconfig,
    disconnected: disconnected.signal,
    close: async () => {
      clearInterval(looking);
      await kube.close();
    },
  };
}

/** Null if the file does not exist, or disappears while it is read. */
function textOf(kubeconfig: string | null): string | null {
  try {
    return kubeconfig === null ? null : readFileSync(kubeconfig, 'utf8');
  } catch {
    return null;
  }
}

/**
 * A sandbox as another process serves it. `kubeconfig`: the file that process wrote. After `disconnected` aborts, every call fails with a sentence: that
 * process does not come back at this address, so callers must not wait for it as for a cluster that is down.
 */
export async function remoteSandbox(name: string, kubeconfig: string, disconnected: AbortSignal): Promise<Kube> {
  const {
    server: _,
    warnings: _none,
    reachedBy: _how,
    probeEndpoint: _probe,
    ...live
  } = await connect({ kubeconfig, env: {} });
  const ended = () =>
    new KubeError(
      'credentials',
      'The process that had this sandbox open has ended. Ask again: the sandbox is as it was left.',
    );
  const untilDisconnected = <O extends { signal?: AbortSignal }>(options?: O) => ({
    ...options,
    signal: options?.signal ? AbortSignal.any([options.signal, disconnected]) : disconnected,
  });

  const once = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw disconnected.aborted ? ended() : error;
    }
  };
  async function* many<T>(call: () => AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
    try {
      yield* call();
    } catch (error) {
      throw disconnected.aborted ? ended() : error;
    }
    // A watch ends silently when its signal aborts, which may be the caller's or `disconnected`.
    if (disconnected.aborted && !signal?.aborted) throw ended();
  }

  const remote: Kube = {
    ...live,
    name,
    source: 'sandbox',
    get: (ref, options) => once(() => live.get(ref, untilDisconnected(options))),
    list: (resource, options) => many(() => live.list(resource, untilDisconnected(options)), options?.signal),
    listMetadata: (resource, options) =>
      many(() => live.listMetadata(resource, untilDisconnected(options)), options?.signal),
    watch: (resource, options) => many(() => live.watch(resource, untilDisconnected(options)), options?.signal),
    create: (resource, object, options) => once(() => live.create(resource, object, untilDisconnected(options))),
    apply: (resource, object, options) => once(() => live.apply(resource, object, untilDisconnected(options))),
    replace: (resource, object, options) => once(() => live.replace(resource, object, untilDisconnected(options))),
    patch: (ref, patch, options) => once(() => live.patch(ref, patch, untilDisconnected(options))),
    delete: (ref, options) => once(() => live.delete(ref, untilDisconnected(options))),
    allowed: (rules, options) => once(() => live.allowed(rules, untilDisconnected(options))),
    discover: (options) => once(() => live.discover(untilDisconnected(options))),
    version: (options) => once(() => live.version(untilDisconnected(options))),
    logs: (pod, options) => once(() => live.logs(pod, { ...options, ...untilDisconnected(options) })),
    podGet: (pod, options) => once(() => live.podGet(pod, untilDisconnected(options))),
    exec: (pod, command, options) => once(() => live.exec(pod, command, untilDisconnected(options))),
  };
  return {
    ...remote,
    measureNodes: (endpoint, options) => measureSandboxNodes(remote, endpoint, options),
    services: sandboxServices(remote, systemClock),
  };
}
