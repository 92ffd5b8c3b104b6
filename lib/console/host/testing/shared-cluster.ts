import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { type Kube, KubeError } from '#lib/kube/index.ts';
import { type Identity, thisMachine } from '#lib/run/index.ts';
import { type OpenSandbox, openSandbox } from '#lib/sandbox/index.ts';
import type { Slug } from '../../host.ts';
import { clusterSlug } from '../clusters/cluster-slug.ts';
import type { OpenedCluster } from '../clusters/open-clusters.ts';
import { type AConsole, aConsole, forgetConsole } from './a-console.ts';

/** `ours`: with the rights of Signalbox's user. */
type Stage = OpenSandbox & { ours: Kube };

export type SharedCluster = {
  stage: Stage;
  slug: Slug;
  /** Another context of the same cluster. */
  sameAgain: Slug;
  /** A console on this cluster. `kill` acts as SIGKILL: the console does nothing more. */
  console(options: { state?: string; identity: Identity; kube?: Kube }): Promise<AConsole & { kill(): void }>;
};

/** One cluster in memory, made from this sandbox, that several consoles reach as a context of their kubeconfig. */
export async function aSharedCluster(like = 'standard'): Promise<SharedCluster> {
  const sandbox = await openSandbox(like, { speed: 'instant', operator: 'v3.31.4' });
  const ours = sandbox.store.as({ name: 'signalbox', rules: [{ verbs: ['*'], groups: ['*'], resources: ['*'] }] });
  const stage = { ...sandbox, ours };
  // Gives the operator time for its first writes.
  await stage.clock.sleep(60_000);
  const kubeconfig = join(testFolder('shared-cluster'), 'config');
  await writeFile(kubeconfig, config);
  return {
    stage,
    slug: clusterSlug('kubeconfig', 'shared'),
    sameAgain: clusterSlug('kubeconfig', 'same-again'),
    console: async ({ kube = stage.ours, ...options }) => {
      let dead = false;
      const cut = deadOnceKilled(kube, () => dead);
      const openLive = async (): Promise<OpenedCluster> => ({
        kube: cut,
        clock: stage.clock,
        close: async () => {},
      });
      const console = await aConsole({ ...options, kubeconfig, openLive });
      return {
        ...console,
        kill: () => {
          dead = true;
          forgetConsole(console);
        },
      };
    },
  };
}

/** A process on another machine; on this one, a process id that no process has. */
export function elsewhere(install: string): Identity {
  return { install, process: '4000001@1@00000000' };
}
export async function deadHere(install: string): Promise<Identity> {
  return { install, process: `4000001@1@${await thisMachine()}` };
}

/** A cluster that becomes unreachable for one process, and stays so. */
export function awayFor(kube: Kube, isAway: () => boolean): Kube {
  return handing(kube, (call) => {
    if (isAway()) throw new KubeError('unreachable', 'connect ECONNREFUSED 127.0.0.1:6443');
    return call();
  });
}

function deadOnceKilled(kube: Kube, isDead: () => boolean): Kube {
  return handing(kube, (call) => (isDead() ? new Promise<never>(() => {}) : call()));
}

function handing(kube: Kube, around: <T>(call: () => Promise<T>) => Promise<T>): Kube {
  async function* listing<T>(list: () => AsyncIterable<T>): AsyncGenerator<T> {
    await around(async () => null);
    yield* list();
  }
  return {
    name: kube.name,
    source: kube.source,
    get: (ref, o) => around(async () => kube.get(ref, o)),
    list: (resource, o) => listing(() => kube.list(resource, o)),
    listMetadata: (resource, o) => listing(() => kube.listMetadata(resource, o)),
    watch: (resource, o) => listing(() => kube.watch(resource, o)),
    create: (resource, object, o) => around(async () => kube.create(resource, object, o)),
    apply: (resource, object, o) => around(async () => kube.apply(resource, object, o)),
    replace: (resource, object, o) => around(async () => kube.replace(resource, object, o)),
    patch: (ref, patch, o) => around(async () => kube.patch(ref, patch, o)),
    delete: (ref, o) => around(async () => kube.delete(ref, o)),
    allowed: (rules, o) => around(async () => kube.allowed(rules, o)),
    discover: (o) => around(async () => kube.discover(o)),
    version: (o) => around(async () => kube.version(o)),
    logs: (pod, o) => around(async () => kube.logs(pod, o)),
    podGet: (pod, o) => around(async () => kube.podGet(pod, o)),
    exec: (pod, command, o) => around(async () => kube.exec(pod, command, o)),
    close: () => kube.close(),
  };
}

const config = `apiVersion: v1
kind: Config
current-context: shared
clusters: [{ name: shared, cluster: { server: "https://127.0.0.1:6443" } }]
users: [{ name: shared, user: { token: nobody } }]
contexts:
- { name: shared, context: { cluster: shared, user: shared } }
- { name: same-again, context: { cluster: shared, user: shared } }
`;
