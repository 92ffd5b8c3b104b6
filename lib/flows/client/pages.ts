import { bucketSeconds, type Flow, historySeconds, type TimeRange } from '../flow.ts';
import { FlowError } from '../flow-error.ts';
import { flowSize } from '../flow-size.ts';
import { keyHash } from '../wire/read-flow.ts';

export const pageSize = 2_000;
/** What this process can hold: some 300,000 flows as they are, and fewer with long labels. */
const mostListed = 500_000_000;
/** More, none of which says anything new, would be asked for ever. */
const mostPages = 2_000;

type Page = { readonly pages: number; readonly flows: readonly Flow[] };

/**
 * All flows of a range, each once. A range that counts from now, and with it what is on which page, moves while pages are asked for: if the first answer
 * is not all, every page is asked for by the time that it tells. What still comes into the newest bucket may move a flow: one that was told is not
 * told again.
 */
export async function allPages(
  range: TimeRange,
  ask: (range: TimeRange, page: number) => Promise<Page>,
  most: number = mostListed,
): Promise<Flow[]> {
  const first = await ask(range, 0);
  if (first.pages <= 1) return [...first.flows];
  const flows = new Map<string, Flow>();
  let size = 0;
  const fixed = fixedRange(range, first);
  for (let page = 0, pages = first.pages; page < pages; page++) {
    if (page >= mostPages) throw tooMuch();
    const answer = await ask(fixed, page);
    pages = answer.pages;
    for (const flow of answer.flows) {
      const key = keyHash(flow);
      if (flows.has(key)) continue;
      flows.set(key, flow);
      size += flowSize(flow);
    }
    if (size > most) throw tooMuch();
  }
  return [...flows.values()];
}

/** The aggregator's clock is read from its newest flow. What it forgets while it is asked is left out: some seconds a page, of a whole hour. */
function fixedRange({ gte, lt }: TimeRange, { pages, flows }: Page): TimeRange {
  const newest = flows.reduce((latest, { end }) => Math.max(latest, end), 0);
  if (newest === 0) return { gte, lt };
  const now = (lt < 0 ? newest - lt : newest) - bucketSeconds;
  const kept = now - historySeconds + 4 * bucketSeconds + pages;
  const from = gte > 0 ? gte : gte < 0 ? now + gte : kept;
  const fixed = { gte: Math.max(from, kept), lt: lt > 0 ? lt : newest };
  return fixed.gte < fixed.lt ? fixed : { gte, lt };
}

export function tooMuch(): FlowError {
  return new FlowError(
    'refused',
    'The aggregator tells more flows than fit into memory here. Ask for a shorter time, or for fewer flows.',
  );
}
