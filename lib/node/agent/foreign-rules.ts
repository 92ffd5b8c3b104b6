import { execFile } from 'node:child_process';

/** Commands that list what programs the packet filter has. One that is not on the host tells nothing. */
const questions = [
  { command: 'iptables-legacy-save', args: [] },
  { command: 'iptables-nft-save', args: [] },
  { command: 'ip6tables-legacy-save', args: [] },
  { command: 'ip6tables-nft-save', args: [] },
  { command: 'nft', args: ['list', 'tables'] },
] as const;
const longestMs = 10_000;
const mostBytes = 64 * 1024 ** 2;

/** Calico's own chains and its table: its policy is enforced there, and packets that the programs redirect never pass them. */
export function calicoRulesIn(listing: string): string | null {
  const chain = /^:(cali-\S+)/m.exec(listing)?.[1];
  if (chain !== undefined) return `chain ${chain}`;
  const table = /^table (\S+ calico)$/m.exec(listing)?.[1];
  return table === undefined ? null : `table ${table}`;
}

/** The first of Calico's rules on this host, or null. */
export async function calicoRulesOfHost(): Promise<string | null> {
  for (const { command, args } of questions) {
    const found = calicoRulesIn(await listingOf(command, args));
    if (found !== null) return `${found} (${command})`;
  }
  return null;
}

/** Empty where the command is not there or refuses: another one of them tells the same. */
function listingOf(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, [...args], { timeout: longestMs, maxBuffer: mostBytes }, (_error, stdout) => resolve(stdout));
  });
}
