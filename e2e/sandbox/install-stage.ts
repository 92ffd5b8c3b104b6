import type { AProcess } from '#e2e/journey/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type Prepared, preparePlan } from '#lib/run/index.ts';
import { sandboxRelease } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema, type ManifestRef, type ReleaseContents } from '#lib/spec/index.ts';
import { goodEndpoint, openStage, type Stage, type StageWish } from './stage.ts';

/** A cluster without Calico, and all that it takes to install it there. */
export type InstallStage = Stage & {
  prepare(answers?: Partial<Choices>, kube?: Kube): Promise<Prepared>;
  carrier(wish?: Parameters<Stage['process']>[0]): AProcess;
};

export const installed = 'v3.31.4';

export async function openInstallStage(wish: StageWish & { version?: string } = {}): Promise<InstallStage> {
  const { version = installed } = wish;
  const stage = await openStage({ calico: 'absent', ...wish });
  const signal = new AbortController().signal;
  const ports = (isOpenshift: boolean) => {
    const release = ofPlatform(sandboxRelease(version), isOpenshift);
    return { releases: async () => release, manifests: async (ref: ManifestRef) => fileOf(release, ref) };
  };
  const isOpenshift = wish.shape?.provider === 'OpenShift';
  const { releases, manifests } = ports(isOpenshift);
  const prepare = async (answers: Partial<Choices> = {}, kube: Kube = stage.ours): Promise<Prepared> => {
    const [host = '', port = ''] = goodEndpoint.split(':');
    const endpoint = answers.automatic ? {} : { endpoint: { host, port } };
    const given = choicesSchema.parse({ goal: 'install', release: version, ...endpoint, ...answers });
    const once = (choices: Choices) =>
      preparePlan({ kube, clock: stage.clock, given: choices, choices: () => choices, releases, manifests, signal });
    const first = await once(given);
    const open = first.findings.findings.filter(
      ({ status, severity }) => status === 'unknown' || (status === 'fail' && severity === 'warning'),
    );
    const acknowledge = Object.fromEntries(open.map(({ id }) => [id, 'known on this test cluster']));
    return open.length === 0 ? first : once({ ...given, acknowledge: { ...acknowledge, ...given.acknowledge } });
  };
  return { ...stage, prepare, carrier: (one) => ({ ...stage.process(one), manifests }) };
}

function ofPlatform(release: ReleaseContents, isOpenshift: boolean): ReleaseContents {
  const { ocp, ...published } = release.manifests;
  return { ...release, manifests: isOpenshift && ocp ? { ocp } : published };
}

function fileOf(release: ReleaseContents, { file }: ManifestRef) {
  const manifest = release.manifests[file];
  if (!manifest) throw new Error(`there is no ${file}`);
  return manifest;
}
