import { isThere } from '#e2e/dataplane/testing/can-run-programs.ts';

/** Network namespaces take root; `npm test` says so where they cannot be had, and installs the programs (scripts/test/needs.mjs). */
export const canPlayNodes = process.getuid?.() === 0 && ['ip', 'bpftool', 'iptables', 'shellcheck'].every(isThere);
