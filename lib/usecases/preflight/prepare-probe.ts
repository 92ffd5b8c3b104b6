import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { formatCidr, parseCidr } from '#lib/base/ip.ts';
import { areServicesDown, isDsrChosen } from '#lib/checks/index.ts';
import { type Facts, type NodeFact, parseHostPort } from '#lib/facts/index.ts';
import type { MeasuredPlan } from '#lib/kube/index.ts';
import { choosePartners, type ProbeSettings, type Question } from '#lib/probe/index.ts';
import { type Choices, namedEndpoint, names, runsAgent, whyAgentless } from '#lib/spec/index.ts';
import { measuredPlan } from './measured-plan.ts';
import { probeImages } from './probe-images.ts';
import { probedSettings } from './probed-settings.ts';
import { vxlanAddresses, withoutLength } from './vxlan-addresses.ts';

export type PreparedProbe = {
  readonly question: Question;
  readonly settings: ProbeSettings;
  readonly plan: MeasuredPlan;
  /** Nodes that get no pod, as no agent runs there. */
  readonly agentless: readonly { readonly name: string; readonly why: 'windows' | 'virtual' }[];
};

const noAgents = 'None of these nodes runs an agent of Calico: there is nothing to test.';
/** Every node connects to each of these API servers. Limited, because anybody who may write EndpointSlices decides how many there are. */
const mostServers = 16;

/**
 * What the nodes are asked, from facts and answers. `image`: null for the agent's own image, of the release that runs or is to be installed; nodes
 * have it or need it next. `nodes`: names of those to test; null: all that run an agent. Returns a sentence if no image is known.
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
  const chosen = facts.nodes.filter(({ name }) => nodes === null || nodes.has(name));
  const tested = chosen.filter(runsAgent).map((node) => {
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
  const endpoint = namedEndpoint(facts.endpoint, choices);
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
      ...(images.notTested === null ? {} : { imagesNotTested: images.notTested }),
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
      ...(areThoseOfLabel(chosen) ? {} : { select: 'names' }),
      partners,
      names: tested.map(({ name }) => name),
      images: plan.images.filter((one) => one !== used),
      pullSecrets: images.pullSecrets,
      podNetwork: isThere ? 'there' : 'not-yet',
    },
    agentless: chosen.flatMap((node) => {
      const why = whyAgentless(node);
      return why === null ? [] : [{ name: node.name, why }];
    }),
  };
}

/** Whether the label by which a DaemonSet selects Linux nodes is on exactly those of them that run an agent. */
function areThoseOfLabel(nodes: readonly NodeFact[]): boolean {
  return nodes.every((node) => runsAgent(node) === ((node.osLabel ?? node.os) === 'linux'));
}

/**
 * The Services to test. Left out are those that nothing serves, since their silence would not be a node's fault: cluster DNS whose pods wait for a
 * network, and every Service if no node has a service proxy or eBPF. An install tests no Services: it often creates the first thing that serves
 * them.
 */
function servicesToAsk(facts: Facts, { goal }: Choices, isThere: boolean): NonNullable<ProbeSettings['services']> {
  const { installation, endpoint } = facts;
  if (goal === 'install' || (areServicesDown(facts) && installation.dataplane.actual !== 'mixed'))
    return { api: null, dns: null };
  return isThere ? endpoint.services : { api: endpoint.services.api, dns: null };
}

/** The node's subnet, with the prefix length that Calico's agent recorded, else the most common one. Used only to choose partners. */
function subnetOf({ calicoAddresses = [] }: NodeFact, address: string | null): string | null {
  if (address === null) return null;
  const usual = isIP(address) === 6 ? 64 : 24;
  const length = Number(calicoAddresses.find((one) => withoutLength(one) === address)?.split('/')[1] ?? usual);
  const network = parseCidr(`${address}/${length}`);
  return network && formatCidr(network);
}

/** The servers behind the API's Service, to which nodes translate its ClusterIP. */
function apiServersOf({ endpoint }: Facts): { host: string; port: string }[] {
  return endpoint.apiServers.slice(0, mostServers).flatMap((address) => {
    const server = parseHostPort(address, 443);
    return server === null || isIP(server.host) === 0 ? [] : [{ host: server.host, port: String(server.port) }];
  });
}
