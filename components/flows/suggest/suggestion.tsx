import { useMemo } from 'react';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { type Flow, suggestionText, suggestPolicy, type WorkloadName } from '#lib/flows/in-browser.ts';

/** A staged policy that allows what was seen of a workload, to copy; or why there is none. Nothing is applied. */
export function Suggestion({ flows, target }: { flows: readonly Flow[]; target: WorkloadName }) {
  const suggested = useMemo(() => suggestPolicy(flows, target, 'staged'), [flows, target]);
  if (typeof suggested === 'string') return <p className="text-ink-2">{suggested}</p>;
  const text = suggestionText(suggested);
  return (
    <>
      <p className="text-ink-2">
        From what this page has. Of more time:{' '}
        <code className="break-words">
          signalbox flows suggest {target.namespace}/{target.name} --since 7d
        </code>
      </p>
      <div className="mt-2 rounded-md border border-line bg-paper px-3 py-2">
        <CodeBlock label={`Suggested policy for ${target.namespace}/${target.name}`}>{text}</CodeBlock>
      </div>
      <CopyButton text={text} of="the policy" />
    </>
  );
}
