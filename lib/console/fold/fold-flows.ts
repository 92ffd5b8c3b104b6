import { withFlows } from './kept-flows.ts';
import type { FlowsEvent, FlowsView } from './view.ts';

/** The flows of a cluster after one more event: oldest first, as many of the newest as fit. Pure. */
export function foldFlows(view: FlowsView, event: FlowsEvent, id: number | null): FlowsView {
  if (event.event === 'snapshot') return event.data;
  if (id === null || id <= view.revision) return view;
  const seen = { ...view, revision: id };
  switch (event.event) {
    case 'flows':
      return { ...seen, flows: withFlows(view.flows, event.data.flows), stale: null };
    case 'gap':
      return { ...seen, gaps: [...view.gaps, event.data.since].slice(-10) };
    case 'problem':
      return { ...seen, stale: { since: event.data.since, message: event.data.message } };
    case 'heartbeat':
    case 'end':
      return view;
  }
}
