import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** The line that does the same, to read and to take along. */
export function CommandBlock({ command, of }: { command: string; of: string }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 rounded-md border border-line bg-sunk py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1 basis-64 py-1.5">
        <CodeBlock label={of}>{command}</CodeBlock>
      </div>
      <CopyButton text={command} of={of} />
    </div>
  );
}
