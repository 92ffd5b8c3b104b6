import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { PressForm } from '#components/wizard/press-form.tsx';
import type { Slug, Suggested } from '#lib/console/host.ts';
import { FailureMessage } from '../failure-message.tsx';
import { saveFile } from '../save-file.ts';
import { useAnswer } from '../use-answer.ts';
import { planWords } from './suggest-words.ts';

/** A policy from a workload's flows, made by the server: as YAML to review, or as a plan with its undo. Applies nothing. */
export function SuggestPanel({
  cluster,
  url,
  time,
  workload,
  close,
}: {
  cluster: Slug;
  /** Of the cluster's flows. */
  url: string;
  /** The time of the page, as it is typed; empty: the last hour. */
  time: string;
  /** `shop/checkout` */
  workload: string;
  close: () => void;
}) {
  const { planSuggested } = useActions();
  const path = `${url}/suggest?${new URLSearchParams({ of: workload, q: time })}`;
  const answer = useAnswer(path, null, isSuggested);
  const read = answer.path === path ? answer.read : null;
  return (
    <section aria-label="Suggested policy" className="flex flex-col gap-3 px-4 py-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-semibold break-words">
          A policy for <span className="font-mono text-xs">{workload}</span>, from what was seen
        </h3>
        <div className="ml-auto flex flex-wrap gap-2">
          {read && (
            <>
              <PressForm
                action={planSuggested}
                fields={{ cluster, workload, query: time, shown: read.hash }}
                kind="primary"
              >
                {planWords(read.kind)}
              </PressForm>
              <CopyButton text={read.yaml} of="the policy" />
              <Button onClick={() => saveFile(`${read.name}.yaml`, 'application/yaml', [read.yaml])}>
                Save as YAML
              </Button>
            </>
          )}
          <Button onClick={answer.again}>Suggest again</Button>
          <Button kind="quiet" onClick={close}>
            Back to the table
          </Button>
        </div>
      </header>
      {answer.failed !== null ? (
        <FailureMessage message={answer.failed} />
      ) : read === null ? (
        <p className="min-h-40 text-ink-2">Reading what was seen…</p>
      ) : (
        <>
          <p className="max-w-[80ch] text-ink-2">
            Nothing is applied here. Review it, then make it by a plan of this console, which undoes it too, or apply it
            with your own tools; deleting{' '}
            <code>
              {read.kind} {read.namespace}/{read.name}
            </code>{' '}
            undoes it then.
          </p>
          <div className="rounded-md border border-line px-3 py-2 font-mono text-xs">
            <CodeBlock label="Policy as YAML">{read.yaml}</CodeBlock>
          </div>
        </>
      )}
    </section>
  );
}

function isSuggested(value: unknown): value is Suggested {
  return typeof value === 'object' && value !== null && 'yaml' in value && typeof value.yaml === 'string';
}
