import { askProgram, usualPath } from '../host/ask-program.ts';

/** Commands that list the rules of this host's packet filter. */
const questions = [
  { command: 'iptables-legacy-save', args: [] },
  { command: 'iptables-nft-save', args: [] },
  { command: 'ip6tables-legacy-save', args: [] },
  { command: 'ip6tables-nft-save', args: [] },
  { command: 'nft', args: ['list', 'tables'] },
] as const;

/**
 * The first chain or table of Calico in a listing; null if there is none. Calico enforces its policy there, and packets that our programs redirect
 * bypass it.
 */
export function calicoRulesIn(listing: string): string | null {
  const chain = /^:(cali-\S+)/m.exec(listing)?.[1];
  if (chain !== undefined) return `chain ${chain}`;
  const table = /^table (\S+ calico)$/m.exec(listing)?.[1];
  return table === undefined ? null : `table ${table}`;
}

/**
 * A sentence without its full stop: which rules of Calico this host has, or that no command could list them. Null if it has none.
 * `path` is the PATH by which the commands are found.
 */
export async function calicoRulesOfHost(path = usualPath()): Promise<string | null> {
  let answers = 0;
  for (const { command, args } of questions) {
    const { listing, isWhole } = await askProgram(command, args, path);
    const found = calicoRulesIn(listing);
    if (found !== null) return `This host has Calico's ${found} (${command})`;
    if (isWhole) answers++;
  }
  if (answers > 0) return null;
  const names = questions.map(({ command }) => command).join(', ');
  return `Not verified that this host has no rules of Calico: none of ${names} could be run`;
}
