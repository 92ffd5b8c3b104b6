import { DiffTables } from '#components/review/diff-tables.tsx';
import { ButtonLink } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { counted } from '#lib/base/words.ts';
import type { LookedThrough } from '#lib/console/host.ts';
import { LookThroughForm } from './look-through-form.tsx';

const titles = {
  resume: 'Plan what is missing now: a run of this installation replaces it',
  undo: 'Its way back, with the earlier values that it recorded',
} as const;

type Step = LookedThrough['steps'][number];

/** Shows a foreign run without trusting any of its texts: what it claims to have done, what comes next, its way back, and what prevents it. */
export function LookThrough({ cluster, found }: { cluster: string; found: LookedThrough }) {
  const { run, how, because, claimed, accepted, open, steps, problems, digest, cluster: name } = found;
  const page = `/clusters/${cluster}/runs/${run}`;
  return (
    <>
      <PageHead
        title={how === 'undo' ? 'Undo a run of another installation' : 'Continue a run of another installation'}
        sub={
          <>
            Run <code>{run}</code> · {because}
          </>
        }
        actions={<ButtonLink href={page}>Back to the run</ButtonLink>}
      />
      <div className="flex min-w-0 flex-col gap-4">
        {problems.length > 0 && (
          <Notice state="bad" title={`This run cannot be ${how === 'undo' ? 'undone' : 'continued'} here`}>
            <ul className="list-disc pl-5">
              {problems.map(({ id, message }) => (
                <li key={`${id} ${message}`}>
                  {id !== null && (
                    <>
                      <code>{id}</code>:{' '}
                    </>
                  )}
                  {message}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <Panel title="By its own account">
          <dl className="grid gap-x-6 gap-y-1 px-4 py-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="text-ink-2">Begun so far</dt>
            <dd>{claimed.length === 0 ? 'nothing' : claimed.join(', ')}</dd>
            <dt className="text-ink-2">Accepted</dt>
            <dd>
              {accepted.length === 0 ? 'nothing' : accepted.map(({ id, reason }) => `${id}: ${reason}`).join('; ')}
            </dd>
          </dl>
        </Panel>
        {open.length > 0 && (
          <Notice
            state="warn"
            title={`${counted(open.length, 'open finding')}. A run in progress causes some findings itself.`}
          >
            <ul className="list-disc pl-5">
              {open.map(({ id, message }) => (
                <li key={id}>
                  <code>{id}</code>: {message}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <Steps title={titles[how]} steps={steps} />
        {problems.length === 0 && <LookThroughForm {...{ cluster, run, how, digest, name }} />}
      </div>
    </>
  );
}

function Steps({ title, steps }: { title: string; steps: readonly Step[] }) {
  return (
    <Panel title={title}>
      {steps.length === 0 ? (
        <p className="px-4 py-3 text-sm text-ink-2">Nothing.</p>
      ) : (
        <ol className="divide-y divide-line">
          {steps.map(({ id, title: what, diff }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an id may occur twice, and steps never move.
            <li key={index} className="flex min-w-0 flex-col gap-2 px-4 py-3">
              <p>
                <span className="font-semibold">{what}</span> <code className="text-sm text-ink-3">{id}</code>
              </p>
              <DiffTables unified={diff} of={`Step ${index + 1}`} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
