import type { ClusterShape } from './cluster-shape.ts';

/** Headings of the gallery, in the order in which they are listed. */
const groups = ['Basics', 'Platforms', 'Failures'] as const;
export type Group = (typeof groups)[number];

/** One row of the gallery: the differences from the standard cluster. */
export type Sample = {
  /** What the sample shows, in one line for `signalbox sandbox list`. */
  shows: string;
  differs: Partial<ClusterShape>;
  /** Absent: the operator installed Calico. */
  calico?: 'absent';
};

/** Samples by the name that people type, in the order in which they are listed. */
export type Samples = Readonly<Record<string, Sample>>;
