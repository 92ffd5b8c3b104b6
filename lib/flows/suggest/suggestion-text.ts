import { counted } from '#lib/base/words.ts';
import { visibleLine } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import type { SuggestedPolicy } from './suggest-policy.ts';

/** The suggestion as a file to review and apply, with its basis and limits in comments at the top. */
export function suggestionText({ object, remarks, seen }: SuggestedPolicy): string {
  const means =
    object.kind === 'StagedNetworkPolicy'
      ? 'Staged: it denies nothing. Flow logs then show what it would deny.'
      : 'In force once applied: it denies all other traffic of this workload.';
  const lines = [`Suggested from ${counted(seen, 'flow')}: what was allowed in them.`, means, ...remarks];
  return `${lines.map((line) => `# ${visibleLine(line)}\n`).join('')}${yamlText(object)}`;
}
