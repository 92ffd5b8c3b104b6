import type { PreflightEvent, PreflightView } from './view.ts';

/** A test of nodes after one more event. An event that the view contains already changes nothing. Pure. */
export function foldPreflight(view: PreflightView, event: PreflightEvent, id: number | null): PreflightView {
  if (event.event === 'snapshot') return event.data;
  if (id === null || id <= view.revision) return view;
  const seen = { ...view, revision: id };
  switch (event.event) {
    case 'node':
      return { ...seen, reported: [...view.reported, ...event.data.reported] };
    case 'ended':
      return { ...seen, ended: event.data };
    case 'heartbeat':
    case 'end':
      return view;
  }
}
