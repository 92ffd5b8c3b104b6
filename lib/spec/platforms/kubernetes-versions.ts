import { compareNumbers, parseRelease, type Release } from '../releases/versions.ts';

/** Kubernetes minors that a Calico minor is tested with, by its own documentation. Others may work, untested. */
export type TestedWith = {
  /** `v3.31`. Minors without a row were not read; the requirements page of their documentation has it. */
  readonly calico: string;
  readonly from: string;
  readonly to: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const requirements =
  'https://docs.tigera.io/calico/latest/getting-started/kubernetes/requirements, as read by Rusty-Gopher/kupre v0.5.0';
const read = '2026-11-21';

/** Newest first. */
export const testedWith: readonly TestedWith[] = [
  { calico: 'v3.33', from: 'v1.35', to: 'v1.37', source: requirements, read },
  { calico: 'v3.32', from: 'v1.34', to: 'v1.36', source: requirements, read },
  {
    calico: 'v3.31',
    from: 'v1.32',
    to: 'v1.35',
    source: `${requirements}; orgs/projectcalico discussion 11717`,
    read,
  },
  { calico: 'v3.29', from: 'v1.29', to: 'v1.32', source: 'orgs/projectcalico discussion 11717', read },
];

/** The row of v3.31 for `v3.31.4`; null if it was not read. */
export function testedWithOf(version: string): TestedWith | null {
  return testedWith.find(({ calico }) => version.startsWith(`${calico}.`)) ?? null;
}

/** 1 and 34 for `v1.34.1+k3s1`; null if it is no version. */
export function minorOf(version: string | null): Release | null {
  return version === null ? null : (parseRelease(version)?.slice(0, 2) ?? null);
}

/** Whether a release is tested with a version of Kubernetes; `unknown` if it is no version. */
export function kubernetesFit(
  { from, to }: TestedWith,
  kubernetes: string | null,
): 'yes' | 'too old' | 'too new' | 'unknown' {
  const here = minorOf(kubernetes);
  if (here === null) return 'unknown';
  if (compareNumbers(here, minorOf(from) ?? []) < 0) return 'too old';
  return compareNumbers(here, minorOf(to) ?? []) > 0 ? 'too new' : 'yes';
}
