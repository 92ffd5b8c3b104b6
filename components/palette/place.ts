/** Where one can go from everywhere. Each is a page: nothing is done by going there, and what writes is pressed on the page itself. */
export type Place = {
  readonly group: PlaceGroup;
  readonly title: string;
  readonly note: string;
  readonly href: string;
};

/** In the order in which they are shown. */
export const placeGroups = ['Actions', 'Pages', 'Clusters', 'Findings', 'Nodes', 'Runs'] as const;
export type PlaceGroup = (typeof placeGroups)[number];
