import { DiffTables } from '#components/review/diff-tables.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { counted } from '#lib/base/words.ts';
import type { WizardContext } from '#lib/console/wizard/index.ts';

/** Each writing step of the plan with its diffs for the saved answers; the review makes dry runs of them. */
export function WrittenBelow({ context: { plan } }: { context: WizardContext }) {
  if (plan.kind === 'none') return null;
  const writing = plan.operations.filter(({ status, diff }) => status === 'needed' && diff !== '');
  if (writing.length === 0) return null;
  return (
    <div className="mt-6">
      <Panel title="What the upgrade writes, with these answers">
        <ol className="divide-y divide-line">
          {writing.map(({ seq, title, targets, diff }) => (
            <li key={seq} className="min-w-0 px-4 py-2">
              <Disclosure
                summary={
                  <span>
                    {title} <span className="text-ink-3">· {counted(targets.length, 'object')}</span>
                  </span>
                }
              >
                <DiffTables unified={diff} of={title} />
              </Disclosure>
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  );
}
