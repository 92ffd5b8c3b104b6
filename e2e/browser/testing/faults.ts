import type { BrowserContext, Page } from 'playwright-core';

/** Layout shift above which a page jumps under the reader's eyes (web.dev's *good* is 0.1). */
const mostShift = 0.02;

/** Chromium's words for a console or a cable that is gone. Which of them a page hears depends on the moment. */
export const connectionErrors =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|PROXY|SOCKET_NOT_CONNECTED)/;

/** Faults of a page that happen by themselves. */
export type Faults = {
  /** Allows faults that the test provokes; all others fail the test. */
  allow(pattern: RegExp): void;
  /** All faults that were not allowed. */
  list(): string[];
};

/**
 * Watches every page of a context for violations of its Content-Security-Policy, uncaught errors, errors on its console, requests to other hosts, and layout shifts.
 */
export async function watchFaults(context: BrowserContext, origin: string): Promise<Faults> {
  const found: string[] = [];
  const allowed: RegExp[] = [];
  /** The largest sum of layout shifts in one burst, by each document's start time. */
  const shifts = new Map<string, number>();

  await context.exposeBinding('tellViolation', (_, text: string) => void found.push(`refused by the policy: ${text}`));
  await context.exposeBinding('tellShift', (_, document: string, sum: number, what: string) => {
    if (sum <= (shifts.get(document) ?? mostShift)) return;
    shifts.set(document, sum);
    found.push(`what is on the page moved by ${sum.toFixed(3)} (${document}): ${what}`);
  });
  await context.addInitScript(watchFromWithin);

  const watch = (page: Page) => {
    page.on('pageerror', (error) => found.push(`uncaught at ${page.url()}: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error')
        found.push(`console at ${page.url()}: ${message.text()} (${message.location().url})`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) found.push(`asked for ${url}, which is elsewhere`);
    });
    page.on('crash', () => found.push(`the page crashed at ${page.url()}`));
  };
  for (const page of context.pages()) watch(page);
  context.on('page', watch);
  return {
    allow: (pattern) => void allowed.push(pattern),
    list: () => found.filter((fault) => !allowed.some((pattern) => pattern.test(fault))),
  };
}

declare global {
  interface Window {
    tellViolation(text: string): Promise<void>;
    tellShift(document: string, sum: number, what: string): Promise<void>;
  }
}

/** Runs in every document before the page's scripts. */
function watchFromWithin(): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    const where = `${event.sourceFile ?? ''}:${event.lineNumber}`;
    void window.tellViolation(`${event.effectiveDirective} ${event.blockedURI} at ${where} ${event.sample}`);
  });
  // A layout shift after a click or a key is expected, also one by the answers to its requests, however long a busy machine takes
  // for them. The browser itself gives an answer half a second.
  const answeredWithinMs = 8000;
  let asked = Number.NEGATIVE_INFINITY;
  performance.setResourceTimingBufferSize(10_000);
  // While a test gives the window other sizes (look.ts) everything moves, and as late as the machine draws it.
  const looks: { from: number; to: number }[] = [];
  addEventListener('looks-begin', () => looks.push({ from: performance.now(), to: Number.POSITIVE_INFINITY }));
  addEventListener('looks-end', () => {
    asked = performance.now();
    for (const look of looks) look.to = Math.min(look.to, asked);
  });
  const answeredLast = () => {
    const requests = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return requests
      .sort((a, b) => a.startTime - b.startTime)
      .reduce((last, { startTime, responseEnd }) => {
        return startTime >= asked && startTime - last < answeredWithinMs ? Math.max(last, responseEnd) : last;
      }, asked);
  };
  for (const input of ['pointerdown', 'keydown', 'input', 'resize'])
    addEventListener(input, ({ timeStamp }) => (asked = timeStamp), { capture: true, passive: true });
  // As Cumulative Layout Shift counts: bursts of at most 5 s with gaps under 1 s.
  let sum = 0;
  let began = 0;
  let last = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node?: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    })[]) {
      if (entry.hadRecentInput || entry.startTime - answeredLast() < answeredWithinMs) continue;
      if (looks.some(({ from, to }) => entry.startTime >= from && entry.startTime <= to)) continue;
      if (entry.startTime - last > 1000 || entry.startTime - began > 5000) {
        sum = 0;
        began = entry.startTime;
      }
      last = entry.startTime;
      sum += entry.value;
      const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        const text = element?.textContent?.slice(0, 50) ?? '';
        const way = `${from.x},${from.y} ${from.width}×${from.height} → ${to.x},${to.y} ${to.width}×${to.height}`;
        return `\n    <${element?.tagName.toLowerCase()}> “${text}” ${way}`;
      });
      void window.tellShift(`${location.pathname} ${performance.timeOrigin}`, sum, moved.join(''));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
