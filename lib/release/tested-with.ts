/** Kubernetes minors that a Calico minor is tested with, by its own documentation. Elsewhere it may work; nobody tried. */
export type TestedWith = {
  readonly calico: string;
  readonly from: string;
  readonly to: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const requirements = 'docs.tigera.io, requirements for Kubernetes';

export const testedWith: readonly TestedWith[] = [
  {
    calico: 'v3.32',
    from: 'v1.34',
    to: 'v1.36',
    source: `${requirements}, as read by Rusty-Gopher/kupre v0.5.0`,
    read: '2026-11-21',
  },
  {
    calico: 'v3.31',
    from: 'v1.32',
    to: 'v1.35',
    source: `${requirements}, as read by Rusty-Gopher/kupre v0.5.0; projectcalico discussion 11717`,
    read: '2026-11-21',
  },
];

/** `v3.31.4` → the row of v3.31; null where it was not read. */
export function testedWithOf(version: string): TestedWith | null {
  return testedWith.find(({ calico }) => version.startsWith(`${calico}.`)) ?? null;
}
