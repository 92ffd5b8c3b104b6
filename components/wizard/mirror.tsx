import { CopyButton } from '#components/ui/copy-button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import type { Mirror as MirrorData, MirrorPart } from '#lib/console/wizard/index.ts';

/** The same by hand: what the answers come to as commands, growing into the whole script; this step's part stands out. */
export function Mirror({ mirror }: { mirror: MirrorData }) {
  const { parts, toCome, script, cli } = mirror;
  return (
    <section aria-labelledby="mirror-title" className="rounded-md border border-line bg-sunk">
      <header className="flex min-h-10 items-center justify-between gap-2 pt-1 pr-1 pl-3.5">
        <h2 id="mirror-title" className="text-sm font-semibold text-ink-2">
          The same, by hand
        </h2>
        {parts.length > 0 && <CopyButton text={script} of="the commands so far" />}
      </header>
      <div className="max-h-[min(60vh,34rem)] overflow-y-auto pb-3">
        {parts.length === 0 && <p className="px-3.5 text-sm text-ink-3">No answer comes to a command yet.</p>}
        {parts.map((part) => (
          <Part key={`${part.title}${part.lines[0]}`} part={part} />
        ))}
        {toCome > 0 && (
          <p className="mt-2 px-3.5 text-xs text-ink-3">
            {toCome === 1 ? 'One more block' : `${toCome} more blocks`} with the next answers.
          </p>
        )}
      </div>
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

function Part({ part: { title, lines, here } }: { part: MirrorPart }) {
  const [shown, rest] = foldedLines(lines);
  return (
    <div className={`px-3.5 py-1 ${here ? 'bg-blue-tint' : ''}`}>
      <pre className={`whitespace-pre-wrap break-words ${here ? 'font-semibold text-ink' : 'text-ink-2'}`}>
        <span className="font-normal text-ink-3"># {title}</span>
        {'\n'}
        {shown.join('\n')}
        {rest > 0 && <span className="font-normal text-ink-3">{`\n# and ${rest} lines that wait for it`}</span>}
      </pre>
    </div>
  );
}

/** Loops that wait are many lines of no interest here; they are in what is copied. */
function foldedLines(lines: readonly string[]): [string[], number] {
  if (lines.length <= 3) return [[...lines], 0];
  const commands = lines.filter((line) => /^(kubectl|helm|calicoctl) /.test(line));
  const shown = commands.length > 0 ? commands : lines.slice(0, 1);
  return [shown, lines.length - shown.length];
}
