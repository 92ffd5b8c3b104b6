import { interfacePattern } from '#lib/base/patterns/interface-pattern.ts';
import type { TestOutcome } from '#lib/kube/index.ts';
import { felixDefaults } from '#lib/spec/index.ts';
import type { ProbedLink, ProbeLine } from '../line.ts';
import {
  allOf,
  failed,
  lineOf,
  linesOf,
  type NodeReport,
  notRun,
  type ProbedNode,
  passed,
  type Question,
} from './report.ts';

/** The links with the node's addresses match Felix's `bpfDataIfacePattern`, so that eBPF programs are attached to them (pain D5). */
export function interfaces(
  { interfacePattern: given }: Question,
  node: ProbedNode,
  lines: readonly ProbeLine[],
): TestOutcome {
  const carrying = carryingLinks(node, lines);
  if ('outcome' in carrying) return carrying.outcome;
  const pattern = interfacePattern(given ?? felixDefaults.bpfDataIfacePattern);
  if (pattern.kind !== 'usable') return notRun('the pattern of FelixConfiguration cannot be judged here');
  const missed = carrying.links.find(({ ifname }) => !pattern.matches(ifname));
  return missed === undefined
    ? passed
    : failed(`${missed.ifname}, which carries its address, is not matched by bpfDataIfacePattern`);
}

/**
 * VLAN tags are not processed on the link that carries the address, on links below it, or where tagged links are on top of one of these (pain D5).
 */
export function vlanDevices(node: ProbedNode, lines: readonly ProbeLine[]): TestOutcome {
  const carrying = carryingLinks(node, lines);
  if ('outcome' in carrying) return carrying.outcome;
  const links = linksOfNode(lines);
  const way = new Set(carrying.links);
  for (const link of way)
    for (const other of links) if (other.ifname === link.link || other.master === link.ifname) way.add(other);
  const names = new Set([...way].map(({ ifname }) => ifname));
  const tagged = links.find((link) => kindOf(link) === 'vlan' && (way.has(link) || names.has(link.link ?? '')));
  if (tagged === undefined) return passed;
  return failed(
    way.has(tagged)
      ? `${tagged.ifname}, through which its address is reached, has a VLAN tag`
      : `${tagged.ifname} has a VLAN tag and lies on ${tagged.link}, through which its address is reached`,
  );
}

const linksOfNode = (lines: readonly ProbeLine[]) => allOf(lines, 'link').flatMap(({ data }) => data);
const kindOf = ({ linkinfo }: ProbedLink) => linkinfo?.info_kind ?? '';

/** The links with the node's address; without one, the links of its default routes. */
function carryingLinks(
  node: ProbedNode,
  lines: readonly ProbeLine[],
): { readonly links: readonly ProbedLink[] } | { readonly outcome: TestOutcome } {
  const links = linksOfNode(lines);
  if (links.length === 0) return { outcome: notRun('it did not say') };
  const defaults = new Set((lineOf(lines, 'routes')?.data ?? []).map(({ dev }) => dev));
  const addressed = links.filter((link) => link.addr_info.some(({ local }) => local === node.address));
  const carrying = addressed.length > 0 ? addressed : links.filter(({ ifname }) => defaults.has(ifname));
  if (carrying.length > 0) return { links: carrying };
  const because = 'no interface carries its address or a default route';
  const left = lineOf(lines, 'links-left')?.count ?? 0;
  return { outcome: left > 0 ? notRun(`${because}, of those that were listed: ${left} were not`) : failed(because) };
}

/** The smallest MTU of the links with the node's address, in bytes; null: unknown. */
export function linkMtu(node: ProbedNode, lines: readonly ProbeLine[]): number | null {
  const carrying = carryingLinks(node, lines);
  return 'outcome' in carrying ? null : Math.min(...carrying.links.map(({ mtu }) => mtu));
}

/** The drivers of its network cards, by which cards with wrong checksums are known (pain D3). */
export function driversInWords(nodes: readonly ProbedNode[], { node, host }: NodeReport): string {
  const probed = nodes.find(({ name }) => name === node);
  const carrying = probed && carryingLinks(probed, linesOf(host));
  if (carrying === undefined || 'outcome' in carrying) return '';
  const names = new Set(carrying.links.map(({ ifname }) => ifname));
  const drivers = allOf(linesOf(host), 'link').flatMap(({ driver, data }) =>
    driver && data.some(({ ifname, master }) => names.has(ifname) || names.has(master ?? '')) ? [driver] : [],
  );
  return drivers.length > 0 ? ` (driver: ${[...new Set(drivers)].join(', ')})` : '';
}
