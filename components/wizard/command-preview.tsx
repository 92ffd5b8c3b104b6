import { BreakableText } from '#components/ui/breakable-text.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import type { CommandPreview as Preview } from '#lib/console/wizard/index.ts';
import { CommandPreviewScroll } from './command-preview-scroll.tsx';

/** The answers so far as a script of commands; this step's part is highlighted. The shown text is the copied text. */
export function CommandPreview({ preview, step }: { preview: Preview; step: string }) {
  const { parts, script, cli } = preview;
  return (
    <section aria-labelledby="commands-title" className="rounded-md border border-line bg-sunk">
      <header className="flex min-h-10 items-center justify-between gap-2 pt-1 pr-1 pl-3.5">
        <h2 id="commands-title" className="text-sm font-semibold text-ink-2">
          The same, by hand
        </h2>
        <CopyButton text={script} of="the commands so far" />
      </header>
      <CommandPreviewScroll step={step}>
        {parts.map(({ text, here }) => (
          <pre
            key={text}
            data-here={here ? '' : undefined}
            className={`px-3.5 py-1 break-words whitespace-pre-wrap ${here ? 'bg-blue-tint text-ink' : 'text-ink-2'}`}
          >
            <BreakableText text={text} />
          </pre>
        ))}
      </CommandPreviewScroll>
      <div className="border-t border-line px-3.5 py-2 text-sm">
        <Disclosure summary="With Signalbox on the command line">
          <pre className="break-words whitespace-pre-wrap text-ink-2">
            <BreakableText text={cli} />
          </pre>
          <CopyButton text={cli} of="the command" />
        </Disclosure>
      </div>
    </section>
  );
}
