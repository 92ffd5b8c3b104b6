import { type Family, formatCidr, parseCidr } from '#lib/base/ip.ts';
import { tellProgram } from '../host/tell-program.ts';
import { AgentRefused } from './refusals.ts';

/** The nftables table of this agent, which nobody else writes and which is deleted as a whole. */
const table = 'inet signalbox';

const families: readonly { readonly family: Family; readonly word: string; readonly type: string }[] = [
  { family: 4, word: 'ip', type: 'ipv4_addr' },
  { family: 6, word: 'ip6', type: 'ipv6_addr' },
];

/**
 * The script for nft(8) that replaces our table in one transaction.
 *
 * The two nat chains and the rule `ct state established` preserve connections that another proxy has translated. When that proxy's rules go, the
 * kernel translates connections only while some chain of type nat exists, and tracks them only while some rule asks for a connection's state. Without
 * both, each of these connections is reset.
 *
 * @param masquerade CIDRs of pods whose packets to addresses outside all of them get this host's address
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

/** Replaces our table. @throws AgentRefused if nft fails and `masquerade` is not empty; if it is empty, the failure is only logged */
export async function applyHostRules(masquerade: readonly string[], log: (line: string) => void): Promise<void> {
  const because = await nft(hostRules(masquerade));
  if (because === null) return;
  if (masquerade.length > 0) throw new AgentRefused(`--masquerade needs nftables: ${because}`);
  log(`Connections that another service proxy translated end once its rules are removed: ${because}`);
}

/** Deletes our table. Does nothing if there is no table or no nft. */
export async function removeHostRules(): Promise<void> {
  await nft(`table ${table}\ndelete table ${table}\n`);
}

const nft = (script: string) => tellProgram('nft', ['-f', '-'], script);
