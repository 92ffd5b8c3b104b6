import { execFileSync } from 'node:child_process';

/** Network namespaces take root; `npm test` says so where they cannot be had, and installs the programs (scripts/test/needs.mjs). */
export const canPlayNodes = process.getuid?.() === 0 && ['ip', 'bpftool', 'iptables', 'shellcheck'].every(isThere);

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${program}`], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
