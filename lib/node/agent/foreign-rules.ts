import { askProgram, usualPath } from '../host/ask-program.ts';

/** Commands that list what the packet filter has. */
const questions = [
  { command: 'iptables-legacy-save', args: [] },
  { command: 'iptables-nft-save', args: [] },
  { command: 'ip6tables-legacy-save', args: [] },
  { command: 'ip6tables-nft-save', args: [] },
  { command: 'nft', args: ['list', 'tables'] },
] as const;

/** Calico's own chains and its table: its policy is enforced there, and packets that the programs redirect never pass them. */
export function calicoRulesIn(listing: string): string | null {
  const chain = /^:(cali-\S+)/m.exec(listing)?.[1];
  if (chain !== undefined) return `chain ${chain}`;
  const table = /^table (\S+ calico)$/m.exec(listing)?.[1];
  return table === undefined ? null : `table ${table}`;
}

/**
 * A sentence without its full stop: what Calico has in the packet filter of this host, or that nobody could tell; null: nothing.
 * `path` is where the commands are looked for.
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
  return `It is not known whether this host has rules of Calico, because none of ${names} is there and answers`;
}
