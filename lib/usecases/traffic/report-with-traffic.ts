import type { ChangesOfRun } from '#lib/flows/index.ts';
import { type Report, reportAsMarkdown } from '#lib/run/index.ts';

/** A report as data. `traffic` is absent if nothing is known. */
export const reportWithTraffic = (report: Report, traffic: ChangesOfRun | null): Report & { traffic?: ChangesOfRun } =>
  traffic === null ? report : { ...report, traffic };

/** A report with the changes of flows as Markdown, which is also its text form. */
export async function reportWithTrafficAsMarkdown(report: Report, traffic: ChangesOfRun | null): Promise<string> {
  const text = reportAsMarkdown(report);
  if (traffic === null) return text;
  const { changesAsMarkdown } = await import('#lib/flows/index.ts');
  return `${text}\n${changesAsMarkdown(traffic)}`;
}
