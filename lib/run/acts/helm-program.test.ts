import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { HelmMissing, helmEnvironment, helmProgram } from './helm-program.ts';
import { type HelmAct, runHelm } from './run-helm.ts';

let folder: string;
let here: string;
let calls: string;

beforeEach(() => {
  folder = testFolder('helm-program');
  calls = join(folder, 'calls');
  // A chart of somebody else, in the folder where helm would look first.
  here = join(folder, 'here');
  mkdirSync(join(here, 'projectcalico/tigera-operator'), { recursive: true });
  writeFileSync(join(here, 'projectcalico/tigera-operator/Chart.yaml'), 'name: a-strangers\nversion: v3.31.4\n');
  vi.spyOn(process, 'cwd').mockReturnValue(here);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A program named helm in PATH that records how it was called. */
function standIn({ chart = 'tigera-operator', help = '--reset-then-reuse-values', dryRun = 'true' } = {}): void {
  const script = `#!/bin/sh
{ printf '%s|' "$@"; pwd; ls -A | tr '\\n' ' '; echo; env | grep -E '^(HELM_|KUBECONFIG)' | sort; echo .; } >>'${calls}'
case "$1 $2" in
  'show chart') printf 'apiVersion: v2\\ndependencies:\\n- name: tigera-operator\\nname: ${chart}\\nversion: v3.31.4\\n' ;;
  'upgrade --help') echo '${help}' ;;
esac
case "$*" in *--dry-run=server*) ${dryRun} ;; esac
`;
  writeFileSync(join(folder, 'helm'), script);
  chmodSync(join(folder, 'helm'), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
}

type Call = { words: string; cwd: string; holds: string; env: string[] };

function called(): Call[] {
  const blocks = readFileSync(calls, 'utf8').split('\n.\n').slice(0, -1);
  return blocks.map((block) => {
    const [first = '', holds = '', ...env] = block.split('\n');
    const words = first.split('|');
    return { words: words.slice(0, -1).join(' '), cwd: words.at(-1) ?? '', holds: holds.trim(), env };
  });
}

const act: HelmAct = {
  kind: 'helm',
  verb: 'upgrade',
  release: 'calico',
  namespace: 'tigera-operator',
  chart: 'projectcalico/tigera-operator',
  version: 'v3.31.4',
  set: {},
  values: 'reset-then-reuse',
};

function reached(kubeconfig: string | null): Kube {
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.secrets], objects: [] });
  return Object.assign(kube, { reachedBy: { kubeconfig, context: 'lab' } });
}

test('helm runs in an empty folder of its own, and paths are meant from the folder in which this program was started', async () => {
  standIn();
  vi.stubEnv('KUBECONFIG', 'a:/b:');
  vi.stubEnv('HELM_REPOSITORY_CONFIG', 'repositories.yaml');
  await runHelm(reached('conf/lab'), act, 'act');
  const all = called();
  expect(all.map(({ words }) => words.split(' ').slice(0, 2).join(' '))).toEqual([
    'upgrade --help',
    'show chart',
    'upgrade calico',
    'upgrade calico',
  ]);
  for (const { cwd, holds, env } of all) {
    expect(cwd).not.toBe(here);
    expect(holds).toBe('');
    expect(env).toContain(`KUBECONFIG=${here}/a:/b`);
    expect(env).toContain(`HELM_REPOSITORY_CONFIG=${here}/repositories.yaml`);
  }
  expect(all.at(-1)?.words).toContain(`--kube-context lab --kubeconfig ${here}/conf/lab`);
});

test('what helm is told lets it neither force anything nor go back by itself', async () => {
  standIn();
  const back: HelmAct = {
    kind: 'helm',
    verb: 'rollback',
    release: 'calico',
    namespace: 'tigera-operator',
    revision: 4,
  };
  for (const one of [act, back]) await runHelm(reached(null), one, 'act');
  const verbs = called().map(({ words }) => words.split(' ').slice(0, 2).join(' '));
  expect(verbs).toEqual(expect.arrayContaining(['upgrade calico', 'rollback calico']));
  for (const { words } of called()) expect(words).not.toMatch(/--(atomic|rollback-on-failure|force|cleanup-on-fail)/);
});

