import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { type Facts, judgedAddress } from '#lib/facts/index.ts';
import { containerNamed, type KubeObject, workloadOf } from '#lib/kube/index.ts';
import type { ProbeSettings, Question } from '#lib/probe/index.ts';
import { type Choices, names, planImages, releaseToInstall } from '#lib/spec/index.ts';
import { probedSettings } from './probed-settings.ts';

export type PreparedProbe = { readonly question: Question; readonly settings: ProbeSettings };

/**
 * What is asked of the nodes, from facts and answers. `image`: null for that of the agent that runs, or of the release that is to be installed: it is
 * on the nodes already, or needed there next. `nodes`: names of those to test; null: all that run an agent. A sentence, where no image is known.
 */
export function prepareProbe(
  facts: Facts,
  choices: Choices,
  {
    image,
    nodes,
    nodeSelector,
  }: { image: string | null; nodes: ReadonlySet<string> | null; nodeSelector: Readonly<Record<string, string>> },
): PreparedProbe | { readonly because: string } {
  const used = image ?? agentImage(facts) ?? imageToInstall(facts, choices);
  if (used === null)
    return { because: "The agent's image is not known. Name one that has its tools with --probe-image." };
  const tested = facts.nodes
    .filter(({ os, virtual, name }) => os !== 'windows' && !virtual && (nodes === null || nodes.has(name)))
    .map(({ name, distribution, architecture, addresses }) => ({
      name,
      distribution,
      architecture,
      address: addresses.find((address) => isIP(address) === 4) ?? null,
    }));
  const endpoint = judgedAddress(facts, choices);
  const felix = facts.resources.objects[`FelixConfiguration/${names.felixConfiguration}`];
  const { vxlanPort, cgroupFolder, interfacePattern } = probedSettings(felix);
  return {
    question: {
      nodes: tested,
      endpoint: endpoint && { host: endpoint.host, port: endpoint.port },
      interfacePattern,
      release: releaseAfter(facts, choices),
    },
    settings: {
      run: randomInt(256, 65_536),
      image: used,
      endpoint,
      addresses: tested.map(({ address }) => address),
      vxlanPort,
      cgroupFolder,
      nodeSelector,
      podNetwork:
        facts.installation.method === 'none' && facts.installation.otherNetworks.length === 0 ? 'not-yet' : 'there',
    },
  };
}

function agentImage({ installation, resources }: Facts): string | null {
  const agent = installation.agent === null ? null : resources.objects[installation.agent];
  if (!agent) return null;
  return containerNamed(workloadOf(agent as KubeObject), names.nodeContainer)?.image || null;
}

/** That runs on the nodes after the plan: a switch to eBPF changes none. */
function releaseAfter({ installation, cluster }: Facts, { goal, release }: Choices): string {
  const chosen = goal === 'enable' ? null : release;
  return chosen ?? installation.version ?? release ?? releaseToInstall(cluster.kubernetesVersion);
}

function imageToInstall(facts: Facts, choices: Choices): string | null {
  const release = choices.release ?? releaseToInstall(facts.cluster.kubernetesVersion);
  const { images } = planImages({ release, parts: ['agent'] });
  return images.find(({ image }) => /\/calico\/node:/.test(image))?.as ?? null;
}
