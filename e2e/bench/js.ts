import { mouse } from '#e2e/browser/testing/hands.ts';
import { answerWizard, openCluster } from '#e2e/browser/testing/journey.ts';
import { openPage } from '#e2e/browser/testing/open-page.ts';
import { budgetBytes, frameworkScripts, gzippedBytes, pagesOf } from '#e2e/console/testing/page-scripts.ts';
import type { Benchmark } from './benchmark.ts';
import { type MeasuredConsole, measuredConsole } from './measured-console.ts';

/** What the pages weigh by the build's own lists, which e2e/console/budget.test.ts bounds, and what a browser loads on each step. */
export const js: Benchmark = {
  name: 'js',
  title: 'JavaScript beyond the framework, gzipped',
  async run() {
    const measured = await measuredConsole();
    try {
      const { build } = measured;
      const framework = frameworkScripts(build);
      const lines = pagesOf(build)
        .map(({ route, scripts }) => ({ route, bytes: gzippedBytes(build, scripts) }))
        .sort((one, other) => other.bytes - one.bytes)
        .map(({ route, bytes }) => `${route}: ${kib(bytes)} (≤ ${kib(budgetBytes)})`);
      return [
        `framework: ${kib(gzippedBytes(build, framework))}`,
        ...lines,
        ...(await loadedBySteps(measured, framework)),
      ];
    } finally {
      await measured.close();
    }
  },
};

/** Each step of the wizard, opened in a browser that has nothing yet. */
async function loadedBySteps({ console, build, page }: MeasuredConsole, framework: ReadonlySet<string>) {
  const steps: { step: string; url: string }[] = [];
  const note = async (step: string) => {
    if (!step.endsWith('-decided')) steps.push({ step, url: page.url() });
  };
  await openCluster(page, mouse, 'standard');
  await answerWizard(page, mouse, { look: note });
  const lines: string[] = [];
  for (const { step, url } of steps) {
    const { page: fresh, context } = await openPage(console);
    const loaded = new Set<string>();
    fresh.on('request', (request) => {
      const script = /\/_next\/(.+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
      if (script !== undefined && !framework.has(script)) loaded.add(script);
    });
    await fresh.goto(url);
    await fresh.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
    await context.close();
    lines.push(
      `step ${step}, as loaded: ${kib(gzippedBytes(build, loaded))} in ${loaded.size} files (≤ ${kib(budgetBytes)})`,
    );
  }
  return lines;
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
