import { type Family, formatCidr, parseCidr } from '#lib/base/ip.ts';
import { tellProgram } from '../host/tell-program.ts';
import { AgentRefused } from './run-agent.ts';

/** Of this host's packet filter: ours alone, and deleted as a whole. */
const table = 'inet signalbox';

const families: readonly { readonly family: Family; readonly word: string; readonly type: string }[] = [
  { family: 4, word: 'ip', type: 'ipv4_addr' },
  { family: 6, word: 'ip6', type: 'ipv6_addr' },
];

/**
 * Our table in nftables' own language, in place of what it was, in one transaction.
 *
 * The chains keep what another proxy has translated: when its rules go, the kernel translates connections that live only as long as somebody else hooks a chain
 * of type nat, and tracks them as long as a rule asks for a connection's state. Without both, each of them is reset.
 *
 * @param masquerade ranges of pods that get the address of this host towards whoever is outside of all of them
 */
export function hostRules(masquerade: readonly string[]): string {
  const ranges = masquerade.map(parseCidr).filter((range) => range !== null);
  const ofPods = families
    .map((one) => ({ ...one, ranges: ranges.filter(({ family }) => family === one.family).map(formatCidr) }))
    .filter((one) => one.ranges.length > 0);
  const sets = ofPods.map(
    ({ word, type, ranges: all }) =>
      `  set pods-${word} { type ${type}; flags interval; auto-merge; elements = { ${all.join(', ')} }; }`,
  );
  const rules = ofPods.map(({ word }) => `    ${word} saddr @pods-${word} ${word} daddr != @pods-${word} masquerade`);
  return [
    `table ${table}`,
    `delete table ${table}`,
    `table ${table} {`,
    ...sets,
    '  chain tracked { type filter hook prerouting priority mangle; ct state established accept; }',
    '  chain prerouting { type nat hook prerouting priority dstnat; }',
    '  chain postrouting { type nat hook postrouting priority srcnat;',
    ...rules,
    '  }',
    '}',
    '',
  ].join('\n');
}

/** Puts the rules in place. @throws AgentRefused where there is something to masquerade, and they are refused; else it is only said */
export async function applyHostRules(masquerade: readonly string[], log: (line: string) => void): Promise<void> {
  const because = await nft(hostRules(masquerade));
  if (because === null) return;
  if (masquerade.length > 0) throw new AgentRefused(`--masquerade needs nftables: ${because}`);
  log(`What another service proxy has translated ends when its rules go: ${because}`);
}

/** Takes the table away; where there is none, or no nft, there is nothing to do. */
export async function removeHostRules(): Promise<void> {
  await nft(`table ${table}\ndelete table ${table}\n`);
}

const nft = (script: string) => tellProgram('nft', ['-f', '-'], script);
