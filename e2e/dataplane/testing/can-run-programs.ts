import { execFileSync } from 'node:child_process';

/** Network namespaces and BPF take root; `npm test` says so where they cannot be had, and installs the programs (scripts/test/needs.mjs). */
export const canRunPrograms = process.getuid?.() === 0 && isThere('ip') && isThere('mount');

/** Whether a program is installed here; those for root alone are on nobody else's PATH. */
export function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${program}`], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
