import type { AProcess } from '#e2e/journey/index.ts';
import type { Clock, Kube } from '#lib/kube/index.ts';
import type { Manifests, Releases } from '#lib/run/index.ts';
import { sandboxRelease, sandboxReleaseOn } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { type Prepared, preparePlan } from '#lib/usecases/index.ts';
import { goodEndpoint, openStage, type Stage, type StageOptions } from './stage.ts';

/** A cluster without Calico, with the means to install Calico there. */
export type InstallStage = Stage & {
  prepare(answers?: Partial<Choices>, kube?: Kube): Promise<Prepared>;
  installer(options?: Parameters<Stage['process']>[0]): AProcess;
};

export const installed = 'v3.31.4';

export const sandboxReleases: Releases = async ({ version, platform, manifest }) =>
  sandboxReleaseOn(platform, version, manifest);

export const sandboxManifests: Manifests = async ({ version, file }) => {
  const manifest = sandboxRelease(version).manifests[file];
  if (!manifest) throw new Error(`there is no ${file}`);
  return manifest;
};

/** The plan from these answers. Accepts every finding that neither passes nor blocks. */
export async function prepareInstall(
  { kube, clock }: { kube: Kube; clock: Clock },
  answers: Partial<Choices>,
): Promise<Prepared> {
  const given = choicesSchema.parse({ goal: 'install', release: installed, ...answers });
  const signal = new AbortController().signal;
  const ports = { releases: sandboxReleases, manifests: sandboxManifests };
  const once = (choices: Choices) =>
    preparePlan({ kube, clock, answers: choices, choices: () => choices, ...ports, signal });
  const first = await once(given);
  const open = first.findings.findings.filter(
    ({ status, severity }) => status === 'unknown' || (status === 'fail' && severity === 'warning'),
  );
  const acknowledge = Object.fromEntries(open.map(({ id }) => [id, 'known on this test cluster']));
  return open.length === 0 ? first : once({ ...given, acknowledge: { ...acknowledge, ...given.acknowledge } });
}

export async function openInstallStage(options: StageOptions & { version?: string } = {}): Promise<InstallStage> {
  const { version = installed } = options;
  const stage = await openStage({ calico: 'absent', ...options });
  const [host = '', port = ''] = goodEndpoint.split(':');
  return {
    ...stage,
    prepare: (answers = {}, kube = stage.ours) =>
      prepareInstall(
        { kube, clock: stage.clock },
        { release: version, ...(answers.automatic ? {} : { endpoint: { host, port } }), ...answers },
      ),
    installer: (one) => ({ ...stage.process(one), manifests: sandboxManifests }),
  };
}
