/** A page that the palette opens. Opening it has no effect; actions are buttons on the page. */
export type Place = {
  readonly group: PlaceGroup;
  readonly title: string;
  readonly note: string;
  readonly href: string;
};

/** In display order. */
export const placeGroups = ['Actions', 'Pages', 'Clusters', 'Findings', 'Nodes', 'Runs'] as const;
export type PlaceGroup = (typeof placeGroups)[number];
