import { CopyButton } from '#components/ui/copy-button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { counted } from '#lib/base/words.ts';
import type { CommandPart, CommandPreview as Preview } from '#lib/console/wizard/index.ts';
import { CommandPreviewScroll } from './command-preview-scroll.tsx';

/** The same by hand: what the answers come to as commands, growing into the whole script; this step's part stands out. */
export function CommandPreview({ preview, step }: { preview: Preview; step: string }) {
  const { parts, toCome, script, cli } = preview;
  return (
    <section aria-labelledby="commands-title" className="rounded-md border border-line bg-sunk">
      <header className="flex min-h-10 items-center justify-between gap-2 pt-1 pr-1 pl-3.5">
        <h2 id="commands-title" className="text-sm font-semibold text-ink-2">
          The same, by hand
        </h2>
        {parts.length > 0 && <CopyButton text={script} of="the commands so far" />}
      </header>
      <CommandPreviewScroll step={step}>
        {parts.length === 0 && <p className="px-3.5 text-sm text-ink-3">No answer comes to a command yet.</p>}
        {parts.map((part) => (
          <Part key={`${part.title}${part.lines[0]}`} part={part} />
        ))}
        {toCome > 0 && (
          <p className="mt-2 px-3.5 text-xs text-ink-3">
            {toCome === 1 ? 'One more block' : `${toCome} more blocks`} with the next answers.
          </p>
        )}
      </CommandPreviewScroll>
      <div className="border-t border-line px-3.5 py-2 text-sm">
        <Disclosure summary="With Signalbox on the command line">
          <pre className="whitespace-pre-wrap break-words text-ink-2">
            {`cat > answers.yaml <<'END'\n${cli.answers}END\n${cli.command}`}
          </pre>
          <CopyButton text={`cat > answers.yaml <<'END'\n${cli.answers}END\n${cli.command}\n`} of="the command" />
        </Disclosure>
      </div>
    </section>
  );
}

function Part({ part: { title, lines, here } }: { part: CommandPart }) {
  const shown = lines.map(withoutObject).filter((line) => acts.test(line));
  const rest = lines.length - shown.length;
  return (
    <div className={`px-3.5 py-1 ${here ? 'bg-blue-tint' : ''}`} data-here={here ? '' : undefined}>
      <pre className={`whitespace-pre-wrap break-words ${here ? 'font-semibold text-ink' : 'text-ink-2'}`}>
        <span className={`font-normal ${here ? 'text-ink-2' : 'text-ink-3'}`}># {title}</span>
        {shown.map((line) => `\n${line}`)}
        {rest > 0 && shown.length > 0 && (
          <span
            className={`font-normal ${here ? 'text-ink-2' : 'text-ink-3'}`}
          >{`\n# and ${counted(rest, 'more line')}`}</span>
        )}
      </pre>
    </div>
  );
}

/** Lines that do something. What only waits is many lines of no interest here; they are in what is copied. */
const acts = /^(… \| )?(kubectl (?!rollout |wait )|helm |calicoctl |signalbox )/;

/** A whole object in one line is nothing to read here; it too is in what is copied. */
function withoutObject(line: string): string {
  return line.replace(/^printf '%s\\n' '.*' \| (?=kubectl )/, '… | ');
}
