import { isIP } from 'node:net';
import { isInCidr } from '#lib/base/ip.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { installationOf } from './probe-images.ts';

/** `address`: null if there is none. `addressV6`: its second address, if VXLAN is sent between these too. */
type VxlanAddresses = { readonly address: string | null; readonly addressV6?: string | null };

/** The addresses of each node between which Calico sends VXLAN, with these pools and this Installation. */
export function vxlanAddresses(facts: Facts, choices: Choices): (node: NodeFact) => VxlanAddresses {
  const isDual = isDualStack(facts, choices);
  return (node) => {
    const address = firstAddress(node, facts, choices);
    return isDual ? { address, addressV6: secondAddress(node, address) } : { address };
  };
}

/**
 * The address from which Calico sends VXLAN: the one that the agent took on this node, else the first in the ranges of `nodeAddressAutodetectionV4`,
 * else the node's own. IPv4 if there is one.
 */
function firstAddress({ addresses, calicoAddresses = [] }: NodeFact, facts: Facts, choices: Choices): string | null {
  const taken = calicoAddresses.map(withoutLength);
  const { cidrs = [] } = installationOf(facts, choices).calicoNetwork?.nodeAddressAutodetectionV4 ?? {};
  const chosen = addresses.filter((address) => cidrs.some((range) => isInCidr(address, range)));
  const inOrder = [...taken, ...chosen, ...addresses];
  return inOrder.find((one) => isIP(one) === 4) ?? inOrder.find((one) => isIP(one) === 6) ?? null;
}

/** The address of Calico's annotation without its prefix length: `10.0.0.11/24` → `10.0.0.11`. */
export const withoutLength = (address: string) => address.split('/')[0] ?? address;

/** The IPv6 address of a node whose first one is IPv4. */
function secondAddress({ addresses, calicoAddresses = [] }: NodeFact, first: string | null): string | null {
  if (isIP(first ?? '') !== 4) return null;
  return [...calicoAddresses.map(withoutLength), ...addresses].find((one) => isIP(one) === 6) ?? null;
}

/**
 * With pools of both families, agents send VXLAN between addresses of both. In eBPF mode they do so even if the pools say *None*, so that NodePorts
 * reach other nodes.
 */
function isDualStack(facts: Facts, choices: Choices): boolean {
  const { ipPools = [] } = installationOf(facts, choices).calicoNetwork ?? {};
  const ranges = [...facts.pools.filter(({ disabled }) => !disabled), ...ipPools].map(({ cidr }) => cidr);
  return ranges.some((range) => range.includes(':')) && ranges.some((range) => !range.includes(':'));
}
