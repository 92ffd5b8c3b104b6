import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Plane, startControlPlane } from '#e2e/controlplane/index.ts';
import { connect } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { Benchmark } from './benchmark.ts';
import { loadNow, measuredConsole, percentile } from './measured-console.ts';

const limitMs = 150;
const component = 'bench';
const patienceMs = 10_000;

/**
 * From an event of a real API server to the picture's text: a TigeraStatus says something new, and a browser that shows the dashboard writes down
 * when it is in the document. The event's time is when another watch, in this process, had it; both clocks are the machine's.
 */
export const live: Benchmark = {
  name: 'live',
  title: 'From an event of the API server to the page',
  async run({ report, options }) {
    const plane = await startControlPlane({ kind: 'standard', like: 'none', nodes: 6, components: 'api-only', report });
    const stop = new AbortController();
    const kube = await connect({ kubeconfig: plane.kubeconfig });
    try {
      await says(plane, 0, 'create');
      const measured = await measuredConsole(plane.kubeconfig);
      try {
        const { page } = measured;
        await page.goto('/');
        await page.getByRole('link', { name: 'signalbox-test', exact: true }).click();
        await page
          .getByText(/live · /)
          .first()
          .waitFor({ timeout: 60_000 });
        await page.evaluate(watchText);

        const heard = new Map<number, number>();
        const hearing = (async () => {
          for await (const event of kube.watch(resources.tigeraStatuses, { signal: stop.signal })) {
            if (event.type !== 'modified') continue;
            const number = /event (\d+)\./.exec(JSON.stringify(event.object))?.[1];
            if (number !== undefined) heard.set(Number(number), Date.now());
          }
        })();
        await sleep(1_000);

        const rounds = Number(options.rounds ?? 300);
        const fromEvent: number[] = [];
        const fromWrite: number[] = [];
        for (let number = 1; number <= rounds; number++) {
          const written = Date.now();
          await says(plane, number, 'patch');
          const shown = await shownAt(page, number);
          fromEvent.push(shown - (heard.get(number) ?? Number.NaN));
          fromWrite.push(shown - written);
          // No rhythm, so that the events do not fall into step with anybody's timer.
          await sleep(20 + Math.random() * 180);
        }
        stop.abort();
        await hearing;
        const figures = (values: readonly number[]) =>
          `p50 ${percentile(values, 0.5)} ms, p99 ${percentile(values, 0.99)} ms, worst ${Math.max(...values)} ms`;
        return [
          `${rounds} events, ${loadNow()}`,
          `event → DOM: ${figures(fromEvent)} (p99 ≤ ${limitMs})`,
          `begin of the write → DOM: ${figures(fromWrite)}`,
        ];
      } finally {
        await measured.close();
      }
    } finally {
      stop.abort();
      await kube.close();
      await plane.stop();
    }
  },
};

async function says({ api }: Plane, number: number, how: 'create' | 'patch'): Promise<void> {
  const now = new Date().toISOString();
  const condition = {
    type: 'Available',
    status: 'True',
    reason: 'Bench',
    lastTransitionTime: now,
    message: `event ${number}.`,
  };
  const status = { conditions: [condition] };
  const object = { apiVersion: 'operator.tigera.io/v1', kind: 'TigeraStatus', metadata: { name: component } };
  if (how === 'create') await api.apply({ ...object, spec: {} });
  await api.patch(`/apis/operator.tigera.io/v1/tigerastatuses/${component}/status`, { status });
}

declare global {
  interface Window {
    benchShown: Record<string, number>;
  }
}

/** When each text came into the document, ms of `Date.now()`. Runs in the page. */
function watchText(): void {
  window.benchShown = {};
  new MutationObserver((changes) => {
    const now = Date.now();
    for (const { target } of changes) {
      const number = /event (\d+)\./.exec(target.textContent ?? '')?.[1];
      if (number !== undefined) window.benchShown[number] ??= now;
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

async function shownAt(page: Page, number: number): Promise<number> {
  const handle = await page.waitForFunction((wanted) => window.benchShown[wanted], String(number), {
    timeout: patienceMs,
    polling: 50,
  });
  const shown = await handle.jsonValue();
  if (shown === undefined) throw new Error(`event ${number} was not shown`);
  return shown;
}
