import { valueAt } from '#lib/base/records.ts';
import { upgradeTarget } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import {
  chosenInstallation,
  type InstallationSpec,
  imagePartsOf,
  installationSpec,
  namingOf,
} from '#lib/installation/index.ts';
import { containerNamed, type KubeObject, workloadOf } from '#lib/kube/index.ts';
import type { PullSecret } from '#lib/probe/index.ts';
import {
  type Choices,
  flexVolumePaths,
  names,
  namesIn,
  type PlannedImage,
  planImages,
  platformIn,
  pullSecretsOf,
  releaseToInstall,
} from '#lib/spec/index.ts';

export type ProbeImages = {
  /** The agent's image, in which the probe runs: the target's, or if that is unknown, the one that runs. */
  readonly agent: string | null;
  /** All images that the plan brings to nodes, as nodes pull them. Of the agent's companions only those whose name was read, not guessed. */
  readonly brought: readonly string[];
  /** Why the target's agent image is not tested, as a phrase; null if it is, or if the plan brings none. */
  readonly notTested: string | null;
  readonly pullSecrets: readonly PullSecret[];
};

/**
 * The images that a plan pulls: for a switch to eBPF what runs already; for an installation or an upgrade the release's images, with registry, path
 * and prefix of the Installation, or of the manifest whose agent runs.
 */
export function probeImages(facts: Facts, choices: Choices): ProbeImages {
  const running = agentPod(facts);
  const pullSecrets = secretsOf(facts, choices, running);
  const release = releaseBrought(facts, choices);
  const images = pulledBy(release ?? releaseToInstall(facts.cluster.kubernetesVersion), facts, choices, running.image);
  const named = images.find(({ part, as }) => part === 'agent' && /node:[^/]+$/.test(as))?.as;
  if (release === null) {
    const notTested = choices.goal === 'upgrade' ? 'the release to upgrade to is not known' : null;
    return { agent: running.image ?? named ?? null, brought: [], notTested, pullSecrets };
  }
  const others = images.flatMap(({ as, certainty }) => (certainty === 'read' && as !== named ? [as] : []));
  return {
    agent: named ?? running.image,
    brought: named === undefined ? others : [named, ...others],
    notTested: named === undefined ? `the name of the image of ${release} is not known` : null,
    pullSecrets,
  };
}

/** The release that the plan brings, chosen or proposed as for the plan itself; null if it changes none, or none is known. */
export function releaseBrought(facts: Facts, choices: Choices): string | null {
  if (choices.goal === 'install') return choices.release ?? releaseToInstall(facts.cluster.kubernetesVersion);
  const target = choices.goal === 'upgrade' ? upgradeTarget(facts, choices) : null;
  return target?.kind === 'release' ? target.version : null;
}

function pulledBy(
  release: string,
  facts: Facts,
  choices: Choices,
  running: string | null,
): Pick<PlannedImage, 'as' | 'part' | 'certainty'>[] {
  const isByManifest = facts.installation.method.startsWith('manifest');
  if (choices.goal !== 'install' && isByManifest) {
    const { images } = planImages({ release, manifest: 'calico.yaml', parts: [] });
    return images.map(({ image, part, certainty }) => ({ as: beside(running, image), part, certainty }));
  }
  const spec = installationOf(facts, choices);
  const kinds = Object.keys(facts.resources.objects).map((key) => key.split('/').at(-2) ?? '');
  const { images } = planImages({
    release,
    parts: imagePartsOf(spec, kinds),
    naming: namingOf(spec),
    variant: spec.variant,
  });
  return images.filter(({ part }) => part !== 'windows');
}

/** `mirror/calico/node:v1` and `docker.io/calico/cni:v2` → `mirror/calico/cni:v2`: takes the registry and path of the image that runs. */
function beside(running: string | null, published: string): string {
  const folder = running?.match(/^(.*\/)[^/]+$/)?.[1];
  return folder === undefined ? published : `${folder}${published.slice(published.lastIndexOf('/') + 1)}`;
}

/** The folder that an installation's pods create on each node (calico.md §2.1); undefined if none, or if it exists already. */
export function flexVolumeFolder(facts: Facts, choices: Choices): string | undefined {
  if (choices.goal !== 'install') return undefined;
  const { flexVolumePath } = installationOf(facts, choices);
  if (flexVolumePath === 'None') return undefined;
  const defaults: Readonly<Record<string, string>> = flexVolumePaths;
  return flexVolumePath || (defaults[platformIn(facts, choices)] ?? flexVolumePaths.other);
}

/** The Installation as the plan leaves it; empty if there is none or it cannot be read. */
export function installationOf(facts: Facts, choices: Choices): InstallationSpec {
  const spec =
    choices.goal === 'install'
      ? chosenInstallation({ facts, choices, release: null })
      : valueAt(facts.resources.objects[`Installation/${names.installation}`], ['spec']);
  const parsed = installationSpec.safeParse(spec ?? {});
  return parsed.success ? parsed.data : {};
}

type Running = { readonly image: string | null; readonly namespace: string; readonly secrets: readonly string[] };

function agentPod({ installation, resources }: Facts): Running {
  const agent = installation.agent === null ? null : resources.objects[installation.agent];
  if (!agent) return { image: null, namespace: names.calicoNamespace, secrets: [] };
  const object = agent as KubeObject;
  return {
    image: containerNamed(workloadOf(object), names.nodeContainer)?.image || null,
    namespace: object.metadata.namespace ?? names.calicoNamespace,
    secrets: pullSecretsOf(agent),
  };
}

/** The operator copies the Secrets that the Installation names from its own namespace (calico.md §2.3); a manifest names its own. */
function secretsOf(facts: Facts, choices: Choices, running: Running): PullSecret[] {
  const { imagePullSecrets } = installationOf(facts, choices);
  const wanted = namesIn(imagePullSecrets).map((name) => ({ namespace: names.operatorNamespace, name }));
  return wanted.length > 0 ? wanted : running.secrets.map((name) => ({ namespace: running.namespace, name }));
}
