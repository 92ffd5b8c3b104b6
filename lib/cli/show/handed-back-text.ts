import { agreeing, thousands } from '#lib/base/words.ts';

/** What becomes of the connections that are translated packet by packet, once a node's programs are removed. */
export function handedBackText({ kept, ended }: { kept: number; ended: number }): string {
  const [continues, ends] = [agreeing(kept, 'continues', 'continue'), agreeing(ended, 'ends', 'end')];
  return `Of the connections translated packet by packet, ${thousands(kept)} ${continues} through the host's own tracking and ${thousands(ended)} ${ends}.`;
}
