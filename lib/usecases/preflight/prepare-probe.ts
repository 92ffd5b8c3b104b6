import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { formatCidr, parseCidr } from '#lib/base/ip.ts';
import { areServicesDown, isDsrChosen } from '#lib/checks/index.ts';
import { type Facts, judgedAddress, type NodeFact, parseHostPort } from '#lib/facts/index.ts';
import type { MeasuredPlan } from '#lib/kube/index.ts';
import { choosePartners, type ProbeSettings, type Question } from '#lib/probe/index.ts';
import { type Choices, names, runsAgent } from '#lib/spec/index.ts';
import { measuredPlan } from './measured-plan.ts';
import { probeImages } from './probe-images.ts';
import { probedSettings } from './probed-settings.ts';
import { vxlanAddresses, withoutLength } from './vxlan-addresses.ts';

export type PreparedProbe = {
  readonly question: Question;
  readonly settings: ProbeSettings;
  readonly plan: MeasuredPlan;
};

const noAgents = 'None of these nodes runs an agent of Calico: there is nothing to test.';
/** Whoever writes EndpointSlices decides how many there are; every node dials each. */
const mostServers = 16;

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
  const images = probeImages(facts, choices);
  const plan = measuredPlan(facts, choices);
  const used = image ?? images.agent;
  if (used === null)
    return { because: "The agent's image is not known. Name one that has its tools with --probe-image." };
  const addressesOf = vxlanAddresses(facts, choices);
  const tested = facts.nodes
    .filter((node) => runsAgent(node) && (nodes === null || nodes.has(node.name)))
    .map((node) => {
      const { address, ...second } = addressesOf(node);
      return {
        name: node.name,
        distribution: node.distribution,
        architecture: node.architecture,
        address,
        zone: node.zone ?? null,
        link: node.link ?? null,
        subnet: subnetOf(node, address),
        ...second,
      };
    });
  if (tested.length === 0)
    return { because: facts.nodes.length === 0 ? 'No node was read, so none can be tested.' : noAgents };
  const partners = choosePartners(tested);
  const endpoint = judgedAddress(facts, choices);
  const apiServers = apiServersOf(facts);
  const isThere = facts.installation.method !== 'none' || facts.installation.otherNetworks.length > 0;
  const services = servicesToAsk(facts, choices, isThere);
  const felix = facts.resources.objects[`FelixConfiguration/${names.felixConfiguration}`];
  const { vxlanPort, cgroupFolder, interfacePattern } = probedSettings(felix);
  const dsr = isDsrChosen(facts, choices) ? { dsr: true } : {};
  return {
    question: {
      nodes: tested,
      partners,
      endpoint: endpoint && { host: endpoint.host, port: endpoint.port },
      services,
      apiServers,
      interfacePattern,
      ...dsr,
      release: plan.release,
      ...(images.untold === null ? {} : { untoldImages: images.untold }),
    },
    plan,
    settings: {
      run: randomInt(256, 65_536),
      image: used,
      endpoint,
      services,
      apiServers,
      addresses: tested.map(({ address }) => address),
      ...(tested.some(({ addressV6 }) => addressV6 !== undefined)
        ? { addressesV6: tested.map(({ addressV6 = null }) => addressV6) }
        : {}),
      vxlanPort,
      ...dsr,
      cgroupFolder,
      ...(plan.flexVolumeFolder === null ? {} : { flexVolumeFolder: plan.flexVolumeFolder }),
      nodeSelector,
      partners,
      names: tested.map(({ name }) => name),
      images: plan.images.filter((one) => one !== used),
      pullSecrets: images.pullSecrets,
      podNetwork: isThere ? 'there' : 'not-yet',
    },
  };
}

/**
 * What nothing serves says nothing of a node: cluster DNS whose pods wait for a network, and every Service where neither a service proxy nor eBPF is on any
 * node. An install judges no Services: it often makes the first of what serves them.
 */
function servicesToAsk(facts: Facts, { goal }: Choices, isThere: boolean): NonNullable<ProbeSettings['services']> {
  const { installation, endpoint } = facts;
  if (goal === 'install' || (areServicesDown(facts) && installation.dataplane.actual !== 'mixed'))
    return { api: null, dns: null };
  return isThere ? endpoint.services : { api: endpoint.services.api, dns: null };
}

/** As long as Calico's agent wrote it with the address, else as most networks have them: partners are chosen by it, and nothing else. */
function subnetOf({ calicoAddresses = [] }: NodeFact, address: string | null): string | null {
  if (address === null) return null;
  const usual = isIP(address) === 6 ? 64 : 24;
  const length = Number(calicoAddresses.find((one) => withoutLength(one) === address)?.split('/')[1] ?? usual);
  const network = parseCidr(`${address}/${length}`);
  return network && formatCidr(network);
}

/** Those behind the API's Service, which nodes translate its ClusterIP to. */
function apiServersOf({ endpoint }: Facts): { host: string; port: string }[] {
  return endpoint.apiServers.slice(0, mostServers).flatMap((address) => {
    const server = parseHostPort(address, 443);
    return server === null || isIP(server.host) === 0 ? [] : [{ host: server.host, port: String(server.port) }];
  });
}
