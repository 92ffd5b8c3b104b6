import type { ClusterShape } from './cluster-shape.ts';

/** Headings of the gallery, in the order in which samples are listed. */
const groups = ['Basics', 'Platforms', 'Failures'] as const;
export type Group = (typeof groups)[number];

/** One row of the gallery: the standard cluster, but for what differs. */
export type Sample = {
  /** What it shows: one line, for `signalbox sandbox list`. */
  shows: string;
  differs: Partial<ClusterShape>;
  /** Absent: by the operator. */
  calico?: 'absent';
};

/** By the name that people type. Order counts. */
export type Samples = Readonly<Record<string, Sample>>;
