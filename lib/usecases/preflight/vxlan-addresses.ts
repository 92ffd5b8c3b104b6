import { isIP } from 'node:net';
import { isInCidr } from '#lib/base/ip.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { installationOf } from './probe-images.ts';

/** Null: it has none. `addressV6`: the one beside it, where VXLAN goes between these too. */
type VxlanAddresses = { readonly address: string | null; readonly addressV6?: string | null };

/** Between which addresses of each node Calico sends VXLAN, with these pools and this Installation. */
export function vxlanAddresses(facts: Facts, choices: Choices): (node: NodeFact) => VxlanAddresses {
  const isDual = isDualStack(facts, choices);
  return (node) => {
    const address = firstAddress(node, facts, choices);
    return isDual ? { address, addressV6: secondAddress(node, address) } : { address };
  };
}

/**
 * The address that Calico sends VXLAN from: what its agent took on that node, else the first in the ranges of `nodeAddressAutodetectionV4`, else the
 * node's own. IPv4 where there is one.
 */
function firstAddress({ addresses, calicoAddresses = [] }: NodeFact, facts: Facts, choices: Choices): string | null {
  const taken = calicoAddresses.map(withoutLength);
  const { cidrs = [] } = installationOf(facts, choices).calicoNetwork?.nodeAddressAutodetectionV4 ?? {};
  const chosen = addresses.filter((address) => cidrs.some((range) => isInCidr(address, range)));
  const inOrder = [...taken, ...chosen, ...addresses];
  return inOrder.find((one) => isIP(one) === 4) ?? inOrder.find((one) => isIP(one) === 6) ?? null;
}

export const withoutLength = (address: string) => address.split('/')[0] ?? address;

/** Of IPv6, beside one of IPv4. */
function secondAddress({ addresses, calicoAddresses = [] }: NodeFact, first: string | null): string | null {
  if (isIP(first ?? '') !== 4) return null;
  return [...calicoAddresses.map(withoutLength), ...addresses].find((one) => isIP(one) === 6) ?? null;
}

/**
 * Agents with pods of both families send VXLAN between addresses of both, in eBPF mode also where their pools say *None*: so that NodePorts reach other
 * nodes.
 */
function isDualStack(facts: Facts, choices: Choices): boolean {
  const { ipPools = [] } = installationOf(facts, choices).calicoNetwork ?? {};
  const ranges = [...facts.pools.filter(({ disabled }) => !disabled), ...ipPools].map(({ cidr }) => cidr);
  return ranges.some((range) => range.includes(':')) && ranges.some((range) => !range.includes(':'));
}
