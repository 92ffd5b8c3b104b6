import { felixDefaults } from '#lib/spec/index.ts';
import type { Link } from './links.ts';

/** Names of interfaces, in which `*` stands for any characters. `found`: the names that Calico takes for network interfaces by default. */
type LinkNames = 'found' | readonly string[];

export type LinkChoice = { readonly network: LinkNames; readonly pods: readonly string[] };

export type ChosenLink = Link & { readonly use: 'pod' | 'network' };

const networkByCalico = new RegExp(felixDefaults.bpfDataIfacePattern);

function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((one) => {
    const parts = one.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(name);
  });
}

/**
 * The interfaces that get programs. Members of a bond or bridge do not: their packets are seen at the device above. Loopback carries no packets of
 * pods or the network.
 */
export function chooseLinks(links: readonly Link[], choice: LinkChoice): ChosenLink[] {
  return links.flatMap((link): ChosenLink[] => {
    const use = link.kind === 'plain' ? usedAs(link.name, choice) : null;
    return use === null ? [] : [{ ...link, use }];
  });
}

function usedAs(name: string, { network, pods }: LinkChoice): ChosenLink['use'] | null {
  if (name === 'lo') return null;
  if (isNamed(name, pods)) return 'pod';
  return (network === 'found' ? networkByCalico.test(name) : isNamed(name, network)) ? 'network' : null;
}

/** A sentence that says why packets of this host cannot be served; null if they can. */
export function whyNoLinks(links: readonly Link[], choice: LinkChoice): string | null {
  const { network } = choice;
  const vlan = links.find(({ name, kind }) => kind === 'vlan' && usedAs(name, choice) === 'network');
  if (vlan)
    return `${vlan.name} is a VLAN sub-interface, whose packets are not served yet. Name the other interfaces with --iface. --iface none serves only processes and pods of this node.`;
  if (chooseLinks(links, choice).some(({ use, isUp }) => use === 'network' && isUp)) return null;
  const there = links.filter(({ name }) => name !== 'lo').map(({ name }) => name);
  return `No interface of the network is up${network === 'found' ? ' that has a usual name' : ` and named ${network.join(',')}`} (found: ${there.join(', ') || 'none'}). Name it with --iface. --iface none serves only processes and pods of this node.`;
}
