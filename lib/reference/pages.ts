import { sourceKinds } from '#lib/spec/index.ts';
import { gatesPage } from './gates-page.ts';
import { kernelsPage } from './kernels-page.ts';
import { blocks, bullets } from './markdown.ts';
import { platformsPage } from './platforms-page.ts';
import { markdownOf } from './reference-table.ts';
import { releasesPage } from './releases-page.ts';
import { featureTable, tcxTable, trafficLimitTable } from './tables/features.ts';

/** A page of docs/reference, as `signalbox spec NAME -o markdown` prints it. */
type ReferencePage = { readonly name: string; readonly title: string; readonly body: () => string };

const pages: readonly ReferencePage[] = [
  { name: 'platforms', title: 'Platforms', body: platformsPage },
  { name: 'kernels', title: 'Kernels and distributions', body: kernelsPage },
  { name: 'gates', title: 'Gates', body: gatesPage },
  { name: 'features', title: 'What eBPF mode does not do', body: featuresPage },
  { name: 'releases', title: 'Releases, operators and images', body: releasesPage },
];

function featuresPage(): string {
  const more = [trafficLimitTable(), tcxTable()].map((part) => blocks(`## ${part.title}`, markdownOf(part)));
  return blocks(markdownOf(featureTable()), ...more);
}

/** The whole text of a page; null where there is none of this name. */
export function referencePage(name: string): string | null {
  const page = pages.find((one) => one.name === name);
  return page === undefined ? null : textOf(page);
}

/** Every file of docs/reference, by its name. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([['README.md', contents()], ...pages.map((page) => [`${page.name}.md`, textOf(page)] as const)]);
}

function textOf({ name, title, body }: ReferencePage): string {
  const made = `<!-- Made by scripts/reference.ts from the tables of lib/spec: change those. The same text: signalbox spec ${name} -o markdown -->`;
  return `${blocks(`# ${title}`, made, body())}\n`;
}

function contents(): string {
  return `${blocks(
    '# Reference',
    '<!-- Made by scripts/reference.ts from the tables of lib/spec: change those. -->',
    'What Signalbox knows about platforms, kernels and releases. The checks and the plan read the same tables.',
    bullets(pages.map(({ name, title }) => `[${title}](${name}.md)`)),
    '## Sources',
    'Every row names its source and the day it was read. Kinds of sources:',
    bullets(sourceKinds.map(({ kind, what }) => `${kind}: ${what}`)),
    'Nothing is filled in by guessing: where something is *unknown*, its page says how to find it out.',
  )}\n`;
}