test('fields that others own are told by a dry run on the server, before anything is changed', async () => {
  const conflict = 'conflict occurred while applying object: conflicts with "argocd-controller": .spec.replicas';
  standIn({ dryRun: `echo 'Error: UPGRADE FAILED: ${conflict}' >&2; exit 1` });
  await expect(runHelm(reached(null), act, 'act')).rejects.toThrow(conflict);
  const upgrades = called().filter(({ words }) => words.startsWith('upgrade calico'));
  expect(upgrades.map(({ words }) => words.includes('--dry-run=server'))).toEqual([true]);
});

test('what helm says of its files reaches a journal without the paths of whoever ran it', async () => {
  const home = join(folder, 'home/alice');
  vi.stubEnv('HOME', home);
  vi.stubEnv('KUBECONFIG', `${folder}/a:${folder}/a.conf`);
  vi.stubEnv('HELM_REPOSITORY_CACHE', `${folder}/ci/alice`);
  const files = [`${home}/.cache/helm/index.yaml`, `${folder}/ci/alice/index.yaml`];
  const paths = [`${folder}/own.conf`, `${folder}/a`, `${folder}/a.conf`, ...files];
  standIn({ dryRun: `echo 'Error: cannot read ${paths.join(' or ')} in' "$(pwd)" >&2; exit 1` });
  const error = await runHelm(reached(`${folder}/own.conf`), act, 'act').catch((thrown: Error) => thrown);
  const kubeconfig = 'the kubeconfig';
  expect((error as Error).message).toBe(
    `helm upgrade of tigera-operator/calico failed: Error: cannot read ${kubeconfig} or ${kubeconfig} or ${kubeconfig} or ~/.cache/helm/index.yaml or $HELM_REPOSITORY_CACHE/index.yaml in .`,
  );
});

test('nothing in the environment leads helm to another cluster, or to one that is not verified', async () => {
  standIn();
  for (const name of ['KUBEAPISERVER', 'KUBETOKEN', 'KUBEASUSER', 'KUBEINSECURE_SKIP_TLS_VERIFY', 'KUBECONTEXT'])
    vi.stubEnv(`HELM_${name}`, 'elsewhere');
  vi.stubEnv('HELM_NAMESPACE', 'elsewhere');
  vi.stubEnv('HELM_CACHE_HOME', '/cache');
  await helmProgram('helm', ['version']);
  expect(called()[0]?.env.filter((line) => line.startsWith('HELM_'))).toEqual(['HELM_CACHE_HOME=/cache']);
});

test.each(['', 'secret', 'secrets'])('records of Helm are where they were read with HELM_DRIVER=%s', (driver) => {
  expect(helmEnvironment({ HELM_DRIVER: driver }, '/')).toEqual({ HELM_DRIVER: driver });
});

test.each(['', 'configmap', 'configmaps'])(
  'records of Helm in ConfigMaps are found there with HELM_DRIVER=%s',
  (driver) => {
    expect(helmEnvironment({ HELM_DRIVER: driver }, '/', 'configmap')).toEqual({ HELM_DRIVER: 'configmap' });
    for (const other of ['secret', 'sql'])
      expect(() => helmEnvironment({ HELM_DRIVER: other }, '/', 'configmap')).toThrow('were read from ConfigMaps');
  },
);

test.each(['configmap', 'sql', 'memory'])(
  'records of Helm that HELM_DRIVER=%s keeps elsewhere are refused',
  (driver) => {
    expect(() => helmEnvironment({ HELM_DRIVER: driver }, '/')).toThrow(`HELM_DRIVER is ${driver}, `);
  },
);

test.each([undefined, 'reset-then-reuse'] as const)(
  'a chart of another name is not applied, values: %s',
  async (values) => {
    standIn({ chart: 'a-strangers' });
    const { values: _, ...plain } = act as Extract<HelmAct, { verb: 'upgrade' }>;
    const given: HelmAct = values ? { ...plain, values } : plain;
    await expect(runHelm(reached(null), given, 'act')).rejects.toThrow(/is named a-strangers, and tigera-operator is/);
    expect(called().filter(({ words }) => words.startsWith('upgrade calico'))).toEqual([]);
  },
);

test('a helm that is too old is told before anything begins', async () => {
  standIn({ help: '--reuse-values' });
  await expect(runHelm(reached(null), act, 'dry-run')).rejects.toThrow(/Install Helm 3\.14 or newer/);
});

test('a machine without helm', async () => {
  vi.stubEnv('PATH', here);
  await expect(runHelm(reached(null), act, 'act')).rejects.toThrow(HelmMissing);
});
