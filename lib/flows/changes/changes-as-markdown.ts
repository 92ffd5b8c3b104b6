import { agreeing, counted, duration } from '#lib/base/words.ts';
import { markdownText as cell } from '#lib/text/index.ts';
import { flowTime } from '../flow-lines.ts';
import type { ChangesOfRun } from './changes-in-history.ts';

/** The section of a run's report about traffic, as Markdown. Names come from the cluster and are escaped. Ends with an empty line. */
export function changesAsMarkdown({ pairs, talked, untold, secondsBefore, secondsSince, isCut }: ChangesOfRun): string {
  const of = `${counted(talked, 'pair')} that talked in the ${duration(secondsBefore)} before the run`;
  return [
    '## Traffic before and since',
    '',
    `${pairs.length === 0 ? 'None' : pairs.length} of ${of} ${agreeing(Math.max(1, pairs.length), 'is', 'are')} denied or silent since. Observed for ${duration(secondsSince)} since the run.`,
    ...(untold > 0 ? [`${counted(untold, 'pair')} talked too seldom to compare.`] : []),
    ...(isCut ? ['Too many flows to compare all of them: silent pairs are left out.'] : []),
    ...(pairs.length === 0
      ? []
      : [
          '',
          '| since | from | to | port | last seen | why |',
          '|---|---|---|---|---|---|',
          ...pairs.map(
            ({ state, from, to, port, protocol, seen, why }) =>
              `| ${state} | ${cell(from)} | ${cell(to)} | ${port} ${cell(protocol)} | ${flowTime(seen)} | ${cell(why)} |`,
          ),
        ]),
    '',
  ].join('\n');
}
