import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { childEnvironment } from '#lib/base/child-environment.ts';
import { temporaryFolder } from '#lib/folders/index.ts';
import { KubeError } from '#lib/kube/index.ts';
import type { HelmDriver } from '#lib/spec/index.ts';
import { programOutput, visibleLine } from '#lib/text/index.ts';

const longestMs = 600_000;
const largestOutputBytes = 16 * 1024 * 1024;

/** There is no helm here, or it cannot reach this cluster. The user runs the commands; the run waits for their effect. */
export class HelmMissing extends Error {}

/**
 * Runs the user's own helm without a shell, for at most ten minutes and with bounded output. It runs in an empty folder, because helm would otherwise
 * take `projectcalico/tigera-operator` for a folder of that name and apply its content. `what`: begins the sentence of an error. `driver`: where the
 * release's records were read; default: Secrets. Returns the standard output. Throws HelmMissing, and KubeError with helm's message.
 */
export async function helmProgram(
  what: string,
  words: readonly string[],
  { signal, driver }: { signal?: AbortSignal | undefined; driver?: HelmDriver | undefined } = {},
): Promise<string> {
  const env = helmEnvironment(process.env, process.cwd(), driver);
  const folder = await temporaryFolder('helm').catch((error: Error) => {
    throw new KubeError(
      'invalid',
      `${what} failed: no folder for helm can be made among the temporary files (TMPDIR) of the machine that runs it.`,
      {},
      error,
    );
  });
  try {
    return await run(what, words, { env, cwd: folder.path, ...(signal ? { signal } : {}) });
  } finally {
    await folder.remove();
  }
}

/** Variables that send helm to another cluster or namespace, or change its identity, whatever its flags say (`helm env`). */
const leadsElsewhere = /^HELM_(KUBE[A-Z0-9_]*|NAMESPACE)$/;

/** The storage backends of Helm that are read here: https://helm.sh/docs/topics/advanced/#storage-backends, read 2026-11-23. */
const inSecrets: readonly string[] = ['', 'secret', 'secrets'];
const inConfigMaps: readonly string[] = ['configmap', 'configmaps'];

/** Variables with paths relative to the folder in which this program was started (`helm help`). */
const paths: readonly string[] = [
  ...['HELM_CACHE_HOME', 'HELM_CONFIG_HOME', 'HELM_DATA_HOME', 'HELM_PLUGINS', 'HELM_REGISTRY_CONFIG'],
  ...['HELM_REPOSITORY_CACHE', 'HELM_REPOSITORY_CONFIG', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'],
];
const pathLists: readonly string[] = ['KUBECONFIG'];

/**
 * The environment for a helm that runs in another folder: relative paths in it are resolved against `here`. Throws KubeError if HELM_DRIVER names
 * another storage backend than the one that the plan has read.
 */
export function helmEnvironment(env: NodeJS.ProcessEnv, here: string, readFrom?: HelmDriver): NodeJS.ProcessEnv {
  const driver = env.HELM_DRIVER ?? '';
  const known = readFrom === undefined ? inSecrets : ['', ...inConfigMaps];
  if (!known.includes(driver.toLowerCase()))
    throw new KubeError(
      'invalid',
      `HELM_DRIVER is ${visibleLine(driver.slice(0, 100))}, and the records of this Helm release were read from ${readFrom === undefined ? 'Secrets' : 'ConfigMaps'}. Unset HELM_DRIVER, and try again.`,
    );
  const passed = Object.entries(childEnvironment(env)).filter(([name]) => !leadsElsewhere.test(name));
  const own = Object.fromEntries(passed.map(([name, value]) => [name, fromHere(name, value ?? '', here)]));
  return readFrom === undefined ? own : { ...own, HELM_DRIVER: readFrom };
}

function fromHere(name: string, value: string, here: string): string {
  if (value === '') return value;
  if (paths.includes(name)) return resolve(here, value);
  if (!pathLists.includes(name)) return value;
  const listed = value.split(delimiter).filter((one) => one !== '');
  return listed.map((one) => resolve(here, one)).join(delimiter);
}

type ProgramEnvironment = { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly signal?: AbortSignal };

function run(what: string, words: readonly string[], environment: ProgramEnvironment): Promise<string> {
  const options = { timeout: longestMs, maxBuffer: largestOutputBytes, ...environment };
  return new Promise((fulfil, reject) => {
    execFile('helm', words, options, (error, stdout, stderr) => {
      if (!error) return fulfil(stdout);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return reject(new HelmMissing('helm is not installed on this machine.'));
      // The error of execFile repeats the command line and all of helm's output.
      const output = programOutput(withoutOwnPaths(stderr, words, environment));
      const why = error.killed ? `it did not end within ${longestMs / 60_000} minutes` : output.line;
      reject(
        new KubeError(
          isAway.test(stderr) ? 'unreachable' : 'invalid',
          `${what} failed: ${why}${hintOf(stderr)}`,
          {},
          output.whole === null ? undefined : new Error(`helm wrote: ${output.whole}`),
        ),
      );
    });
  });
}

/** Replaces this user's paths in helm's output: the output goes to the journal, which others read. */
function withoutOwnPaths(output: string, words: readonly string[], { env, cwd }: ProgramEnvironment): string {
  const named = words.indexOf('--kubeconfig');
  const kubeconfigs = [
    ...(named < 0 ? [] : words.slice(named + 1, named + 2)),
    ...(env.KUBECONFIG ?? '').split(delimiter),
  ];
  const own: [path: string, shown: string][] = [
    ...kubeconfigs.map((path): [string, string] => [path, 'the kubeconfig']),
    ...paths.map((name): [string, string] => [env[name] ?? '', `$${name}`]),
    [cwd, '.'],
    [`${env.HOME ?? homedir()}/`, '~/'],
  ];
  // The longest first: a path may begin with another one.
  const longestFirst = own.filter(([path]) => path.length > 1).toSorted(([a], [b]) => b.length - a.length);
  return longestFirst.reduce((text, [path, shown]) => text.replaceAll(path, () => shown), output);
}

/** Helm's words for an API server that does not answer: the only failure of helm that waiting may fix. */
const isAway = /Kubernetes cluster unreachable|connection refused|i\/o timeout|TLS handshake timeout/;

const hints: readonly { output: RegExp; hint: string }[] = [
  {
    output: /repo \S+ not found|no repo named/,
    hint: ' Add the repository (`helm repo add projectcalico https://docs.tigera.io/calico/charts`), or name the chart by --chart.',
  },
  { output: /no chart version found|chart "\S+" version "\S+" not found/, hint: ' `helm repo update` may be due.' },
];

function hintOf(stderr: string): string {
  return hints.find(({ output }) => output.test(stderr))?.hint ?? '';
}
