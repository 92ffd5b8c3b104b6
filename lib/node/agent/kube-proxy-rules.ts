import { askProgram } from '../host/ask-program.ts';
import { tellProgram } from '../host/tell-program.ts';

/** Both back ends of iptables in both families: kube-proxy's image decides which of them it has used. */
const backEnds = ['iptables-legacy', 'iptables-nft', 'ip6tables-legacy', 'ip6tables-nft'] as const;

/** The tables of kube-proxy in nftables mode. */
const tables = ['ip kube-proxy', 'ip6 kube-proxy'] as const;

/**
 * kube-proxy's own chains (kubernetes pkg/proxy/iptables/proxier.go, CleanupLeftovers). Chains that kubelet creates too are kept: KUBE-FIREWALL,
 * KUBE-KUBELET-CANARY, KUBE-IPTABLES-HINT, and KUBE-MARK-MASQ with KUBE-POSTROUTING, which have no effect on packets without a mark.
 */
const ofKubeProxy =
  /^KUBE-(?:SERVICES|EXTERNAL-SERVICES|NODEPORTS|FORWARD|PROXY-FIREWALL|PROXY-CANARY|(?:SVC|SVL|SEP|EXT|FW|XLB)-[A-Z0-9]+)$/;

const quoted = /"(?:[^"\\]|\\.)*"/g;

/**
 * The input for `iptables-restore --noflush` that deletes kube-proxy's chains in this listing, and the rules of other chains that jump to them; one
 * transaction per table. Null if there are no such chains.
 */
export function withoutKubeProxy(listing: string): string | null {
  const parts: string[] = [];
  for (const [, table = '', body = ''] of listing.matchAll(/^\*(\S+)\n([\s\S]*?)^COMMIT$/gm)) {
    const lines = body.split('\n');
    const chains = lines.flatMap((line) => /^:(\S+)/.exec(line)?.[1] ?? []).filter((chain) => ofKubeProxy.test(chain));
    if (chains.length === 0) continue;
    const leading = lines.filter((line) => {
      // A quoted part, such as a comment, must not be read as the rule's target.
      const [, chain = '', target = ''] = /^-A (\S+) .*?-[jg] (\S+)(?: |$)/.exec(line.replaceAll(quoted, '""')) ?? [];
      return ofKubeProxy.test(target) && !ofKubeProxy.test(chain);
    });
    parts.push(
      `*${table}`,
      // This line empties a chain that exists.
      ...chains.map((chain) => `:${chain} - [0:0]`),
      ...leading.map((line) => line.replace('-A ', '-D ')),
      ...chains.map((chain) => `-X ${chain}`),
      'COMMIT',
      '',
    );
  }
  return parts.length === 0 ? null : parts.join('\n');
}

/** Deletes the rules of a kube-proxy that no longer runs from this host's packet filter. Logs what it could not delete, and deletes the rest. */
export async function removeKubeProxyRules(log: (line: string) => void): Promise<void> {
  const deleted: string[] = [];
  const refused: string[] = [];
  for (const backEnd of backEnds) {
    const script = withoutKubeProxy((await askProgram(`${backEnd}-save`, [])).listing);
    if (script === null) continue;
    const because = await tellProgram(`${backEnd}-restore`, ['--noflush', '-w', '5'], script);
    if (because === null) deleted.push(backEnd);
    else refused.push(because);
  }
  const { listing } = await askProgram('nft', ['list', 'tables']);
  for (const table of tables) {
    if (!listing.split('\n').includes(`table ${table}`)) continue;
    const because = await tellProgram('nft', ['-f', '-'], `delete table ${table}\n`);
    if (because === null) deleted.push(`nftables (${table})`);
    else refused.push(because);
  }
  if (deleted.length > 0) log(`kube-proxy's rules were deleted: ${deleted.join(', ')}.`);
  if (refused.length > 0) log(`Rules of kube-proxy were not deleted: ${refused.join('; ')}`);
}
